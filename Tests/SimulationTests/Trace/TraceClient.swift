import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore
import Testing

@testable import MarqueeClient

/// A client without a socket and a clock: the sync machine, a real mirror in memory, and an app using them.
final class TraceClient {
    let name: String
    let user: String?
    let mirror: Mirror
    private let limits: WireLimits
    private(set) var core: SyncCore
    private var frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
    private(set) var connection: TraceConnection?
    /// The views that the app shows, with the requested parameters, newest last, in order of first use.
    private(set) var watched: [(id: ViewID, parameters: [[SectionParameters]])] = []
    private(set) var favorites = CollectionOverlay()
    private var sentChanges: [UInt32: UInt64] = [:]
    /// Frames sent and read, for a trace.
    var onSend: ((Message) -> Void)?
    /// Called after each cut and each progress.
    var onMove: (() -> Void)?
    /// The status of each refusal.
    private(set) var refusals: [Status] = []

    init(name: String, user: String?, clientID: UInt8, limits: WireLimits = .client) throws {
        self.name = name
        self.user = user
        self.limits = limits
        mirror = try Mirror(location: .memory) { [UInt8](repeating: clientID, count: 16) }
        core = SyncCore(limits: limits)
        if user != nil { watch(Self.collectionSet) }
    }

    static let collectionSet = ViewID(screen: ScreenID.collectionSet.name, locale: "en")

    // MARK: - The app

    func isWatching(_ id: ViewID) -> Bool { watched.contains { $0.id == id } }

    func watch(_ id: ViewID) {
        guard !isWatching(id) else { return }
        let stored = stored(id)
        let parameters = stored.parameters
        watched.append((id, [parameters]))
        run(core.want(id, parameters: parameters, stored: stored.content, cut: stored.cut))
        renewFavorites()
    }

    func unwatch(_ id: ViewID) {
        watched.removeAll { $0.id == id }
        run(core.unwant(id))
    }

    func setParameters(_ parameters: [SectionParameters], of id: ViewID) {
        guard let index = watched.firstIndex(where: { $0.id == id }) else { return }
        watched[index].parameters.append(parameters)
        run(core.setParameters(parameters, of: id))
    }

    func setFavorite(_ subject: String, _ on: Bool) throws {
        _ = try mirror.setFavorite(subject: subject, on: on, at: 0)
        renewFavorites()
        try sendChanges()
    }

    /// Restarts the app: only the mirror survives.
    func restart() {
        disconnect()
        core = SyncCore(limits: limits)
        let ids = watched.map(\.id)
        watched.removeAll()
        for id in ids { watch(id) }
    }

    private func stored(
        _ id: ViewID
    ) -> (content: SyncCore.ViewContent?, parameters: [SectionParameters], cut: Cut) {
        guard let view = try? mirror.view(id) else { return (nil, [], Cut()) }
        let parameters = view.parameters.map {
            SectionParameters(section: $0.section, sort: $0.sort, window: $0.window)
        }
        return (SyncCore.ViewContent(list: view.list, sections: view.sections), parameters, view.cut)
    }

    // MARK: - The connection

    func connect(_ connection: TraceConnection, now: UInt64) {
        self.connection = connection
        frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
        var hello = Hello()
        hello.limits = limits
        hello.user = user
        hello.clientID = mirror.identity.clientID
        hello.agent = name
        hello.cluster = mirror.identity.cluster
        run(core.connected(hello, now: now))
    }

    /// The connection has ended, or the client ends it.
    func disconnect() {
        connection?.finish()
        connection = nil
        sentChanges.removeAll()
        core.disconnected()
    }

    /// Takes bytes off the wire; all of them by default.
    func read(_ limit: Int = .max, now: UInt64) {
        guard let connection else { return }
        let bytes = connection.toClient.read(limit)
        if bytes.readableBytes > 0 {
            core.heard(now: now)
            frames.append(bytes)
            do throws(WireError) {
                while self.connection === connection, let frame = try frames.next() {
                    guard let message = try MessageCodec.decode(frame, limits: limits) else { continue }
                    run(core.received(message, flags: frame.flags, bytes: frame.wireBytes))
                }
            } catch {
                Issue.record("\(name) can't read what the server sent: \(error)")
                disconnect()
            }
        }
        if self.connection === connection, connection.toClient.isAtEnd { disconnect() }
    }

    /// Takes exactly one frame off the wire.
    func readFrame(now: UInt64) {
        guard let connection else { return }
        repeat { read(1, now: now) } while frames.pendingBytes > 0 && connection.toClient.readableBytes > 0
    }

    func tick(now: UInt64) { run(core.tick(now: now)) }

    // MARK: - Actions

    private func run(_ actions: [SyncCore.Action]) {
        for action in actions { run(action) }
    }

    private func run(_ action: SyncCore.Action) {
        switch action {
        case .send(let message):
            onSend?(message)
            connection?.toServer.write(MessageCodec.encode(message))
        case .welcomed(let welcome):
            do {
                try mirror.bind(cluster: welcome.cluster, user: welcome.user)
                run(core.accept(welcome, seen: mirror.seen))
                if core.isLive { try sendChanges() }
            } catch {
                Issue.record("\(name): \(error)")
            }
        case .apply(let result): apply(result)
        case .progress(let cut): progressed(cut)
        case .viewFailed(let id, let status):
            refusals.append(status)
            if status.remedy == .fatal { watched.removeAll { $0.id == id } } else { disconnect() }
        case .parametersRefused(_, _, let status): refusals.append(status)
        case .parametersKept: break
        case .sectionFailed: break
        case .answered(let call, let result): answered(call, result)
        case .close(let ending):
            if case .fatal(let status) = ending { Issue.record("\(name) was turned away: \(status)") }
            disconnect()
        }
    }

    private func apply(_ result: SyncCore.CutResult) {
        do throws(MirrorError) {
            try mirror.commit(
                MirrorTransaction(
                    cut: result.cut, savedAt: 0, views: result.views.map(\.write), currentViews: result.live,
                    finishedMutations: try finished(at: result.cut, isLive: result.live.contains(Self.collectionSet))))
        } catch {
            Issue.record("\(name) can't store a cut: \(error)")
            return disconnect()
        }
        run(core.applied(result, durable: mirror.durable))
        renewFavorites()
        onMove?()
    }

    private func progressed(_ cut: Cut) {
        do throws(MirrorError) {
            let live = watched.map(\.id).filter { core.isLive($0) }
            try mirror.commit(
                MirrorTransaction(
                    cut: cut, savedAt: 0, currentViews: live,
                    finishedMutations: try finished(at: cut, isLive: core.isLive(Self.collectionSet))))
        } catch {
            Issue.record("\(name) can't store progress: \(error)")
        }
        run(core.progressTaken(durable: mirror.durable))
        renewFavorites()
        onMove?()
    }

    // MARK: - Favorites

    private func finished(at cut: Cut, isLive: Bool) throws(MirrorError) -> [UInt64] {
        isLive ? try mirror.finished(containedIn: cut) : []
    }

    private func renewFavorites() {
        let confirmed = core.content(of: Self.collectionSet)?.sections["favorites"]?.items.map(\.subject) ?? []
        let pending = ((try? mirror.outbox()) ?? []).map {
            CollectionOverlay.Pending(subject: $0.subject, on: $0.on, placeholder: nil)
        }
        favorites = CollectionOverlay(confirmed: confirmed, pending: pending)
    }

    private func sendChanges() throws {
        guard core.isLive else { return }
        let onTheWire = Set(sentChanges.values)
        let waiting = try mirror.outbox().filter { entry in
            if case .answered = entry.state { return false }
            return !onTheWire.contains(entry.number)
        }
        for entry in waiting {
            try mirror.markSent([entry.number])
            let body = CallBodyCodec.encode(
                CollectionRequest(
                    number: entry.number, answeredThrough: mirror.answeredThrough, subject: entry.subject,
                    isMember: entry.on))
            guard let (call, action) = core.call(.collection, body: body, deadlineMilliseconds: nil) else { break }
            sentChanges[call] = entry.number
            run(action)
        }
    }

    private func answered(_ call: UInt32, _ result: Result<[UInt8], Status>) {
        guard let number = sentChanges.removeValue(forKey: call) else { return }
        do {
            let answer = try CallBodyCodec.decodeMutationAnswer(try result.get())
            let cut = core.position.advanced(to: answer.cut)
            try mirror.answered(number: number, cut: cut, changed: answer.changed)
            let gone = try finished(at: core.position, isLive: core.isLive(Self.collectionSet))
            if !gone.isEmpty {
                try mirror.commit(MirrorTransaction(cut: core.position, savedAt: 0, finishedMutations: gone))
            }
            renewFavorites()
            try sendChanges()
        } catch {
            Issue.record("\(name): favorite \(number) was answered with an error: \(error)")
        }
    }
}
