import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// Chapter 16.
    static let liveness: [ServerCheck] = [
        ServerCheck("ping-pong", .liveness, "A ping is answered by a pong of the same nonce.") { stage in
            let talk = try await stage.greeted()
            for nonce: UInt64 in [0, 1, .max] {
                await talk.send(.ping(nonce: nonce))
                try await talk.expect(.pong(nonce: nonce))
            }
        },
        ServerCheck("too-many-pings", .liveness, "The ninth ping that comes too soon ends the connection.") { stage in
            let talk = try await stage.greeted()
            guard talk.welcome.pingMinimumMilliseconds >= 1_000 else {
                throw NotApplicable("the server allows pings that close together")
            }
            for nonce: UInt64 in 1...9 {
                await talk.send(.ping(nonce: nonce))
                try await talk.expect(.pong(nonce: nonce))
            }
            await talk.send(.ping(nonce: 10))
            try await talk.expectClose("TOO_MANY_PINGS")
        },
        ServerCheck("silence", .liveness, "After three intervals without a byte the connection ends.", isSlow: true) {
            stage in
            let talk = try await stage.greetedWithShortPings()
            talk.acknowledges = false
            let interval = Duration.milliseconds(Int64(talk.welcome.pingIntervalMilliseconds))
            try await talk.expectClose("SILENT", within: interval * 3 + stage.deadlines.timer)
        },
        ServerCheck(
            "frame-unfinished", .liveness, "A frame that doesn't end in three intervals ends the connection.",
            isSlow: true
        ) {
            stage in
            let talk = try await stage.greetedWithShortPings()
            talk.acknowledges = false
            let interval = Duration.milliseconds(Int64(talk.welcome.pingIntervalMilliseconds))
            await talk.line.send(bytes: [0, 0, 0, 64, 0, 3, 0, 0], as: "the beginning of a frame")
            // These bytes are the last sign of life, so the time for silence ends together with the frame's.
            try await talk.expectClose("FRAME_UNFINISHED", "SILENT", within: interval * 3 + stage.deadlines.timer)
        },
        ServerCheck("credit-gates", .liveness, "Beyond the credit, nothing begins until an ack arrives.") { stage in
            let talk = try await stage.greetedWithCredit(1)
            talk.acknowledges = false
            let id = await talk.subscribe()
            _ = try await talk.until("a first staged part") { if case .stage = $0 { true } else { nil } }
            // Anything that the server began in spite of the credit would arrive by now, and fail the witness.
            for _ in 0..<3 { _ = try await talk.call(.health) }
            try await talk.expectAlive()
            await talk.acknowledge()
            talk.acknowledges = true
            try await talk.untilJoined(id)
        },
        ServerCheck("smallest-credit", .liveness, "A credit of one byte slows a screen down but doesn't stop it.") {
            stage in
            let talk = try await stage.greetedWithCredit(1)
            try await talk.joined()
        },
        ServerCheck("ack-too-much", .liveness, "An ack of more than was sent ends the connection.") { stage in
            let talk = try await stage.greeted()
            await talk.send(.ack(bytes: 1 << 40, cut: nil))
            try await talk.expectClose("ACK_INVALID")
        },
        ServerCheck("ack-goes-back", .liveness, "An ack of less than the last one ends the connection.") { stage in
            let talk = try await stage.greeted()
            talk.acknowledges = false
            try await talk.joined()
            await talk.acknowledge()
            await talk.send(.ack(bytes: 0, cut: nil))
            try await talk.expectClose("ACK_INVALID")
        },
        ServerCheck("ack-of-future", .liveness, "An ack of a position that the node doesn't have ends the connection.")
        {
            stage in
            let talk = try await stage.greeted()
            var cut = talk.welcome.cut
            cut.catalogueRevision = cut.catalogueRevision.advancedFar
            await talk.send(.ack(bytes: 0, cut: cut))
            try await talk.expectClose("ACK_INVALID")
        },
        ServerCheck("ack-of-other-epoch", .liveness, "An ack of a position in another epoch isn't checked.") { stage in
            let talk = try await stage.greeted()
            var cut = talk.welcome.cut
            (cut.catalogueEpoch, cut.catalogueRevision) = (cut.catalogueEpoch ^ 0x55, 1 << 40)
            await talk.send(.ack(bytes: 0, cut: cut))
            try await talk.expectAlive()
        },
        ServerCheck("ack-repeated", .liveness, "An ack may be repeated, with the position or without it.") {
            stage in
            let talk = try await stage.greeted()
            try await talk.joined()
            await talk.acknowledge()
            await talk.send(.ack(bytes: talk.witness.dataBytes, cut: talk.position))
            try await talk.expectAlive()
        },
    ]
}

extension ServerStage {
    /// Checks that wait for three ping intervals don't run if these are longer than this.
    private static let longestIntervalMilliseconds: UInt32 = 20_000

    /// A connection whose hello asks for a short ping interval.
    func greetedWithShortPings() async throws -> ServerTalk {
        let talk = try await connect()
        var hello = talk.hello
        hello.pingIntervalMilliseconds = 1_000
        try await talk.greet(hello)
        guard talk.welcome.pingIntervalMilliseconds <= ServerStage.longestIntervalMilliseconds else {
            throw NotApplicable("the ping interval is longer than 20 seconds")
        }
        return talk
    }
}
