import MarqueeClient
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

extension FuzzTarget {
    /// A client, whose server sends anything in any order: what is shown changes by verified cuts alone, a position
    /// never goes back, and all that the client says is what a server accepts.
    static let sync = FuzzTarget(name: "sync", maximumBytes: 4 << 10, seeds: SyncFuzzing.seeds) { bytes in
        var fuzzing = SyncFuzzing(FuzzInput(bytes))
        fuzzing.run()
    }
}

private struct SyncFuzzing {
    /// A step that a byte of the input can choose.
    private enum Step: UInt8, CaseIterable {
        case message, bytes, connect, disconnect, welcome, stage, data, join, rebase, progress, subscriptionError
        case repair, want, unwant, parameters, subscribeAgain, call, cancel, time, storing
    }

    private static let steps = 400
    private static let views = ["home", "show/s0", ScreenID.collectionSet.name].map { ViewID(screen: $0, locale: "en") }
    private static let sectionIDs = ["rank", "basic"]
    private static let epoch: UInt64 = 7
    /// Small, so that inputs exceed it.
    private static let cutBytes: UInt64 = 4 << 10
    /// The version of a list of both sections, of the first alone, and of sections with some items each.
    private static let versions: [Version] = {
        let lists = [sectionIDs, ["rank"], []].map { ids in
            Version(head: [0x08, 1], items: ids.map { Item(id: $0, kind: .section, body: []) })
        }
        let sections = (0..<5).map { number in
            let items = (0..<number).map { Item(id: "\($0)", kind: .card, body: [0x08, UInt8(number + $0)]) }
            return Version(head: [0x08, UInt8(number)], items: items)
        }
        return lists + sections
    }()

    private var input: FuzzInput
    private var core: SyncCore
    private var frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
    private var now: UInt64 = 0
    /// Whether a cut is stored at once; if not, it is lost.
    private var stores = true
    private var taken: UInt64 = 0
    private var acknowledged: UInt64 = 0

    init(_ input: FuzzInput) {
        self.input = input
        var limits = WireLimits.client
        limits.cutBytes = Self.cutBytes
        limits.creditBytes = 1 << 10
        core = SyncCore(limits: limits)
    }

    mutating func run() {
        var steps = 0
        while !input.isAtEnd, steps < Self.steps {
            take(Step.allCases[input.below(Step.allCases.count)])
            steps += 1
        }
    }

    private mutating func take(_ step: Step) {
        switch step {
        case .message:
            let kind = FrameKind(rawValue: UInt16(input.byte()))
            let flags = FrameFlags(rawValue: UInt16(input.byte()))
            receive(Frame(kind: kind, flags: flags, body: ByteBuffer(bytes: input.bytes())))
        case .bytes: receive(input.bytes())
        case .connect: connect()
        case .disconnect: core.disconnected()
        case .welcome:
            var welcome = Welcome()
            welcome.cluster = "c"
            welcome.cut = Cut(
                catalogueEpoch: Self.epoch, catalogueRevision: UInt64(input.byte()), userEpoch: Self.epoch)
            receive(.welcome(welcome), flags: [])
        case .stage: receive(.stage(part(isStaged: true)), flags: input.bool() ? .first : [])
        case .data: receive(.data(part(isStaged: false)), flags: flags())
        case .join: receive(.join(join()), flags: flags())
        case .rebase:
            let sections = (0..<input.below(4)).map { _ in RebaseSection(section: section(), handle: handle()) }
            receive(.rebase(Rebase(subscription: subscription(), sections: sections)), flags: [])
        case .progress: receive(.progress(change()), flags: [])
        case .subscriptionError:
            let remedies: [Status.Remedy] = [.fatal, .resync, .retrySame, .retryOther]
            receive(
                .subscriptionError(
                    SubscriptionError(
                        subscription: subscription(), generation: UInt32(input.below(4)),
                        status: Status(
                            .unavailable, reason: "R", remedy: remedies[input.below(4)], message: "",
                            retryAfterMilliseconds: UInt32(input.short())),
                        section: input.bool() ? section() : nil)), flags: [])
        case .repair: receive(.repair(number: UInt32(input.below(8))), flags: flags())
        case .want: want()
        case .unwant: act(core.unwant(view()))
        case .parameters:
            let section = Self.sectionIDs[input.below(Self.sectionIDs.count)]
            act(core.setParameters([SectionParameters(section: section, sort: "\(input.below(3))")], of: view()))
        case .subscribeAgain: act(core.subscribeAgain(view()))
        case .call: if let call = core.call(.health, body: [], deadlineMilliseconds: nil) { act([call.action]) }
        case .cancel: act(core.cancel(UInt32(input.below(8))))
        case .time:
            now += UInt64(input.short())
            core.heard(now: now)
            core.received(frames: input.below(2), isWithinFrame: input.bool(), now: now)
            now += UInt64(input.short())
            act(core.tick(now: now))
        case .storing: stores = input.bool()
        }
    }

    // MARK: - The app

    private mutating func view() -> ViewID { Self.views[input.below(Self.views.count)] }

    private mutating func want() {
        let id = view()
        guard !core.isWanted(id) else { return }
        var stored: SyncCore.ViewContent?
        if input.bool() {
            let sections = Self.sectionIDs.map { ($0, Self.versions[3 + input.below(5)]) }
            stored = SyncCore.ViewContent(
                list: Self.versions[0], sections: Dictionary(sections) { $1 },
                damaged: input.bool() ? ["rank": version()] : [:])
        }
        act(core.want(id, parameters: [], stored: stored, cut: Cut(catalogueEpoch: Self.epoch)))
    }

    private mutating func connect() {
        var hello = Hello()
        hello.clientID = [UInt8](repeating: 1, count: Hello.clientIDBytes)
        frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
        (taken, acknowledged) = (0, 0)
        act(core.connected(hello, now: now))
    }

    // MARK: - The server

    private mutating func flags() -> FrameFlags { FrameFlags(rawValue: UInt16(input.byte())) }

    private mutating func handle() -> UInt64 { UInt64(1 + input.below(8)) }

    private mutating func subscription() -> UInt32 { UInt32(input.below(5)) }

    private mutating func version() -> Version { Self.versions[input.below(Self.versions.count)] }

    private mutating func section() -> String { (Self.sectionIDs + ["", "x"])[input.below(4)] }

    private mutating func change() -> CutChange {
        let choices = input.byte()
        return CutChange(
            catalogueEpoch: choices & 1 == 0 ? nil : Self.epoch + UInt64(choices >> 7),
            catalogueRevision: choices & 2 == 0 ? nil : UInt64(choices >> 2))
    }

    /// A patch from one version to another, by hashes if it is staged, and sometimes damaged.
    private mutating func part(isStaged: Bool) -> Part {
        let (handle, base, target, choices) = (handle(), version(), version(), input.byte())
        let isWhole = choices & 1 == 0
        var patch = Differ.patch(from: isWhole ? .empty : base, to: target)
        if isStaged, !isWhole, let blind = Differ.patch(from: ContentManifest(base), to: target) { patch = blind }
        if choices & 0xF0 == 0x10 { patch.target ^= 1 }
        if choices & 0xF0 == 0x20 { patch.count += 1 }
        if choices & 0xF0 == 0x30 { patch.script += input.bytes() }
        return Part(
            handle: handle, base: isWhole ? nil : patch.base, target: patch.target, script: patch.script,
            adds: patch.adds, updates: patch.updates, head: patch.head, count: UInt32(patch.count),
            more: choices & 2 != 0, cut: change())
    }

    private mutating func join() -> Join {
        let (subscription, choices) = (subscription(), input.byte())
        let list = Self.versions[input.below(3)]
        let bindings = Self.sectionIDs.prefix(Int(choices & 3)).enumerated().map { place, section in
            Binding(
                section: section, handle: UInt64(2 + place), sum: choices & 4 << place != 0 ? nil : version().sum)
        }
        return Join(
            subscription: subscription, generation: UInt32(choices >> 5), viewHandle: 1, viewSum: list.sum,
            sections: bindings, cut: change(), screen: "home", locale: "en")
    }

    private mutating func receive(_ bytes: [UInt8]) {
        frames.append(ByteBuffer(bytes: bytes))
        while let frame = try? frames.next() { receive(frame) }
    }

    private mutating func receive(_ frame: Frame) {
        guard let message = try? MessageCodec.decode(frame, limits: .client) else { return }
        receive(message, flags: frame.flags)
    }

    private mutating func receive(_ message: Message, flags: FrameFlags) {
        let bytes = MessageCodec.encode(message, flags: flags).readableBytes
        let before = Self.views.map { core.content(of: $0) }
        switch message {
        case .data, .stage: if core.isLive { taken += UInt64(bytes) }
        default: break
        }
        let actions = core.received(message, flags: flags, bytes: bytes)
        for (id, before) in zip(Self.views, before) { judge(id, before) }
        act(actions)
    }

    /// A frame alone changes nothing that is shown; at most it makes the client forget what is wrong.
    private func judge(_ id: ViewID, _ before: SyncCore.ViewContent?) {
        guard let after = core.content(of: id) else { return }
        require(after.list.sum == before?.list.sum)
        for (section, version) in after.sections { require(before?.sections[section]?.sum == version.sum) }
    }

    // MARK: - What the client does

    private mutating func act(_ actions: [SyncCore.Action]) {
        for action in actions { act(action) }
    }

    private mutating func act(_ action: SyncCore.Action) {
        switch action {
        case .send(let message): judge(message)
        case .welcomed(let welcome): act(core.accept(welcome, seen: input.bool() ? core.position : nil))
        case .apply(let result):
            judge(result)
            if stores { act(core.applied(result, durable: result.cut)) } else { core.disconnected() }
        case .progress(let cut): act(core.progressTaken(durable: cut))
        case .close: core.disconnected()
        case .viewFailed, .parametersRefused, .parametersKept, .sectionFailed, .answered: break
        }
    }

    private mutating func judge(_ message: Message) {
        var decoder = FrameDecoder(maximumLength: WireLimits.server.frameBytes)
        decoder.append(MessageCodec.encode(message))
        guard let frame = try? decoder.next(), let same = try? MessageCodec.decode(frame, limits: .server) else {
            fatalError("a server accepts what a client says: \(message)")
        }
        require(same == message)
        if case .ack(let bytes, _) = message {
            require(bytes >= acknowledged && bytes <= taken, "\(bytes) bytes of \(taken) are acknowledged")
            acknowledged = bytes
        }
    }

    private func judge(_ result: SyncCore.CutResult) {
        require(!result.cut.isBehind(core.position), "a position never goes back")
        for change in result.views {
            let content = change.after
            require(Set(content.list.items.map(\.id)) == Set(content.sections.keys), "each section has a version")
            for version in [content.list] + content.sections.values {
                require(Version(head: version.head, items: Array(version.items)).sum == version.sum, "sums are true")
            }
            _ = change.write
        }
        require(Set(result.complete).isSubset(of: result.live), "what is complete is live")
    }

    // MARK: - Seeds

    @Sendable static func seeds() -> [[UInt8]] {
        func step(_ step: Step, _ rest: UInt8...) -> [UInt8] { [step.rawValue] + rest }
        let (first, last, whole) = (UInt8(2), UInt8(4), UInt8(6))
        let live = step(.want, 0, 0) + step(.connect) + step(.welcome, 10, 0)
        // List 1 is the first version, `rank` 2 and `basic` 3 are the fifth and the sixth.
        let staged =
            step(.stage, 0, 0, 0, 0, 0, 1) + step(.stage, 1, 0, 4, 0, 0, 1) + step(.stage, 2, 0, 5, 0, 0, 1)
        let joined = staged + step(.join, 1, 2, 0, 4, 5, 43, whole)
        let data = step(.data, 1, 4, 6, 1, 47, whole)
        let torn = step(.data, 1, 6, 7, 1, 51, first) + step(.data, 2, 5, 3, 1, 51, last)
        let refused = step(.data, 1, 4, 6, 0x11, 47, whole) + step(.repair, 1, first)
        let repair = step(.data, 1, 4, 6, 1, 47, last)
        let stored = step(.want, 0, 1, 1, 2, 0) + step(.connect) + step(.welcome, 10, 0)
        let rebase = step(.rebase, 3, 0, 1, 1, 2, 2, 0, 1) + step(.stage, 1, 4, 6, 1, 0, 1)
        let renewed = step(.parameters, 0, 1, 0) + step(.join, 1, 0x22, 0, 4, 5, 47, whole)
        return [
            live + joined + data, live + joined + data + torn + step(.progress, 3), live + joined + refused + repair,
            stored + rebase + joined, live + joined + renewed,
            live + step(.subscriptionError, 1, 0, 2, 0, 1, 0) + step(.subscribeAgain, 0) + joined,
            live + joined + step(.disconnect) + step(.connect) + step(.welcome, 12, 1) + joined,
            live + step(.call) + step(.message, 49, 0, 2, 0, 8, 1) + step(.cancel, 1) + step(.time, 9, 99, 0, 0, 9, 99),
            live + step(.storing, 0) + joined + step(.unwant, 0),
        ]
    }
}
