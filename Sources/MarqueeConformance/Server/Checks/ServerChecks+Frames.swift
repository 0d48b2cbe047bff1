import MarqueeModel
import MarqueeWire
import NIOCore

extension ServerChecks {
    /// Chapter 2.
    static let frames: [ServerCheck] = [
        ServerCheck("byte-by-byte", .frames, "A frame that arrives byte by byte is read like any other.") { stage in
            let talk = try await stage.greeted()
            for byte in FrameBytes.whole(.ping(nonce: 7)) {
                await talk.line.send(bytes: [byte], as: "one byte of a ping")
            }
            try await talk.expect(.pong(nonce: 7))
        },
        ServerCheck("many-at-once", .frames, "Several frames in one write are read in order.") { stage in
            let talk = try await stage.greeted()
            let bytes = FrameBytes.whole(.ping(nonce: 1)) + FrameBytes.whole(.ping(nonce: 2))
            await talk.line.send(bytes: bytes, as: "two pings at once")
            try await talk.expect(.pong(nonce: 1))
            try await talk.expect(.pong(nonce: 2))
        },
        ServerCheck("length-below-8", .frames, "A length below 8 ends the connection.") { stage in
            for length: UInt8 in [0, 7] {
                let talk = try await stage.greeted()
                await talk.line.send(bytes: [0, 0, 0, length], as: "a length of \(length)")
                try await talk.expectClose("FRAME_TOO_SHORT")
            }
        },
        ServerCheck("length-above-limit", .frames, "A length above the limit ends the connection at once.") { stage in
            for excess: UInt32 in [1, 0x7000_0000] {
                let talk = try await stage.greeted()
                let length = talk.welcome.limits.frameBytes + excess
                await talk.line.send(bytes: FrameBytes.bigEndian(length), as: "a length of \(length)")
                try await talk.expectClose("FRAME_TOO_LONG")
            }
        },
        ServerCheck("length-at-limit", .frames, "A frame of exactly the limit is read.") { stage in
            let talk = try await stage.greeted()
            let room = Int(talk.welcome.limits.frameBytes) - Frame.envelopeBytes
            await talk.send(kind: 3, FrameBytes.padded(FrameBytes.pingBody, to: room))
            try await talk.expect(.pong(nonce: 7))
        },
        ServerCheck("length-before-welcome", .frames, "Before welcome, frames of up to 16 KiB are read, none longer.") {
            stage in
            let limit = Int(WireLimits.unauthenticatedFrameBytes)
            let refused = try await stage.connect()
            await refused.line.send(bytes: FrameBytes.bigEndian(UInt32(limit + 1)), as: "a length of \(limit + 1)")
            try await refused.expectClose("FRAME_TOO_LONG")

            let talk = try await stage.connect()
            let hello = FrameBytes.body(.hello(talk.hello))
            await talk.send(kind: 1, FrameBytes.padded(hello, to: limit - Frame.envelopeBytes))
            _ = try await talk.until("welcome") { if case .welcome = $0 { true } else { nil } }
        },
        ServerCheck("each-bit-damaged", .frames, "A frame with any one bit flipped ends the connection.") { stage in
            let frame = FrameBytes.whole(.ping(nonce: 7))
            for bit in 0..<frame.count * 8 {
                let talk = try await stage.greeted()
                var damaged = frame
                damaged[bit / 8] ^= 0x80 >> UInt8(bit % 8)
                // If the length has changed, enough bytes follow to complete even the longest frame allowed.
                let rest = [UInt8](repeating: 0, count: bit < 32 ? Int(talk.welcome.limits.frameBytes) : 0)
                await talk.line.send(bytes: damaged + rest, as: "a ping whose bit \(bit) is flipped")
                try await talk.expectClose("FRAME_DAMAGED", "FRAME_TOO_LONG", "FRAME_TOO_SHORT")
            }
        },
        ServerCheck("damaged-hello", .frames, "A hello that fails its check ends the connection.") { stage in
            let talk = try await stage.connect()
            var bytes = FrameBytes.whole(.hello(talk.hello))
            bytes[bytes.count - 1] ^= 1
            await talk.line.send(bytes: bytes, as: "a hello with a damaged last byte")
            try await talk.expectClose("FRAME_DAMAGED")
        },
        ServerCheck("unknown-kind", .frames, "A frame of an unknown kind is skipped, whatever it holds.") { stage in
            let talk = try await stage.greeted()
            for body: [UInt8] in [[], [0xFF, 0xFF, 0xFF], [0x0B, 0x0C]] { await talk.send(kind: 900, body) }
            await talk.send(kind: 24, [1])
            await talk.send(.ping(nonce: 7))
            try await talk.expect(.pong(nonce: 7))
        },
        ServerCheck("unknown-critical-kind", .frames, "An unknown kind with the critical flag ends the connection.") {
            stage in
            let talk = try await stage.greeted()
            await talk.send(kind: 900, flags: .critical)
            try await talk.expectClose("UNKNOWN_CRITICAL_KIND")
        },
        ServerCheck("unknown-flags", .frames, "Flags that have no meaning are ignored.") { stage in
            let talk = try await stage.greeted()
            await talk.send(kind: 3, flags: FrameFlags(rawValue: 0xFFF6), FrameBytes.pingBody)
            try await talk.expect(.pong(nonce: 7))
        },
        ServerCheck("known-critical-kind", .frames, "On a known kind the critical flag means nothing.") { stage in
            let talk = try await stage.greeted()
            await talk.send(kind: 3, flags: .critical, FrameBytes.pingBody)
            try await talk.expect(.pong(nonce: 7))
        },
        ServerCheck("unknown-kind-first", .frames, "A frame of an unknown kind is skipped before hello, too.") {
            stage in
            let talk = try await stage.connect()
            await talk.send(kind: 900, [0xFF])
            try await talk.greet()
        },
        ServerCheck("wrong-direction", .frames, "A kind that only a server sends ends the connection.") { stage in
            let status = Status(.unavailable, reason: "DRAINING", remedy: .retrySame, message: "")
            let part = Part(handle: 1, base: nil, target: 1)
            let messages: [Message] = [
                .welcome(Welcome()), .progress(CutChange(Cut())), .goAway(status, reconnectMilliseconds: 0...1),
                .subscriptionError(SubscriptionError(subscription: 1, generation: 0, status: status)),
                .join(
                    Join(
                        subscription: 1, generation: 0, viewHandle: 1, viewSum: 1, sections: [], cut: CutChange(Cut()),
                        screen: "home", locale: "en")),
                .repair(number: 1), .rebase(Rebase(subscription: 1, sections: [])), .data(part), .stage(part),
                .answer(Answer(call: 1)),
            ]
            for message in messages {
                let talk = try await stage.greeted()
                await talk.send(message)
                try await talk.expectClose("WRONG_DIRECTION", "MISSING_FIELD")
            }
        },
    ]
}
