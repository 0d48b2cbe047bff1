import Foundation
import MarqueeDiff
import MarqueeModel
import MarqueeTypes

extension FuzzTarget {
    /// Descriptor sets, declarations of types, and records. The first byte says which: a set of descriptors as it
    /// comes; a declaration with a set; or a record of a message with every kind of field, as bytes or as JSON.
    static let types = FuzzTarget(name: "types", maximumBytes: 32 << 10, seeds: TypesFuzzing.seeds) { bytes in
        var input = FuzzInput(bytes)
        switch input.below(TypesFuzzing.ways) {
        case 0: TypesFuzzing.judgeDescriptors(input.remainder())
        case 1:
            let declaration = String(decoding: input.bytes(), as: UTF8.self)
            TypesFuzzing.judgeDeclaration(declaration, input.remainder())
        case 2: TypesFuzzing.judgeRecord(TypesFuzzing.coder(&input), bytes: input.remainder())
        case 3: TypesFuzzing.judgeRecord(TypesFuzzing.coder(&input), json: input.remainder())
        default:
            let coder = TypesFuzzing.coder(&input)
            let record = input.bytes()
            TypesFuzzing.judgeMerge(coder, record, input.remainder())
        }
    }
}

private enum TypesFuzzing {
    /// The ways in which the first byte chooses to read the rest.
    static let ways = 5

    // MARK: - Descriptors

    static func judgeDescriptors(_ bytes: [UInt8]) {
        guard let set = try? DescriptorSet(bytes) else { return }
        require((try? DescriptorSet(bytes)) == set, "a set means one thing")
        _ = set.summary
        for (place, message) in set.messages.enumerated() {
            guard set.place(named: message.fullName) == place, set.refusals(of: place).isEmpty else { continue }
            guard let coder = try? RecordCoder(set: set, message: message.fullName, name: "record") else {
                fatalError("\(message.fullName), which is not refused, can be a record")
            }
            judgeRecord(coder, json: Array("{}".utf8))
            judgeRecord(coder, bytes: [])
        }
    }

    // MARK: - Declarations

    static func judgeDeclaration(_ text: String, _ descriptors: [UInt8]) {
        do throws(FileMistakes) {
            let set = try TypeSet(text, file: "types.yaml", descriptors: descriptors)
            require((try? TypeSet(serialized: set.serialized, file: "types.yaml")) == set, "it survives a log")
            let inUse = TypesInUse(
                records: Set(set.types.map(\.alias)), collections: Set(set.collections.map(\.name)),
                lists: Set(set.lists.map(\.name)))
            let changes = set.changes(to: set, inUse: inUse)
            require(changes.compatible.isEmpty && changes.isCompatible, "nothing differs from itself: \(changes)")
            require(Set(set.types.map(\.alias)).count == set.types.count, "aliases are unique")
            require(Set(set.types.map(\.kind)).count == set.types.count, "kinds are unique")
            for type in set.types { judge(type) }
        } catch {
            require((1...FileMistakes.limit).contains(error.mistakes.count), "a refused file has a mistake")
        }
    }

    /// Everything that is declared about a type can be read from an empty record.
    private static func judge(_ type: TypeDeclaration) {
        guard let record = try? type.coder.record(json: Array("{}".utf8)) else { return }
        _ = try? type.id(of: record)
        for field in type.search { _ = field.texts(in: record) }
        for sort in type.sorts { _ = sort.key(of: record) }
        for reference in type.references { _ = reference.ids(in: record) }
    }

    // MARK: - Records

    /// Messages with every kind of field, and one inside itself.
    private static let coders: [RecordCoder] = FuzzServer.reading {
        let kitchen = try DescriptorSet(RepositoryFiles.bytes("Tests/TypesTests/Fixtures/kitchen.desc"))
        let podcast = try DescriptorSet(RepositoryFiles.bytes("Samples/podcasts/podcast.desc"))
        let legacy = try DescriptorSet(RepositoryFiles.bytes("Tests/TypesTests/Fixtures/legacy.desc"))
        let others = legacy.messages.indices.filter { legacy.refusals(of: $0).isEmpty }
            .map { legacy.messages[$0].fullName }
        return try [
            RecordCoder(set: kitchen, message: "kitchen.v1.Kitchen", name: "record"),
            RecordCoder(set: kitchen, message: "kitchen.v1.Tree", name: "record"),
            RecordCoder(set: podcast, message: "podcast.v1.Episode", name: "record"),
        ] + others.map { try RecordCoder(set: legacy, message: $0, name: "record") }
    }

    static func coder(_ input: inout FuzzInput) -> RecordCoder { coders[input.below(coders.count)] }

    static func judgeRecord(_ coder: RecordCoder, bytes: [UInt8]) {
        guard let record = try? coder.record(bytes: bytes) else { return }
        judgeStored(coder, record)
    }

    static func judgeRecord(_ coder: RecordCoder, json: [UInt8]) {
        guard let record = try? coder.record(json: json) else { return }
        judgeStored(coder, record)
        guard let text = try? coder.json(of: record) else { fatalError("a record can be printed") }
        require((try? coder.record(json: Array(text.utf8))) == record, "what is printed is the same record: \(text)")
    }

    /// A record in its canonical form is its own canonical form, and can be printed.
    private static func judgeStored(_ coder: RecordCoder, _ record: [UInt8]) {
        require(CanonicalBody.isCanonical(record), "a record is a canonical body")
        require((try? coder.record(bytes: record)) == record, "there is one canonical form")
        guard let text = try? coder.json(of: record) else { fatalError("a record can be printed") }
        // Unknown fields aren't printed; what is printed is a record again.
        guard let known = try? coder.record(json: Array(text.utf8)) else {
            fatalError("what is printed can be read: \(text)")
        }
        require((try? coder.json(of: known)) == text, "and is printed the same")
    }

    /// A merge makes a record, and making it again changes nothing.
    static func judgeMerge(_ coder: RecordCoder, _ base: [UInt8], _ json: [UInt8]) {
        guard let record = try? coder.record(bytes: base), let patch = try? coder.patch(json: json),
            let merged = try? coder.merge(patch, into: record)
        else { return }
        judgeStored(coder, merged)
        require((try? coder.merge(patch, into: merged)) == merged, "a merge has its effect once")
    }

    // MARK: - Seeds

    private struct Vector: Decodable {
        var message: String
        var json: String
        var bytes: Data
    }

    @Sendable static func seeds() throws -> [[UInt8]] {
        let samples = ["catalogue/movies", "conference/conference", "dives/dive", "league/league", "podcasts/podcast"]
        var seeds = try samples.map { [0] + (try RepositoryFiles.bytes("Samples/\($0).desc")) }
        for name in ["kitchen", "legacy", "refused", "docs", "common"] {
            seeds.append([0] + (try RepositoryFiles.bytes("Tests/TypesTests/Fixtures/\(name).desc")))
        }
        for sample in samples {
            let folder = sample.prefix { $0 != "/" }
            var seed = FuzzSeed()
            seed.byte(1)
            seed.bytes(try RepositoryFiles.bytes("Samples/\(folder)/types.yaml"))
            seed.remainder(try RepositoryFiles.bytes("Samples/\(sample).desc"))
            seeds.append(seed.bytes)
        }
        let vectors = try JSONDecoder().decode(
            [Vector].self, from: Data(RepositoryFiles.bytes("Tests/TypesTests/Fixtures/vectors.json")))
        let messages = coders.map(\.message.fullName)
        for vector in vectors {
            guard let place = messages.firstIndex(of: vector.message) else { continue }
            seeds.append([2, UInt8(place)] + vector.bytes)
            seeds.append([3, UInt8(place)] + Array(vector.json.utf8))
            var merge = FuzzSeed()
            merge.byte(4)
            merge.byte(place)
            merge.bytes([UInt8](vector.bytes))
            merge.remainder(vector.json.utf8)
            seeds.append(merge.bytes)
        }
        return seeds
    }
}
