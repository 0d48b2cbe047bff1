import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Testing

/// Changes as people and programs write them.
@Suite struct ChangeDocumentTests {
    private static func refusal(_ json: String) -> String? {
        do throws(RecordError) {
            _ = try Change(document: Array(json.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        (
            #"{"put": {"type": "episode", "id": "e1", "recrod": {"title": "x"}}}"#,
            "put: there is no field 'recrod' here; did you mean 'record'?"
        ),
        (
            #"{"merge": {"type": "episode", "id": "e1", "Clear": []}}"#,
            "merge: there is no field 'Clear' here; did you mean 'clear'?"
        ),
        (
            #"{"remove": {"type": "episode", "ID": "e1"}}"#,
            "remove: the field 'id' is missing; is 'ID' a misspelling of it?"
        ),
        (
            #"{"list": {"list": "top", "entries": [{"key": "a"}, {"key": "b", "role": "c"}]}}"#,
            "list.entries[1]: there is no field 'role' here; the known fields are bytes, key, place, record"
        ),
        (#"{"pagge": {"id": "p"}}"#, "there is no field 'pagge' here; did you mean 'page'?"),
        (
            #"{"page": {"id": "p", "sections": []}, "lists": {}}"#,
            "there is no field 'lists' here; did you mean 'list'?"
        ),
        (
            #"{"page": {"id": "p", "sections": [{"id": "s", "type": "t", "title": "", "list": "top", "titles": {}}]}}"#,
            "page.sections[0]: there is no field 'titles' here; did you mean 'title'?"
        ),
        (
            #"{"listItem": {"list": "top", "item": {"key": "c", "palce": {}}}}"#,
            "listItem.item: there is no field 'palce' here; did you mean 'place'?"
        ),
        (
            #"{"types": {"declaration": "", "descriptors": ""}}"#,
            "types: the field 'declarations' is missing; is 'declaration' a misspelling of it?"
        ),
    ])
    func `An unknown field is refused at any depth, with the nearest known one`(json: String, reason: String) {
        #expect(ChangeDocumentTests.refusal(json) == reason)
    }

    @Test(arguments: [
        (
            #"{"listItem": {"list": "top", "item": {"key": "a"}, "at": 0}}"#,
            "listItem: 'at' is a rank, and ranks begin with 1, not 0"
        ),
        (
            #"{"listItem": {"list": "top", "item": {"key": "a"}, "at": 9.5}}"#,
            "listItem.at: a whole number from -9223372036854775808 to 9223372036854775807 is expected, not 9.5"
        ),
        (
            #"{"listItem": {"list": "top", "item": {"key": "a"}, "at": 1e999}}"#,
            "listItem.at: a whole number from -9223372036854775808 to 9223372036854775807 is expected, not 1e999"
        ),
        (
            #"{"listItem": {"list": "top", "item": {"key": "a"}, "at": "5"}}"#,
            "listItem.at: a whole number from -9223372036854775808 to 9223372036854775807 is expected, not the text '5'"
        ),
        (#"{"show": {"list": "daily", "edition": 7}}"#, "show.edition: text is expected, not 7"),
        (#"{"show": {"list": "daily", "edition": null}}"#, "show.edition: text is expected, not null"),
        (#"{"page": [1]}"#, "page: an object is expected, not a list"),
        (#"{"page": {"id": "p", "sections": 28}}"#, "page.sections: a list is expected, not 28"),
        (
            #"{"merge": {"type": "episode", "id": "e1", "clear": ["a", 28]}}"#,
            "merge.clear[1]: text is expected, not 28"
        ),
        (
            #"{"types": {"declarations": "types: {}", "descriptors": "?"}}"#,
            "types.descriptors: base64 text is expected"
        ),
        (#"{"programme": {}}"#, "programme: text is expected, not an object"),
        (#"["page"]"#, "an object is expected, not a list"),
    ])
    func `An impossible value is refused by its path, in terms of JSON`(json: String, reason: String) {
        #expect(ChangeDocumentTests.refusal(json) == reason)
    }

    @Test(arguments: [
        "nonsense", "", #"{"listItem": {"list": "top", "at": NaN}}"#, #"{"page": {"id": "p","#,
    ])
    func `Text that is not JSON is reported as such`(text: String) throws {
        let reason = try #require(ChangeDocumentTests.refusal(text))
        #expect(reason.hasPrefix("this is not JSON"))
        for word in ["Decod", "Swift", "Dictionary", "NSCocoa"] { #expect(!reason.contains(word)) }
    }

    @Test func `A pool of a list chooses an entry by its key`() throws {
        let change = try Change(document: Array(#"{"choose": {"pool": "main", "entry": "team/ars"}}"#.utf8))
        #expect(change == .chooseEntry(pool: "main", entry: "team/ars"))
        for json in [
            #"{"choose": {"pool": "main", "entry": "a", "record": "episode/e1"}}"#, #"{"choose": {"pool": "main"}}"#,
        ] {
            #expect(ChangeDocumentTests.refusal(json)?.contains("a choice is either") == true, "\(json)")
        }
    }

    @Test func `A section of a page without a list is refused`() {
        let json = #"{"page": {"id": "p", "sections": [{"id": "s", "type": "t", "title": ""}]}}"#
        #expect(ChangeDocumentTests.refusal(json)?.contains("'list'") == true)
    }

    /// These changes cover everything a change can contain.
    @Test func `A written change reads back the same`() throws {
        let changes: [Change] =
            Sample.everything + [
                .put(.episode("e1"), .json(.object([:]))), .merge(.episode("e1"), .bytes([8, 1]), clear: ["title"]),
                .remove(.episode("e/1")), .removeChoice(pool: "main"), .removePage("p"),
                .list(RecordList(ListName("top"), entries: [ListEntry(key: "k", place: .json(.object([:])))])),
                .listItem(EntryEdit(ListName("top"), putting: ListEntry(key: "k"), at: 3)),
                .listItem(EntryEdit(ListName("daily", edition: "01"), removing: "k")), .removeList(ListName("top")),
                .removeList(ListName("daily", edition: "01")),
            ]
        for change in changes where change.key != .time && change.key != .source("shop") {
            #expect(try Change(document: change.document()) == change)
        }
        #expect(
            ChangeDocumentTests.refusal(#"{"time": "2026-12-24T18:00:00Z"}"#)?.contains("can't be published") == true)
        #expect(
            ChangeDocumentTests.refusal(#"{"source": {"source": "shop", "position": "1"}}"#)?
                .contains("a publication names its source separately") == true)
    }
}
