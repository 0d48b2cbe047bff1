import Foundation
package import MarqueeModel
import MarqueeScreens
package import MarqueeServer
package import MarqueeStore
package import MarqueeWire
package import NIOCore
import Synchronization

/// A relay as a server's content source and authenticator: a `RelayCore` on an event loop of its own. Thread-safe.
package final class RelaySource: ContentSource, Authenticator {
    /// The values that other threads read without waiting for the loop.
    private struct Snapshot {
        var locales: [String] = []
        var revision: UInt64 = 0
        var records: [RecordCount] = []
        var stale: UInt64?
        var unwritable: UInt64?
        var away: UInt64?
    }

    let loop: any EventLoop
    private let shell: NIOLoopBoundBox<RelayShell?>
    private let snapshot = Mutex(Snapshot())
    /// Guests whose identities have ended, until they leave.
    private let ended = Mutex<Set<UInt32>>([])
    private let isStopped = Atomic<Bool>(false)
    private let hits: LimitHits

    /// - Parameter loop: the relay's own.
    init(loop: any EventLoop, hits: LimitHits) {
        self.loop = loop
        self.hits = hits
        shell = NIOLoopBoundBox.makeBoxSendingValue(nil, eventLoop: loop)
    }

    /// Called once, on the loop.
    func begin(_ shell: RelayShell) { self.shell.value = shell }

    /// Runs `work` on the loop.
    func onCore(_ work: @escaping @Sendable (RelayCore) -> Void) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        loop.execute { [self] in if let core = shell.value?.core { work(core) } }
    }

    /// Copies the values that other threads read. Called on the loop after anything that may have changed them.
    func note(_ core: RelayCore, now: UInt64) {
        snapshot.withLock { snapshot in
            snapshot.locales = core.welcome?.locales ?? []
            snapshot.revision = core.revision
            snapshot.records = core.health.records
            snapshot.stale = core.staleMilliseconds(now: now)
            snapshot.unwritable = core.isLive ? core.health.unwritable : nil
            snapshot.away = core.awayMilliseconds(now: now)
        }
    }

    func guestEnded(_ guest: UInt32) { _ = ended.withLock { $0.insert(guest) } }

    // MARK: - Access

    package func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
        let result = await withCheckedContinuation { continuation in
            guard !isStopped.load(ordering: .acquiring) else {
                return continuation.resume(returning: Result<Identity, Status>.failure(.upstreamAway))
            }
            loop.execute { [self] in
                guard let core = shell.value?.core else {
                    return continuation.resume(returning: .failure(.upstreamAway))
                }
                core.introduce(credentials) { [self] result in
                    continuation.resume(returning: result.map { identity(of: $0.guest, $0.answer) })
                }
            }
        }
        return try result.get()
    }

    private func identity(of guest: UInt32, _ answer: IntroduceAnswer) -> Identity {
        let introduction = Introduction(guest: guest) { [weak self] in self?.left($0) }
        return answer.identity(introduction, now: Int64(Date().timeIntervalSince1970 * 1_000))
    }

    /// The time at which an identity ends, in milliseconds of Unix time.
    /// - Parameter left: milliseconds left, according to the server upstream.
    static func end(after left: UInt64, now: Int64) -> Int64 { now + Int64(clamping: min(left, RelayCore.longestTime)) }

    private func left(_ guest: UInt32) {
        onCore { $0.dismiss(guest) }
        _ = ended.withLock { $0.remove(guest) }
    }

    package var canRevoke: Bool { true }

    package func standing(of identity: Identity) -> Standing {
        guard case .upstream(let introduction) = identity.grant.source else { return .untilRevoked }
        if ended.withLock({ $0.contains(introduction.guest) }) { return .ended }
        return identity.grant.standing(now: Int64(Date().timeIntervalSince1970 * 1_000))
    }

    // MARK: - For sessions

    /// The same for every client, because opening a view is cheap here.
    package var openAllowance: Int { 64 }
    package var locales: [String] { snapshot.withLock { $0.locales } }

    package func open(
        _ request: OpenRequest, by caller: ContentCaller, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<OpenedView, Status>) -> Void
    ) {
        onCore { [hits] core in
            core.open(request, guest: caller.guest) { result in
                if case .failure(.tooManyVariants) = result { hits.hit(.variants) }
                completion(result)
            }
        }
    }

    package func release(_ handles: [UInt64]) { onCore { $0.release(handles) } }

    package func locate(
        _ caller: ContentCaller, claim: PositionClaim?, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<(cut: Cut, lastMutation: UInt64?), Status>) -> Void
    ) {
        onCore { core in
            completion(caller.guest.map { core.locate($0) } ?? .failure(.upstreamAway))
        }
    }

    package func perform(
        _ call: ContentCall, by caller: ContentCaller, for connection: ConnectionID, deadline: UInt64?,
        completion: @escaping @Sendable (Result<[UInt8], Status>) -> Void
    ) {
        onCore { core in
            guard case .plan(let request) = call else {
                return core.perform(call, guest: caller.guest, deadline: deadline, completion: completion)
            }
            core.plan(request, for: caller.reader, guest: caller.guest) { result in
                completion(result.map { CallBodyCodec.encode($0) })
            }
        }
    }

    /// Does nothing: a client that is ahead tells the server upstream itself, once it connects there.
    package func note(ahead client: ClientAhead) {}

    package func drop(_ connection: ConnectionID) {}

    package func tick(now: UInt64) {
        onCore { [self] core in
            core.library.tick(now: now)
            core.tick(now: now)
            note(core, now: now)
        }
    }

    package func finish() async {}

    package func stop() {
        isStopped.store(true, ordering: .releasing)
        loop.execute { [shell] in
            shell.value?.end()
            shell.value = nil
        }
    }

    // MARK: - For operators

    package var revision: UInt64 { snapshot.withLock { $0.revision } }
    package var records: [RecordCount] { snapshot.withLock { $0.records } }
    package var staleMilliseconds: UInt64? { snapshot.withLock { $0.stale } }
    package var outage: SourceOutage? {
        snapshot.withLock { $0.away }.map { SourceOutage(age: $0, reason: "the server upstream can't be reached") }
    }
    package var writeFailure: SourceOutage? {
        snapshot.withLock { $0.unwritable }
            .map { SourceOutage(age: $0, reason: "the server upstream stores no changes; its own /writable says why") }
    }
    package var laneFigures: [LaneFigures] { [] }
    package var commitFigures: [String: CommitFigures] { [:] }

    package func variantCounts(within bound: AnswerBound) async throws -> VariantCounts {
        try await answer { $0.variantCounts }.value(within: bound)
    }

    package func variantReports(_ handles: [UInt64], within bound: AnswerBound) async throws -> [VariantReport] {
        try await answer { $0.variantReports(handles) }.value(within: bound)
    }

    package func turn() -> EventLoopFuture<Void> { answer { _ in } }

    private func answer<Value: Sendable>(
        _ question: @escaping @Sendable (RelayCore) -> Value
    ) -> EventLoopFuture<Value> {
        loop.submit { [self] in
            guard let core = shell.value?.core else { throw StoreError(.closed, "the relay isn't connected yet") }
            return question(core)
        }
    }
}

extension ContentCaller {
    /// The guest upstream who makes a call; `nil` for a relay behind this one.
    package var guest: UInt32? {
        if case .upstream(let introduction) = identity.grant.source { introduction.guest } else { nil }
    }

    /// The group of guests whom a plan for the caller is for.
    package var reader: RelayCore.Reader { RelayCore.Reader(user: user, claims: identity.claims.sum) }
}

extension IntroduceAnswer {
    /// The identity of a client whose introduction was answered.
    /// - Parameter now: the time, in the milliseconds in which its end is stated.
    package func identity(_ introduction: Introduction, now: Int64) -> Identity {
        // Drops scopes of a newer server that this relay doesn't know and can't check.
        let known = try? Scopes(scopes.filter { (try? Scopes([$0])) != nil })
        let ends = identityMilliseconds.map { RelaySource.end(after: $0, now: now) }
        return Identity(
            user: user,
            grant: Grant(known ?? .nothing, from: .upstream(introduction), ends: ends, claims: Claims(sum: claims)))
    }
}

extension RelayCore {
    var revision: UInt64 { position.catalogueRevision }

    var variantCounts: VariantCounts {
        VariantCounts(
            subscribers: variants.all.map { ($0.key, $0.value.subscribers) }, contents: variants.all.count,
            idle: variants.idle.count, idleBytes: variants.idle.bytes)
    }

    func variantReports(_ handles: [UInt64]) -> [VariantReport] {
        handles.compactMap { handle in
            guard let variant = variants[handle], let current = variant.current else { return nil }
            let name = variant.name
            return VariantReport(
                handle: handle, content: handle,
                key: name.section.isEmpty
                    ? .view(ViewKey(screen: name.screen, locale: name.locale))
                    : .section(
                        VariantKey(
                            screen: name.screen, section: name.section, locale: name.locale, user: variant.user)),
                subscribers: variant.subscribers, items: current.version.items.count, sum: current.version.sum,
                since: current.since.catalogueRevision)
        }
    }
}
