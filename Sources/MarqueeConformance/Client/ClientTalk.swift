package import MarqueeDiff
package import MarqueeModel
package import MarqueeWire
import NIOCore

/// One connection of the client under test, on which the runner plays the server. Used by one task.
///
/// Checks are written with its methods: `welcome`, `subscribed`, `stage`, `cut`, `expectHeld`, `expectNack`, `repair`.
package final class ClientTalk {
    let line: Line
    let stage: ClientStage
    private(set) var witness = ClientWitness()
    package private(set) var hello = Hello()
    /// The welcome that this side has sent.
    package private(set) var welcome = Welcome()
    /// The newest subscription of the screen.
    package private(set) var subscription: UInt32 = 0
    /// The acks received, in order.
    package private(set) var acks: [(bytes: UInt64, cut: Cut?)] = []
    /// The nonce of the last ping.
    private var nonce: UInt64 = 100

    init(_ line: Line, _ stage: ClientStage) {
        self.line = line
        self.stage = stage
    }

    private var answerDeadline: Duration { stage.deadlines.answer }
    var sentBytes: UInt64 { witness.sentBytes }
    /// The credit that applies: the lower of both sides' limits.
    var credit: UInt64 { min(hello.limits.creditBytes, welcome.limits.creditBytes) }

    // Outgoing

    package func send(_ message: Message, flags: FrameFlags = []) async {
        switch message {
        case .data, .stage: witness.sentBytes += UInt64(MessageCodec.encode(message, flags: flags).readableBytes)
        case .rebase(let rebase): witness.asked(for: rebase.sections.map(\.handle))
        default: break
        }
        await line.send(message, flags: flags)
    }

    func send(kind: UInt16, flags: FrameFlags = [], _ body: [UInt8] = []) async {
        let frame = Frame(kind: FrameKind(rawValue: kind), flags: flags, body: ByteBuffer(bytes: body))
        if [.data, .stage].contains(frame.kind) { witness.sentBytes += UInt64(frame.wireBytes) }
        await line.send(frame)
    }

    /// Closes the connection without a close message.
    package func breakOff() async { await line.close() }

    // Incoming

    /// The next message of a known kind, checked by the witness. Pings, calls and subscribes of other screens are
    /// answered before it is returned.
    package func next(_ awaited: String, within limit: Duration? = nil) async throws -> Message {
        while true {
            switch await line.next(within: limit ?? answerDeadline) {
            case nil: throw failure(awaited, "nothing in time")
            case .end?: throw failure(awaited, "the end of the connection")
            case .broken(let error)?: throw failure("frames and messages that obey chapters 2 and 3", "\(error)")
            case .frame(let frame, let message)?:
                do throws(Deviation) {
                    try witness.received(frame, message)
                } catch {
                    throw failure(error.expected, error.actual)
                }
                guard let message else { continue }
                await respond(to: message)
                return message
            }
        }
    }

    private func respond(to message: Message) async {
        switch message {
        case .ping(let nonce): await send(.pong(nonce: nonce))
        case .request(let request):
            let status = Status(
                .unimplemented, reason: "METHOD_UNKNOWN", remedy: .fatal, message: "this is a scripted server")
            await send(.answer(Answer(call: request.call, status: status)))
        case .ack(let bytes, let cut): acks.append((bytes, cut))
        // The client may subscribe to screens that the check isn't about, such as the user's collections.
        case .subscribe(let subscribe) where subscribe.screen != stage.screen:
            let status = Status(
                .notFound, reason: "UNKNOWN_SCREEN", remedy: .fatal, message: "there is one screen here")
            await send(
                .subscriptionError(
                    SubscriptionError(
                        subscription: subscribe.subscription, generation: subscribe.generation, status: status)))
        default: break
        }
    }

    package func failure(_ expected: String, _ actual: String) -> Deviation {
        Deviation(expected: expected, actual: actual, transcript: line.transcript)
    }

    /// Waits for a message that `wanted` accepts, skipping others.
    /// - Parameter limit: the time limit for the whole wait.
    package func until<Value>(
        _ awaited: String, within limit: Duration? = nil, _ wanted: (Message) throws -> Value?
    ) async throws -> Value {
        let end = ContinuousClock.now + (limit ?? answerDeadline)
        while true {
            let message = try await next(awaited, within: end - .now)
            if let value = try wanted(message) { return value }
            if case .close(let status) = message { throw failure(awaited, "close \(FrameText.status(status))") }
        }
    }

    /// Waits until the client has ended the connection. If it gives a reason, it has to be one of these.
    package func expectEnd(_ reasons: String..., within limit: Duration? = nil) async throws {
        let awaited =
            "the end of the connection" + (reasons.isEmpty ? "" : ", for \(reasons.joined(separator: " or "))")
        let end = ContinuousClock.now + (limit ?? answerDeadline)
        var closed: Status?
        while true {
            switch await line.next(within: end - .now) {
            case nil: throw failure(awaited, "the connection goes on")
            case .end?: return
            case .broken(let error)?: throw failure(awaited, "\(error)")
            case .frame(_, let message?)?:
                if let closed { throw failure("nothing after close \(closed.reason)", FrameText.describe(message)) }
                switch message {
                case .close(let status):
                    closed = status
                    guard reasons.isEmpty || reasons.contains(status.reason) else {
                        throw failure(awaited, "close \(FrameText.status(status))")
                    }
                case .pong(nonce): throw failure(awaited, "pong: the connection goes on")
                case .nack where !reasons.contains("CUT_REFUSED"):
                    throw failure(awaited, FrameText.describe(message))
                default: break
                }
            case .frame?: break
            }
        }
    }

    /// Whether the client ends the connection within a time, whatever it sends before.
    func hasEnded(within limit: Duration) async -> Bool {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            switch await line.next(within: end - .now) {
            case nil: return false
            case .end?: return true
            default: break
            }
        }
        return false
    }

    /// Sends a ping and waits for the end of the connection. If the client stays connected instead, its pong ends the
    /// wait early.
    func probeThenExpectEnd(_ reason: String) async throws {
        nonce += 1
        await send(.ping(nonce: nonce))
        try await expectEnd(reason)
    }

    /// Checks that the client stays connected and has read everything sent so far.
    package func expectAlive() async throws {
        nonce += 1
        let nonce = nonce
        await send(.ping(nonce: nonce))
        _ = try await until("pong {\(nonce)}: the connection goes on") { message -> Bool? in
            if case .nack = message { throw self.failure("no nack", FrameText.describe(message)) }
            return message == .pong(nonce: nonce) ? true : nil
        }
    }

    // Greeting

    /// How long the runner watches for a message that comes too early. A correct client passes, however short this is.
    private static let moment = Duration.milliseconds(300)

    /// Waits a moment for a frame; if one arrives, the witness checks whether it may.
    func expectNothing() async throws {
        guard case .frame(let frame, let message)? = await line.next(within: ClientTalk.moment) else { return }
        do throws(Deviation) {
            try witness.received(frame, message)
        } catch {
            throw failure(error.expected, error.actual)
        }
    }

    /// Waits for the client's hello.
    func expectHello() async throws {
        guard case .hello(let hello) = try await next("hello", within: stage.deadlines.start) else {
            throw failure("hello", "something else")
        }
        self.hello = hello
    }

    /// Sends a welcome with the world's cluster, position and locale.
    package func welcome(_ world: World, changing change: (inout Welcome) -> Void = { _ in }) async {
        var welcome = Welcome()
        welcome.cluster = world.cluster
        welcome.user = hello.user
        welcome.node = "conform"
        welcome.agent = "marquee-conform/1"
        welcome.cut = world.position
        if hello.user != nil { welcome.cut.userEpoch = 1 }
        welcome.locales = [world.locale]
        change(&welcome)
        self.welcome = welcome
        witness.welcome = welcome
        await send(.welcome(welcome))
    }

    /// Waits until the client subscribes to the screen.
    @discardableResult
    package func subscribed() async throws -> Subscribe {
        let subscribe = try await until("subscribe to '\(stage.screen)'") { message -> Subscribe? in
            if case .subscribe(let subscribe) = message, subscribe.screen == self.stage.screen { return subscribe }
            return nil
        }
        subscription = subscribe.subscription
        return subscribe
    }

    // Contents

    /// The parts of a whole patch, which builds a version from nothing.
    func whole(_ version: Version, _ handle: UInt64, cut: CutChange = CutChange()) -> [Part] {
        parts(Differ.patch(from: .empty, to: version), handle, isWhole: true, cut: cut)
    }

    /// The parts of the patch between two versions.
    func parts(from base: Version, to target: Version, _ handle: UInt64, cut: CutChange = CutChange()) -> [Part] {
        parts(Differ.patch(from: base, to: target), handle, isWhole: false, cut: cut)
    }

    func parts(_ patch: Patch, _ handle: UInt64, isWhole: Bool, cut: CutChange = CutChange()) -> [Part] {
        // Splitting fails only for a body that is too large, and no world has one.
        (try? PartEncoder.split(patch, handle: handle, isWhole: isWhole, cut: cut, limits: hello.limits)) ?? []
    }

    /// Sends parts of one staged patch.
    package func stage(_ parts: [Part]) async {
        for (index, part) in parts.enumerated() { await send(.stage(part), flags: index == 0 ? .first : []) }
    }

    /// Stages a version whole.
    package func stage(_ version: Version, _ handle: UInt64) async { await stage(whole(version, handle)) }

    /// Stages all versions of a world, except empty ones.
    package func stage(_ world: World) async {
        for (handle, version) in world.versions where version.sum != Version.empty.sum { await stage(version, handle) }
    }

    /// The join of a world.
    /// - Parameter sums: the sums to name instead of those of the world's versions, by section.
    package func join(
        _ world: World, naming sums: [String: UInt64?] = [:], cut: Cut? = nil, generation: UInt32 = 0
    ) -> Message {
        .join(
            Join(
                subscription: subscription, generation: generation, viewHandle: World.viewHandle,
                viewSum: (sums[""] ?? nil) ?? world.own.sum,
                sections: world.sections.map {
                    Binding(section: $0.id, handle: $0.handle, sum: sums[$0.id] ?? $0.version.sum)
                }, cut: CutChange(cut ?? world.position), screen: world.screen, locale: world.locale))
    }

    /// Sends one cut, with the flags first and last.
    package func cut(_ messages: [Message]) async {
        for (index, message) in messages.enumerated() {
            var flags: FrameFlags = []
            if index == 0 { flags.insert(.first) }
            if index == messages.count - 1 { flags.insert(.last) }
            await send(message, flags: flags)
        }
    }

    /// Moves a section to another version, in a cut of its own at the next revision.
    package func move(_ section: String, to version: Version, in world: inout World) async {
        world.position.catalogueRevision += 1
        let change = CutChange(catalogueRevision: world.position.catalogueRevision)
        await cut(parts(from: world[section], to: version, world.handle(section), cut: change).map { .data($0) })
        world[section] = version
    }

    // The client's versions

    /// Asks for the manifests of sections, and checks that they match these versions; the empty name stands for the
    /// view's own list.
    package func expectHeld(_ versions: [(section: String, handle: UInt64, version: Version)]) async throws {
        await send(
            .rebase(
                Rebase(
                    subscription: subscription,
                    sections: versions.map { RebaseSection(section: $0.section, handle: $0.handle) })))
        for (section, handle, version) in versions {
            let name = section.isEmpty ? "the view's own list" : "'\(section)'"
            let held = try await manifest(handle)
            let wanted = ContentManifest(version)
            guard held.sum == wanted.sum else {
                throw failure("sum \(FrameText.hex(wanted.sum)) of \(name)", FrameText.hex(held.sum))
            }
            guard held == wanted else { throw failure("the hashes of \(name), in order", "other ones") }
        }
    }

    /// Checks that the client holds exactly the versions of a world.
    package func expectHeld(_ world: World) async throws {
        try await expectHeld(
            [("", World.viewHandle, world.own)] + world.sections.map { ($0.id, $0.handle, $0.version) })
    }

    /// Waits for the whole manifest of a handle.
    func manifest(_ handle: UInt64) async throws -> ContentManifest {
        var pairs: [ContentManifest.Pair] = []
        return try await until("the manifest of handle \(handle)") { message in
            if case .nack = message { throw self.failure("a manifest, and no nack", FrameText.describe(message)) }
            guard case .manifest(let manifest) = message else { return nil }
            pairs += manifest.contentPairs
            return manifest.more
                ? nil : ContentManifest(sum: manifest.sum, headHash: manifest.headHash, pairs: pairs)
        }
    }

    /// Sends progress to a world's position, and waits for its ack.
    /// - Returns: the position that the ack names, if any.
    @discardableResult
    package func progress(_ world: World) async throws -> Cut? {
        try await progress(to: CutChange(world.position))
    }

    @discardableResult
    func progress(to change: CutChange) async throws -> Cut? {
        let wanted = sentBytes
        await send(.progress(change))
        let awaited = "ack {bytes \(wanted)}, with progress"
        return try await until(awaited) { message -> Cut?? in
            if case .nack = message { throw self.failure(awaited, FrameText.describe(message)) }
            guard case .ack(let bytes, let cut) = message, bytes == wanted else { return nil }
            return .some(cut)
        }
    }

    // Refusals

    /// Waits for the nack of the cut that was just sent, and checks its contents.
    @discardableResult
    package func expectNack(_ number: UInt32, refusing handles: Set<UInt64>, holding world: World) async throws -> Nack
    {
        let awaited = "nack {\(number)} that refuses \(handles.sorted().map(String.init).joined(separator: " "))"
        nonce += 1
        let probe = nonce
        await send(.ping(nonce: probe))
        var nack: Nack?
        var isAnswered = false
        while nack == nil || !isAnswered {
            switch try await next(awaited) {
            case .nack(let one): nack = one
            case .pong(probe): isAnswered = true
            case .close(let status): throw failure(awaited, "close \(FrameText.status(status))")
            case .manifest: throw failure(awaited, "a manifest")
            default: break
            }
        }
        guard let nack, nack.number == number else { throw failure(awaited, "another number") }
        guard Set(nack.held.filter(\.refused).map(\.handle)) == handles else {
            throw failure(awaited, FrameText.describe(.nack(nack)))
        }
        guard nack.good.catalogueRevision == world.position.catalogueRevision else {
            throw failure("good \(FrameText.cut(world.position)) in nack", FrameText.cut(nack.good))
        }
        guard nack.status.reason == "CUT_REFUSED", nack.status.code == .dataLoss, nack.status.remedy == .resync else {
            throw failure("status CUT_REFUSED, code 15, remedy 3", FrameText.status(nack.status))
        }
        let held = Dictionary(nack.held.map { ($0.handle, $0.sum) }) { first, _ in first }
        for (handle, version) in world.versions where held[handle] != .some(version.sum) {
            throw failure(
                "\(FrameText.hex(version.sum)) held under handle \(handle)",
                (held[handle] ?? nil).map { FrameText.hex($0) } ?? "nothing")
        }
        return nack
    }

    /// Sends the repairing cut: the view joins with a world's versions, or with others.
    package func repair(_ number: UInt32, _ world: World, naming sums: [String: UInt64?] = [:]) async {
        await cut([.repair(number: number), join(world, naming: sums)])
    }
}

extension ClientStage {
    /// Accepts a connection and serves a world on it, until the client shows that.
    package func live(
        _ world: World, changing change: (inout Welcome) -> Void = { _ in }
    ) async throws -> ClientTalk {
        let talk = try await accept()
        await talk.welcome(world, changing: change)
        try await talk.subscribed()
        await talk.stage(world)
        await talk.cut([talk.join(world)])
        try await talk.progress(world)
        return talk
    }

    /// Accepts the client's next connection and welcomes it.
    /// - Returns: the connection, and the subscribe with what the client offers.
    package func resumed(
        _ world: World, changing change: (inout Welcome) -> Void = { _ in }
    ) async throws -> (ClientTalk, Subscribe) {
        let talk = try await accept()
        await talk.welcome(world, changing: change)
        let subscribe = try await talk.subscribed()
        return (talk, subscribe)
    }
}
