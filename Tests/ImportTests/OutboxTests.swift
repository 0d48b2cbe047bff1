import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeImport

@Suite struct OutboxTests {
    private static func source(_ lines: String) throws(FileMistakes) -> SourceFile {
        try SourceFile(yaml: "source: shop\n\(lines)\n", file: "source.yaml")
    }

    @Test func `An outbox is named beside its database`() throws {
        func feed(_ name: String) throws -> OutboxFeed? {
            let source = try Self.source("postgres: {url: postgres://u@h/shop, outbox: \(name)}")
            if case .outbox(let feed) = source.origin { return feed } else { return nil }
        }
        #expect(try feed("marquee_outbox")?.fullName == "public.marquee_outbox")
        #expect(try feed("Sales.out")?.quotedName == #""Sales"."out""#)
        for wrong in ["a.b.c", "''", "a.", String(repeating: "a", count: 64)] {
            #expect(throws: FileMistakes.self) { _ = try feed(wrong) }
        }
    }

    @Test func `It has neither tables nor a slot`() {
        for more in [", slot: a}", ", publication: a}", "}\ntables: {a: {type: b}}"] {
            #expect(throws: FileMistakes.self) {
                _ = try Self.source("postgres: {url: postgres://u@h/shop, outbox: marquee_outbox\(more)")
            }
        }
    }

    @Test func `A position is read as it was written`() throws {
        let position = OutboxPosition(system: "7234", timeline: 2, claim: 55)
        #expect(position.description == "outbox1 7234 2 55")
        #expect(OutboxPosition("outbox1 7234 2 55") == position)
        #expect(position.next.claim != 55 && position.next.system == "7234")
        for other in ["pg1 7 1 a 0/0", "outbox1 7 1", "outbox1 7 1 0", "outbox1 7 1 x", "outbox1 7 1 5 5", ""] {
            #expect(OutboxPosition(other) == nil)
        }
    }

    @Test func `Rows of the last claim are published, and a database that isn't the same is named`() {
        func start(_ stored: String?) -> OutboxStart { OutboxStart(stored: stored, system: "7", timeline: 2) }
        #expect(start(nil).published == nil && start(nil).warning == nil)
        #expect(start("outbox1 7 2 55").published == 55 && start("outbox1 7 2 55").warning == nil)
        #expect(start("outbox1 7 1 55").published == 55)
        #expect(start("outbox1 7 1 55").warning?.contains("timeline 2, not 1") == true)
        #expect(start("outbox1 8 2 55").warning == "the database is another one")
        #expect(start("lines1 a 4").published == nil)
        #expect(start("lines1 a 4").warning?.contains("of another kind") == true)
    }

    @Test func `A row has a change or a list of them, and none that is about a whole publication`() throws {
        func documents(_ text: String?) throws -> [String] {
            try OutboxRow(id: 1, text: text).documents.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try documents(#"{"remove": {"id": "1", "type": "a"}}"#) == [#"{"remove":{"id":"1","type":"a"}}"#])
        #expect(try documents(#"[{"a": 1.50}, 2]"#) == [#"{"a":1.50}"#, "2"])
        #expect(try documents("[]") == [])
        for wrong in [#"{"undo": {"revision": 3}}"#, #"[{"a": 1}, {"draft": "spring"}]"#, nil] {
            #expect(throws: RecordError.self) { _ = try documents(wrong) }
        }
    }
}
