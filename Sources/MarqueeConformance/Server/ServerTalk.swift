package import MarqueeDiff
package import MarqueeModel
package import MarqueeWire
import NIOCore

/// One connection to the server under test, with the state of a client that verifies everything. Used by one task.
///
/// Checks are written with its methods: `send`, `expect`, `expectClose`, `until`, `subscribe`, `call`.
package final class ServerTalk {
    package let line: Line
    let subject: ServerSubject
    private(set) var witness: ServerWitness
    package var views = VerifiedViews()
    /// This side's first message, unless a check sends another one.
    package let hello: Hello
    /// Whether bytes are acknowledged automatically, as a client does; a check may turn this off and send acks itself.
    package var acknowledges = true
    private var lastSubscription: UInt32 = 0
    private var lastCall: UInt32 = 0
    private var lastMutation: UInt64 = 0
    /// The number of the repair until which cuts are dropped; `nil` if none is awaited.
    private var awaitedRepair: UInt32?
    /// The number of stage frames that have arrived.
    private(set) var stagedFrames = 0
    /// The handles of staged parts since the connection began, or since `forgetStagedHandles`.
    private(set) var stagedHandles: Set<UInt64> = []
    /// The number of data frames that have arrived.
    private(set) var dataFrames = 0

    init(_ line: Line, _ subject: ServerSubject) {
        self.line = line
        self.subject = subject
        var hello = Hello()
        hello.clientID = (0..<16).map { _ in .random(in: .min ... .max) }
        hello.agent = "marquee-conform/1"
        hello.token = subject.token
        self.hello = hello
        witness = ServerWitness(limits: hello.limits)
    }

    private var answerDeadline: Duration { subject.deadlines.answer }
    package var welcome: Welcome { witness.welcome ?? Welcome() }
    package var position: Cut { witness.position }

    // Outgoing

    package func send(_ message: Message) async { await line.send(message) }

    package func send(kind: UInt16, flags: FrameFlags = [], _ body: [UInt8] = []) async {
        await line.send(Frame(kind: FrameKind(rawValue: kind), flags: flags, body: ByteBuffer(bytes: body)))
    }

    /// Says hello, and waits for welcome.
    package func greet(_ hello: Hello? = nil) async throws {
        let hello = hello ?? self.hello
        witness = ServerWitness(limits: hello.limits)
        await send(.hello(hello))
        _ = try await until("welcome") { message -> Welcome? in
            if case .welcome(let welcome) = message { return welcome }
            return nil
        }
    }

    package func acknowledge() async {
        witness.acknowledged = witness.dataBytes
        await send(.ack(bytes: witness.dataBytes, cut: nil))
    }

    // Incoming

    /// The next message of a known kind, checked and applied.
    package func next(_ awaited: String, within limit: Duration? = nil) async throws -> Message {
        while true {
            switch await line.next(within: limit ?? answerDeadline) {
            case nil: throw failure(awaited, "nothing in time")
            case .end?: throw failure(awaited, "the end of the connection")
            case .broken(let error)?: throw failure("frames and messages that obey chapters 2 and 3", "\(error)")
            case .frame(let frame, let message)?:
                do {
                    try await take(frame, message)
                } catch let deviation as Deviation {
                    throw failure(deviation.expected, deviation.actual)
                }
                if let message { return message }
            }
        }
    }

    /// A deviation with the last frames as its transcript.
    package func failure(_ expected: String, _ actual: String) -> Deviation {
        Deviation(expected: expected, actual: actual, transcript: line.transcript)
    }

    private func take(_ frame: Frame, _ message: Message?) async throws {
        let cut = try witness.received(frame, message)
        switch message {
        case .stage(let part)?:
            stagedFrames += 1
            stagedHandles.insert(part.handle)
            try views.stage(part, isFirst: frame.flags.contains(.first))
        case .data?: dataFrames += 1
        case .subscriptionError(let error)? where error.section == nil:
            if let view = views.views[error.subscription], !view.isJoined || error.generation <= view.generation {
                views.views[error.subscription] = nil
            }
        default: break
        }
        if let cut { try received(cut) }
        guard acknowledges else { return }
        if case .progress? = message { return await acknowledge() }
        if witness.dataBytes - witness.acknowledged > witness.credit / 2 { await acknowledge() }
    }

    private func received(_ cut: [Message]) throws {
        if let awaited = awaitedRepair {
            guard cut.contains(.repair(number: awaited)) else { return }
            awaitedRepair = nil
        }
        try views.apply(cut)
        for message in cut {
            switch message {
            case .join(let join): try witness.advance(by: join.cut)
            case .data(let part): try witness.advance(by: part.cut)
            default: break
            }
        }
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

    /// Waits for this message, skipping those that a server may send at any time.
    package func expect(_ message: Message) async throws {
        let awaited = FrameText.describe(message)
        let actual = try await until(awaited) { ServerTalk.isUnprompted($0) ? nil : $0 }
        guard actual == message else { throw failure(awaited, FrameText.describe(actual)) }
    }

    /// Waits until the server has closed with this reason.
    package func expectClose(_ reasons: String..., within limit: Duration? = nil) async throws {
        let awaited = "close \(reasons.joined(separator: " or "))"
        let status = try await until(awaited, within: limit) { message -> Status? in
            if case .close(let status) = message { return status }
            if case .pong = message { throw self.failure(awaited, "pong: the connection goes on") }
            return nil
        }
        guard reasons.contains(status.reason) else { throw failure(awaited, "close \(FrameText.status(status))") }
        guard case .end? = await line.next(within: answerDeadline) else {
            throw failure("the end of the connection after close", "more")
        }
    }

    /// Checks that the server stays connected and has read everything sent so far.
    package func expectAlive(nonce: UInt64 = 4242) async throws {
        await send(.ping(nonce: nonce))
        _ = try await until("pong {\(nonce)}: the connection goes on") { $0 == .pong(nonce: nonce) ? true : nil }
    }

    private static func isUnprompted(_ message: Message) -> Bool {
        switch message {
        case .progress, .join, .data, .stage, .repair: true
        default: false
        }
    }

    // Subscriptions

    /// Subscribes without waiting for the join.
    /// - Parameters:
    ///   - held: a view of another connection, which this one offers for resuming.
    ///   - resume: the offer to send instead of one made from `held`.
    package func subscribe(
        _ screen: String? = nil, sections: [SectionParameters] = [], locale: String? = nil,
        holding held: VerifiedViews.View? = nil, offering resume: Resume? = nil
    ) async -> UInt32 {
        lastSubscription += 1
        let screen = screen ?? subject.screen
        views.views[lastSubscription] = VerifiedViews.View(generation: 0, screen: screen, locale: "")
        if let held { views.offered[lastSubscription] = held.contents }
        await send(
            .subscribe(
                Subscribe(
                    subscription: lastSubscription, screen: screen, locale: locale, sections: sections,
                    resume: resume ?? held?.resume(cut: welcome.cut))))
        return lastSubscription
    }

    /// Subscribes and waits until the view has joined.
    @discardableResult
    package func joined(
        _ screen: String? = nil, sections: [SectionParameters] = [], locale: String? = nil,
        holding held: VerifiedViews.View? = nil
    ) async throws -> UInt32 {
        let subscription = await subscribe(screen, sections: sections, locale: locale, holding: held)
        try await untilJoined(subscription)
        return subscription
    }

    /// Waits until the view has joined. The cut with its join may have several frames.
    package func untilJoined(_ subscription: UInt32, generation: UInt32 = 0) async throws {
        while views.views[subscription]?.isJoined != true || views.views[subscription]?.generation != generation {
            let awaited = "the join of subscription \(subscription), generation \(generation)"
            switch try await next(awaited) {
            case .subscriptionError(let error) where error.subscription == subscription && error.section == nil:
                throw failure(awaited, "subscriptionError \(FrameText.status(error.status))")
            case .close(let status): throw failure(awaited, "close \(FrameText.status(status))")
            case .rebase(let rebase): try await answer(rebase)
            default: break
            }
        }
    }

    /// Answers a rebase with manifests of what is held or offered.
    package func answer(_ rebase: Rebase) async throws {
        for section in rebase.sections { await describe(content(rebase.subscription, section.section), section.handle) }
    }

    /// Sends the manifest of a version, under a handle that a rebase has named.
    package func describe(_ version: Version, _ handle: UInt64) async {
        views.described[handle] = version
        for part in Manifest.parts(of: ContentManifest(version), handle: handle, limits: welcome.limits) {
            await send(.manifest(part))
        }
    }

    /// The version held of a section, or else the one offered; empty if there is neither.
    private func content(_ subscription: UInt32, _ section: String) -> Version {
        (views.views[subscription]?.contents[section] ?? views.offered[subscription]?[section]) ?? .empty
    }

    /// Waits for the subscriptionError of a subscription, with one of these reasons.
    package func expectRefused(
        _ subscription: UInt32, _ reasons: String..., generation: UInt32? = nil
    ) async throws {
        let awaited = "subscriptionError \(reasons.joined(separator: " or ")) for subscription \(subscription)"
        let error = try await until(awaited) { message -> SubscriptionError? in
            if case .subscriptionError(let error) = message, error.subscription == subscription { return error }
            if case .join(let join) = message, join.subscription == subscription, generation == nil {
                throw self.failure(awaited, FrameText.describe(message))
            }
            return nil
        }
        guard reasons.contains(error.status.reason), error.section == nil else {
            throw failure(awaited, FrameText.describe(.subscriptionError(error)))
        }
        if let generation, error.generation != generation {
            throw failure("generation \(generation) in subscriptionError", "\(error.generation)")
        }
    }

    package func view(_ subscription: UInt32) throws -> VerifiedViews.View {
        guard let view = views.views[subscription] else {
            throw failure("subscription \(subscription) to be live", "it has ended")
        }
        return view
    }

    // Nacks

    func forgetStagedHandles() { stagedHandles = [] }

    /// Refuses the content sent for some sections of a view, as a client does after a failed cut.
    /// - Parameters:
    ///   - names: replaces the held versions that the nack names.
    ///   - change: changes anything else in the nack.
    package func refuse(
        _ sections: Set<String>, of subscription: UInt32, number: UInt32,
        holding names: ([HeldVersion]) -> [HeldVersion] = { $0 }, changing change: (inout Nack) -> Void = { _ in }
    ) async throws {
        let view = try view(subscription)
        var held: [HeldVersion] = []
        for (section, handle) in view.handles.sorted(by: { $0.value < $1.value }) {
            if sections.contains(section) { views.dropStaged(handle: handle) }
            held.append(
                HeldVersion(handle: handle, sum: view.contents[section]?.sum, refused: sections.contains(section)))
        }
        awaitedRepair = number
        var nack = Nack(
            number: number, good: position, held: names(held),
            status: Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: "on purpose"))
        change(&nack)
        await send(.nack(nack))
    }

    /// Waits until the repairing cut has been applied; answers rebases meanwhile.
    package func untilRepaired(_ number: UInt32) async throws {
        while awaitedRepair == number {
            switch try await next("a cut with repair {\(number)}") {
            case .close(let status): throw failure("repair {\(number)}", "close \(FrameText.status(status))")
            case .rebase(let rebase): try await answer(rebase)
            default: break
            }
        }
    }

    // Calls

    /// Returns the number of the next mutation.
    func nextMutation() -> UInt64 {
        // Wraps around to 0 if welcome named the highest number; the server has to refuse 0.
        lastMutation = max(lastMutation, welcome.lastMutation ?? 0) &+ 1
        return lastMutation
    }

    /// Sends a request without waiting.
    package func request(_ method: Method, _ body: [UInt8] = [], deadline: UInt32? = nil) async -> UInt32 {
        lastCall += 1
        witness.asked(lastCall)
        await send(.request(Request(call: lastCall, method: method, deadlineMilliseconds: deadline, body: body)))
        return lastCall
    }

    /// Waits for the whole answer to a call.
    package func answer(to call: UInt32) async throws -> (status: Status?, body: [UInt8]) {
        var body: [UInt8] = []
        return try await until("the answer to call \(call)") { message in
            guard case .answer(let answer) = message, answer.call == call else { return nil }
            body += answer.body
            return answer.more ? nil : (answer.status.flatMap { $0.code == .ok ? nil : $0 }, body)
        }
    }

    /// Makes a call, and returns the body of its answer; any status but OK is a deviation.
    package func call(_ method: Method, _ body: [UInt8] = []) async throws -> [UInt8] {
        let (status, answer) = try await answer(to: request(method, body))
        if let status { throw failure("OK for method \(method.rawValue)", FrameText.status(status)) }
        return answer
    }

    /// Makes a call, and waits for it to fail for one of these reasons.
    package func expectFailure(
        _ reasons: String..., of method: Method, _ body: [UInt8] = [], deadline: UInt32? = nil
    ) async throws {
        let (status, _) = try await answer(to: request(method, body, deadline: deadline))
        let awaited = "\(reasons.joined(separator: " or ")) for method \(method.rawValue)"
        guard let status else { throw failure(awaited, "OK") }
        guard reasons.contains(status.reason) else { throw failure(awaited, FrameText.status(status)) }
    }
}
