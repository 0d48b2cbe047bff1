import SeededRandom
import Testing

@testable import MarqueeTypes

/// Bytes from outside must cost little and never trap.
struct HostileDescriptorTests {
    /// Reads a set and uses it as far as possible.
    private func use(_ bytes: [UInt8]) {
        guard let set = try? DescriptorSet(bytes) else { return }
        for place in set.messages.indices {
            _ = set.refusals(of: place)
            guard let coder = try? RecordCoder(set: set, message: set.messages[place].fullName, name: "r") else {
                continue
            }
            _ = try? coder.record(bytes: [0x0A, 0x01, 0x61, 0x10, 0x05])
            _ = coder.refusal(#"{"id": "a", "title": {"en": "x"}}"#)
        }
        _ = set.summary
    }

    @Test(arguments: ["podcast", "legacy"])
    func `Every byte may be wrong`(name: String) throws {
        let bytes = try Fixtures.bytes("\(name).desc")
        for position in bytes.indices {
            for mask: UInt8 in [0x01, 0x80] {
                var wrong = bytes
                wrong[position] ^= mask
                use(wrong)
            }
        }
    }

    @Test(arguments: ["podcast", "legacy", "kitchen"])
    func `A set may be cut off anywhere`(name: String) throws {
        let bytes = try Fixtures.bytes("\(name).desc")
        for end in bytes.indices { use(Array(bytes[..<end])) }
    }

    @Test(arguments: ["kitchen", "refused", "podcast-next"])
    func `Several bytes may be wrong`(name: String) throws {
        let bytes = try Fixtures.bytes("\(name).desc")
        var random = SeededGenerator(seed: 17)
        for _ in 0..<150 {
            var wrong = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                wrong[Int.random(in: wrong.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            use(wrong)
        }
    }

    @Test func `A declaration may be anything`() throws {
        let bytes = try Fixtures.bytes("podcast.desc")
        let text = Array(TypeSetTests.declaration.utf8)
        var random = SeededGenerator(seed: 19)
        for _ in 0..<200 {
            var wrong = text
            wrong[Int.random(in: wrong.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            _ = try? TypeSet(String(decoding: wrong, as: UTF8.self), file: "types.yaml", descriptors: bytes)
        }
    }

    @Test func `Random bytes are not a set`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...64, using: &random)
            use((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    private func nested(_ field: UInt32, _ content: [UInt8]) -> [UInt8] {
        var writer = WireWriter()
        writer.tag(field, .lengthPrefixed)
        writer.lengthPrefixed(content)
        return writer.bytes
    }

    private func message(_ bytes: [UInt8]) -> String {
        do throws(DescriptorError) {
            _ = try DescriptorSet(bytes)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `Bounds are named`() {
        #expect(message([UInt8](repeating: 0, count: DescriptorLimits.setBytes + 1)).contains("at most 1048576"))
        #expect(message([]).contains("holds no file"))
        #expect(message(Array("this is a text".utf8)).contains("malformed or cut off"))
        let files = [[UInt8]](repeating: nested(1, []), count: DescriptorLimits.files + 1).flatMap { $0 }
        #expect(message(files) == "257 files; at most 256 are allowed")

        var deep = nested(1, Array("M".utf8))
        for _ in 0..<DescriptorLimits.nesting { deep = nested(1, Array("M".utf8)) + nested(3, deep) }
        #expect(message(nested(1, nested(4, deep))).contains("more than 16 messages are declared inside each other"))

        let fields = [[UInt8]](repeating: nested(2, []), count: DescriptorLimits.messageFields + 1).flatMap { $0 }
        #expect(message(nested(1, nested(4, nested(1, Array("M".utf8)) + fields))).contains("has 513 fields"))

        let long = nested(1, [UInt8](repeating: 0x61, count: DescriptorLimits.nameBytes + 1))
        #expect(message(nested(1, long)).contains("a name of 513 bytes"))
        #expect(message(nested(1, nested(1, [0xFF]))) == "a name in the descriptor set is not text")
    }

    @Test func `Memory is bounded, whatever the bytes`() {
        // Each takes 2 bytes on the wire and two hundred in memory.
        let empty = [[UInt8]](repeating: nested(7, []), count: 500_000).flatMap { $0 }
        #expect(message(nested(1, empty)).contains("more than 67108864 bytes of memory"))
    }

    @Test func `Declarations must be consistent`() {
        func field(_ number: UInt8, name: String, type: UInt8 = 5, label: UInt8 = 1) -> [UInt8] {
            nested(2, nested(1, Array(name.utf8)) + [0x18, number, 0x20, label, 0x28, type])
        }
        func file(_ fields: [UInt8]) -> [UInt8] {
            nested(1, nested(1, Array("a.proto".utf8)) + nested(4, nested(1, Array("M".utf8)) + fields))
        }
        #expect(message(file(field(1, name: "a"))) == "")
        #expect(message(file(field(0, name: "a"))) == "a.proto: M.a: a field with the number 0")
        #expect(message(file(field(1, name: "a") + field(1, name: "b"))) == "a.proto: M has the field number 1 twice")
        #expect(message(file(field(1, name: "a") + field(2, name: "a"))) == "a.proto: M has the field name 'a' twice")
        #expect(message(file(field(1, name: "a", type: 99))) == "a.proto: M.a: the type 99 is not known")
        #expect(message(file(field(1, name: "a", label: 9))) == "a.proto: M.a: a field with the label 9")
        #expect(message(file(field(1, name: "a")) + file(field(1, name: "a"))).contains("M is declared twice"))
    }
}
