import MarqueeDiff
import SeededRandom
import Testing

@Suite struct ScriptTests {
    private func decode(
        _ bytes: [UInt8], base: Int, target: Int, adds: Int = 0, updates: Int = 0
    ) throws(PatchError) -> Script {
        try Script(
            decoding: bytes, counts: Script.Counts(base: base, target: target, adds: adds, updates: updates))
    }

    @Test func `each operation is encoded as defined`() throws {
        let script = Script(
            operations: [.keep(2..<5), .add(2), .move(300..<301), .keep(6..<7)], updates: [1..<3, 6..<7])
        let bytes: [UInt8] = [
            3 << 2, 2, 2 << 2 | 2, 1 << 2 | 1, 0xAC, 0x02, 1 << 2, 1, 2 << 2 | 3, 1, 1 << 2 | 3, 3,
        ]
        #expect(script.encoded() == bytes)
        #expect(try decode(bytes, base: 301, target: 7, adds: 2, updates: 3) == script)
        #expect(try decode([], base: 9, target: 0) == Script())
    }

    @Test(
        "a malformed script is refused for the right reason",
        arguments: [
            (PatchError.Code.malformedScript, [4], "no skip after a KEEP"),
            (.malformedScript, [0x84], "a truncated varint"),
            (.malformedScript, [0x84, 0x00, 0], "an overlong varint"),
            (.malformedScript, [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0], "a varint above 32 bits"),
            (.malformedScript, [0x84, 0x80, 0x80, 0x80, 0x80, 0x00], "a varint of six bytes"),
            (.malformedScript, [0, 0], "a KEEP of nothing"),
            (.malformedScript, [2], "an ADD of nothing"),
            (.malformedScript, [8, 0, 7, 0, 4, 0], "a KEEP after an UPDATE"),
            (.outOfRange, [8, 2], "a KEEP beyond the base"),
            (.outOfRange, [9, 2], "a MOVE beyond the base"),
            (.outOfRange, [8, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], "a skip of 2^32 - 1"),
            (.outOfRange, [8, 0, 7, 2], "an UPDATE beyond the target"),
            (.outOfRange, [8, 0, 7, 0, 7, 1], "a second UPDATE beyond the target"),
            (.wrongCount, [4, 0], "too few items"),
            (.wrongCount, [12, 0], "too many items"),
            (.wrongCount, [0xFE, 0xFF, 0xFF, 0xFF, 0x0F], "an ADD of a billion items"),
            (.wrongCount, [4, 0, 6], "more adds than the patch contains"),
            (.wrongCount, [8, 0, 7, 0], "more updates than the patch contains"),
        ] as [(PatchError.Code, [UInt8], String)])
    func broken(code: PatchError.Code, bytes: [UInt8], name: String) {
        #expect {
            try decode(bytes, base: 3, target: 2)
        } throws: {
            ($0 as? PatchError)?.code == code
        }
    }

    @Test func `a list above the limit is refused`() {
        let limit = Script.maximumItems
        #expect(throws: Never.self) { try decode(varint(limit << 2 | 2), base: 0, target: limit, adds: limit) }
        for (base, target) in [(0, limit + 1), (limit + 1, 0), (0, -1)] {
            #expect {
                try decode([], base: base, target: target)
            } throws: {
                ($0 as? PatchError)?.code == .overLimit
            }
        }
    }

    @Test func `random bytes never trap, and what decodes encodes to the same bytes`() {
        var generator = SeededGenerator(seed: 21)
        var accepted = 0
        for _ in 0..<50_000 {
            let bytes = (0..<generator.below(7)).map { _ in UInt8(generator.below(generator.chance(10) ? 256 : 16)) }
            let target = generator.below(6)
            for adds in 0...2 {
                guard let script = try? decode(bytes, base: 8, target: target, adds: adds, updates: generator.below(2))
                else { continue }
                accepted += 1
                #expect(script.encoded() == bytes)
            }
        }
        #expect(accepted > 500)
    }
}
