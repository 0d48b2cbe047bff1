import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeStore

/// Changes as the log stores them, and as a mutation's fingerprint hashes them.
@Suite struct ChangeCodingTests {
    @Test func `A published record keeps each digit of its numbers`() throws {
        let json =
            #"{"put":{"type":"m","id":"1","record":{"a":0.12345678901234567,"b":18446744073709551615,"c":1.50}}}"#
        let numbers = [("a", "0.12345678901234567"), ("b", "18446744073709551615"), ("c", "1.50")]
        let record = JSONValue.object(numbers.map { JSONValue.Member(name: $0.0, value: .number($0.1)) })
        #expect(try Change(document: Array(json.utf8)) == .put(RecordID(type: "m", id: "1"), .json(record)))
    }

    @Test func `The document of a record with its bytes is read at once, and means what it means as JSON`() throws {
        for (id, count) in [("1", 0), ("a/b c", 1), ("\\\"", 2), ("é", 3), ("1", 4), ("x", 300)] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let change = Change.put(RecordID(type: "m", id: id), .bytes(bytes))
            let document = try change.document()
            let start = "{\"put\":{\"bytes\":\"\(Data(bytes).base64EncodedString())\","
            #expect(String(decoding: document, as: UTF8.self).hasPrefix(start))
            #expect(Change.put(written: document) == (id.utf8.contains { $0 >= 0x80 || $0 == 0x5C } ? nil : change))
            #expect(try Change(document: document) == change)
            #expect(try Change(document: Array(" ".utf8) + document) == change)
            for place in document.indices {
                for byte in [UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: "B"), 0x80] {
                    var other = document
                    other[place] = byte
                    guard let read = Change.put(written: other) else { continue }
                    #expect(try Change(document: Array(" ".utf8) + other) == read)
                }
            }
        }
        #expect(
            Change.put(written: Array(#"{"put":{"bytes":"AB==","id":"1","type":"m"}}"#.utf8)) == nil, "bits too many")
        #expect(Change.put(written: Array(#"{"put":{"bytes":"AA=A","id":"1","type":"m"}}"#.utf8)) == nil)
        #expect(Change.put(written: Array(#"{"put":{"bytes":"A=","id":"1","type":"m"}}"#.utf8)) == nil)
    }

    @Test func `What JSON escapes is escaped in every text`() throws {
        let name = (0..<0x30).map { String(UnicodeScalar(UInt8($0))) }.joined() + "\\é🎬\u{7F}"
        var writer = JSONWriter()
        writer.value(.object([JSONValue.Member(name: name, value: .text(name))]))
        #expect(try JSONValue(parsing: writer.bytes) == .object([JSONValue.Member(name: name, value: .text(name))]))
        #expect(writer.text.contains(#"\u0001\u0002"#) && writer.text.contains(#"\n\u000b\u000c\r"#))
    }

    @Test(arguments: [
        (#"{"put":{"type":"m","id":"1","record":{},"bytes":null,"clear":null,"create":null}}"#, "put"),
        (
            #"{"listItem":{"list":"top","edition":null,"item":{"key":"k","place":null},"at":null,"remove":null}}"#,
            "item"
        ),
    ])
    func `A member that is null counts as absent`(_ json: String, _ kind: String) throws {
        let put = Change.put(RecordID(type: "m", id: "1"), .json(.object([JSONValue.Member]())))
        let item = Change.listItem(EntryEdit(ListName("top"), putting: ListEntry(key: "k")))
        #expect(try Change(document: Array(json.utf8)) == (kind == "put" ? put : item))
    }

    @Test func `Changes are equal if their records have the same members in a different order`() throws {
        let one = #"{"put":{"type":"m","id":"1","record":{"b":{"y":1,"x":[{"d":2,"c":3}]},"a":true}}}"#
        let other = #"{"put":{"id":"1","record":{"a":true,"b":{"x":[{"c":3,"d":2}],"y":1}},"type":"m"}}"#
        let change = try Change(document: Array(one.utf8))
        #expect(try change == Change(document: Array(other.utf8)))
        #expect(try Change(document: change.document()) == change)
    }

    @Test func `A change that appears twice in an object is refused`() {
        let json = #"{"remove":{"type":"m","id":"1"},"remove":{"type":"m","id":"2"}}"#
        let error = #expect(throws: RecordError.self) { try Change(document: Array(json.utf8)) }
        #expect(error?.reason.hasPrefix("this is not JSON: the name 'remove' occurs twice in an object") == true)
    }

    @Test func `A fingerprint tells changes to records apart, and is the same for the same change`() throws {
        func fingerprint(_ document: String) throws -> UInt64 {
            let change = try Change(document: Array(document.utf8))
            return try Fingerprint.of(.catalogue(key: nil, changes: [change], mutation: nil))
        }
        let documents = [
            #"{"put":{"type":"m","id":"1","record":{"a":"1","b":2}}}"#,
            #"{"put":{"type":"m","id":"1","record":{"a":1,"b":2}}}"#,
            #"{"put":{"type":"m","id":"1","record":{"a":["1"],"b":2}}}"#,
            #"{"put":{"type":"m","id":"1","record":{"a":"1b","":2}}}"#,
            #"{"put":{"type":"m","id":"1","bytes":""}}"#, #"{"put":{"type":"m","id":"1","record":{}}}"#,
            #"{"merge":{"type":"m","id":"1","record":{}}}"#, #"{"merge":{"type":"m","id":"1","clear":["a"]}}"#,
            #"{"merge":{"type":"m","id":"1","record":{},"create":false}}"#, #"{"remove":{"type":"m","id":"1"}}"#,
            #"{"page":{"id":"a","sections":[]}}"#, #"{"listItem":{"list":"l","item":{"key":"m/1"}}}"#,
            #"{"listItem":{"list":"l","item":{"record":"m/1"}}}"#, #"{"listItem":{"list":"l","remove":"m/1"}}"#,
            #"{"listItem":{"list":"l","item":{"key":"m/1"},"at":1}}"#,
            #"{"listItem":{"list":"l","edition":"e","item":{"key":"m/1"}}}"#,
        ]
        #expect(try Set(documents.map(fingerprint)).count == documents.count)
        let other = #"{"put":{"record":{"b":2,"a":"1"},"id":"1","type":"m"}}"#
        #expect(try fingerprint(other) == fingerprint(documents[0]))
    }

    @Test func `The log returns changes as they were, whatever is in their names`() throws {
        let ids = ["1", "a/b", "näme", "\"", "\\", "\u{1}", "\u{7f}", "\u{2028}"]
        var changes: [Change] = [
            .put(RecordID(type: "movie", id: "1"), .bytes([])), .remove(RecordID(type: "movie", id: "1")),
        ]
        for id in ids {
            let (list, record) = (ListName("l"), RecordID(type: "movie", id: id))
            let more: [Change] = [
                .put(record, .bytes([0, 255, 62, 63])), .listItem(EntryEdit(list, putting: ListEntry(record))),
                .listItem(EntryEdit(list, putting: ListEntry(key: id), at: 2)),
                .listItem(EntryEdit(list, putting: ListEntry(key: id, record: record, place: .bytes([1])), at: 2)),
                .listItem(EntryEdit(ListName(id, edition: id), putting: ListEntry(record))),
                .listItem(EntryEdit(list, removing: id)),
            ]
            changes += more
        }
        let json = ChangeCoding.encode(changes)
        #expect(try ChangeCoding.decode(json) == changes)
        // Foundation agrees that it is JSON.
        #expect(try JSONSerialization.jsonObject(with: Data(json)) is [[String: Any]])
        #expect(ChangeCoding.encode([]) == Array("[]".utf8))
    }
}
