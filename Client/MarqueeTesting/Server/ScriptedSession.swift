import MarqueeClient
import MarqueeDiff
import MarqueeModel
import MarqueeWire
import NIOCore

/// One connection of a scripted server: the versions it shows, and those that the client holds.
final class ScriptedSession: ClientLink {
    struct Subscription {
        var screen: ScreenID
        var locale: String
        var parameters: [SectionParameters]
        var generation: UInt32
        var isJoined = false
        /// The handles by section; the list of sections has an empty id.
        var handles: [String: UInt64] = [:]
        /// The versions that the client holds, by section.
        var held: [String: Version] = [:]
        /// The sections that the server doesn't deliver.
        var refused: Set<String> = []
    }

    /// The interval at which the server reports progress without news.
    private static let progressInterval = TimeAmount.seconds(15)

    let world: ScriptedWorld
    private let reader: ConnectionReader
    private var frames = FrameDecoder(maximumLength: WireLimits.server.frameBytes)
    private var isOpen = true
    private var isWelcome = false
    private var lastArrival = NIODeadline.uptimeNanoseconds(0)
    private var progress: RepeatedTask?
    private(set) var user: String?
    private(set) var clientID: [UInt8] = []
    private(set) var subscriptions: [UInt32: Subscription] = [:]
    private var nextHandle: UInt64 = 1
    /// The subscription and section of every handle of the connection.
    private var places: [UInt64: (subscription: UInt32, section: String)] = [:]

    init(world: ScriptedWorld, reader: ConnectionReader) {
        self.world = world
        self.reader = reader
    }

    // MARK: - The connection

    func open() {
        arrive { session in session.reader.opened(session) }
    }

    /// Receives bytes from the client.
    func write(_ frame: ByteBuffer) {
        guard isOpen, world.network != .silent else { return }
        frames.append(frame)
        // Read later, because the client is in the middle of something.
        onLoop { $0.read() }
    }

    /// Called when the client closes the connection.
    func close() {
        end()
        world.forget(self)
    }

    /// Breaks the connection.
    func cut(_ reason: String) {
        guard isOpen else { return }
        end()
        onLoop { $0.reader.closed(reason) }
    }

    private func end() {
        isOpen = false
        progress?.cancel()
        progress = nil
    }

    private func read() {
        do throws(WireError) {
            while isOpen, let frame = try frames.next() {
                if let message = try MessageCodec.decode(frame, limits: .server) { received(message) }
            }
        } catch {
            refuse(error.status)
        }
    }

    func send(_ message: Message, _ flags: FrameFlags = []) {
        let frame = MessageCodec.encode(message, flags: flags)
        arrive { $0.reader.received(frame) }
    }

    /// Runs `work` when messages sent now arrive, in the order in which they were sent.
    private func arrive(_ work: @escaping @Sendable (ScriptedSession) -> Void) {
        let pause: TimeAmount
        switch world.network {
        case .online: pause = .zero
        case .slow(let duration): pause = TimeAmount(duration)
        case .silent, .offline: return
        }
        let due = max(world.loop.now + pause, lastArrival)
        lastArrival = due
        let me = NIOLoopBound(self, eventLoop: world.loop)
        let whenOpen: @Sendable () -> Void = {
            guard me.value.isOpen, me.value.world.network != .silent else { return }
            work(me.value)
        }
        if due <= world.loop.now {
            world.loop.execute(whenOpen)
        } else {
            _ = world.loop.scheduleTask(deadline: due, whenOpen)
        }
    }

    private func onLoop(_ work: @escaping @Sendable (ScriptedSession) -> Void) {
        let me = NIOLoopBound(self, eventLoop: world.loop)
        world.loop.execute { work(me.value) }
    }

    /// Closes the connection with a reason.
    func refuse(_ status: Status) {
        send(.close(status))
        world.forget(self)
    }

    // MARK: - What the client says

    private func received(_ message: Message) {
        switch message {
        case .hello(let hello): greet(hello)
        case .ping(let nonce): send(.pong(nonce: nonce))
        case .subscribe(let subscribe): self.subscribe(subscribe)
        case .unsubscribe(let id): subscriptions[id] = nil
        case .nack(let nack): repair(nack)
        case .request(let request): answer(request)
        case .close: close()
        default: break
        }
    }

    private func greet(_ hello: Hello) {
        if world.refusedTokens?(hello.token) == true {
            return refuse(
                Status(
                    .unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate,
                    message: "the token is refused"))
        }
        user = hello.user
        clientID = hello.clientID
        isWelcome = true
        var welcome = Welcome()
        welcome.cluster = "scripted"
        welcome.node = "scripted"
        welcome.agent = "MarqueeTesting"
        welcome.user = user
        welcome.cut = world.content.cut(of: user)
        welcome.locales = world.locales
        welcome.imageBaseURL = world.imageBaseURL
        welcome.lastMutation = world.lastMutation(of: clientID)
        send(.welcome(welcome))
        let me = NIOLoopBound(self, eventLoop: world.loop)
        progress = world.loop.scheduleRepeatedTask(
            initialDelay: Self.progressInterval, delay: Self.progressInterval
        ) { _ in
            me.value.sendProgress()
        }
    }

    private func sendProgress() { send(.progress(CutChange(world.content.cut(of: user)))) }

    private func subscribe(_ wanted: Subscribe) {
        let screen = ScreenID(wanted.screen)
        if let refusal = refusal(of: screen, wanted.sections) {
            if wanted.generation == 0 { subscriptions[wanted.subscription] = nil }
            return send(
                .subscriptionError(
                    SubscriptionError(
                        subscription: wanted.subscription, generation: wanted.generation, status: refusal.status)))
        }
        var subscription = Subscription(
            screen: screen, locale: wanted.locale ?? world.locales.first ?? "en", parameters: wanted.sections,
            generation: wanted.generation)
        if let known = subscriptions[wanted.subscription] {
            (subscription.held, subscription.refused) = (known.held, known.refused)
        }
        if let resume = wanted.resume {
            subscription.held[""] = world.version(resume.viewSum)
            for section in resume.sections { subscription.held[section.section] = world.version(section.sum) }
        }
        subscriptions[wanted.subscription] = subscription
        bring()
    }

    private func refusal(of screen: ScreenID, _ parameters: [SectionParameters]) -> Refusal? {
        if let refusal = world.refusedScreens[screen] { return refusal.ofScreen }
        if case .failure(let refusal) = world.content.view(screen, parameters, of: user) { return refusal }
        return nil
    }

    private func repair(_ nack: Nack) {
        world.repairs += 1
        for id in subscriptions.keys {
            subscriptions[id]?.held.removeAll()
            subscriptions[id]?.isJoined = false
        }
        for held in nack.held {
            guard let place = places[held.handle], let sum = held.sum, !held.refused else { continue }
            subscriptions[place.subscription]?.held[place.section] = world.version(sum)
        }
        // A handle of the refused cut and the one it replaces are about the same section.
        for held in nack.held where held.refused {
            guard let place = places[held.handle] else { continue }
            subscriptions[place.subscription]?.held[place.section] = nil
        }
        bring(repairing: nack.number)
    }

    // MARK: - What the server shows

    /// Sends a cut that brings the client to the server's current content.
    func bring(repairing number: UInt32? = nil) {
        guard isOpen, isWelcome else { return }
        let cut = world.content.cut(of: user)
        var messages: [Message] = number.map { [.repair(number: $0)] } ?? []
        var data: [Message] = []
        for id in subscriptions.keys.sorted() {
            guard let subscription = subscriptions[id] else { continue }
            if let refusal = refusal(of: subscription.screen, subscription.parameters) {
                subscriptions[id] = nil
                send(
                    .subscriptionError(
                        SubscriptionError(
                            subscription: id, generation: SubscriptionError.wholeSubscription, status: refusal.status)))
            } else if case .success(let view) = world.content.view(
                subscription.screen, subscription.parameters, of: user)
            {
                for version in view.versions { world.remember(version.version) }
                let known = Set(subscription.handles.keys)
                if refuseSections(of: id) || !subscription.isJoined || known != Set(view.versions.map(\.id)) {
                    messages.append(.join(join(id, view, at: cut)))
                }
                data += patches(id, view, at: cut)
            }
        }
        messages += data
        for (index, message) in messages.enumerated() {
            var flags: FrameFlags = []
            if index == 0 { flags.insert(.first) }
            if index == messages.count - 1 { flags.insert(.last) }
            send(message, flags)
        }
        sendProgress()
    }

    /// Tells the client which sections can't be delivered from now on.
    /// - Returns: whether they have changed.
    private func refuseSections(of id: UInt32) -> Bool {
        guard let subscription = subscriptions[id] else { return false }
        let refusals = world.refusedSections[subscription.screen] ?? [:]
        let refused = Set(refusals.keys)
        for (section, refusal) in refusals where !subscription.refused.contains(section) {
            send(
                .subscriptionError(
                    SubscriptionError(
                        subscription: id, generation: subscription.generation, status: refusal.status,
                        section: section)))
        }
        subscriptions[id]?.refused = refused
        return refused != subscription.refused
    }

    /// Binds a view, and stages the versions that the client doesn't hold.
    private func join(_ id: UInt32, _ view: ScriptedContent.View, at cut: Cut) -> Join {
        var handles: [String: UInt64] = [:]
        var bases: [String: UInt64] = [:]
        let refused = subscriptions[id]?.refused ?? []
        for (section, version) in view.versions {
            let handle = nextHandle
            nextHandle += 1
            handles[section] = handle
            places[handle] = (id, section)
            // Bound without a base, a section keeps its content.
            if refused.contains(section) { continue }
            if subscriptions[id]?.held[section] == nil {
                stage(version, handle)
                subscriptions[id]?.held[section] = version
            }
            bases[section] = subscriptions[id]?.held[section]?.sum
        }
        subscriptions[id]?.handles = handles
        subscriptions[id]?.isJoined = true
        return Join(
            subscription: id, generation: subscriptions[id]?.generation ?? 0, viewHandle: handles[""] ?? 0,
            viewSum: bases[""] ?? Version.empty.sum,
            sections: view.sections.map { Binding(section: $0.id, handle: handles[$0.id] ?? 0, sum: bases[$0.id]) },
            cut: CutChange(cut), screen: subscriptions[id]?.screen.name ?? "",
            locale: subscriptions[id]?.locale ?? "")
    }

    private func stage(_ version: Version, _ handle: UInt64) {
        for (index, part) in parts(from: .empty, to: version, handle, isWhole: true).enumerated() {
            send(.stage(part), index == 0 ? .first : [])
        }
    }

    private func patches(_ id: UInt32, _ view: ScriptedContent.View, at cut: Cut) -> [Message] {
        var messages: [Message] = []
        for (section, version) in view.versions {
            guard let subscription = subscriptions[id], !subscription.refused.contains(section),
                let held = subscription.held[section], held.sum != version.sum,
                let handle = subscription.handles[section]
            else { continue }
            let parts = parts(from: held, to: version, handle, cut: CutChange(cut))
            let isWrong = world.isNextPatchWrong
            world.isNextPatchWrong = false
            messages += parts.map { part in
                var part = part
                if isWrong { part.target &+= 1 }
                return .data(part)
            }
            subscriptions[id]?.held[section] = version
        }
        let shown = Set(view.versions.map(\.id))
        let held = subscriptions[id]?.held.filter { shown.contains($0.key) }
        subscriptions[id]?.held = held ?? [:]
        return messages
    }

    private func parts(
        from base: Version, to target: Version, _ handle: UInt64, isWhole: Bool = false, cut: CutChange = CutChange()
    ) -> [Part] {
        let patch = Differ.patch(from: base, to: target)
        let isWhole = isWhole || base.sum == Version.empty.sum
        do throws(BodyTooLarge) {
            return try PartEncoder.split(patch, handle: handle, isWhole: isWhole, cut: cut)
        } catch {
            preconditionFailure("a sample is larger than a server may send: \(error.message)")
        }
    }
}
