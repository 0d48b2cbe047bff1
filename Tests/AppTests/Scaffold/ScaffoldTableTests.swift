import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeImport

/// Tables of databases, as values: columns in, files out.
struct ScaffoldTableTests {
    /// A shop with products that refer to categories.
    private static let shop: [SampledTable] = {
        var category = SampledTable(
            name: "public.categories",
            columns: [column("id", "integer", ["1", "2"]), column("name", "text", ["Shoes", "Tea"])])
        category.primaryKey = ["id"]
        category.sampled = 2
        var product = SampledTable(
            name: "public.products",
            columns: [
                column("sku", "text", ["a-1", "a-2", "a-3", "a-4"]),
                column("title", "character varying(200)", ["Red shoe", "Blue shoe", "Green tea", "Old pot"]),
                column("price", "numeric(10,2)", ["12.50", "13.00", "4.20", "40.00"]),
                column("published", "boolean", ["t", "t", "f", "t"]),
                column("category_id", "integer", ["1", "1", "2"]),
                column("created_at", "timestamp with time zone", ["2026-01-02 03:04:05+00", "2026-01-03 03:04:05+00"]),
                column("photo", "bytea", []),
            ])
        product.primaryKey = ["sku"]
        product.foreignKeys = [
            SampledTable.ForeignKey(columns: ["category_id"], table: "public.categories", otherColumns: ["id"])
        ]
        product.sampled = 4
        return [category, product]
    }()

    @Test func `A shop becomes the files that a person would write`() throws {
        let made = Scaffolded(tables: Self.shop)
        #expect(try made.warnings() == [])
        #expect(made.files.types == Self.types)
        #expect(made.files.source == Self.source)
        #expect(made.files.programme == Self.programme)
        #expect(made.leftOut == ["public.products.photo: bytea: bytes, which a screen doesn't show"])
        #expect(
            made.plan.decisions == [
                "public.categories → category: id id · title name · search in name",
                "public.products → product: id sku · title title · newest by created_at · top by price · tiles by category_id "
                    + "· search in title, sku · links to category",
            ])
    }

    private static let types = """
        # The types of the records of shop.db, and what screens may sort, filter and search by.
        # A field keeps its place: add others at the end, and write 'dropped' for one that is gone.
        types:
          category:
            id: id
            fields:
              id: integer
              name: text
            search: [name]
            sorts: [name]
          product:
            id: sku
            fields:
              sku: text
              title: text
              price: number
              published: boolean
              category_id: integer
              created_at: time
            search: {fields: [title, sku], rank: price}
            sorts: [created_at, price, title]
            facets: [category_id, published]
            references: {category_id: category}

        """

    private static let source = """
        # Where the records come from, read by 'marquee-server import source' and 'follow'.
        source: shop
        types: types.yaml
        sqlite: ../shop.db
        tables:
          public.categories:
            type: category
          public.products:
            type: product
            omit: [photo]

        """

    private static let programme = """
        # The screens of shop.db.
        screens:
          home:
            title: Shop
            sections:
              - id: newest
                kind: list
                header: Newest
                empty: hide
                source: {records: {type: product, sort: -created_at, limit: 10}}
                body: {card: {title: $title, subtitle: "$category_id.name · {$created_at | date} · price {$price | number: 2}"}}
              - id: top
                kind: rank
                header: Top by price
                empty: hide
                source: {records: {type: product, sort: -price, limit: 10}}
                body: {card: {title: $title, subtitle: "$category_id.name · {$created_at | date}", facts: [{label: Price, value: "{$price | number: 2}"}]}}
              - id: tiles
                kind: genres
                header: Category
                empty: hide
                source: {facet: {type: product, field: category_id, limit: 24}}
                body: {card: {title: $value.name, subtitle: $count}}
              - id: all
                kind: list
                header: All products
                empty: hide
                windows: anywhere
                source: {records: {type: product, sort: title}}
                body: {card: {title: $title, subtitle: "$category_id.name · {$created_at | date} · price {$price | number: 2}"}}
              - id: category
                kind: list
                header: Categories
                empty: hide
                source: {records: {type: category, sort: name, limit: 6}}
                body: {card: {title: $name}}
          category/$id:
            title: $name
            sections:
              - id: detail
                kind: detail
                source: {record: {type: category, id: $id}}
                body:
                  card:
                    title: $name
                    facts:
                      - {label: Id, value: $id}
                    record: true
              - id: product
                kind: list
                header: Products
                empty: hide
                source: {records: {type: product, where: {category_id: $id}, sort: -created_at, limit: 20}}
                body: {card: {title: $title, subtitle: "{$created_at | date} · price {$price | number: 2}"}}
          product/$id:
            title: $title
            sections:
              - id: detail
                kind: detail
                source: {record: {type: product, id: $id}}
                body:
                  card:
                    title: $title
                    facts:
                      - {label: Sku, value: $sku}
                      - {label: Price, value: "{$price | number: 2}"}
                      - {label: Published, value: $published}
                      - {label: Category, value: $category_id.name}
                      - {label: Created at, value: "{$created_at | datetime}"}
                    actions:
                      - {id: category-id, title: $category_id.name, target: category/$category_id}
                    record: true
        search:
          of: [category, product]
          body:
            category: {card: {title: $name}}
            product: {card: {title: $title, subtitle: "$category_id.name · {$created_at | date} · price {$price | number: 2}"}}

        """

    @Test(
        arguments: [
            ("bigint", "b", "integer"), ("numeric(18,0)", "b", "integer"), ("numeric", "b", "number"),
            ("money", "b", nil),
            ("double precision", "b", "number"), ("uuid", "b", "text"), ("date", "b", "date"), ("interval", "b", nil),
            ("timestamp(3) without time zone", "b", "time"), ("time without time zone", "b", "text"),
            ("order_state", "e", "text"), ("address", "c", nil), ("int4range", "r", nil), ("tsvector", "b", nil),
            ("text[]", "b", "list of text"), ("integer[]", "b", "list of integer"), ("bytea[]", "b", nil),
            ("point", "b", nil),
        ] as [(String, String, String?)])
    func `Each PostgreSQL type becomes a field or is refused by name`(_ type: String, _ kind: String, _ words: String?)
    {
        var table = SampledTable(
            name: "t", columns: [column("id", "integer", ["1"]), column("x", type, [], kind: kind)])
        table.primaryKey = ["id"]
        let made = Scaffolded(tables: [table])
        #expect(made.plan.types.first?.field("x")?.type.words == words)
        if words == nil {
            #expect(
                made.leftOut.contains { $0.hasPrefix("t.x: ") && $0.contains(type.replacing("[]", with: "")) },
                "\(made.leftOut)")
            #expect(made.files.source.contains("omit: [x]"))
        }
    }

    @Test func `JSON is looked into, and empty JSON waits`() throws {
        var table = SampledTable(
            name: "t",
            columns: [
                column("id", "integer", ["1", "2"]),
                column("attributes", "jsonb", [#"{"color": "red"}"#, #"{"size": 4}"#]),
                column("labels", "json", [#"["a", "b"]"#]), column("later", "jsonb"),
            ])
        table.primaryKey = ["id"]
        let made = Scaffolded(tables: [table])
        #expect(
            made.fields == [
                "id: integer", "attributes_color: text", "attributes_size: integer", "labels: list of text",
            ])
        #expect(made.files.source.contains("      attributes_color: attributes.color\n"))
        #expect(made.leftOut == ["t.later: JSON, and no row has any yet"])
        #expect(try made.warnings() == [])
    }

    @Test func `Keys of several columns, no key, and names that SQL reserves`() throws {
        var line = SampledTable(
            name: "public.order_lines",
            columns: [
                column("order", "bigint", ["1"]), column("line", "integer", ["1"]), column("select", "text", ["x"]),
            ])
        line.primaryKey = ["order", "line"]
        var note = SampledTable(
            name: "public.notes",
            columns: [
                column("order", "bigint", ["1"]), column("line", "integer", ["1"]), column("body", "text", ["x"]),
                column("id", "integer", ["1"]),
            ])
        note.primaryKey = ["id"]
        note.foreignKeys = [
            SampledTable.ForeignKey(
                columns: ["order", "line"], table: "public.order_lines", otherColumns: ["order", "line"])
        ]
        var log = SampledTable(name: "public.log", columns: [column("what", "text", ["x", "x"])])
        log.sampled = 2
        let made = Scaffolded(tables: [line, note, log])
        #expect(made.plan.types.map(\.alias) == ["order-line", "note"])
        #expect(made.files.source.contains("    id: [order, line]\n"))
        #expect(made.plan.questions.map(\.table) == ["public.log"])
        #expect(
            made.notes == [
                "public.notes (order, line): refers to public.order_lines by several columns, which no single field can"
            ])
        #expect(try made.warnings() == [])
    }

    @Test func `Columns whose names differ in case are told apart`() throws {
        var table = SampledTable(
            name: "t",
            columns: [column("Id", "integer", ["1"]), column("id", "text", ["x"]), column("ID ", "text", ["y"])])
        table.primaryKey = ["Id"]
        let made = Scaffolded(tables: [table])
        #expect(made.fields == ["id: integer", "id_2: text", "id_3: text"])
        #expect(made.files.source.contains("    map:\n      id: Id\n      id_2: id\n      id_3: \"ID \"\n"))
        #expect(try made.warnings() == [])
    }

    @Test(arguments: [
        ("categories", "category"), ("public.Boxes", "box"), ("status", "status"), ("news", "news"),
        ("places", "place-record"),
        ("order_items", "order-item"), ("2024_sales", "n2024-sale"), ("addresses", "address"), ("home", "home-record"),
    ])
    func `A type is named after one row of its table`(_ table: String, _ alias: String) {
        var taken: Set<String> = []
        #expect(ScaffoldNames.alias(table, taken: &taken) == alias)
        #expect(ScaffoldNames.alias(table, taken: &taken) == "\(alias)-2")
    }

    @Test func `A password stays out of the files`() throws {
        for (url, bare) in [
            (
                "postgres://ana:s%40crt@db.example:5433/shop?sslmode=require",
                "postgres://ana@db.example:5433/shop?sslmode=require"
            ),
            ("postgresql://db.example/shop?password=x&user=ana", "postgresql://db.example/shop?user=ana"),
            ("postgres:///shop?host=/tmp&password=x", "postgres:///shop?host=/tmp"),
        ] {
            let origin = ScaffoldFiles.Origin(.database(.postgres(try PostgresURL(url))), into: "made")
            #expect(origin.lines == ["postgres: {url: \"\(bare)\"}"])
            #expect(origin.name == "shop")
        }
    }
}
