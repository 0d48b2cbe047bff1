package import MarqueeModel
package import MarqueeWire

/// The connection itself: hello and welcome, incoming messages, silence, and how it ends.
extension SyncCore {
    /// Called when the connection is established.
    package mutating func connected(_ hello: Hello, now: UInt64) -> [Action] {
        disconnected()
        phase = .awaitingWelcome
        link = Link(now: now)
        return [.send(.hello(hello))]
    }

    /// Called when the connection has ended. Content stays, and is offered for resuming next time.
    package mutating func disconnected() {
        phase = .disconnected
        link = Link(now: 0)
        for id in wanted.keys { wanted[id]?.left(at: position) }
    }

    /// Called about once a second.
    package mutating func tick(now: UInt64) -> [Action] {
        switch phase {
        case .disconnected: return []
        case .awaitingWelcome:
            if now >= link.began + Self.welcomeTimeout { return [.close(.retry("the server does not answer"))] }
            return []
        case .live:
            switch link.watch.look(now: now) {
            case .nothing: return []
            case .ask: return [.send(.ping(nonce: now))]
            case .isSilent: return [.close(.retry("the server is silent"))]
            case .neverCompletesFrame:
                return [.close(.retry("the server never completes the frame it is sending"))]
            }
        }
    }

    /// Called when bytes arrive; any bytes prove that the connection is alive.
    package mutating func heard(now: UInt64) { link.watch.heard(now: now) }

    /// Called when the bytes that arrived have been split into frames.
    /// - Parameters:
    ///   - frames: the number of complete frames.
    ///   - isWithinFrame: whether the last bytes begin a frame that is still incomplete.
    package mutating func received(frames: Int, isWithinFrame: Bool, now: UInt64) {
        link.watch.received(frames: frames, isWithinFrame: isWithinFrame, now: now)
    }

    /// Called for each frame.
    /// - Parameter bytes: the size of the whole frame, including its length field.
    package mutating func received(_ message: Message, flags: FrameFlags, bytes: Int) -> [Action] {
        switch phase {
        case .disconnected: return []
        case .awaitingWelcome:
            switch message {
            case .welcome(let welcome): return [.welcomed(welcome)]
            case .close(let status), .goAway(let status, _): return [.close(Self.ending(status))]
            default: return broken(.failedPrecondition, "WRONG_DIRECTION", "the first message is not a welcome")
            }
        case .live: return receivedLive(message, flags: flags, bytes: bytes)
        }
    }

    /// Goes live after the shell has accepted the welcome: the mirror belongs to this cluster and user.
    package mutating func accept(_ welcome: Welcome, seen: Cut?) -> [Action] {
        guard case .awaitingWelcome = phase else { return [] }
        if let seen, welcome.cut.isBehind(seen) {
            // Older data is never shown after newer (G1): wait until this node, or another, has caught up.
            let status = Status(
                .unavailable, reason: "NODE_BEHIND", remedy: .retryOther,
                message:
                    "the server is behind what this mirror has seen; if the server was restored from a copy, move the mirror away"
            )
            return [.send(.close(status)), .close(.behind(status))]
        }
        phase = .live
        link.serverLimits = welcome.limits
        position = welcome.cut
        link.watch.welcomed(welcome)
        // The collections, which are laid over all screens, come first.
        return wanted.keys.sorted { a, b in
            (a.screen == ScreenID.collectionSet.name ? "" : a.screen)
                < (b.screen == ScreenID.collectionSet.name ? "" : b.screen)
        }.compactMap { subscribe($0) }
    }

    private mutating func receivedLive(_ message: Message, flags: FrameFlags, bytes: Int) -> [Action] {
        switch message {
        case .join, .repair, .data:
            if case .data = message { link.taken.add(bytes) }
            return receivedCutFrame(message, flags: flags, bytes: bytes) + acknowledge(always: false)
        case .stage(let part):
            link.taken.add(bytes)
            return stage(part, flags: flags, bytes: bytes) + acknowledge(always: false)
        case .progress(let change):
            guard link.incoming == nil else { return cutOrder("progress came in the middle of a cut") }
            guard !namesAnotherEpoch(change) else { return cutOrder("progress names an epoch that isn't welcome's") }
            // While a repair is awaited, some content is missing.
            guard link.repairs.awaited == nil else { return acknowledge(always: true) }
            position = position.advanced(by: change)
            return [.progress(position)]
        case .subscriptionError(let error):
            return subscriptionFailed(error)
        case .rebase(let rebase):
            return describe(rebase)
        case .answer(let answer):
            return received(answer)
        case .ping(let nonce):
            return [.send(.pong(nonce: nonce))]
        case .pong:
            return []
        case .goAway(let status, let bounds):
            return [.close(.retryWithin(bounds, status))]
        case .close(let status):
            if status.remedy == .resync { dropBases(around: nil) }
            return [.close(Self.ending(status))]
        // For relays only.
        case .guestEnded, .userProgress, .replan:
            return []
        case .welcome, .hello, .ack, .subscribe, .unsubscribe, .nack, .manifest, .request, .cancel, .dismiss:
            return broken(.failedPrecondition, "WRONG_DIRECTION", "a message for servers, or a second welcome")
        }
    }

    /// Handles a violation of the protocol by the server: reports it, closes, and starts over.
    func broken(_ code: Status.Code, _ reason: String, _ what: String) -> [Action] {
        let status = Status(code, reason: reason, remedy: .retrySame, message: what)
        return [.send(.close(status)), .close(.retry("the server broke the protocol: \(what)"))]
    }

    func cutOrder(_ what: String) -> [Action] { broken(.failedPrecondition, "CUT_ORDER", what) }

    private static func ending(_ status: Status) -> Ending {
        switch status.remedy {
        case .reauthenticate: return .reauthenticate(status)
        case .retrySame, .retryOther, .resync:
            if status.reason == "NODE_BEHIND" { return .behind(status) }
            if let pause = status.retryAfterMilliseconds { return .retryWithin(pause...pause, status) }
            return .retry(status.message, said: status)
        // A frame damaged in transit never passes its check, so a fatal status is genuine.
        case .fatal: return .fatal(status)
        }
    }

    /// One ack per half of the credit, or with progress.
    mutating func acknowledge(always: Bool) -> [Action] {
        let credit = min(limits.creditBytes, link.serverLimits.creditBytes)
        guard link.taken.acknowledge(always: always, credit: credit) else { return [] }
        return [
            .send(.ack(bytes: link.taken.count, cut: durable.flatMap { $0.hasSameEpochs(as: position) ? $0 : nil }))
        ]
    }
}
