import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

@testable import MarqueeClient
@testable import MarqueeServer

/// One server core and one client core that exchange real frames, over screens whose content a test supplies. No store
/// and no hub, only the messages between them.
final class CorePair {
    /// The cost of one connection, and its parts.
    struct Cost: Hashable {
        /// Bytes of whole frames.
        var down = 0
        var up = 0
        var rebases = 0
        /// Staged versions sent whole.
        var wholes = 0
        /// Staged versions based on a manifest.
        var described = 0
        /// Patches within cuts.
        var patches = 0
        var updates = 0
        var adds = 0
        var nacks = 0
    }

    private struct Variant {
        var handle: UInt64
        var version: Version
        var since: UInt64
    }

    let settings: SessionSettings
    private(set) var library: VersionLibrary
    private(set) var session: SessionCore
    var client: SyncCore
    private(set) var cost = Cost()
    /// The reasons with which either side closed.
    private(set) var ends: [String] = []
    /// Each screen's sections in order, with their content.
    private var screens: [String: [(section: String, version: Version)]] = [:]
    private var variants: [String: Variant] = [:]
    private var nextHandle: UInt64 = 1
    private var epoch: UInt64 = 7
    private(set) var revision: UInt64 = 1
    var now: UInt64 = 0
    /// Changes a message on its way to the client.
    var damage: ((Message) -> Message?)?
    /// Called with each message received by either side.
    var onMessage: ((Message) -> Void)?
    /// The newest position that the mirror has seen.
    private(set) var seen: Cut?
    private var isUp = false
    private let bounds: VersionLibrary.Bounds

    init(bounds: VersionLibrary.Bounds = VersionLibrary.Bounds()) {
        self.bounds = bounds
        settings = SessionSettings(cluster: "c", node: "n", agent: "server", locales: ["en"])
        library = VersionLibrary(bounds: bounds)
        session = SessionCore(library: library, settings: settings, now: 0)
        client = SyncCore()
    }

    static func id(_ screen: String) -> ViewID { ViewID(screen: screen, locale: "en") }

    // MARK: - Content

    /// Sets a screen's content, as one commit.
    func set(_ screen: String, _ sections: [(section: String, version: Version)]) {
        screens[screen] = sections
        commit()
    }

    /// Changes one section, as one commit.
    func set(_ screen: String, _ section: String, _ version: Version) {
        screens[screen] = screens[screen]?.map { $0.section == section ? (section, version) : $0 }
        commit()
    }

    private func commit() {
        revision += 1
        var changes: [UInt64: CurrentVersion] = [:]
        for (key, version) in contents() {
            guard var variant = variants[key], variant.version.sum != version.sum else { continue }
            variant.version = version
            variant.since = revision
            variants[key] = variant
            library.record(version, of: variant.handle)
            changes[variant.handle] = current(variant)
        }
        run(session.published(Publication(catalogueRevision: revision, changes: changes)))
    }

    private func contents() -> [String: Version] {
        var found: [String: Version] = [:]
        for (screen, sections) in screens {
            found[screen] = list(of: screen)
            for (section, version) in sections { found["\(screen)/\(section)"] = version }
        }
        return found
    }

    func list(of screen: String) -> Version {
        Version(
            head: BodyCodec.encode(ViewHead(title: screen)),
            items: (screens[screen] ?? []).map { Item(id: $0.section, kind: .section, body: [0x08, 0x00]) })
    }

    private func current(_ variant: Variant) -> CurrentVersion {
        CurrentVersion(
            version: variant.version, since: CutChange(catalogueRevision: variant.since), content: variant.handle)
    }

    private var cut: Cut { Cut(catalogueEpoch: epoch, catalogueRevision: revision) }

    private func member(_ screen: String, _ section: String, _ version: Version) -> OpenedView.Variant {
        let key = section.isEmpty ? screen : "\(screen)/\(section)"
        if variants[key] == nil {
            variants[key] = Variant(handle: nextHandle, version: version, since: revision)
            nextHandle += 1
        }
        guard let variant = variants[key] else { preconditionFailure("it was created above") }
        library.record(variant.version, of: variant.handle)
        return OpenedView.Variant(section: section, handle: variant.handle, current: current(variant))
    }

    // MARK: - Nodes and connections

    /// The server starts over: it has the same content but remembers nothing, not even handles.
    func restart(epoch: UInt64? = nil, revision: UInt64? = nil) {
        disconnect()
        if let epoch { self.epoch = epoch }
        if let revision { self.revision = revision }
        nextHandle += 1_000
        variants.removeAll()
        library = VersionLibrary(bounds: bounds)
    }

    /// The server keeps only the newest versions.
    func forgetOldVersions() {
        for variant in variants.values {
            library.forget(variant.handle)
            library.record(variant.version, of: variant.handle)
        }
    }

    func disconnect() {
        guard isUp else { return }
        isUp = false
        seen = client.position
        _ = session.shut()
        client.disconnected()
    }

    /// Connects and lets both sides talk until neither has anything to say.
    /// - Returns: what it cost.
    @discardableResult
    func connect() -> Cost {
        disconnect()
        isUp = true
        cost = Cost()
        session = SessionCore(library: library, settings: settings, now: now)
        var hello = Hello()
        hello.clientID = [UInt8](repeating: 1, count: Hello.clientIDBytes)
        hello.cluster = "c"
        hello.seen = seen
        run(client.connected(hello, now: now))
        return talk()
    }

    @discardableResult
    func talk() -> Cost {
        while isUp, pump() {}
        return cost
    }

    func tick(after milliseconds: UInt64) {
        now += milliseconds
        client.heard(now: now)
        session.heard(now: now)
        run(session.tick(now: now))
        talk()
    }

    /// Brings a client fully up to date on some screens, still connected.
    func show(_ screens: String...) {
        for screen in screens { run(client.want(Self.id(screen), parameters: [], stored: nil, cut: Cut())) }
        connect()
    }

    func want(_ screen: String, stored: SyncCore.ViewContent?) {
        run(client.want(Self.id(screen), parameters: [], stored: stored, cut: seen ?? Cut()))
    }

    // MARK: - Frames

    private func pump() -> Bool {
        var frames = session.takeControlFrames()
        if frames.isEmpty, let frame = session.nextDataFrame(now: now) { frames.append(frame) }
        run(session.takeDeferredActions())
        frames += frames.isEmpty ? session.takeControlFrames() : []
        for frame in frames { receive(frame) }
        return !frames.isEmpty
    }

    private func receive(_ buffer: ByteBuffer) {
        guard isUp, case (var message, let flags)? = Self.decode(buffer) else { return }
        cost.down += buffer.readableBytes
        if let damage, let damaged = damage(message) { message = damaged }
        count(message)
        onMessage?(message)
        run(client.received(message, flags: flags, bytes: buffer.readableBytes))
    }

    private func count(_ message: Message) {
        switch message {
        case .rebase: cost.rebases += 1
        case .stage(let part):
            if !part.more { if part.base == nil { cost.wholes += 1 } else { cost.described += 1 } }
            cost.updates += part.updates.count
            cost.adds += part.adds.count
        case .data(let part):
            if !part.more { cost.patches += 1 }
            cost.updates += part.updates.count
            cost.adds += part.adds.count
        default: break
        }
    }

    static func decode(_ buffer: ByteBuffer) -> (Message, FrameFlags)? {
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(buffer)
        guard let frame = try? decoder.next(), let message = try? MessageCodec.decode(frame, limits: .client) else {
            return nil
        }
        return (message, frame.flags)
    }

    // MARK: - Actions

    private func run(_ actions: [SyncCore.Action]) {
        for action in actions {
            switch action {
            case .send(let message):
                if case .nack = message { cost.nacks += 1 }
                if case .close(let status) = message { ends.append(status.reason) }
                let buffer = MessageCodec.encode(message)
                cost.up += buffer.readableBytes
                onMessage?(message)
                guard let (again, _) = Self.decode(buffer) else { continue }
                run(session.received(again, now: now))
            case .welcomed(let welcome): run(client.accept(welcome, seen: seen))
            case .apply(let result): run(client.applied(result, durable: result.cut))
            case .close(let ending):
                if case .fatal(let status) = ending { ends.append(status.reason) }
                disconnect()
            case .progress(let cut): run(client.progressTaken(durable: cut))
            case .viewFailed, .parametersRefused, .parametersKept, .sectionFailed, .answered: break
            }
        }
    }

    private func run(_ actions: [SessionCore.Action]) {
        for action in actions {
            switch action {
            case .authenticate:
                run(
                    session.authenticated(
                        .success(Identity(user: nil, scopes: .readOnly)), newest: cut, lastMutation: nil, now: now))
            case .open(let ticket, let request):
                let sections = screens[request.screen] ?? []
                run(
                    session.opened(
                        ticket: ticket,
                        .success(
                            OpenedView(
                                screen: request.screen, locale: "en",
                                list: member(request.screen, "", list(of: request.screen)),
                                sections: sections.map { member(request.screen, $0.section, $0.version) }, cut: cut))))
            case .release, .perform, .renew, .introduce, .locate, .follow, .unfollow, .drop, .hit, .note,
                .refusedPublication, .close:
                break
            }
        }
    }

    // MARK: - The end

    /// Whether the client shows the screen exactly, byte for byte.
    func isShown(_ screen: String) -> Bool {
        guard let content = client.content(of: Self.id(screen)), let sections = screens[screen] else { return false }
        func same(_ a: Version?, _ b: Version) -> Bool { a?.sum == b.sum && a?.head == b.head && a?.items == b.items }
        return same(content.list, list(of: screen)) && content.sections.count == sections.count
            && sections.allSatisfy { same(content.sections[$0.section], $0.version) }
    }
}
