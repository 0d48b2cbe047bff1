import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ClientChecks {
    /// The ping interval, in milliseconds, that welcome states in checks that wait for it: long enough that even on a
    /// busy machine the client has subscribed before two intervals have passed.
    private static let interval: UInt32 = 5_000

    /// Chapter 16.
    static let liveness: [ClientCheck] = [
        ClientCheck("ping-pong", .liveness, "A ping is answered by a pong of the same nonce, also within a cut.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            for nonce: UInt64 in [0, 1, .max] {
                await talk.send(.ping(nonce: nonce))
                _ = try await talk.until("pong {\(nonce)}") { $0 == .pong(nonce: nonce) ? true : nil }
            }
            let change = CutChange(catalogueRevision: 101)
            await talk.send(
                .data(talk.parts(from: world["cards"], to: World.cards(2...3), 2, cut: change)[0]), flags: .first)
            try await talk.expectAlive()
            await talk.send(
                .data(talk.parts(from: world["empty"], to: World.cards(1...1), 4, cut: change)[0]), flags: .last)
            world["cards"] = World.cards(2...3)
            world["empty"] = World.cards(1...1)
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "ack-at-half", .liveness, "An ack comes once over half of the credit is unacknowledged, even within a cut."
        ) {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world) { $0.limits.creditBytes = 4_000 }
            let acknowledged = talk.sentBytes
            let target = World.cards(1...80)
            var parts: [Part] = []
            let whole = talk.whole(target, 2, cut: CutChange(catalogueRevision: 101))[0]
            for (index, item) in whole.adds.enumerated() {
                var part = whole
                (part.adds, part.more) = ([item], index < whole.adds.count - 1)
                if index > 0 { (part.script, part.head) = ([], nil) }
                parts.append(part)
            }
            // Stop as soon as more than half of the credit is unacknowledged.
            for (index, part) in parts.enumerated() {
                await talk.send(.data(part), flags: index == 0 ? .first : [])
                if talk.sentBytes - acknowledged > talk.credit / 2 { break }
            }
            let wanted = talk.sentBytes
            _ = try await talk.until("ack {bytes \(wanted)}, within the cut") { message -> Bool? in
                if case .ack(let bytes, _) = message { return bytes == wanted ? true : nil }
                return nil
            }
        },
        ClientCheck("acks-are-few", .liveness, "Below half of the credit, cuts aren't acknowledged; progress is, once.")
        {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let before = talk.acks.count
            let sent = talk.sentBytes
            for number in 1...8 { await talk.move("cards", to: World.cards(number...12), in: &world) }
            guard talk.sentBytes - sent <= talk.credit / 2 else {
                throw NotApplicable("the client's credit is too small for this check")
            }
            try await talk.progress(world)
            try await talk.expectAlive()
            guard talk.acks.count == before + 1 else {
                throw talk.failure("one ack, with progress", "\(talk.acks.count - before) acks")
            }
        },
        ClientCheck("bytes-start-over", .liveness, "Bytes are counted from 0 on each connection.") { stage in
            let world = World(screen: stage.screen)
            await (try await stage.live(world)).breakOff()
            let (talk, _) = try await stage.resumed(world)
            await talk.cut([talk.join(world)])
            try await talk.progress(world)
        },
        ClientCheck(
            "pings-when-silent", .liveness, "A client that hears nothing for an interval sends a ping.", isSlow: true
        ) {
            stage in
            let talk = try await stage.live(World(screen: stage.screen)) { $0.pingIntervalMilliseconds = interval }
            let limit = Duration.milliseconds(Int64(interval)) + stage.deadlines.timer
            _ = try await talk.until("ping", within: limit) { if case .ping = $0 { true } else { nil } }
        },
        ClientCheck(
            "leaves-the-dead", .liveness,
            "A client that hears nothing pings, and reconnects after another interval of silence.", isSlow: true
        ) {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world) { $0.pingIntervalMilliseconds = interval }
            let limit = Duration.milliseconds(Int64(interval)) + stage.deadlines.timer
            // The runner sends nothing from here on, so the ping goes unanswered.
            _ = try await talk.until("ping", within: limit) { if case .ping = $0 { true } else { nil } }
            try await talk.expectEnd(within: limit)
            let (again, subscribe) = try await stage.resumed(world)
            try again.expectOffer(of: world, in: subscribe)
        },
        ClientCheck("ping-interval-0", .liveness, "A ping interval of 0 doesn't end the connection.") { stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world) {
                ($0.pingIntervalMilliseconds, $0.pingMinimumMilliseconds) = (0, 0)
            }
            try await talk.expectAlive()
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "frame-unfinished", .liveness, "A frame that doesn't end in three intervals ends the connection.",
            isSlow: true
        ) {
            stage in
            let talk = try await stage.live(World(screen: stage.screen)) { $0.pingIntervalMilliseconds = 2_000 }
            let end = ContinuousClock.now + .seconds(6) + stage.deadlines.timer
            await talk.line.send(bytes: FrameBytes.bigEndian(1_000) + [0, 3, 0, 0], as: "the beginning of a frame")
            // Each of its bytes is a sign of life, so nothing else ends the connection earlier.
            while ContinuousClock.now < end {
                if await talk.hasEnded(within: .milliseconds(500)) { return }
                await talk.line.send(bytes: [0], as: "a byte of the frame")
            }
            throw talk.failure("the end of the connection", "it goes on")
        },
        ClientCheck("answer-to-nobody", .liveness, "An answer to a call that was never made is ignored.") { stage in
            let talk = try await stage.live(World(screen: stage.screen))
            await talk.send(.answer(Answer(call: 9_999, body: [1])))
            try await talk.expectAlive()
        },
        ClientCheck("go-away", .liveness, "After goAway the client closes, and reconnects within the bounds.") {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let status = Status(.unavailable, reason: "DRAINING", remedy: .retrySame, message: "on purpose")
            await talk.send(.goAway(status, reconnectMilliseconds: 0...50))
            try await talk.expectEnd()
            let (again, subscribe) = try await stage.resumed(world)
            try again.expectOffer(of: world, in: subscribe)
        },
        ClientCheck("close-retry", .liveness, "After a close with remedy 1 the client reconnects and resumes.") {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.send(
                .close(Status(.deadlineExceeded, reason: "SILENT", remedy: .retrySame, message: "on purpose")))
            await talk.breakOff()
            let (again, subscribe) = try await stage.resumed(world)
            try again.expectOffer(of: world, in: subscribe)
        },
    ]

    /// Chapter 20.
    static let kinds: [ClientCheck] = [
        ClientCheck(
            "unknown-kinds", .kinds, "Items and sections of unknown kinds are kept and patched like any others."
        ) {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let items = Array(world["unknown"].items)
            var changed = items[1]
            changed.body = [0x08, 0x63] + World.unknownField
            let target = Version(
                head: world["unknown"].head,
                items: [items[2], changed, Item(id: "new", kind: ItemKind(rawValue: 1_000_000), body: [0x0A, 0x00])])
            await talk.move("unknown", to: target, in: &world)
            try await talk.expectHeld(world)
            await talk.breakOff()
            let (again, subscribe) = try await stage.resumed(world)
            try again.expectOffer(of: world, in: subscribe)
        },
        ClientCheck("unknown-fields-in-list", .kinds, "Unknown fields in the view's own list and its head are kept.") {
            stage in
            var world = World(screen: stage.screen)
            let own = world.own
            var items = Array(own.items)
            items[1].body += World.unknownField
            world.own = Version(head: own.head + World.unknownField, items: items)
            let talk = try await stage.live(world)
            try await talk.expectHeld(world)
        },
    ]

    /// Chapter 21.
    static let statuses: [ClientCheck] = [
        ClientCheck("fatal", .statuses, "After a close with remedy 5 the client doesn't connect by itself.") { stage in
            let talk = try await stage.live(World(screen: stage.screen))
            await talk.send(
                .close(Status(.failedPrecondition, reason: "OTHER_CLUSTER", remedy: .fatal, message: "on purpose")))
            await talk.breakOff()
            if try await stage.connectsAgain() {
                throw talk.failure("no other connection", "one")
            }
        },
        ClientCheck("unknown-remedy", .statuses, "An unknown remedy counts as fatal.") { stage in
            let talk = try await stage.live(World(screen: stage.screen))
            // Code 9, reason X, remedy 77.
            let status: [UInt8] = [0x08, 0x09, 0x12, 0x01, 0x58, 0x18, 0x4D]
            await talk.send(kind: 8, FrameBytes.field(1, status))
            await talk.breakOff()
            if try await stage.connectsAgain() { throw talk.failure("no other connection", "one") }
        },
        ClientCheck("screen-refused", .statuses, "A subscription that fails for good isn't retried at once.") {
            stage in
            let talk = try await stage.accept()
            await talk.welcome(World(screen: stage.screen))
            try await talk.subscribed()
            let status = Status(.notFound, reason: "UNKNOWN_SCREEN", remedy: .fatal, message: "on purpose")
            await talk.send(
                .subscriptionError(
                    SubscriptionError(subscription: talk.subscription, generation: 0, status: status)))
            for _ in 0..<3 {
                if await stage.hasEnded() { return }
                await talk.send(.ping(nonce: 5))
                switch await talk.line.next(within: stage.deadlines.answer) {
                case .end?, nil: return
                case .frame(_, .subscribe(let subscribe)?)? where subscribe.screen == stage.screen:
                    throw talk.failure("no other subscribe of '\(stage.screen)'", "one")
                default: break
                }
            }
        },
    ]
}

extension ClientStage {
    /// How long the runner watches for a connection that must not come. A client that doesn't obey reconnects within
    /// half a second, the longest first pause.
    private static let observationTime = Duration.seconds(2)

    /// Whether the client reconnects although it was told not to.
    func connectsAgain() async throws -> Bool { try await nextConnection(within: ClientStage.observationTime) }
}
