import Foundation
import MarqueeCatalogue
import MarqueeModel
import Testing

@testable import MarqueeStore

/// Changes that are read without a decoder are the same as with one.
@Suite struct UsualChangeTests {
    static let usual = [
        #"{"put":{"type":"movie","id":"1","record":{"title":"Näme \"x\" /\u00e9","id":1,"genres":[1,2]}}}"#,
        #"{ "put" : {"record": {"b": true, "a": {"z": [], "y": {}}}, "id": "x y", "type": "movie"} }"#,
        #"{"put":{"type":"m","id":"1","record":{"a":7.5,"b":-0,"c":-12,"d":0.001,"e":9223372036854775807}}}"#,
        #"{"merge":{"type":"movie","id":"1","record":{"popularity":1000.125}}}"#,
        #"{"merge":{"type":"movie","id":"1","record":{}}}"#,
        #"{"remove":{"type":"movie","id":"1"}}"#,
        #"{"listItem":{"list":"top","item":{"record":"movie/1"},"at":3}}"#,
        #"{"listItem":{"list":"top","item":{"key":"k","record":"movie/1"}}}"#,
        #"{"listItem":{"list":"top/a","item":{"key":"k"},"at":1}}"#,
    ]

    static let unusual = [
        #"{"put":{"type":"m","id":"1","record":{"a":1.0}}}"#, #"{"put":{"type":"m","id":"1","record":{"a":1e3}}}"#,
        #"{"put":{"type":"m","id":"1","record":{"a":18446744073709551615}}}"#,
        #"{"put":{"type":"m","id":"1","record":{"a":0.12345678901234567}}}"#,
        #"{"put":{"type":"m","id":"1","record":{"a":null}}}"#, #"{"put":{"type":"m","id":"1","bytes":""}}"#,
        #"{"put":{"type":"m","id":"1","record":{},"clear":[]}}"#, #"{"put":{"type":"m","id":1,"record":{}}}"#,
        #"{"put":{"type":"m","id":"1"}}"#, #"{"merge":{"type":"m","id":"1","clear":["a"]}}"#,
        #"{"merge":{"type":"m","id":"1","record":{},"create":false}}"#, #"{"remove":{"type":"m","id":"1","more":1}}"#,
        #"{"listItem":{"list":"top","remove":"k"}}"#, #"{"listItem":{"list":"top","item":{}}}"#,
        #"{"listItem":{"list":"top","item":{"key":"k"},"at":1.5}}"#,
        #"{"listItem":{"list":"top","item":{"key":"k","place":{"points":3}}}}"#,
        #"{"listItem":{"list":"top","edition":"e","item":{"key":"k"}}}"#,
        #"{"remove":{"type":"m","id":"1"},"put":{}}"#, #"{"page":{"id":"a","sections":[]}}"#, "[]", "{", "",
    ]

    @Test(arguments: usual) func `A change in the usual form is what a decoder makes of it`(_ document: String) throws {
        let json = Data(document.utf8)
        #expect(try Change(usual: json) == JSONDocument.decode(Change.self, from: json))
    }

    @Test(arguments: unusual) func `Anything else is left to the decoder`(_ document: String) {
        #expect(Change(usual: Data(document.utf8)) == nil)
    }

    @Test func `A fingerprint tells changes of records apart, and knows the same one again`() throws {
        func fingerprint(_ document: String) throws -> UInt64 {
            let change = try Change(document: Data(document.utf8))
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

    @Test func `The log has changes as an encoder writes them`() throws {
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
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try ChangeCoding.encode(changes)
        #expect(json == [UInt8](try encoder.encode(changes)))
        #expect(try ChangeCoding.decode(Data(json)) == changes)
        #expect(try ChangeCoding.encode([]) == Array("[]".utf8))
    }
}
