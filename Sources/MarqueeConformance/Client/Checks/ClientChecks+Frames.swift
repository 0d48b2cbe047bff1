import MarqueeModel
import MarqueeWire
import NIOCore

extension ClientChecks {
    /// Chapter 2.
    static let frames: [ClientCheck] = [
        ClientCheck("byte-by-byte", .frames, "Frames that arrive byte by byte are read like any others.") { stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            for byte in FrameBytes.whole(.ping(nonce: 7)) {
                await talk.line.send(bytes: [byte], as: "one byte of a ping")
            }
            _ = try await talk.until("pong {7}") { $0 == .pong(nonce: 7) ? true : nil }
        },
        ClientCheck("unknown-kind", .frames, "A frame of an unknown kind is skipped, also within a cut.") { stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.send(kind: 900, [0xFF, 0xFF])
            let target = World.cards(2...9)
            let parts = talk.parts(from: world["cards"], to: target, 2, cut: CutChange(catalogueRevision: 101))
            await talk.send(.data(parts[0]), flags: .first)
            await talk.send(kind: 24, [0x0B])
            await talk.send(.data(talk.parts(from: world["empty"], to: World.cards(1...1), 4)[0]), flags: .last)
            world["cards"] = target
            world["empty"] = World.cards(1...1)
            try await talk.expectHeld(world)
        },
        ClientCheck("unknown-critical-kind", .frames, "An unknown kind with the critical flag ends the connection.") {
            stage in
            let talk = try await stage.live(World(screen: stage.screen))
            await talk.send(kind: 900, flags: .critical)
            try await talk.probeThenExpectEnd("UNKNOWN_CRITICAL_KIND")
        },
        ClientCheck("unknown-flags", .frames, "Flags that have no meaning are ignored.") { stage in
            let talk = try await stage.live(World(screen: stage.screen))
            await talk.send(kind: 3, flags: FrameFlags(rawValue: 0xFFF6), FrameBytes.pingBody)
            _ = try await talk.until("pong {7}") { $0 == .pong(nonce: 7) ? true : nil }
        },
        ClientCheck("known-critical-kind", .frames, "On a known kind the critical flag means nothing.") { stage in
            let talk = try await stage.live(World(screen: stage.screen))
            await talk.send(kind: 3, flags: .critical, FrameBytes.pingBody)
            _ = try await talk.until("pong {7}") { $0 == .pong(nonce: 7) ? true : nil }
        },
        ClientCheck("unknown-kind-first", .frames, "A frame of an unknown kind is skipped before welcome, too.") {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.accept()
            await talk.send(kind: 900, [0xFF])
            await talk.welcome(world)
            try await talk.subscribed()
        },
        ClientCheck("each-byte-damaged", .frames, "A damaged frame ends the connection, and nothing of it is kept.") {
            stage in
            let world = World(screen: stage.screen)
            var talk = try await stage.live(world)
            var later = world.position
            later.catalogueRevision += 1_000
            let frame = FrameBytes.whole(.progress(CutChange(later)))
            // One bit in each field of the header and at both ends of the body, each on a connection of its own.
            let bits = [10, 27, 47, 61, 80, 96, frame.count * 8 - 1]
            for bit in bits {
                var damaged = frame
                damaged[bit / 8] ^= 0x80 >> UInt8(bit % 8)
                let rest = bit < 32 ? Int(WireLimits.client.frameBytes) : 0
                await talk.line.send(
                    bytes: damaged + [UInt8](repeating: 0, count: rest), as: "progress with bit \(bit) flipped")
                try await talk.expectEnd("FRAME_DAMAGED", "FRAME_TOO_LONG", "FRAME_TOO_SHORT")
                let (again, subscribe) = try await stage.resumed(world)
                try again.expectSeen(world.position)
                try again.expectOffer(of: world, in: subscribe)
                // Once it has stored a cut, the client pauses only briefly before it reconnects.
                await again.cut([again.join(world)])
                try await again.progress(world)
                talk = again
            }
        },
        ClientCheck(
            "length-out-of-bounds", .frames, "A length below 8, or above the client's limit, ends the connection."
        ) {
            stage in
            for (length, reason) in [(UInt32(7), "FRAME_TOO_SHORT"), (0x7FFF_FFFF, "FRAME_TOO_LONG")] {
                try await stage.start()
                let talk = try await stage.live(World(screen: stage.screen))
                await talk.line.send(bytes: FrameBytes.bigEndian(length), as: "a length of \(length)")
                try await talk.expectEnd(reason)
                await stage.kill()
            }
        },
        ClientCheck("wrong-direction", .frames, "A kind that only a client sends ends the connection.") { stage in
            let messages: [Message] = [
                .subscribe(Subscribe(subscription: 1, screen: "home")), .ack(bytes: 0, cut: nil), .cancel(call: 1),
                .manifest(Manifest(handle: 1, sum: 1, headHash: 1, pairs: [], more: false)),
            ]
            for message in messages {
                try await stage.start()
                let talk = try await stage.live(World(screen: stage.screen))
                await talk.line.send(message)
                try await talk.probeThenExpectEnd("WRONG_DIRECTION")
                await stage.kill()
            }
        },
    ]
}

extension ClientTalk {
    /// Checks the position that hello reports as seen.
    func expectSeen(_ cut: Cut) throws {
        guard let seen = hello.seen, seen.catalogueEpoch == cut.catalogueEpoch,
            seen.catalogueRevision == cut.catalogueRevision
        else { throw failure("seen \(FrameText.cut(cut)) in hello", hello.seen.map { FrameText.cut($0) } ?? "none") }
    }

    /// Checks what a subscribe offers to resume.
    func expectOffer(of world: World, in subscribe: Subscribe) throws {
        guard let resume = subscribe.resume else { throw failure("a resume of what is held", "none") }
        guard resume.viewSum == world.own.sum else {
            throw failure("view_sum \(FrameText.hex(world.own.sum)) in resume", FrameText.hex(resume.viewSum))
        }
        let offered = Dictionary(resume.sections.map { ($0.section, $0.sum) }) { first, _ in first }
        for section in world.sections where offered[section.id] != section.version.sum {
            throw failure(
                "'\(section.id)' offered with sum \(FrameText.hex(section.version.sum))",
                offered[section.id].map { FrameText.hex($0) } ?? "not offered")
        }
    }
}
