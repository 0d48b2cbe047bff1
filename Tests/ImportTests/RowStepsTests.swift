import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import SeededRandom
import Testing

@testable import MarqueeImport

/// The steps that follow from recorded messages about rows.
@Suite struct RowStepsTests {
    private static func table(
        _ condition: String? = nil, generated: Set<String> = []
    ) throws -> TableRecords {
        let types = try TypeSet(
            "types: {product: {fields: {sku: text, title: text, price: number}, id: sku}}", file: "types.yaml",
            descriptors: [])
        var table = SourceFile.Table(name: "public.product", type: "product")
        table.condition = condition
        let columns = ["sku", "title", "price"].map {
            PostgresColumn(name: $0, shown: "text", base: "text", kind: "b", elementKind: nil, isRequired: false)
        }
        return try TableRecords(
            table, of: PostgresTable(oid: "16384", schema: "public", name: "product"), columns: columns,
            generated: generated, typeNumbers: ["sku": 25, "title": 25, "price": 1_700], key: ["sku"], types: types)
    }

    private static func steps(_ table: TableRecords, _ messages: [[UInt8]]) throws -> [RowStep] {
        var steps = RowSteps([table])
        return try messages.flatMap { try steps.read(try PgOutputMessage($0)) }
    }

    private static func id(_ id: String) -> RecordID { RecordID(type: "product", id: id) }

    @Test func `Rows are put and removed, and a new key is another record`() throws {
        let steps = try Self.steps(
            Self.table(),
            [Recorded.begin, Recorded.relation, Recorded.insert, Recorded.rename, Recorded.delete, Recorded.truncate])
        #expect(steps.count == 5)
        guard case .put(let inserted, let bytes) = steps[0], case .put(let renamed, _) = steps[2] else {
            Issue.record("\(steps)")
            return
        }
        #expect(inserted == Self.id("p1") && renamed == Self.id("p2") && !bytes.isEmpty)
        #expect(
            [steps[1], steps[3], steps[4]] == [
                .remove(Self.id("p1")), .remove(Self.id("p2")), .clear(table: "public.product"),
            ])
    }

    @Test func `A plain row makes the record that a closer look makes`() throws {
        let fields = "sku: text, title: text, price: number, stock: integer, sold: boolean, day: date"
        let types = try TypeSet(
            "types: {product: {fields: {\(fields)}, id: sku, sorts: [day]}}", file: "types.yaml",
            descriptors: [])
        let names = ["sku", "name", "price", "stock", "sold", "day", "other"]
        var table = SourceFile.Table(name: "public.product", type: "product")
        table.mapping.id = ["sku"]
        table.mapping.columns = [.init(field: "title", value: "name")]
        let records = try TableRecords(
            table, of: PostgresTable(oid: "1", schema: "public", name: "product"),
            columns: names.map {
                PostgresColumn(name: $0, shown: "text", base: "text", kind: "b", elementKind: nil, isRequired: false)
            }, generated: [], key: ["sku"], types: types)
        let plain = try #require(records.plainRow(names))
        let usual = ["p-1", "Lamp", "12.50", "7", "t", "2026-11-30", "x"]
        let odd = [
            "", " ", "a", " p1 ", "é", "e\u{301}", "f", "true", "0", "-0", "1", "01", "+1", "-7", "1.0", ".5", "1e3",
            "NaN", "9223372036854775807", "9223372036854775808", "99999999999999999999", "2026-13-01", "a\u{0}b", "\\N",
        ]
        var random = SeededGenerator(seed: 45)
        var made = 0
        for _ in 0..<5_000 {
            let cells = usual.map { text -> PgOutputMessage.Cell in
                random.chance(10) ? .null : .text(random.chance(70) ? text : random.pick(odd) ?? "")
            }
            let members = zip(names, cells).compactMap { name, cell -> JSONValue.Member? in
                guard case .text(let text) = cell else { return nil }
                return JSONValue.Member(name: name, value: .text(text.composed))
            }
            guard let record = plain.record(cells) else { continue }
            made += 1
            let expected = try records.record(members)
            #expect(record.id == expected.id && record.bytes == expected.bytes, "\(members)")
        }
        #expect((500...4_500).contains(made), "\(made)")
        #expect(plain.record([.text("p1"), .unchanged, .null, .null, .null, .null, .null]) == nil)
        #expect(plain.record([.text("p1"), .null, .null, .null, .null, .null, .unchanged])?.id == "p1")
    }

    @Test func `A value that wasn't sent is taken from the old row, or the row is read again`() throws {
        #expect(
            try Self.steps(Self.table(), [Recorded.relation, Recorded.update])
                == [.readAgain(table: "public.product", Self.id("p1"), key: ["p1"])])
        let whole = Recorded.bytes(
            "55 00004000 4F 0003 74 00000002 7031 74 00000001 4C 6E 4E 0003 74 00000002 7031 75 6E")
        let inserted = Recorded.bytes("49 00004000 4E 0003 74 00000002 7031 74 00000001 4C 6E")
        let steps = try Self.steps(Self.table(), [Recorded.relation, whole, inserted])
        #expect(steps.count == 2 && steps[0] == steps[1], "\(steps)")
    }

    @Test func `Rows under a condition, and computed columns, are read again`() throws {
        for table in [try Self.table("price > 1"), try Self.table(generated: ["price"])] {
            #expect(
                try Self.steps(table, [Recorded.relation, Recorded.insert])
                    == [.readAgain(table: "public.product", Self.id("p1"), key: ["p1"])])
        }
    }

    @Test func `A row that makes no record is told of`() throws {
        let wrong = Recorded.bytes("49 00004000 4E 0003 74 00000002 7031 6E 74 00000001 78")
        let steps = try Self.steps(Self.table(), [Recorded.relation, wrong])
        guard case .bad(_, "p1", let reason)? = steps.first else {
            Issue.record("\(steps)")
            return
        }
        #expect(reason.contains("column 'price': 'x' is not a number"))
    }

    /// `product` without its price; with a price that is a text; with a colour more; another table of its name.
    private static let less = Recorded.bytes(
        "52 00004000 7075626C696300 70726F6475637400 64 0002 01 736B7500 00000019 FFFFFFFF 00 7469746C6500 00000019 FFFFFFFF"
    )
    private static let retyped = Recorded.bytes(
        """
        52 00004000 7075626C696300 70726F6475637400 64 0003
        01 736B7500 00000019 FFFFFFFF 00 7469746C6500 00000019 FFFFFFFF 00 707269636500 00000019 FFFFFFFF
        """)
    private static let more = Recorded.bytes(
        """
        52 00004000 7075626C696300 70726F6475637400 64 0004
        01 736B7500 00000019 FFFFFFFF 00 7469746C6500 00000019 FFFFFFFF 00 707269636500 000006A4 FFFFFFFF
        00 636F6C6F757200 00000019 FFFFFFFF
        """)
    private static let anew = Recorded.bytes(
        """
        52 00004001 7075626C696300 70726F6475637400 64 0003
        01 736B7500 00000019 FFFFFFFF 00 7469746C6500 00000019 FFFFFFFF 00 707269636500 000006A4 FFFFFFFF
        """)

    @Test func `A table that the log describes otherwise is looked at`() throws {
        for relation in [Self.less, Self.retyped, Self.more, Self.anew] {
            #expect(try Self.steps(Self.table(), [relation]) == [.look(table: "public.product")])
        }
        #expect(try Self.steps(Self.table(), [Recorded.relation]) == [])
    }

    @Test func `Rows that lack what the table has are read again, and others aren't`() throws {
        let row = Recorded.bytes("49 00004000 4E 0002 74 00000002 7031 6E")
        let again = RowStep.readAgain(table: "public.product", Self.id("p1"), key: ["p1"])
        #expect(try Self.steps(Self.table(), [Self.less, row]).last == again)
        let wide = Recorded.bytes("49 00004000 4E 0004 74 00000002 7031 6E 6E 6E")
        guard case .put? = try Self.steps(Self.table(), [Self.more, wide]).last else {
            Issue.record("it isn't put")
            return
        }
    }

    @Test func `A table that has stopped goes on once it was compared`() throws {
        var steps = RowSteps([try Self.table()])
        _ = try steps.read(try PgOutputMessage(Recorded.relation))
        steps.stop("public.product", "it has no column 'price' any more")
        #expect(try steps.read(try PgOutputMessage(Recorded.insert)) == [])
        #expect(try steps.read(try PgOutputMessage(Recorded.relation)) == [.look(table: "public.product")])
        #expect(try steps.read(try PgOutputMessage(Recorded.insert)) == [], "only after it was compared")
        steps.follow(try Self.table())
        #expect(try steps.read(try PgOutputMessage(Recorded.insert)).count == 1)
    }

    @Test func `What has become of a table's columns is said by their names`() throws {
        func table(_ columns: [(String, String, UInt32)], oid: String = "16384") throws -> TableRecords {
            let types = try TypeSet(
                "types: {product: {fields: {sku: text, price: number}, id: sku}}", file: "types.yaml", descriptors: [])
            return try TableRecords(
                SourceFile.Table(name: "product", type: "product"),
                of: PostgresTable(oid: oid, schema: "public", name: "product"),
                columns: columns.map {
                    PostgresColumn(name: $0.0, shown: $0.1, base: $0.1, kind: "b", elementKind: nil, isRequired: false)
                }, generated: [],
                typeNumbers: Dictionary(columns.map { ($0.0, $0.2) }) { first, _ in first }, key: ["sku"], types: types)
        }
        let old = try table([("sku", "text", 25), ("price", "integer", 23)])
        #expect(old.changes(in: old) == nil && old.loss(in: old) == nil)
        let retyped = try table([("sku", "text", 25), ("price", "text", 25)])
        #expect(old.changes(in: retyped) == "column 'price' is text now, not integer")
        let renamed = try table([("sku", "text", 25), ("cost", "integer", 23)])
        #expect(old.loss(in: renamed)?.hasSuffix("bring it back; new is 'cost'") == true)
        #expect(renamed.changes(in: old) == "column 'price' is new")
        #expect(
            old.changes(in: try table([("sku", "text", 25), ("price", "integer", 23)], oid: "2")) == "it was made anew")
        let unused = try table([("sku", "text", 25), ("price", "integer", 23), ("colour", "text", 25)])
        #expect(old.changes(in: unused) == nil, "nothing is mapped to it")
    }

    @Test func `A record's name has to be part of what identifies a row`() throws {
        var loose = Recorded.relation
        loose[loose.firstIndex(of: UInt8(ascii: "k")).map { $0 - 2 } ?? 0] = 0
        let steps = try Self.steps(Self.table(), [loose])
        guard case .stop(_, let reason)? = steps.first else {
            Issue.record("\(steps)")
            return
        }
        #expect(reason.contains("the old 'sku'"))
    }

    @Test func `Rows of a table that wasn't described, or with other columns, are refused`() throws {
        #expect(throws: PgOutputError.self) { try Self.steps(Self.table(), [Recorded.insert]) }
        let short = Recorded.bytes("49 00004000 4E 0001 6E")
        #expect(throws: PgOutputError.self) { try Self.steps(Self.table(), [Recorded.relation, short]) }
    }

    // MARK: - The source file

    private static func source(_ postgres: String) throws -> SourceFile {
        try SourceFile(
            yaml: "source: Shop 1\npostgres: \(postgres)\ntables: {product: {type: product}}\n", file: "source.yaml")
    }

    @Test func `A source file names publication and slot, or has those that are usual`() throws {
        let usual = try Self.source("{url: 'postgres://db.example/shop'}")
        #expect(usual.publication == "marquee" && usual.slot == "marquee_shop_1")
        let named = try Self.source("{url: 'postgres://db.example/shop', publication: live, slot: live_1}")
        #expect(named.publication == "live" && named.slot == "live_1")
        #expect(throws: FileMistakes.self) { try Self.source("{url: 'postgres://db.example/shop', slot: Live-1}") }
        #expect(throws: FileMistakes.self) { try Self.source("{url: 'postgres://db.example/shop', slott: live}") }
    }

    @Test func `The statements for an administrator follow from the file`() throws {
        let source = try SourceFile(
            yaml: """
                source: shop
                postgres: {url: 'postgres://reader@db.example/shop'}
                tables: {product: {type: product}, sales.order: {type: order}}
                """, file: "source.yaml")
        let statements = source.statements?.filter { !$0.hasPrefix("--") && !$0.hasPrefix("ALTER SYSTEM") } ?? []
        #expect(
            statements == [
                #"CREATE ROLE "reader" LOGIN REPLICATION;  -- and PASSWORD '…', unless pg_hba.conf lets it in without"#,
                #"GRANT CONNECT ON DATABASE "shop" TO "reader";"#, #"GRANT USAGE ON SCHEMA "public" TO "reader";"#,
                #"GRANT USAGE ON SCHEMA "sales" TO "reader";"#,
                #"GRANT SELECT ON "product", "sales"."order" TO "reader";"#,
                #"CREATE PUBLICATION "marquee" FOR TABLE "product", "sales"."order" WITH (publish_via_partition_root = true);"#,
            ])
        let file = try SourceFile(
            yaml: "source: s\nfile: rows.csv\ntables: {a: {type: a}}", file: "source.yaml")
        #expect(file.statements == nil)
    }

    @Test func `Much log that a database keeps is told of, and so is a slot that is nearly lost`() {
        #expect(FollowedDatabase.keptLog(900 << 20, left: nil, slot: "s") == nil)
        #expect(FollowedDatabase.keptLog(900 << 20, left: 300 << 20, slot: "s") == nil)
        #expect(
            FollowedDatabase.keptLog(2 << 30, left: nil, slot: "s")?.hasPrefix("the database keeps 2048 MiB") == true)
        #expect(
            FollowedDatabase.keptLog(1 << 20, left: -5, slot: "s")?.contains("loses it after 0 MiB more") == true)
    }
}
