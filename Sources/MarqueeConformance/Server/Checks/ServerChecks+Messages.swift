import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// A message that breaks a rule of chapter 3. It is sent after welcome.
    private struct Hostile: Sendable {
        var name: String
        var kind: UInt16
        var body: [UInt8]
        var reason: String

        init(_ name: String, _ kind: UInt16, _ body: [UInt8], _ reason: String) {
            self.name = name
            self.kind = kind
            self.body = body
            self.reason = reason
        }
    }

    /// Name, sentence and cases. Kinds: 3 ping, 6 ack, 16 subscribe, 17 unsubscribe, 20 nack, 23 manifest, 48 request,
    /// 50 cancel.
    private static let hostile: [(String, String, [Hostile])] = [
        (
            "truncated", "Records that extend beyond their message are refused.",
            [
                Hostile("a number without its end", 3, [0x08, 0x80], "TRUNCATED"),
                Hostile("a tag without a value", 3, [0x08], "TRUNCATED"),
                Hostile("a text longer than its message", 16, [0x1A, 0x50, 0x41], "TRUNCATED"),
                Hostile("a message longer than the one around it", 6, [0x12, 0x09, 0x10, 0x01], "TRUNCATED"),
                Hostile("a text longer than its inner message", 16, [0x2A, 0x03, 0x0A, 0x05, 0x61], "TRUNCATED"),
                Hostile("half a fixed number", 6, [0x12, 0x03, 0x09, 0, 0], "TRUNCATED"),
            ]
        ),
        (
            "malformed", "Tags, lengths and varints that are too long, and field number 0, are refused.",
            [
                Hostile("a tag of 6 bytes", 3, [0x88, 0x80, 0x80, 0x80, 0x80, 0x00, 0x07], "MALFORMED"),
                Hostile("a length of 6 bytes", 16, [0x1A, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00, 0x61], "MALFORMED"),
                Hostile("a varint of 11 bytes", 3, [0x08] + [UInt8](repeating: 0x80, count: 10) + [0], "MALFORMED"),
                Hostile("field number 0", 3, [0x00, 0x01], "MALFORMED"),
            ]
        ),
        (
            "wrong-wire-type", "Groups, unassigned wire types, and those that don't match the field are refused.",
            [
                Hostile("a group", 16, [0x0B, 0x0C], "WRONG_WIRE_TYPE"),
                Hostile("wire type 6", 3, [0x0E, 0x01], "WRONG_WIRE_TYPE"),
                Hostile("wire type 7", 3, [0x0F, 0x01], "WRONG_WIRE_TYPE"),
                Hostile("a number as text", 3, [0x0A, 0x01, 0x07], "WRONG_WIRE_TYPE"),
                Hostile("a text as number", 16, [0x08, 0x01, 0x18, 0x01], "WRONG_WIRE_TYPE"),
                Hostile("an epoch as varint", 6, [0x08, 0x00, 0x12, 0x02, 0x08, 0x01], "WRONG_WIRE_TYPE"),
            ]
        ),
        (
            "repeated-submessage", "A message in a field that is not repeated occurs once.",
            [Hostile("two cuts in an ack", 6, [0x08, 0x00, 0x12, 0x00, 0x12, 0x00], "REPEATED_SUBMESSAGE")]
        ),
        (
            "invalid-utf8", "Texts that aren't UTF-8 are refused.",
            [
                Hostile("a broken sequence", 16, [0x08, 0x01, 0x1A, 0x02, 0xC3, 0x28], "INVALID_UTF8"),
                Hostile("an overlong form", 16, [0x08, 0x01, 0x1A, 0x02, 0xC0, 0xAF], "INVALID_UTF8"),
                Hostile("a surrogate", 16, [0x08, 0x01, 0x1A, 0x03, 0xED, 0xA0, 0x80], "INVALID_UTF8"),
                Hostile("half a character", 16, [0x08, 0x01, 0x1A, 0x02, 0xE2, 0x82], "INVALID_UTF8"),
                Hostile("beyond U+10FFFF", 16, [0x08, 0x01, 0x1A, 0x04, 0xF4, 0x90, 0x80, 0x80], "INVALID_UTF8"),
            ]
        ),
        (
            "nul-in-text", "Texts with U+0000 are refused.",
            [Hostile("a screen with U+0000", 16, [0x08, 0x01, 0x1A, 0x02, 0x41, 0x00], "NUL_IN_TEXT")]
        ),
        (
            "missing-field", "A message without a field that it needs is refused.",
            [
                Hostile("an ack without bytes", 6, [], "MISSING_FIELD"),
                Hostile("a subscribe without id", 16, [0x1A, 0x01, 0x61], "MISSING_FIELD"),
                Hostile("a subscribe without screen", 16, [0x08, 0x01], "MISSING_FIELD"),
                Hostile("a subscribe with an empty screen", 16, [0x08, 0x01, 0x1A, 0x00], "MISSING_FIELD"),
                Hostile("parameters without section", 16, [0x08, 1, 0x1A, 1, 0x61, 0x2A, 2, 0x18, 1], "MISSING_FIELD"),
                Hostile("a resume without cut", 16, [0x08, 0x01, 0x1A, 0x01, 0x61, 0x32, 0x00], "MISSING_FIELD"),
                Hostile("an unsubscribe without id", 17, [], "MISSING_FIELD"),
                Hostile("a nack without number", 20, [0x22, 0x00], "MISSING_FIELD"),
                Hostile("a nack without status", 20, [0x08, 0x01, 0x12, 0x00], "MISSING_FIELD"),
                Hostile("a manifest without sum", 23, [0x08, 0x01], "MISSING_FIELD"),
                Hostile("a request without method", 48, [0x08, 0x01], "MISSING_FIELD"),
                Hostile("a request without call", 48, [0x10, 0x01], "MISSING_FIELD"),
                Hostile("a cancel without call", 50, [], "MISSING_FIELD"),
                Hostile("a close without status", 8, [], "MISSING_FIELD"),
            ]
        ),
        (
            "out-of-range", "Values that a field may not have are refused.",
            [
                Hostile(
                    "a screen of 257 bytes", 16,
                    [0x08, 0x01] + FrameBytes.field(3, [UInt8](repeating: 0x61, count: 257)), "OUT_OF_RANGE"),
                Hostile(
                    "pairs of 15 bytes", 23,
                    FrameBytes.body(
                        .manifest(
                            Manifest(
                                handle: 1, sum: 1, headHash: 1, pairs: [UInt8](repeating: 1, count: 15), more: false))),
                    "OUT_OF_RANGE"),
            ]
        ),
    ]

    /// Chapter 3.
    static let messages: [ServerCheck] =
        hostile.map { name, sentence, cases in
            ServerCheck(name, .messages, sentence) { stage in
                for hostile in cases {
                    let talk = try await stage.greeted()
                    await talk.send(kind: hostile.kind, hostile.body)
                    do {
                        try await talk.expectClose(hostile.reason)
                    } catch let deviation as Deviation {
                        throw Deviation(
                            expected: "\(deviation.expected) after \(hostile.name)", actual: deviation.actual,
                            transcript: deviation.transcript)
                    }
                }
            }
        } + [
            ServerCheck("long-text-in-limit", .messages, "A screen's name of 256 bytes is read.") { stage in
                let talk = try await stage.greeted()
                let subscription = await talk.subscribe(String(repeating: "a", count: 256))
                try await talk.expectRefused(subscription, "UNKNOWN_SCREEN", "UNKNOWN_RECORD")
            },
            ServerCheck("unknown-fields", .messages, "As many unknown fields as the limit allows are skipped.") {
                stage in
                let talk = try await stage.greeted()
                let limit = Int(talk.welcome.limits.unknownFields)
                await talk.send(kind: 3, FrameBytes.pingBody + FrameBytes.unknownRecords(limit))
                try await talk.expect(.pong(nonce: 7))
            },
            ServerCheck("too-many-unknown-fields", .messages, "One unknown field more is refused.") { stage in
                let talk = try await stage.greeted()
                let limit = Int(talk.welcome.limits.unknownFields)
                await talk.send(kind: 3, FrameBytes.pingBody + FrameBytes.unknownRecords(limit + 1))
                try await talk.expectClose("TOO_MANY_UNKNOWN_FIELDS")
            },
            ServerCheck("elements-at-limit", .messages, "As many repeated elements as the limit allows are read.") {
                stage in
                let talk = try await stage.greeted()
                await talk.send(kind: 20, try manyHeld(Int(talk.welcome.limits.elementsPerFrame), talk))
                try await talk.expectAlive()
            },
            ServerCheck("too-many-elements", .messages, "One repeated element more is refused.") { stage in
                let talk = try await stage.greeted()
                await talk.send(kind: 20, try manyHeld(Int(talk.welcome.limits.elementsPerFrame) + 1, talk))
                try await talk.expectClose("TOO_MANY_ELEMENTS")
            },
            ServerCheck("too-many-records", .messages, "Over 1,024 records plus 8 per allowed element are refused.") {
                stage in
                let talk = try await stage.greeted()
                let limits = talk.welcome.limits
                let records = 8 * Int(limits.elementsPerFrame) + 1_025
                guard 2 * records + Frame.envelopeBytes <= limits.frameBytes else {
                    throw NotApplicable("a frame of the server's limit has no room for that many")
                }
                await talk.send(kind: 3, (0..<records).flatMap { _ in FrameBytes.pingBody })
                try await talk.expectClose("TOO_MANY_RECORDS")
            },
            ServerCheck("last-value-counts", .messages, "If a number occurs twice, the last one counts.") {
                stage in
                let talk = try await stage.greeted()
                await talk.send(kind: 3, [0x08, 0x01, 0x08, 0x07])
                try await talk.expect(.pong(nonce: 7))
            },
            ServerCheck("long-varints", .messages, "A varint need not be in its shortest form.") { stage in
                let talk = try await stage.greeted()
                await talk.send(kind: 3, [0x88, 0x00, 0x87, 0x80, 0x80, 0x00])
                try await talk.expect(.pong(nonce: 7))
            },
            ServerCheck("absent-number", .messages, "An absent number means 0.") { stage in
                let talk = try await stage.greeted()
                await talk.send(kind: 3)
                try await talk.expect(.pong(nonce: 0))
            },
            ServerCheck("request-body-invalid", .messages, "A request whose body breaks a rule fails alone.") { stage in
                let talk = try await stage.greeted()
                let bodies: [[UInt8]] = [
                    [0x0A, 0x50], [0x0B, 0x0C], [0x0A, 0x02, 0xC3, 0x28], [],
                    FrameBytes.field(1, Array("home".utf8))
                        + FrameBytes.unknownRecords(
                            Int(talk.welcome.limits.unknownFields) + 1),
                ]
                for body in bodies { try await talk.expectFailure("BODY_INVALID", of: .getScreen, body) }
                try await talk.expectAlive()
            },
        ]

    /// The body of a first nack that names this many handles.
    private static func manyHeld(_ count: Int, _ talk: ServerTalk) throws -> [UInt8] {
        let element: [UInt8] = [0x1A, 0x02, 0x08, 0x01]
        let body: [UInt8] = [0x08, 0x01, 0x12, 0x00, 0x22, 0x02, 0x08, 0x0F]
        guard body.count + element.count * count + Frame.envelopeBytes <= talk.welcome.limits.frameBytes else {
            throw NotApplicable("a frame of the server's limit has no room for that many")
        }
        return body + (0..<count).flatMap { _ in element }
    }
}
