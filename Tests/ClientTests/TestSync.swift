import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueePresets
import MarqueeWire

@testable import MarqueeClient

/// A sync machine with a server of named versions, called `r1`, `b2` …; the machine's actions are described in words.
struct TestSync {
    static let epoch: UInt64 = 7
    static let home = ViewID(screen: "home", locale: "en")
    static let detail = ViewID(screen: "detail/1", locale: "en")

    private(set) var core: SyncCore
    /// Whether a cut to apply is stored at once.
    var stores = true
    private var names: [UInt64: String] = [Version.empty.sum: "empty"]
    /// The result that the shell was last given to store.
    private(set) var result: SyncCore.CutResult?

    init(credit: UInt64 = 1 << 20) {
        var limits = WireLimits.client
        limits.creditBytes = credit
        core = SyncCore(limits: limits)
    }

    /// A machine that was welcomed at (10,3) and wants nothing yet.
    static func live(credit: UInt64 = 1 << 20) -> TestSync {
        var sync = TestSync(credit: credit)
        _ = sync.connect()
        return sync
    }

    /// A machine that shows `home`: list 1 is `h1`, `rank` 2 is `r1`, `basic` 3 is `b1`.
    static func showingHome(credit: UInt64 = 1 << 20) -> TestSync {
        var sync = live(credit: credit)
        _ = sync.want(home)
        for (handle, name) in [(1, "h1"), (2, "r1"), (3, "b1")] as [(UInt64, String)] {
            _ = sync.receive(.stage(sync.whole(handle, name)), bytes: 0)
        }
        _ = sync.cut([.join(sync.homeJoin())])
        return sync
    }

    // MARK: - Content

    /// The list of a view begins with `h` (rank and basic), `d` (detail) or `n` (rank only); all others are sections.
    mutating func version(_ name: String) -> Version {
        let items: [Item]
        switch name.first {
        case "h": items = ["rank", "basic"].map { Item(id: $0, kind: .section, body: []) }
        case "d": items = [Item(id: "detail", kind: .section, body: [])]
        case "n": items = [Item(id: "rank", kind: .section, body: [])]
        default: items = (1...3).map { Item(id: "\($0)", kind: .movie, body: Self.text("\(name) \($0)")) }
        }
        let version = Version(head: Self.text(name), items: items)
        names[version.sum] = name
        return version
    }

    /// A canonical body: one text in field 1.
    private static func text(_ string: String) -> [UInt8] { [0x0a, UInt8(string.utf8.count)] + Array(string.utf8) }

    mutating func content(_ list: String, _ sections: [String: String]) -> SyncCore.ViewContent {
        SyncCore.ViewContent(list: version(list), sections: sections.mapValues { version($0) })
    }

    func cut(_ catalogue: UInt64, _ user: UInt64) -> Cut {
        Cut(catalogueEpoch: Self.epoch, catalogueRevision: catalogue, userEpoch: Self.epoch, userRevision: user)
    }

    // MARK: - The app

    mutating func want(
        _ id: ViewID, stored: SyncCore.ViewContent? = nil, parameters: [SectionParameters] = []
    ) -> [String] {
        told(core.want(id, parameters: parameters, stored: stored, cut: cut(9, 3)))
    }

    mutating func unwant(_ id: ViewID) -> [String] { told(core.unwant(id)) }

    mutating func sort(_ sort: String) -> [String] {
        told(core.setParameters([SectionParameters(section: "rank", sort: sort)], of: Self.home))
    }

    mutating func subscribeAgain() -> [String] { told(core.subscribeAgain(Self.home)) }

    mutating func call() -> UInt32? {
        core.call(.health, body: [], deadlineMilliseconds: nil)?.call
    }

    mutating func cancel(_ call: UInt32) -> [String] { told(core.cancel(call)) }
    mutating func tick(_ now: UInt64) -> [String] { told(core.tick(now: now)) }
    mutating func heard(_ now: UInt64) { core.heard(now: now) }
    mutating func received(frames: Int, isWithinFrame: Bool, _ now: UInt64) {
        core.received(frames: frames, isWithinFrame: isWithinFrame, now: now)
    }
    mutating func disconnect() { core.disconnected() }

    // MARK: - The server

    mutating func connect(
        at welcome: Cut? = nil, seen: Cut? = nil, adjust: (inout Welcome) -> Void = { _ in }
    ) -> [String] {
        var hello = Hello()
        hello.clientID = [UInt8](repeating: 1, count: Hello.clientIDBytes)
        var answer = Welcome()
        answer.cluster = "c"
        answer.cut = welcome ?? cut(10, 3)
        adjust(&answer)
        return told(core.connected(hello, now: 0)) + receive(.welcome(answer)) + told(core.accept(answer, seen: seen))
    }

    /// The socket is open, and the server has sent nothing yet.
    mutating func connectOnly() { _ = core.connected(Hello(), now: 0) }

    /// - Parameter flags: by default those of a whole staged patch.
    mutating func receive(_ message: Message, flags: FrameFlags? = nil, bytes: Int = 100) -> [String] {
        let isStaged = if case .stage = message { true } else { false }
        return told(core.received(message, flags: flags ?? (isStaged ? .first : []), bytes: bytes))
    }

    /// The frames of one cut.
    mutating func cut(_ messages: [Message], bytes: Int = 100) -> [String] {
        var said: [String] = []
        for (index, message) in messages.enumerated() {
            var flags: FrameFlags = []
            if index == 0 { flags.insert(.first) }
            if index == messages.count - 1 { flags.insert(.last) }
            said += receive(message, flags: flags, bytes: bytes)
        }
        return said
    }

    mutating func whole(_ handle: UInt64, _ name: String) -> Part { whole(handle, version(name)) }

    func whole(_ handle: UInt64, _ version: Version) -> Part {
        part(Differ.patch(from: .empty, to: version), handle, isWhole: true, CutChange())
    }

    mutating func data(_ handle: UInt64, _ base: String, _ target: String, _ cut: CutChange) -> Message {
        .data(part(Differ.patch(from: version(base), to: version(target)), handle, isWhole: false, cut))
    }

    /// A staged patch of a version described to the server by hashes.
    mutating func staged(_ handle: UInt64, _ base: String, _ target: String) -> Part {
        staged(handle, version(base), version(target))
    }

    func staged(_ handle: UInt64, _ base: Version, _ target: Version) -> Part {
        let patch = Differ.patch(from: ContentManifest(base), to: target)
        return part(patch ?? Differ.patch(from: .empty, to: target), handle, isWhole: false, CutChange())
    }

    /// A staged part of a version with a wrong sum.
    mutating func broken() -> Part {
        var part = whole(8, "x1")
        part.target &+= 1
        return part
    }

    func part(_ patch: Patch, _ handle: UInt64, isWhole: Bool, _ cut: CutChange) -> Part {
        Part(
            handle: handle, base: isWhole ? nil : patch.base, target: patch.target, script: patch.script,
            adds: patch.adds, updates: patch.updates, head: patch.head, count: UInt32(patch.count), cut: cut)
    }

    func rebase(_ sections: [(String, UInt64)], subscription: UInt32 = 1) -> Rebase {
        Rebase(
            subscription: subscription, sections: sections.map { RebaseSection(section: $0.0, handle: $0.1) })
    }

    mutating func join(
        _ subscription: UInt32, _ screen: String, _ list: (UInt64, String), _ sections: [(String, UInt64, String)],
        generation: UInt32 = 0, at cut: Cut? = nil
    ) -> Join {
        Join(
            subscription: subscription, generation: generation, viewHandle: list.0, viewSum: version(list.1).sum,
            sections: sections.map { Binding(section: $0.0, handle: $0.1, sum: version($0.2).sum) },
            cut: CutChange(cut ?? self.cut(10, 3)), screen: screen, locale: "en")
    }

    /// The initial sections of `home`.
    mutating func homeJoin(rank: String = "r1", generation: UInt32 = 0, at cut: Cut? = nil) -> Join {
        join(1, "home", (1, "h1"), [("rank", 2, rank), ("basic", 3, "b1")], generation: generation, at: cut)
    }

    // MARK: - What it does

    private mutating func told(_ actions: [SyncCore.Action]) -> [String] {
        actions.flatMap { told($0) }
    }

    private mutating func told(_ action: SyncCore.Action) -> [String] {
        switch action {
        case .send(let message): return [told(message)]
        case .welcomed: return ["welcomed"]
        case .apply(let result):
            self.result = result
            let said = "apply \(told(result.cut))"
            return stores ? [said] + told(core.applied(result, durable: result.cut)) : [said]
        case .progress(let cut): return ["progress \(told(cut))"] + told(core.progressTaken(durable: cut))
        case .viewFailed(let id, let status): return ["\(id.screen) failed: \(status.reason)"]
        case .sectionFailed(let id, let section, let status):
            return ["\(section) of \(id.screen) stays: \(status.reason)"]
        case .parametersKept(let id, let kept):
            return ["\(id.screen) shows \(kept.compactMap(\.sort).joined(separator: ", "))"]
        case .parametersRefused(let id, _, let status): return ["\(id.screen) keeps its parameters: \(status.reason)"]
        case .answered(let call, .success(let body)): return ["answer \(call): \(body.count) bytes"]
        case .answered(let call, .failure(let status)): return ["answer \(call): \(status.reason)"]
        case .close(.retry): return ["try again"]
        case .close(.behind): return ["try again: behind"]
        case .close(.retryWithin(let bounds, _)): return ["try again within \(bounds)"]
        case .close(.reauthenticate): return ["try another token"]
        case .close(.fatal(let status)): return ["give up: \(status.reason)"]
        }
    }

    private func told(_ cut: Cut) -> String { "(\(cut.catalogueRevision),\(cut.userRevision))" }

    private func name(_ sum: UInt64?) -> String { sum.map { names[$0] ?? "?" } ?? "–" }

    private func told(_ message: Message) -> String {
        switch message {
        case .hello: return "hello"
        case .ping(let nonce): return "ping \(nonce)"
        case .pong(let nonce): return "pong \(nonce)"
        case .ack(let bytes, let cut): return "ack \(bytes) \(cut.map(told) ?? "nothing")"
        case .close(let status): return "close \(status.reason)"
        case .subscribe(let subscribe):
            let resume = subscribe.resume.map { resume in
                let sections = resume.sections.map { " \($0.section) \(name($0.sum))" }.joined()
                return " resume \(name(resume.viewSum))\(sections)"
            }
            return "subscribe \(subscribe.subscription) gen \(subscribe.generation) \(subscribe.screen)\(resume ?? "")"
        case .unsubscribe(let id): return "unsubscribe \(id)"
        case .nack(let nack):
            let held = nack.held.map { "\($0.handle) \(name($0.sum))\($0.refused ? " refused" : "")" }.joined(
                separator: ", ")
            let staged = nack.staged.map { "\($0.handle) \(name($0.sum))" }.joined(separator: ", ")
            let kept = staged.isEmpty ? "" : " staged \(staged)"
            return "nack \(nack.number) good \(told(nack.good)) held \(held)\(kept)"
        case .manifest(let manifest):
            let items = manifest.pairs.count / Manifest.pairBytes
            return "manifest \(manifest.handle) \(name(manifest.sum)) \(items) items\(manifest.more ? " …" : "")"
        case .request(let request): return "request \(request.call)"
        case .cancel(let call): return "cancel \(call)"
        default: return "kind \(message.kind.rawValue)"
        }
    }

    /// Returns the names of the versions shown of a view, list first.
    func shown(_ id: ViewID = TestSync.home) -> [String] {
        guard let content = core.content(of: id) else { return [] }
        return [name(content.list.sum)] + content.list.items.map { name(content.sections[$0.id]?.sum) }
    }
}
