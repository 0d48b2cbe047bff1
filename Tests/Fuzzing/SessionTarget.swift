import HubSupport
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeWire

extension FuzzTarget {
    /// A server with two clients: one sends it anything, in any order, while the catalogue changes and time passes. The
    /// other one is honest: it never sees a mistake, and in the end shows what the server shows. Once both have gone,
    /// nothing of what they showed is kept for longer than it should be.
    static let session = FuzzTarget(name: "session", maximumBytes: 4 << 10, seeds: SessionFuzzing.seeds) { bytes in
        var fuzzing = SessionFuzzing(FuzzInput(bytes))
        fuzzing.run()
    }
}

private struct SessionFuzzing {
    /// A step that a byte of the input can choose.
    private enum Step: UInt8, CaseIterable {
        case message, bytes, hello, subscribe, unsubscribe, ack, nack, manifest, collection, publish, call, cancel
        case hubJob, pump, room, commit, time, honestTurn, honestParameters, deliver
        // Kinds for relays alone; see `hello`.
        case introduce, plan, watch, dismiss
    }

    /// The most milliseconds that pass at once: an honest client notices, and answers pings.
    private static let longestPause = 5_000
    /// The most steps of a run, so that none takes long.
    private static let steps = 400

    private var input: FuzzInput
    private let server = FuzzServer()
    private let hostile: FuzzConnection
    private var honest: HonestClient
    /// Handles and sums that the hostile client has been told.
    private var handles: [UInt64] = [1]
    private var sums: [UInt64] = [0]

    init(_ input: FuzzInput) {
        self.input = input
        hostile = FuzzConnection(server)
        honest = HonestClient(server)
        server.settle()
        honest.takeTurn()
    }

    mutating func run() {
        var steps = 0
        while !input.isAtEnd, steps < Self.steps {
            take(Step.allCases[input.below(Step.allCases.count)])
            steps += 1
        }
        end()
    }

    private mutating func take(_ step: Step) {
        switch step {
        case .message:
            let kind = FrameKind(rawValue: UInt16(input.byte()))
            hostile.receive(kind: kind, body: input.bytes())
        case .bytes: hostile.receive(input.bytes())
        case .hello: hostile.receive(.hello(hello()))
        case .subscribe: hostile.receive(.subscribe(subscribe()))
        case .unsubscribe: hostile.receive(.unsubscribe(UInt32(input.byte())))
        case .ack:
            let bytes = input.bool() ? hostile.dataBytes : UInt64(input.short())
            hostile.receive(.ack(bytes: bytes, cut: input.bool() ? cut() : nil))
        case .nack: hostile.receive(.nack(nack()))
        case .manifest:
            let part = Manifest(
                handle: handle(), sum: sum(), headHash: input.long(), pairs: input.bytes(), more: input.bool())
            hostile.receive(.manifest(part))
        case .collection: call(.collection, CallBodyCodec.encode(collection()), guest: guest())
        case .publish: call(.publish, CallBodyCodec.encode(publication()))
        case .call: call(Method(rawValue: UInt32(input.byte())), input.bytes())
        case .cancel: hostile.receive(.cancel(call: UInt32(input.byte())))
        case .hubJob: for _ in 0...input.below(4) { server.runHubJob() }
        case .pump:
            hostile.pump(input.below(16))
            learn()
        case .room: hostile.room = input.below(4)
        case .commit: _ = server.commit([PodcastWorld.change(input.byte())])
        case .time: pass(milliseconds: 20 * input.below(1 + Self.longestPause / 20))
        case .honestTurn: honest.takeTurn()
        case .honestParameters:
            let windows: [UInt32?] = [nil, 2, 20, 3]
            let sorts = [nil, "title", "-published", "none"]
            honest.show(window: windows[input.below(4)], sort: sorts[input.below(4)])
        case .deliver: server.deliver()
        case .introduce: call(.introduce, CallBodyCodec.encode(introduction()))
        case .plan:
            let screen = PodcastWorld.screens[input.below(PodcastWorld.screens.count)]
            call(.plan, CallBodyCodec.encode(GetScreenRequest(screen: screen)), guest: guest())
        case .watch:
            let resume = input.bool() ? Resume(cut: cut(), viewSum: sum(), sections: []) : nil
            let subscribe = Subscribe(
                subscription: UInt32(input.below(128)), screen: "", resume: resume, handle: handle())
            hostile.receive(.subscribe(subscribe))
        case .dismiss: hostile.receive(.dismiss(guest: UInt32(input.below(8))))
        }
    }

    private mutating func pass(milliseconds: Int) {
        server.advance(by: UInt64(milliseconds))
        hostile.tick()
        honest.connection.tick()
        honest.takeTurn()
    }

    /// Notes what the hostile client is told, to be used in what it says.
    private mutating func learn() {
        for (message, _, _) in hostile.takeWritten() {
            switch message {
            case .join(let join):
                handles += [join.viewHandle] + join.sections.map(\.handle)
                sums += [join.viewSum] + join.sections.compactMap(\.sum)
            case .data(let part), .stage(let part): sums.append(part.target)
            case .rebase(let rebase): handles += rebase.sections.map(\.handle)
            case .answer(let answer):
                if let plan = try? CallBodyCodec.decodePlanAnswer(answer.body) {
                    handles += [plan.viewHandle] + plan.sections.map(\.handle)
                }
            default: break
            }
        }
        handles = handles.suffix(64)
        sums = sums.suffix(64)
    }

    // MARK: - What a hostile client says

    private mutating func handle() -> UInt64 { handles[input.below(handles.count)] }

    private mutating func sum() -> UInt64 { sums[input.below(sums.count)] }

    private mutating func cut() -> Cut {
        var cut = server.store.catalogueCut
        cut.catalogueRevision += UInt64(input.below(3))
        return cut
    }

    private mutating func hello() -> Hello {
        var hello = Hello()
        let choices = input.byte()
        hello.clientID = [UInt8](repeating: choices & 1 == 0 ? 9 : 1, count: Hello.clientIDBytes)
        if choices & 2 != 0 { hello.user = input.text() }
        if choices & 4 != 0 { hello.seen = cut() }
        if choices & 8 != 0 { hello.limits.creditBytes = UInt64(input.short()) }
        hello.isRelay = choices & 16 != 0
        return hello
    }

    private mutating func introduction() -> IntroduceRequest {
        let choices = input.byte()
        return IntroduceRequest(
            guest: UInt32(choices & 7), user: choices & 8 == 0 ? nil : "guest \(choices >> 6)", token: nil,
            clientID: [UInt8](repeating: choices, count: Hello.clientIDBytes), address: nil)
    }

    private mutating func guest() -> UInt32? { input.bool() ? UInt32(input.below(8)) : nil }

    private mutating func subscribe() -> Subscribe {
        let choices = input.byte()
        var message = Subscribe(
            subscription: UInt32(input.below(128)), generation: UInt32(choices >> 6),
            screen: PodcastWorld.screens[input.below(PodcastWorld.screens.count)])
        if choices & 1 != 0 {
            message.sections = [SectionParameters(section: "new", sort: "title", window: UInt32(input.byte()))]
        }
        if choices & 2 != 0 {
            let held = ["new", "shows", "favorites", "episodes"].prefix(input.below(5))
            message.resume = Resume(
                cut: cut(), viewSum: sum(), sections: held.map { HeldSection(section: $0, sum: sum()) })
        }
        return message
    }

    private mutating func nack() -> Nack {
        let held = (0..<input.below(4)).map { _ in
            let choices = input.byte()
            return HeldVersion(handle: handle(), sum: choices & 1 == 0 ? nil : sum(), refused: choices & 2 != 0)
        }
        return Nack(
            number: UInt32(input.byte()), good: cut(), held: held,
            status: Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: ""))
    }

    private mutating func collection() -> CollectionRequest {
        let subjects = ["show/s0", "show/s1", "episode/e0", "episode/none", "show", ""]
        return CollectionRequest(
            number: UInt64(input.byte()), answeredThrough: UInt64(input.below(4)),
            subject: subjects[input.below(subjects.count)], isMember: input.bool())
    }

    private mutating func publication() -> PublishRequest {
        let document: [UInt8]
        if input.bool() {
            document = input.bytes()
        } else {
            let change = PodcastWorld.change(input.byte())
            document = FuzzServer.reading { () throws(StoreError) in try change.document() }
        }
        return PublishRequest(
            number: UInt64(input.byte()), answeredThrough: 0, index: UInt32(input.below(2)), last: input.bool(),
            changes: [document])
    }

    private mutating func call(_ method: Method, _ body: [UInt8], guest: UInt32? = nil) {
        hostile.receive(.request(Request(call: UInt32(input.byte()), method: method, body: body, guest: guest)))
    }

    // MARK: - The end

    private mutating func end() {
        settle()
        // A client that a commit doesn't concern hears of its position only then.
        let interval = Int(server.settings.progressIntervalMilliseconds)
        for _ in 0...interval / Self.longestPause { pass(milliseconds: Self.longestPause) }
        settle()
        if honest.wasRefused {
            honest.askAgain()
            settle()
        }
        let request = OpenRequest(
            screen: HonestClient.view.screen, locale: HonestClient.view.locale, parameters: [],
            user: FuzzServer.user)
        if case .success(let view) = server.hub.open(request, reading: server.store) {
            if !honest.wasRefused { judge(view) }
            server.hub.release(view.handles)
        }
        hostile.end()
        honest.connection.end()
        server.settle()
        server.advance(by: Hub.IdleBounds().milliseconds)
        require(server.library.bytes == (0, 0), "nothing is kept of what nobody shows: \(server.library.bytes)")
    }

    private mutating func settle() {
        for _ in 0..<3 {
            server.settle()
            hostile.pump()
            honest.takeTurn()
        }
    }

    private func judge(_ view: OpenedView) {
        require(honest.isComplete, "everything is delivered: \(honest.state)")
        require(honest.position == view.cut, "\(honest.position) is not \(view.cut)")
        // Its parameters may choose another variant of the section `new`.
        for member in [view.list] + view.sections where member.section != "new" {
            require(honest.shown[member.section] == member.current.version.sum, "'\(member.section)' is current")
        }
    }

    // MARK: - Seeds

    @Sendable static func seeds() -> [[UInt8]] {
        func step(_ step: Step, _ rest: UInt8...) -> [UInt8] { [step.rawValue] + rest }
        let hello = step(.hello, 1) + step(.hubJob, 3) + step(.pump, 15)
        let home = step(.subscribe, 0, 1, 0) + step(.hubJob, 3) + step(.pump, 15) + step(.ack, 1, 0)
        let show = step(.subscribe, 0, 2, 1) + step(.hubJob, 3) + step(.pump, 15) + step(.ack, 1, 0)
        let commit = step(.commit, 8) + step(.hubJob, 3) + step(.deliver) + step(.pump, 15) + step(.ack, 1, 0)
        let favorite = step(.collection, 1, 0, 0, 1, 0, 1) + step(.hubJob, 3) + step(.deliver) + step(.pump, 15)
        let publish = step(.publish, 0, 16, 1, 0, 1, 2) + step(.hubJob, 3) + step(.deliver) + step(.pump, 15)
        let nack = step(.nack, 1, 1, 1, 1, 0) + step(.pump, 15) + step(.honestTurn)
        let resume = step(.subscribe, 2, 3, 2, 2, 1, 1, 1, 1) + step(.hubJob, 3) + step(.pump, 15)
        let time = step(.time, 250)
        let relay = step(.hello, 17) + step(.hubJob, 3) + step(.pump, 15)
        let introduce = step(.introduce, 9, 1) + step(.hubJob, 3) + step(.hubJob, 3) + step(.pump, 15)
        let plan = step(.plan, 0, 1, 1, 2) + step(.hubJob, 3) + step(.pump, 15)
        let watch = (1..<4).flatMap { step(.watch, 0, $0, $0) } + step(.hubJob, 3) + step(.pump, 15)
        return [
            relay + introduce + plan + watch + commit + step(.dismiss, 1) + commit,
            hello, hello + home + commit + commit, hello + home + show + step(.unsubscribe, 1) + commit,
            hello + home + favorite + time + commit, hello + home + publish + commit,
            hello + home + step(.room, 0) + commit + commit + nack, hello + show + resume + commit + nack,
            hello + home + step(.honestParameters, 2, 1) + step(.hubJob, 3) + step(.honestTurn) + commit,
            hello + step(.call, 3, 6, 0, 10, 4) + Array("home".utf8) + [1] + step(.hubJob, 1) + step(.pump, 15),
        ]
    }
}

extension MemoryStore {
    /// The catalogue's position, without a user.
    fileprivate var catalogueCut: Cut {
        let head = FuzzServer.reading { () throws(StoreError) in try catalogueHead() }
        return Cut(catalogueEpoch: head.epoch, catalogueRevision: head.revision)
    }
}
