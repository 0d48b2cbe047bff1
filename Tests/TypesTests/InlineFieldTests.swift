import Foundation
import MarqueeModel
import Testing

@testable import MarqueeTypes

struct InlineFieldTests {
    private static let shop = """
        package: shop.v1
        types:
          product:
            id: sku
            fields:
              sku: text
              title: text by locale
              price_cents: integer
              weight: number
              published: boolean
              old_name: dropped
              released: date
              created_at: time
              tags: list of text = 20
              sizes: list of integer
              lead_time: duration
              raw: bytes
            search: [title]
            sorts: [released, price_cents, created_at, lead_time]
            facets: [tags, published]
          order-line:
            fields: {product: text, count: integer = 7}
            references: {product: product}
        """

    private static func types(_ fields: String, _ others: String = "") throws -> TypeSet {
        try TypeSet(
            "types:\n  film:\n    id: id\n    fields: {\(fields)}\n\(others)", file: "types.yaml", descriptors: [])
    }

    private static func mistakes(_ text: String, descriptors: [UInt8] = []) -> [String] {
        do throws(FileMistakes) {
            _ = try TypeSet(text, file: "types.yaml", descriptors: descriptors)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    @Test func `A type has its fields in the declaration, and no descriptor set is needed`() throws {
        #expect(try TypeSet.descriptorFile(of: Self.shop, file: "types.yaml") == nil)
        let set = try TypeSet(Self.shop, file: "types.yaml", descriptors: [])
        let product = try #require(set.type("product"))
        #expect(product.message.fullName == "shop.v1.Product")
        #expect(set.type("order-line")?.message.fullName == "shop.v1.OrderLine")
        #expect(product.message.fields.map(\.number) == [1, 2, 3, 4, 5, 7, 8, 20, 21, 22, 23])
        #expect(
            product.message.fields.map { set.schema.name(of: $0) } == [
                "string", "map<string, string>", "optional int64", "optional double", "optional bool", "string",
                "google.protobuf.Timestamp", "repeated string", "repeated int64", "google.protobuf.Duration", "bytes",
            ])
        #expect(product.localized.map(\.path.text) == ["title"])
        #expect(product.sorts.first?.isDate == true)
        let json =
            #"{"sku":"a","title":{"en":"A"},"priceCents":"0","released":"2026-01-02","createdAt":"2026-01-02T03:04:05Z","tags":["x"]}"#
        #expect(try product.coder.json(of: product.coder.record(json)) == json)
        // 0 is not the same as nothing.
        #expect(try product.coder.json(of: product.coder.record(#"{"sku":"a"}"#)) == #"{"sku":"a"}"#)
    }

    @Test func `A declaration with fields survives a log, with a descriptor set or without`() throws {
        let set = try TypeSet(Self.shop, file: "types", descriptors: [])
        #expect(try TypeSet(serialized: set.serialized, file: "types") == set)
        let text = """
            descriptors: podcast.desc
            types:
              show: {message: podcast.v1.Show, id: slug}
              note: {id: id, fields: {id: text, at: time}}
            """
        let mixed = try TypeSet(text, file: "types", descriptors: Fixtures.bytes("podcast.desc"))
        #expect(mixed.type("note")?.message.fullName == "records.Note")
        #expect(try TypeSet(serialized: mixed.serialized, file: "types") == mixed)
    }

    @Test(arguments: [
        ("a: txt", "types.yaml:4: 'a': there is no type 'txt'; did you mean 'text'? the types are text, integer, "),
        ("A: text", "types.yaml:4: the name of a field, 'A', must begin with a lowercase letter"),
        ("a_b: text, a__b: text", "types.yaml:4: the fields 'a_b' and 'a__b' are both called 'aB' in JSON; rename one"),
        ("a: text = 0", "types.yaml:4: the number of 'a' must be from 1 to 536870911, as in 'a: text = 3'"),
        ("a: text = 19000", "types.yaml:4: 'a' can't have the number 19000: protobuf keeps 19000 to 19999 for itself"),
        ("a: text = 2, b: text = 2", "types.yaml:4: the fields 'a' and 'b' have the same number, 2"),
        ("a: text = 536870911, b: text", "types.yaml:4: 'b' can't have the number 536870912"),
        ("a: list of text by locale", "types.yaml:4: 'a': there is no type 'list of text by locale'"),
    ])
    func `A mistake in fields is reported with its line`(_ fields: String, _ expected: String) {
        let found = Self.mistakes("types:\n  film:\n    id: id\n    fields: {\(fields)}")
        #expect(found.contains { $0.hasPrefix(expected) }, "\(found)")
    }

    @Test func `Fields and messages exclude each other, and a package needs fields`() {
        let both = Self.mistakes("types:\n  a: {message: x.Y, fields: {id: text}}")
        #expect(both.contains("types.yaml:2: a type has either 'message', of a descriptor set, or 'fields'"), "\(both)")
        let twins = Self.mistakes("types:\n  a-b: {fields: {id: text}}\n  a_b: {fields: {id: text}}")
        #expect(
            twins.contains { $0.hasPrefix("types.yaml:3: the types 'a-b' and 'a_b' would have the same message, AB") })
        let bare = Self.mistakes(
            "package: x\ndescriptors: d\ntypes: {show: {message: podcast.v1.Show}}",
            descriptors: (try? Fixtures.bytes("podcast.desc")) ?? [])
        #expect(bare == ["types.yaml:1: 'package' is for types with 'fields', and there are none"])
    }

    @Test(
        arguments: [
            // New fields at the end, a dropped one, and fields in another order with their numbers.
            ("id: text, a: text, b: integer, c: text", nil),
            ("id: text, a: dropped, b: integer", nil),
            ("id: text, other: text = 2, b: integer", nil),
            ("b: integer = 3, a: text = 2, id: text = 1", nil),
            (
                "id: text, b: integer, a: text",
                "film.a had the number 2 and has 3 now: keep the order of fields, with new ones at the end, or write 'a: text = 2'"
            ),
            (
                "id: text, other: text, b: integer",
                "film.other would take the stored values of film.a, number 2: if that is its new name, write 'other: text = 2'; "
                    + "if it is gone, keep its line as 'a: dropped'"
            ),
            (
                "id: text, a: text",
                "film.b is gone from the file, but records keep its values: leave its line, as 'b: dropped', so that no other "
                    + "field gets its number"
            ),
            ("id: text, a: integer, b: integer", "records.Film.a (2) can't change from string to optional int64"),
        ] as [(String, String?)])
    func `With records, a name keeps its number and a number its name`(_ fields: String, _ reason: String?) throws {
        let before = try Self.types("id: text, a: text, b: integer")
        let after = try Self.types(fields)
        let changes = before.changes(to: after, inUse: TypesInUse(records: ["film"]))
        guard let reason else {
            #expect(changes.isCompatible, "\(changes.incompatible)")
            return
        }
        #expect(changes.incompatible.contains { $0.hasPrefix(reason) }, "\(changes.incompatible)")
        #expect(before.changes(to: after, inUse: TypesInUse()).isCompatible)
    }

    @Test func `A dropped field may come back, and its number stays taken until then`() throws {
        let before = try Self.types("id: text, a: dropped, b: integer")
        func reasons(_ fields: String) throws -> [String] {
            try before.changes(to: Self.types(fields), inUse: TypesInUse(records: ["film"])).incompatible
        }
        #expect(try reasons("id: text, a: text, b: integer") == [])
        #expect(try reasons("id: text, c: text = 2, b: integer").count == 1)
        #expect(try reasons("id: text, b: integer = 3").count == 1)
    }

    /// Also one that nothing sorts by, and each of a list.
    @Test(arguments: [
        (#"{"day": "20261122"}"#, "d.day", "20261122"), (#"{"day": "2026-11-31"}"#, "d.day", "2026-11-31"),
        (#"{"days": ["2026-11-30", "0000-00-00"]}"#, "d.days", "0000-00-00"),
    ])
    func `A field that is declared as a date holds dates`(record: String, path: String, wrong: String) throws {
        let types = try TypeSet(
            "types: {d: {fields: {day: date, days: list of date}}}", file: "types.yaml", descriptors: [])
        let type = try #require(types.type("d"))
        #expect(throws: RecordError(path: path, "a day written YYYY-MM-DD is expected, not the text '\(wrong)'")) {
            try type.checkDates(in: type.coder.record(json: Array(record.utf8)))
        }
        try type.checkDates(in: type.coder.record(json: Array(#"{"day": "2026-11-30", "days": [""]}"#.utf8)))
    }
}

/// The `.proto` file that stands for inline fields, as protobuf's own compiler reads it.
@Suite(.enabled(if: Protoc.path != nil, Comment(rawValue: Protoc.reason)))
struct ProtocTests {
    @Test func `The compiler makes the same descriptors of the file that stands for a declaration`() throws {
        let text = """
            package: shop.v1
            types:
              product:
                fields: {sku: text, title: text by locale, price_cents: integer, weight: number, ok: boolean, gone: dropped,
                  released: date, created_at: time, tags: list of text = 20, sizes: list of integer, lead: duration, raw: bytes,
                  times: list of time, x2_y: integer, flags: list of boolean}
              message-like: {fields: {message: text, option: integer, reserved: text, package: text, syntax: text, map: text}}
            """
        let set = try TypeSet(text, file: "types.yaml", descriptors: [])
        let inline = try #require(set.inline)
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-protoc-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: InlineSchema.path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try inline.proto.write(to: file, atomically: true, encoding: .utf8)

        let alone = try Protoc.compile(InlineSchema.path, in: folder)
        var expected = MessageWriter()
        expected.write(inline.file, to: 1)
        #expect(alone == expected.bytes)

        let whole = try DescriptorSet(try Protoc.compile(InlineSchema.path, in: folder, ["--include_imports"]))
        for type in set.types {
            let compiled = try #require(whole.message(named: type.message.fullName))
            #expect(compiled.fields.map { whole.name(of: $0) } == type.message.fields.map { set.schema.name(of: $0) })
            #expect(compiled.fields.map(\.jsonName) == type.message.fields.map(\.jsonName))
        }
    }
}

enum Protoc {
    private static let variable = "MARQUEE_PROTOC"

    static let path: String? = {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment[variable], !named.isEmpty { return named }
        return (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/protoc" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    static let reason = "needs protoc: apt-get install protobuf-compiler libprotobuf-dev, or name it in \(variable)"

    static func compile(_ file: String, in folder: URL, _ options: [String] = []) throws -> [UInt8] {
        let process = Process()
        process.executableURL = path.map { URL(filePath: $0) }
        process.currentDirectoryURL = folder
        process.arguments = options + ["--proto_path=.", "--descriptor_set_out=set.desc", file]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return [UInt8](try Data(contentsOf: folder.appending(path: "set.desc")))
    }
}
