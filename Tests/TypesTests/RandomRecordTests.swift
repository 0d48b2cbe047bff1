import SeededRandom
import Testing

@testable import MarqueeTypes

/// Laws that hold for random messages of every schema in the tests.
struct RandomRecordTests {
    @Test(arguments: [
        "kitchen.v1.Kitchen", "kitchen.v1.Tree", "legacy.v1.Job", "podcast.v1.Episode", "podcast.v1.Show",
    ])
    func `JSON and bytes are two forms of one record`(message: String) throws {
        let coder = try Fixtures.coder(message)
        for seed in 1...60 as ClosedRange<UInt64> {
            var random = RandomRecord(set: coder.set, seed: seed)
            let bytes = try coder.encode(random.message(coder.message, depth: 1))
            let json = try coder.json(of: bytes)
            #expect(try coder.record(json) == bytes, "seed \(seed): \(json)")
            #expect(try coder.json(of: coder.record(json)) == json, "seed \(seed)")
            #expect(try coder.record(bytes: bytes) == bytes, "seed \(seed)")
            let originalNames = coder.message.fields.reduce(json) {
                $0.replacing("\"\($1.jsonName)\":", with: "\"\($1.name)\":")
            }
            #expect(try coder.record(originalNames) == bytes, "seed \(seed)")
        }
    }

    @Test(arguments: ["kitchen.v1.Kitchen", "legacy.v1.Job", "podcast.v1.Episode"])
    func `Bytes that look canonical are what decoding makes of them`(message: String) throws {
        let coder = try Fixtures.coder(message)
        var seen = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            var random = RandomRecord(set: coder.set, seed: seed)
            var bytes: [UInt8] = []
            // Few fields of all, so that many records have no lists or messages.
            for _ in 0..<random.random.int(0...3) {
                bytes += try coder.encode(random.message(coder.message, depth: 1)).prefix(random.random.int(0...40))
            }
            for _ in 0..<random.random.int(0...2) where !bytes.isEmpty {
                bytes[random.random.int(0...bytes.count - 1)] = UInt8(random.random.int(0...255))
            }
            for end in 0...bytes.count {
                let part = Array(bytes[..<end])
                guard coder.isPlainlyCanonical(part) else { continue }
                seen += part.isEmpty ? 0 : 1
                var mistakes = RecordMistakes(limit: 1)
                #expect(
                    coder.canonical(part, noting: &mistakes) == part && mistakes.all.isEmpty, "seed \(seed): \(part)")
            }
        }
        #expect(message == "legacy.v1.Job" || seen > 100, "\(seen)")
    }

    @Test func `A path reads what JSON says`() throws {
        let coder = try Fixtures.coder("kitchen.v1.Kitchen")
        let paths = try coder.message.fields.map { try FieldPath($0.name, message: coder.message, set: coder.set) }
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = RandomRecord(set: coder.set, seed: seed)
            let value = random.message(coder.message, depth: 1)
            let bytes = try coder.encode(value)
            for (place, path) in paths.enumerated() {
                guard case .single(.bits(let bits)) = value[place], case .scalar(let scalar) = path.target else {
                    continue
                }
                let expected = FieldValue(bits, scalar)
                let read = path.value(in: bytes)
                #expect(read == expected || "\(expected)".contains("nan"), "seed \(seed): \(path.text)")
            }
        }
    }
}

/// Makes messages of any schema.
private struct RandomRecord {
    private static let texts = ["a", "Dark", "기생충", "tab\t\"\\", "🎬", "x\u{1}y", ""]
    let set: DescriptorSet
    var random: SeededGenerator

    init(set: DescriptorSet, seed: UInt64) {
        self.set = set
        random = SeededGenerator(seed: seed)
    }

    mutating func message(_ descriptor: MessageDescriptor, depth: Int) -> MessageValue {
        switch descriptor.wellKnown {
        case .timestamp:
            return WellKnownText.message(
                seconds: Int64.random(in: WellKnownText.timestampSeconds, using: &random),
                nanos: Int64.random(in: 0...999_999_999, using: &random))
        case .duration:
            return WellKnownText.message(seconds: -5, nanos: -Int64.random(in: 0...9, using: &random) * 1_000)
        case .wrapper, nil: break
        }
        var message = MessageValue()
        var chosen: Set<Int> = []
        for (place, field) in descriptor.fields.enumerated() {
            let isWanted = field.presence == .required || Int.random(in: 0..<3, using: &random) == 0
            guard isWanted, depth < 5 || field.message == nil else { continue }
            if let oneof = field.oneof, !chosen.insert(oneof).inserted { continue }
            switch field.cardinality {
            case .single: message.set(place, .single(value(field.type, depth)))
            case .repeated:
                let count = Int.random(in: 1...4, using: &random)
                message.set(place, .list((0..<count).map { _ in value(field.type, depth) }))
            case .map(let key):
                let count = Int.random(in: 1...4, using: &random)
                let entries = (0..<count).map { _ in
                    MessageValue.Entry(key: value(.scalar(key), depth), value: value(field.type, depth))
                }
                message.set(place, .map(MessageValue.settled(entries, key)))
            }
        }
        return message
    }

    private mutating func value(_ type: FieldDescriptor.ValueType, _ depth: Int) -> MessageValue.Value {
        switch type {
        case .message(let index): return .message(message(set.messages[index], depth: depth + 1))
        case .enumeration(let index):
            let number = set.enumerations[index].values.randomElement(using: &random)?.number ?? 0
            return .bits(UInt64(bitPattern: Int64(number)))
        case .scalar(.string): return .bytes(Array((RandomRecord.texts.randomElement(using: &random) ?? "").utf8)[...])
        case .scalar(.bytes):
            let count = Int.random(in: 0...5, using: &random)
            return .bytes((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }[...])
        case .scalar(.double):
            let number = Double(bitPattern: random.next())
            return .bits((number.isNaN ? .nan : number).bitPattern)
        case .scalar(.float):
            let number = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            return .bits(UInt64((number.isNaN ? .nan : number).bitPattern))
        case .scalar(let scalar):
            // Small numbers as often as large ones.
            let bits = random.next() >> UInt64.random(in: 0...63, using: &random)
            return .bits(scalar.value(ofWire: scalar.wire(ofValue: scalar.isWide ? bits : bits & 0x7FFF_FFFF)))
        case .unsupported: return .bits(0)
        }
    }
}
