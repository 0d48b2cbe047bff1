import Foundation
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// The printed values of fields of each type in templates, facts, prices, ratings and badges, and which values count as
/// missing.
@Suite struct PrintedValueTests {
    private let types: RecordTypes

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let descriptors = try Data(contentsOf: root.appending(path: "TypesTests/Fixtures/kitchen.desc"))
        types = try RecordTypes(
            """
            descriptors: kitchen.desc
            types:
              kitchen: {message: kitchen.v1.Kitchen, facets: [color, a_float], sorts: [a_float]}
            """, descriptors: [UInt8](descriptors))
    }

    private func screens(_ record: String, _ section: String) throws -> Screens {
        try Screens(
            [types.put("kitchen", "k", record)], types: types,
            programme: """
                locales: [en]
                screens:
                  home: {title: H, sections: [{id: a, kind: list, \(section)}]}
                """)
    }

    private func card(_ record: String, _ card: String) throws -> CardContent {
        var screens = try screens(record, "source: {records: {type: kitchen}}, body: {card: {title: T, \(card)}}")
        return try #require(try screens.section("a").cards.first)
    }

    private func printed(_ field: String, _ record: String) throws -> String? {
        try card(record, "subtitle: \"a · $\(field) · b\"").subtitle.map { String($0.dropFirst(4).dropLast(4)) }
    }

    // MARK: - Missing

    /// Unset fields with presence, and values without meaning. The part between the separators is then omitted.
    @Test(arguments: [
        ("maybe_number", "{}"), ("maybe_text", "{}"), ("maybe_flag", "{}"), ("as_number", "{}"), ("point.x", "{}"),
        ("at", "{}"), ("lasts", "{}"), ("wrapped_int64", "{}"), ("inner.level", "{}"), ("numbers", "{}"),
        ("a_string", "{}"), ("maybe_text", #"{"maybe_text": ""}"#), ("wrapped_string", #"{"wrapped_string": ""}"#),
        ("texts", #"{"texts": ["", ""]}"#), ("a_double", #"{"a_double": "NaN"}"#),
        ("a_float", #"{"a_float": "-Infinity"}"#), ("color", "{}"), ("color", #"{"color": "COLOR_UNSPECIFIED"}"#),
    ])
    func `A part whose value is missing is omitted`(field: String, record: String) throws {
        #expect(try card(record, "subtitle: \"a · $\(field) · b\"").subtitle == "a · b")
        let everywhere = """
            overline: $\(field), caption: $\(field), text: $\(field), image: $\(field), badges: [$\(field)], \
            price: $\(field), facts: [{label: L, value: $\(field)}]
            """
        #expect(try card(record, everywhere) == CardContent(title: "T"))
    }

    @Test(arguments: ["maybe_number", "as_number", "point.x", "wrapped_double"])
    func `A card without the number has no rating, progress or rank`(field: String) throws {
        let card = try card(
            "{}", "rating: $\(field), progress: {value: $\(field)}, rank: {place: $\(field)}, price: $\(field)")
        #expect(card == CardContent(title: "T"))
    }

    /// The bytes don't tell whether it was unset or set to 0, so it counts as a number.
    @Test func `A number without presence is never missing`() throws {
        for record in ["{}", #"{"an_int32": 0, "a_double": 0, "a_bool": false}"#] {
            #expect(try printed("an_int32", record) == "0")
            #expect(try printed("a_double", record) == "0")
            #expect(try printed("a_bool", record) == "false")
            let card = try card(record, "rating: $a_double, price: $an_int32, facts: [{label: L, value: $an_int32}]")
            #expect(card.rating?.value == 0 && card.price?.amount == "0" && card.facts.map(\.value) == ["0"])
        }
        #expect(try printed("maybe_number", #"{"maybe_number": 0}"#) == "0")
        #expect(try printed("maybe_flag", #"{"maybe_flag": false}"#) == "false")
        #expect(try printed("point.x", #"{"point": {}}"#) == "0")
    }

    @Test func `Empty texts of a list are omitted`() throws {
        let record = #"{"texts": ["", "a", "", "b"]}"#
        #expect(try printed("texts", record) == "a, b")
        #expect(try printed("texts[0]", record) == "a")
        #expect(try card(record, "badges: [$texts]").badges.map(\.text) == ["a", "b"])
    }

    // MARK: - How a value is written

    /// As in protobuf's JSON, except that numbers have no quotes and no needless decimals.
    @Test(arguments: [
        ("an_int64", #"{"an_int64": "-7"}"#, "-7"),
        ("a_uint64", #"{"a_uint64": "18446744073709551615"}"#, "18446744073709551615"),
        ("a_double", #"{"a_double": 4}"#, "4"), ("a_double", #"{"a_double": 4.6}"#, "4.6"),
        ("a_float", #"{"a_float": 4.6}"#, "4.6"), ("wrapped_float", #"{"wrapped_float": 0.1}"#, "0.1"),
        ("a_bool", #"{"a_bool": true}"#, "true"), ("a_string", #"{"a_string": "x"}"#, "x"),
        ("color", #"{"color": "COLOR_RED"}"#, "COLOR_RED"), ("color", #"{"color": 77}"#, "77"),
        ("inner.level", #"{"inner": {}}"#, "LOW"), ("colors", #"{"colors": [1, 2]}"#, "COLOR_RED, COLOR_GREEN"),
        ("at", #"{"at": "2026-01-02T07:30:00+01:00"}"#, "2026-01-02T06:30:00Z"),
        ("at", #"{"at": "2026-01-02T06:30:00.25Z"}"#, "2026-01-02T06:30:00.250Z"),
        ("lasts", #"{"lasts": "3.5s"}"#, "3.500s"), ("by_flag[true]", #"{"by_flag": {"true": 2}}"#, "COLOR_GREEN"),
    ])
    func `Values are printed in plain notation`(field: String, record: String, text: String) throws {
        #expect(try printed(field.hasSuffix("]") ? "{\(field)}" : field, record) == text)
    }

    @Test func `A float equals the number that was written`() throws {
        for condition in ["{a_float: 4.6}", "{a_float: {from: 4.6}}", "{a_float: {to: 4.6}}"] {
            var screens = try screens(
                #"{"a_float": 4.6}"#,
                "source: {records: {type: kitchen, where: \(condition)}}, body: {card: {title: T}}")
            #expect(try screens.section("a").cards.count == 1, "\(condition)")
        }
        #expect(try card(#"{"a_float": 4.6}"#, "rating: $a_float").rating?.value == 4.6)
    }

    @Test(arguments: [
        ("subtitle: $some_bytes", "the subtitle of a card: 'some_bytes' can't be printed: it is bytes"),
        (
            "subtitle: $inner",
            "the subtitle of a card: 'inner' can't be printed: it is a kitchen.v1.Kitchen.Inner; name a field of it, such as 'inner.level'"
        ),
        (
            "subtitle: $points",
            "the subtitle of a card: 'points' can't be printed: it is a list of kitchen.v1.Point; the source 'nested' shows one"
        ),
        (
            "subtitle: $by_unsigned",
            "the subtitle of a card: 'by_unsigned' can't be printed: it is a map; one entry is '${by_unsigned[key]}'"
        ),
        (
            "subtitle: $titles",
            "the subtitle of a card: 'titles' can't be printed: it is a map; if it holds texts by locale, declare it: 'localized: [titles]' of the type. One entry is '${titles[key]}'"
        ),
        ("rating: $a_string", "a rating must be a number, not '$a_string'"),
        ("progress: {value: $an_int32, total: $lasts}", "the total of progress must be a number, not '$lasts'"),
        ("rank: {place: $id}", "the place of a rank must be a number, not '$id'"),
    ])
    func whatCannotBePrintedIsRefusedWithTheReason(card: String, reason: String) {
        let text =
            "screens:\n  home:\n    title: H\n    sections:\n      - {id: a, kind: list, "
            + "source: {records: {type: kitchen}}, body: {card: {title: T, \(card)}}}\n"
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types.set)
            Issue.record("it was taken")
        } catch {
            #expect(error.mistakes.map(\.description) == ["p.yaml:5: \(reason)"])
        }
    }
}
