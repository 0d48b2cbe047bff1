import Foundation
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// What templates, facts, prices, ratings and badges print of a field of each type, and what counts as missing.
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

    /// A field with presence that isn't set, and what says nothing. The part between the separators is then gone.
    @Test(arguments: [
        ("maybe_number", "{}"), ("maybe_text", "{}"), ("maybe_flag", "{}"), ("as_number", "{}"), ("point.x", "{}"),
        ("at", "{}"), ("lasts", "{}"), ("wrapped_int64", "{}"), ("inner.level", "{}"), ("numbers", "{}"),
        ("a_string", "{}"), ("maybe_text", #"{"maybe_text": ""}"#), ("wrapped_string", #"{"wrapped_string": ""}"#),
        ("texts", #"{"texts": ["", ""]}"#), ("a_double", #"{"a_double": "NaN"}"#),
        ("a_float", #"{"a_float": "-Infinity"}"#), ("color", "{}"), ("color", #"{"color": "COLOR_UNSPECIFIED"}"#),
    ])
    func whatIsMissingTakesItsPartAway(field: String, record: String) throws {
        #expect(try card(record, "subtitle: \"a · $\(field) · b\"").subtitle == "a · b")
        let everywhere = """
            overline: $\(field), caption: $\(field), text: $\(field), image: $\(field), badges: [$\(field)], \
            price: $\(field), facts: [{label: L, value: $\(field)}]
            """
        #expect(try card(record, everywhere) == CardContent(title: "T"))
    }

    @Test(arguments: ["maybe_number", "as_number", "point.x", "wrapped_double"])
    func aMissingNumberIsNoRatingProgressOrRank(field: String) throws {
        let card = try card(
            "{}", "rating: $\(field), progress: {value: $\(field)}, rank: {place: $\(field)}, price: $\(field)")
        #expect(card == CardContent(title: "T"))
    }

    /// Its bytes can't say whether it was left out or set to 0, so it is a number.
    @Test func aNumberWithoutPresenceIsNeverMissing() throws {
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

    @Test func emptyTextsOfAListAreLeftOut() throws {
        let record = #"{"texts": ["", "a", "", "b"]}"#
        #expect(try printed("texts", record) == "a, b")
        #expect(try printed("texts[0]", record) == "a")
        #expect(try card(record, "badges: [$texts]").badges.map(\.text) == ["a", "b"])
    }
}
