import MarqueeDiff
import MarqueeModel
import MarqueeScreens
import MarqueeWire
import NIOCore
import Testing

@testable import MarqueeServer

/// A session with a simulated hub of named versions, called `r1`, `b2` and so on. Actions and frames are described in
/// words. The session joins a cohort whenever it is synced and its frames have been read.
struct TestSession {
    static let epoch: UInt64 = 7

    let library: VersionLibrary
    /// The sessions of the loop, which tests may share.
    let sessions: LoopSessions
    let shell = TestShell()
    let session: Session
    var now: UInt64 = 0
    private var names: [UInt64: String] = [Version.empty.sum: "empty"]
    private var versions: [String: Version] = [:]
    private var tickets: [UInt64] = []
    private var skipped: [UInt64] = []
    /// Bytes of all data and stage frames so far.
    private(set) var dataBytes: UInt64 = 0

    init(
        library: VersionLibrary = VersionLibrary(), budgets: SessionBudgets = SessionBudgets(),
        sessions: LoopSessions? = nil, adjust: (inout SessionSettings) -> Void = { _ in }
    ) {
        self.library = library
        var settings = SessionSettings(cluster: "c", node: "n", agent: "server", locales: ["en"])
        adjust(&settings)
        self.sessions = sessions ?? LoopSessions(library: library, settings: settings, budgets: budgets)
        session = Session(self.sessions, shell: shell, settings: settings, now: 0)
        self.sessions.published(Publication(catalogueRevision: 10, changes: [:]))
        deliver()
    }

    var core: SessionCore {
        _read { yield session.core }
        nonmutating _modify { yield &session.core }
    }

    /// Makes the session leave its cohort, by needing a core.
    func leaveCohort() { _ = core.position }

    /// Delivers everything that was published.
    func deliver() { while !sessions.deliver(while: { true }) {} }

    /// A session that has sent welcome, at (10,3).
    static func live(
        credit: UInt64 = 1 << 20, user: String? = "ana", mayPublish: Bool = true,
        library: VersionLibrary = VersionLibrary(), budgets: SessionBudgets = SessionBudgets(),
        sessions: LoopSessions? = nil, adjust: (inout SessionSettings) -> Void = { _ in }
    ) -> TestSession {
        var session = TestSession(library: library, budgets: budgets, sessions: sessions, adjust: adjust)
        _ = session.receive(.hello(hello(credit: credit)))
        session.authenticate(.success(Identity(user: user, scopes: mayPublish ? .everything : .readOnly)))
        _ = session.frames()
        return session
    }

    static func hello(credit: UInt64 = 1 << 20) -> Hello {
        var hello = Hello()
        hello.clientID = [UInt8](repeating: 1, count: Hello.clientIDBytes)
        hello.limits.creditBytes = credit
        return hello
    }

    // MARK: - Events

    @discardableResult
    mutating func receive(_ message: Message) -> [String] { told(session.received(message, now: now)) }

    @discardableResult
    mutating func authenticate(_ result: Result<Identity, Status>) -> [String] {
        if case .success(let identity) = result { session.identified(identity) }
        return told(core.authenticated(result, newest: cut(10, 3), lastMutation: nil, now: now))
    }

    func cut(_ catalogue: UInt64, _ user: UInt64) -> Cut { Self.position(catalogue, user) }

    static func position(_ catalogue: UInt64, _ user: UInt64) -> Cut {
        Cut(catalogueEpoch: Self.epoch, catalogueRevision: catalogue, userEpoch: Self.epoch, userRevision: user)
    }

    /// Ten items that all versions share, and one that differs.
    mutating func version(_ name: String) -> Version {
        if let version = versions[name] { return version }
        let items = (1...10).map { Item(id: "\($0)", kind: .movie, body: text(String(repeating: "x", count: 100))) }
        return version(name, items: items + [Item(id: "own", kind: .movie, body: text(name))])
    }

    mutating func version(_ name: String, items: [Item]) -> Version {
        let version = Version(head: text("head"), items: items)
        names[version.sum] = name
        versions[name] = version
        return version
    }

    /// The sum of the version with a name.
    func sum(_ name: String) -> UInt64 { names.first { $0.value == name }?.key ?? 0 }

    /// The client describes a version by hashes.
    @discardableResult
    mutating func describe(_ handle: UInt64, _ name: String) -> [String] {
        describe(handle, ContentManifest(name == "empty" ? .empty : version(name)))
    }

    @discardableResult
    mutating func describe(_ handle: UInt64, _ content: ContentManifest) -> [String] {
        Manifest.parts(of: content, handle: handle, limits: .server).flatMap { receive(.manifest($0)) }
    }

    @discardableResult
    mutating func subscribe(
        _ id: UInt32, _ screen: String, generation: UInt32 = 0, resume: Resume? = nil
    ) -> [String] {
        receive(.subscribe(Subscribe(subscription: id, generation: generation, screen: screen, resume: resume)))
    }

    /// The offer of a client that holds a list of sections and some of them, all by name.
    mutating func resume(_ list: String, _ sections: KeyValuePairs<String, String>) -> Resume {
        let viewSum = version(list).sum
        return Resume(
            cut: Cut(), viewSum: viewSum,
            sections: sections.map { HeldSection(section: $0.key, sum: version($0.value).sum) })
    }

    /// The hub answers the oldest question: the first member is the view's own list.
    @discardableResult
    mutating func hubOpens(
        _ screen: String, _ members: [(section: String, handle: UInt64, name: String)], at catalogue: UInt64 = 10,
        _ user: UInt64 = 3
    ) -> [String] {
        let members = members.map { member in
            let version = version(member.name)
            library.record(version, of: member.handle)
            let current = CurrentVersion(
                version: version, since: CutChange(catalogueRevision: catalogue), content: member.handle)
            return OpenedView.Variant(section: member.section, handle: member.handle, current: current)
        }
        let view = OpenedView(
            screen: screen, locale: "en", list: members[0], sections: Array(members.dropFirst()),
            cut: cut(catalogue, user))
        return told(core.opened(ticket: tickets.removeFirst(), .success(view)))
    }

    @discardableResult
    mutating func hubRefuses(_ reason: String, _ code: Status.Code = .notFound) -> [String] {
        let status = Status(code, reason: reason, remedy: .fatal, message: "no")
        return told(core.opened(ticket: tickets.removeFirst(), .failure(status)))
    }

    /// Subscribes to `home`: list 1 is `h1`, `rank` 2 is `r1`, `basic` 3 is `b1`; and reads until it has joined.
    mutating func showHome(_ id: UInt32 = 1) {
        subscribe(id, "home")
        hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1"), ("basic", 3, "b1")])
        while !frames().isEmpty { acknowledge() }
    }

    /// The hub publishes new versions by handle.
    @discardableResult
    mutating func publish(
        _ catalogue: UInt64, _ changes: [(handle: UInt64, name: String)], programme: Bool = false,
        replans: ChangedScreens? = nil, gone: [UInt64] = []
    ) -> [String] {
        publishVersions(
            catalogue, changes.map { ($0.handle, version($0.name)) }, replans: replans ?? (programme ? .all : .none),
            gone: gone)
    }

    @discardableResult
    mutating func publishVersions(
        _ catalogue: UInt64, _ changes: [(handle: UInt64, version: Version)], replans: ChangedScreens = .none,
        gone: [UInt64] = []
    ) -> [String] {
        var current: [UInt64: CurrentVersion] = [:]
        for (handle, version) in changes {
            library.record(version, of: handle)
            current[handle] = CurrentVersion(
                version: version, since: CutChange(catalogueRevision: catalogue), content: handle)
        }
        let publication = Publication(catalogueRevision: catalogue, changes: current, replans: replans, gone: gone)
        return publish(publication)
    }

    /// The hub publishes to all sessions of the loop.
    private mutating func publish(_ publication: Publication) -> [String] {
        sessions.published(publication)
        deliver()
        return told(shell.takeActions())
    }

    @discardableResult
    mutating func publishUser(_ user: String, _ revision: UInt64) -> [String] {
        publish(Publication(catalogueRevision: 10, users: [user: revision], changes: [:]))
    }

    @discardableResult
    mutating func tick(after milliseconds: UInt64) -> [String] {
        now += milliseconds
        return told(session.tick(now: now))
    }

    mutating func garbage(_ error: WireError) -> [String] { told(core.receivedGarbage(error.status)) }

    /// The client has taken all data.
    mutating func acknowledge() { receive(.ack(bytes: dataBytes, cut: nil)) }

    /// The hub delays its answer to the oldest question.
    mutating func skipTicket() { skipped.append(tickets.removeFirst()) }

    @discardableResult
    mutating func openSkipped(_ screen: String, _ members: [(section: String, handle: UInt64, name: String)])
        -> [String]
    {
        tickets.insert(skipped.removeFirst(), at: 0)
        return hubOpens(screen, members)
    }

    /// Time passes for a client that sends something now and then but takes nothing.
    /// - Returns: the status with which the session closes.
    mutating func waits(_ milliseconds: UInt64) -> String? {
        for _ in 0..<(milliseconds / 1_000) {
            heard()
            if !tick(after: 1_000).isEmpty { return control().last }
        }
        return nil
    }

    /// Time passes for a client that is silent.
    /// - Returns: the status with which the session closes.
    mutating func waitsInSilence(_ milliseconds: UInt64) -> String? {
        for _ in 0..<(milliseconds / 1_000) {
            if !tick(after: 1_000).isEmpty { return control().last }
            _ = frames()
        }
        return nil
    }

    /// Notes actions for `actions` to return.
    func note(_ actions: [SessionCore.Action]) { shell.run(actions) }

    /// The actions since the last call, in words.
    mutating func actions() -> [String] { told(shell.takeActions()) }

    mutating func heard() { session.heard(now: now) }
    mutating func received(frames: Int, isWithinFrame: Bool) {
        session.received(frames: frames, isWithinFrame: isWithinFrame, now: now)
    }
    mutating func drain() -> [String] { told(core.drain()) }
    mutating func renewed(
        _ call: UInt32, _ result: Result<Identity, Status>, _ standing: Standing = .untilRevoked
    ) -> [String] {
        told(core.renewed(call: call, result, standing: standing, now: now))
    }
    mutating func answer(_ call: UInt32, _ result: Result<[UInt8], Status>) {
        core.answered(call: call, result, now: now)
    }

    // MARK: - Output

    /// Writes as a shell does, until there is nothing more or `limit` data frames are written.
    mutating func frames(_ limit: Int = .max) -> [String] {
        var frames = shell.takeFrames().map { told($0) }
        guard !session.isSynced else { return frames }
        frames += control()
        for _ in 0..<limit {
            guard let frame = core.nextDataFrame(now: now) else { break }
            frames.append(told(frame))
            frames += control()
        }
        frames += control() + told(core.takeDeferredActions())
        session.settle()
        return frames
    }

    mutating func control() -> [String] {
        session.isSynced ? [] : core.takeControlFrames().map { told($0) }
    }

    private mutating func told(_ actions: [SessionCore.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .authenticate(let user, _): return "authenticate \(user ?? "nobody")"
            case .open(let ticket, let request):
                tickets.append(ticket)
                return "open \(request.screen)"
            case .release(let handles): return "release \(handles.sorted())"
            case .perform(let call, let request, _):
                return "perform \(call) \(String("\(request)".prefix { $0 != "(" }))"
            case .renew(let call, let token): return "renew \(call) \(token)"
            case .introduce(let call, let introduction): return "introduce \(call) \(introduction.guest)"
            case .locate(let call, let guest, let caller):
                return "locate \(call) \(guest) \(caller.user ?? "nobody")"
            case .follow(let user): return "follow \(user)"
            case .unfollow(let user): return "unfollow \(user)"
            case .drop(let guest): return "drop \(guest)"
            case .hit(let limit): return "hit \(limit)"
            case .refusedPublication(let status, _): return "refused publication \(status.reason)"
            case .note(let call, let reason): return "note \(call.call) \(reason ?? "OK")"
            case .close: return "close"
            }
        }
    }

    private mutating func told(_ buffer: ByteBuffer) -> String {
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(buffer)
        guard let frame = try? decoder.next(), let message = try? MessageCodec.decode(frame, limits: .client) else {
            return "unreadable"
        }
        switch message {
        case .data, .stage: dataBytes += UInt64(buffer.readableBytes)
        default: break
        }
        let flags = (frame.flags.contains(.first) ? "F" : "") + (frame.flags.contains(.last) ? "L" : "")
        return told(message, flags.isEmpty ? "" : " \(flags)")
    }

    private func told(_ message: Message, _ flags: String) -> String {
        func name(_ sum: UInt64) -> String { names[sum] ?? "?" }
        func position(_ cut: CutChange) -> String { "(\(cut.catalogueRevision ?? 0),\(cut.userRevision ?? 0))" }
        switch message {
        case .welcome(let welcome): return "welcome \(position(CutChange(welcome.cut)))"
        case .pong(let nonce): return "pong \(nonce)"
        case .progress(let cut): return "progress \(position(cut))"
        case .goAway(let status, _): return "goAway \(status.reason)"
        case .close(let status): return "close \(status.reason)"
        case .subscriptionError(let error):
            let section = error.section.map { " \($0)" } ?? ""
            return "error \(error.subscription)\(section) gen \(error.generation) \(error.status.reason)"
        case .join(let join):
            let bindings = [(join.viewHandle, join.viewSum)] + join.sections.map { ($0.handle, $0.sum) }
            let bound = bindings.map { "\($0.0) \($0.1.map(name) ?? "as it is")" }.joined(separator: ", ")
            return "join\(flags) \(join.subscription) gen \(join.generation): \(bound) \(position(join.cut))"
        case .data(let part):
            return
                "data\(flags) \(part.handle) \(part.base.map(name) ?? "")→\(name(part.target))\(part.more ? " …" : "")"
        case .stage(let part):
            let base = part.base.map { "\(name($0))→" } ?? ""
            // The first part of a staged patch is flagged, and no other.
            let goesOn = flags == " F" ? "" : "\(flags) …"
            return "stage\(goesOn) \(part.handle) \(base)\(name(part.target))\(part.more ? " …" : "")"
        case .rebase(let rebase):
            let sections = rebase.sections.map { "\($0.handle) '\($0.section)'" }.joined(separator: ", ")
            return "rebase \(rebase.subscription): \(sections)"
        case .repair(let number): return "repair\(flags) \(number)"
        case .answer(let answer):
            let end = answer.more ? "…" : answer.status?.reason ?? "OK"
            return "answer \(answer.call) \(answer.body.count) bytes \(end)"
        case .userProgress(let progress): return "user \(progress.user) \(progress.revision)"
        default: return "\(message.kind.rawValue)"
        }
    }
}

/// A connection that takes only as many cuts of a cohort as `room` allows.
final class TestShell: SessionShell, CutOutput {
    /// The number of further cuts that it takes.
    var room = 0
    private var frames: [ByteBuffer] = []
    private var actions: [SessionCore.Action] = []

    var output: any CutOutput { self }

    func write(_ cut: CohortCut) -> Bool {
        guard room > 0 else { return false }
        room -= 1
        var bytes = cut.bytes
        while let length = bytes.getInteger(at: bytes.readerIndex, as: UInt32.self),
            let frame = bytes.readSlice(length: Int(length) + Frame.lengthBytes)
        {
            frames.append(frame)
        }
        return true
    }

    func takeResults() {}

    func run(_ actions: [SessionCore.Action]) { self.actions += actions }

    func askForTurn() {}

    /// Frames that nobody has taken.
    var waiting: Int { frames.count }

    func takeFrames() -> [ByteBuffer] {
        defer { frames = [] }
        return frames
    }

    func takeActions() -> [SessionCore.Action] {
        defer { actions = [] }
        return actions
    }
}

/// A canonical body: one text in field 1.
func text(_ string: String) -> [UInt8] {
    let bytes = Array(string.utf8)
    return [0x0a] + Varints.encode(UInt64(bytes.count)) + bytes
}

/// Unsigned LEB128.
enum Varints {
    static func encode(_ number: UInt64) -> [UInt8] {
        var rest = number
        var bytes: [UInt8] = []
        while rest > 0x7f {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
