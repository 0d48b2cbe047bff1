import Testing

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

/// Tests `canonical.json`: bodies and their canonical forms, field changes, and invalid inputs.
@Suite struct CanonicalVectorTests {
    private static let a = RawMessage().field(1, "a")
    private static let c = RawMessage().field(3, "c")
    private static let d = RawMessage().field(3, "d")

    private static let bodies: [(String, [UInt8])] = [
        ("empty", []), ("the example of PROTOCOL.md", c.raw(a.bytes).raw(d.bytes).bytes),
        ("in order", a.raw(c.bytes).bytes),
        (
            "every wire type, unknown fields too",
            RawMessage().field(70_000, [1, 2]).fixed(9, 5).number(2, 300).tag(4, 5).raw([1, 2, 3, 4]).bytes
        ),
        ("numbers longer than needed stay", RawMessage().raw([0x90, 0x00, 0x81, 0x00]).raw(a.bytes).bytes),
    ]

    private static let refusedBodies: [(String, [UInt8])] = [
        ("a number ends early", [0x08]), ("a text ends behind the body", [0x0A, 2, 0x61]), ("field number 0", [0, 1]),
        ("a group", [0x0B, 0x0C]), ("a number of eleven bytes", [8] + Array(repeating: 0x80, count: 10) + [1]),
        ("a length beyond all bounds", [0x0A] + Array(repeating: 0xFF, count: 9) + [1]),
    ]

    private static let changes: [(String, [UInt8], FieldChange)] = [
        (
            "the example of PROTOCOL.md", a.raw(c.bytes).raw(d.bytes).bytes,
            FieldChange(records: RawMessage().field(3, "e").bytes, cleared: [1])
        ),
        ("nothing", a.bytes, FieldChange()),
        (
            "a new field in between", a.raw(c.bytes).bytes,
            FieldChange(records: RawMessage().number(2, 1).bytes)
        ),
        ("all records of a number at once", a.raw(c.bytes).bytes, FieldChange(records: c.raw(d.bytes).bytes)),
        ("clearing what is not there", a.bytes, FieldChange(cleared: [2, 9])),
        ("everything goes", a.raw(c.bytes).bytes, FieldChange(cleared: [1, 3])),
        ("from nothing", [], FieldChange(records: a.raw(c.bytes).bytes)),
        ("replaced", a.raw(c.bytes).bytes, FieldChange(records: d.bytes, replace: true)),
        ("replaced by nothing", a.bytes, FieldChange(replace: true)),
        ("a body that is not canonical, replaced", c.raw(a.bytes).bytes, FieldChange(records: d.bytes, replace: true)),
    ]

    private static let refusedChanges: [(String, [UInt8], FieldChange)] = [
        ("a number set and cleared", a.bytes, FieldChange(records: a.bytes, cleared: [1])),
        ("cleared numbers descend", a.bytes, FieldChange(cleared: [3, 1])),
        ("a number cleared twice", a.bytes, FieldChange(cleared: [1, 1])),
        ("records that are not canonical", a.bytes, FieldChange(records: c.raw(a.bytes).bytes)),
        ("a body that is not canonical", c.raw(a.bytes).bytes, FieldChange(records: d.bytes)),
        ("records that end early", a.bytes, FieldChange(records: [0x1A, 9])),
        ("replaced and cleared", a.bytes, FieldChange(records: d.bytes, cleared: [1], replace: true)),
        ("replaced by what is not canonical", a.bytes, FieldChange(records: c.raw(a.bytes).bytes, replace: true)),
    ]

    private func refusal<Value>(_ name: String, _ body: () throws(BodyError) -> Value) {
        do throws(BodyError) {
            _ = try body()
            Issue.record("'\(name)' is accepted")
        } catch {
            #expect(!error.message.isEmpty)
        }
    }

    @Test func `The committed bodies match the code`() throws {
        let bodies: [JSONValue] = try Self.bodies.map { name, bytes in
            ["name": .text(name), "body": .hex(bytes), "canonical": .hex(try CanonicalBody.canonicalize(bytes))]
        }
        let changes: [JSONValue] = try Self.changes.map { name, body, change in
            [
                "name": .text(name), "body": .hex(body), "change": VectorLists.json(change),
                "result": .hex(try change.apply(to: body)),
            ]
        }
        for (name, bytes) in Self.refusedBodies {
            refusal(name) { () throws(BodyError) in try CanonicalBody.canonicalize(bytes) }
        }
        for (name, body, change) in Self.refusedChanges {
            refusal(name) { () throws(BodyError) in try change.apply(to: body) }
        }
        try VectorFile.check(
            "canonical.json",
            [
                "bodies": .list(bodies), "changes": .list(changes),
                "refused_bodies": .list(Self.refusedBodies.map { ["name": .text($0), "body": .hex($1)] }),
                "refused_changes": .list(
                    Self.refusedChanges.map { ["name": .text($0), "body": .hex($1), "change": VectorLists.json($2)] }),
            ])
    }
}
