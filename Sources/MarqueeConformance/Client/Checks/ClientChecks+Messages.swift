import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ClientChecks {
    /// Name, sentence, reason, and cases: the kind and body of a frame that breaks the rule.
    private static let hostile: [(String, String, String, [(UInt16, [UInt8])])] = [
        (
            "truncated", "Records that extend beyond their message are refused.", "TRUNCATED",
            [(3, [0x08, 0x80]), (18, [0x08, 0x01, 0x1A, 0x09, 0x08]), (5, [0x0A, 0x03, 0x09, 0x00, 0x00])]
        ),
        (
            "malformed", "Tags and varints that are too long, and field number 0, are refused.", "MALFORMED",
            [(3, [0x88, 0x80, 0x80, 0x80, 0x80, 0x00, 0x07]), (3, [0x00, 0x01])]
        ),
        (
            "wrong-wire-type", "Groups, and wire types that don't match the field, are refused.", "WRONG_WIRE_TYPE",
            [(5, [0x0B, 0x0C]), (3, [0x0A, 0x01, 0x07]), (3, [0x0E, 0x01])]
        ),
        (
            "repeated-submessage", "A message in a field that is not repeated occurs once.", "REPEATED_SUBMESSAGE",
            [(5, [0x0A, 0x00, 0x0A, 0x00])]
        ),
        (
            "invalid-utf8", "Texts that aren't UTF-8 are refused.", "INVALID_UTF8",
            [
                (18, [0x08, 0x01, 0x1A, 0x00, 0x22, 0x02, 0xC3, 0x28]),
                (18, [0x08, 0x01, 0x1A, 0x00, 0x22, 0x02, 0xC0, 0xAF]),
                (18, [0x08, 0x01, 0x1A, 0x00, 0x22, 0x03, 0xED, 0xA0, 0x80]),
            ]
        ),
        (
            "nul-in-text", "Texts with U+0000 are refused.", "NUL_IN_TEXT",
            [(18, [0x08, 0x01, 0x1A, 0x00, 0x22, 0x02, 0x41, 0x00])]
        ),
        (
            "missing-field", "A message without a field that it needs is refused.", "MISSING_FIELD",
            [(5, []), (18, [0x08, 0x01]), (32, [0x08, 0x01]), (19, [0x08, 0x01]), (21, []), (49, [])]
        ),
        (
            "out-of-range", "Values that a field may not have are refused.", "OUT_OF_RANGE",
            [(33, [0x08, 0x09, 0x19, 1, 2, 3, 4, 5, 6, 7, 8, 0x40, 0x81, 0x80, 0x04])]
        ),
        (
            "too-many-unknown-fields", "More unknown fields than the client's limit are refused.",
            "TOO_MANY_UNKNOWN_FIELDS", [(3, FrameBytes.unknownRecords(2_000))]
        ),
    ]

    /// Chapter 3.
    static let messages: [ClientCheck] =
        hostile.map { name, sentence, reason, cases in
            ClientCheck(name, .messages, sentence) { stage in
                for (kind, body) in cases {
                    try await stage.start()
                    let talk = try await stage.live(World(screen: stage.screen))
                    await talk.send(kind: kind, flags: kind == 3 ? [] : .first, body)
                    try await talk.probeThenExpectEnd(reason)
                    await stage.kill()
                }
            }
        } + [
            ClientCheck("unknown-fields", .messages, "Unknown fields in messages are skipped.") { stage in
                let world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                await talk.send(kind: 3, FrameBytes.pingBody + FrameBytes.unknownRecords(32))
                _ = try await talk.until("pong {7}") { $0 == .pong(nonce: 7) ? true : nil }
                let target = World.cards(1...9)
                let part = talk.parts(from: world["cards"], to: target, 2, cut: CutChange(catalogueRevision: 101))[0]
                await talk.send(
                    kind: 32, flags: [.first, .last], FrameBytes.body(.data(part)) + FrameBytes.unknownRecords(32))
                try await talk.expectHeld([("cards", 2, target)])
            },
            ClientCheck("last-value-counts", .messages, "If a number occurs twice, the last one counts.") {
                stage in
                let talk = try await stage.live(World(screen: stage.screen))
                await talk.send(kind: 3, [0x08, 0x01, 0x08, 0x07])
                _ = try await talk.until("pong {7}") { $0 == .pong(nonce: 7) ? true : nil }
            },
            ClientCheck("absent-number", .messages, "An absent number means 0.") { stage in
                let talk = try await stage.live(World(screen: stage.screen))
                await talk.send(kind: 3)
                _ = try await talk.until("pong {0}") { $0 == .pong(nonce: 0) ? true : nil }
            },
            ClientCheck("bodies-are-opaque", .messages, "A body that can't be decoded is kept as is, without an error.")
            {
                stage in
                var world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                let bodies: [[UInt8]] = [[0xFF], FrameBytes.field(2, [0xC3, 0x28]), [0x0B, 0x0C], []]
                let items = bodies.enumerated().map { Item(id: "b\($0)", kind: .card, body: $1) }
                await talk.move(
                    "cards", to: Version(head: world["cards"].head, items: Array(world["cards"].items) + items),
                    in: &world)
                try await talk.expectHeld(world)
            },
        ]

    /// Chapter 4.
    static let limits: [ClientCheck] = [
        ClientCheck("limits-stated", .limits, "No limit in hello is below its minimum.") { stage in
            let talk = try await stage.accept()
            let limits = talk.hello.limits
            guard limits.frameBytes >= 4_096, limits.partBytes >= 4_096, limits.elementsPerFrame >= 64,
                limits.creditBytes >= 1, limits.cutBytes >= 1
            else { throw talk.failure("limits of chapter 4", "\(limits)") }
        },
        ClientCheck("manifest-in-limit", .limits, "A manifest larger than the server's parts comes in parts.") {
            stage in
            var world = World(screen: stage.screen)
            world["cards"] = World.cards(1...1_000)
            let talk = try await stage.live(world) { $0.limits.partBytes = 4_096 }
            try await talk.expectHeld(world)
        },
    ]
}
