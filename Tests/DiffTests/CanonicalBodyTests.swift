import MarqueeDiff
import SeededRandom
import Testing

@Suite struct CanonicalBodyTests {
    @Test func `records are ordered by field number and keep their order within one number`() throws {
        let three: [UInt8] = [0x1A, 1, 0x61]
        let oneFirst: [UInt8] = [0x08, 9]
        let oneSecond: [UInt8] = [0x0A, 2, 1, 2]
        let big: [UInt8] = [0xC5, 0x12, 1, 2, 3, 4]
        let body = try CanonicalBody.canonicalize(big + oneFirst + three + oneSecond)
        #expect(body == oneFirst + oneSecond + three + big)
        #expect(try CanonicalBody.canonicalize(body) == body)
        #expect(CanonicalBody.isCanonical(body))
        #expect(!CanonicalBody.isCanonical(three + oneFirst))
        #expect(try CanonicalBody.canonicalize([]) == [])
    }

    @Test(
        "malformed bodies are refused",
        arguments: [
            ("field number 0", [0x00, 1]), ("start of a group", [0x0B]), ("end of a group", [0x0C]),
            ("wire type 6", [0x0E, 0]), ("wire type 7", [0x0F, 0]), ("no value", [0x08]),
            ("endless varint", [0x08] + [UInt8](repeating: 0x80, count: 11)), ("cut varint", [0x08, 0x80]),
            ("cut tag", [0x80]), ("cut 64 bits", [0x09, 1, 2, 3, 4, 5, 6, 7]), ("cut 32 bits", [0x0D, 1, 2, 3]),
            ("length beyond the end", [0x0A, 2, 1]),
            ("length near 2^64", [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
            ("field number 2^29", [0x80, 0x80, 0x80, 0x80, 0x10, 0]),
        ] as [(String, [UInt8])])
    func broken(name: String, bytes: [UInt8]) {
        #expect(throws: BodyError.self) { try CanonicalBody.canonicalize(bytes) }
        #expect(!CanonicalBody.isCanonical(bytes))
        #expect(throws: BodyError.self) { try FieldChange.between(old: bytes, new: []) }
        #expect(throws: BodyError.self) { try FieldChange.between(old: [], new: bytes) }
        #expect(throws: BodyError.self) { try FieldChange(records: bytes).apply(to: []) }
        #expect(throws: BodyError.self) { try FieldChange().apply(to: bytes) }
    }

    @Test func `a body may be as long as the limit and no longer`() throws {
        let limit = CanonicalBody.maximumLength
        let longest = [0x0A] + varint(limit - 4) + [UInt8](repeating: 1, count: limit - 4)
        #expect(longest.count == limit)
        #expect(try CanonicalBody.canonicalize(longest) == longest)
        #expect(throws: BodyError.self) { try CanonicalBody.canonicalize(longest + [0x10, 1]) }
        #expect(throws: BodyError.self) { try FieldChange(records: [0x10, 1]).apply(to: longest) }
    }

    @Test func `random bytes never trap, and accepted ones stay ordered`() throws {
        var generator = SeededGenerator(seed: 11)
        var accepted = 0
        for _ in 0..<20_000 {
            let bytes = (0..<generator.below(14)).map { _ in
                generator.chance(50) ? UInt8(generator.below(40)) : UInt8(generator.below(256))
            }
            guard let body = try? CanonicalBody.canonicalize(bytes) else { continue }
            accepted += 1
            #expect(CanonicalBody.isCanonical(body))
            #expect(body.sorted() == bytes.sorted())
            #expect(try CanonicalBody.canonicalize(body) == body)
        }
        #expect(accepted > 1_000)
    }
}

@Suite struct FieldChangeTests {
    @Test func `a change contains all records of changed numbers and none of the others`() throws {
        let old: [UInt8] = [0x08, 1, 0x10, 5, 0x10, 6, 0x1A, 1, 0x61, 0x20, 9]
        let new: [UInt8] = [0x08, 1, 0x10, 5, 0x10, 7, 0x20, 9, 0x28, 3]
        let change = try FieldChange.between(old: old, new: new)
        #expect(change == FieldChange(records: [0x10, 5, 0x10, 7, 0x28, 3], cleared: [3]))
        #expect(try change.apply(to: old) == new)
        #expect(try FieldChange.between(old: old, new: old) == FieldChange())
    }

    @Test func `a change works from and to the empty body`() throws {
        let body: [UInt8] = [0x08, 1, 0x18, 2]
        #expect(try FieldChange.between(old: [], new: body) == FieldChange(records: body))
        #expect(try FieldChange.between(old: body, new: []) == FieldChange(cleared: [1, 3]))
        #expect(try FieldChange(cleared: [1, 3]).apply(to: body) == [])
    }

    @Test func `an unknown field survives changes to its neighbours`() throws {
        let unknown: [UInt8] = [0xCA, 0x3E, 3, 1, 2, 3]
        let change = try FieldChange.between(old: [0x08, 1], new: [0x08, 2])
        #expect(try change.apply(to: [0x08, 1] + unknown) == [0x08, 2] + unknown)
    }

    @Test func `clearing an absent field changes nothing`() throws {
        #expect(try FieldChange(cleared: [2, 7]).apply(to: [0x08, 1, 0x18, 1]) == [0x08, 1, 0x18, 1])
    }

    @Test(
        "an ambiguous change is refused",
        arguments: [
            FieldChange(cleared: [2, 1]), FieldChange(cleared: [2, 2]), FieldChange(cleared: [0]),
            FieldChange(cleared: [1 << 29]), FieldChange(records: [0x10, 1], cleared: [1, 2]),
            FieldChange(records: [0x10, 1, 0x08, 1]),
        ])
    func ambiguous(change: FieldChange) {
        #expect(throws: BodyError.self) { try change.apply(to: [0x08, 1, 0x10, 2]) }
    }

    @Test func `applying the change between two bodies gives the second, byte for byte`() throws {
        var content = RandomContent(seed: 12)
        for _ in 0..<5_000 {
            let old = content.body()
            let new = content.body()
            let change = try FieldChange.between(old: old, new: new)
            #expect(try change.apply(to: old) == new)
            #expect(change.records.count <= new.count)
        }
    }

    @Test func `a change applied to any body never traps and gives a canonical body or an error`() {
        var content = RandomContent(seed: 13)
        var accepted = 0
        for _ in 0..<5_000 {
            var change = FieldChange(
                records: content.body(),
                cleared: (0..<content.generator.below(3)).map { _ in UInt32(content.generator.below(17)) }.sorted())
            if !change.records.isEmpty, content.generator.chance(50) {
                change.records[content.generator.below(change.records.count)] ^= 1 << UInt8(content.generator.below(8))
            }
            guard let body = try? change.apply(to: content.body()) else { continue }
            accepted += 1
            #expect(CanonicalBody.isCanonical(body))
        }
        #expect(accepted > 1_000)
    }
}
