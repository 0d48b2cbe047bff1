import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// Texts that a number chooses: `{$n | plural: {one: "1 airport", other: "$n airports"}}`.
@Suite struct PluralTests {
    private let kitchen: RecordTypes

    init() throws { kitchen = try RecordTypes.kitchen() }

    private func programme(_ card: String, locales: String = "en, pl") -> String {
        """
        locales: [\(locales)]
        screens:
          home:
            title: H
            sections: [{id: a, kind: list, source: {records: {type: kitchen}}, body: {card: {\(card)}}}]
        """
    }

    private func printed(_ template: String, _ record: String, _ locale: String = "en") throws -> String? {
        var screens = try Screens(
            [kitchen.put("kitchen", "k", record)], types: kitchen,
            programme: programme("title: T, subtitle: '\(template)'"))
        let card = try #require(try screens.section("a", locale: locale).cards.first)
        return card.subtitle?.replacing("\u{A0}", with: " ")
    }

    // MARK: - Categories

    /// The samples that CLDR publishes with its rules, with the first of each range.
    @Test(arguments: [
        ("en", "one", "1"), ("en", "other", "0 2 16 100 1000 1000000 1.5 0.1 100.5"),
        ("ko", "other", "0 1 15 100 1000 1000000 0.1 1.5 10.5"),
        ("ru", "one", "1 21 31 41 101 1001"), ("ru", "few", "2 4 22 24 32 102 1002"),
        ("ru", "many", "0 5 19 100 1000 10000 1000000"), ("ru", "other", "1.5 0.1 10.5 1000.5"),
        ("ar", "zero", "0"), ("ar", "one", "1"), ("ar", "two", "2"), ("ar", "few", "3 10 103 110 1003"),
        ("ar", "many", "11 26 111 1011"), ("ar", "other", "100 102 200 202 1000 10000 1000000 0.1 1.5 10.5"),
        ("pl", "one", "1"), ("pl", "few", "2 4 22 24 32 102 1002"),
        ("pl", "many", "0 5 19 100 1000 10000 1000000"), ("pl", "other", "1.5 0.1 10.5 1000.5"),
        ("fr", "one", "0 1 1.5"), ("fr", "many", "1000000"), ("cy", "many", "6"), ("pt-PT", "other", "0 1.5"),
    ])
    func `A number has the category of CLDR's samples`(locale: String, category: String, samples: String) throws {
        for sample in samples.split(separator: " ") {
            let number = try #require(Double(sample))
            var values = [FieldValue.real(number)]
            if let whole = Int64(sample) { values += [.integer(whole), .unsigned(UInt64(whole)), .integer(-whole)] }
            for value in values + [.real(-number)] {
                #expect(PluralRules.of(locale).category(of: value)?.rawValue == category, "\(locale) \(value)")
            }
        }
    }

    @Test func `The visible digits decide, and all sizes of numbers have a category`() {
        let english = PluralRules.of("en")
        #expect(english.category(of: .real(1.000_000_1)) == .one, "it is printed as 1")
        #expect(english.category(of: .unsigned(.max)) == .other && english.category(of: .integer(.min)) == .other)
        #expect(english.category(of: .real(.greatestFiniteMagnitude)) == .other)
        #expect(english.category(of: .real(.nan)) == nil && english.category(of: .text("1")) == nil)
        #expect(PluralRules.of("xx").category(of: .integer(1)) == .other)
        #expect(PluralRules.of("ar").categories == Set(PluralCategory.allCases))
        #expect(english.categories == [.one, .other] && PluralRules.of("ko").categories == [.other])
    }

    // MARK: - Texts

    @Test(arguments: [
        (1, "en", "1 stop"), (0, "en", "0 stops"), (1234, "en", "1,234 stops"), (-1, "en", "1 stop"),
        (1, "pl", "1 przystanek"), (22, "pl", "22 przystanki"), (12345, "pl", "12 345 przystanków"),
    ])
    func `The number chooses the text and is printed as the locale does`(number: Int, locale: String, text: String)
        throws
    {
        let english = #"{$an_int64 | plural: {one: "1 stop", other: "$an_int64 stops"}}"#
        let polish =
            #"{$an_int64 | plural: {one: "1 przystanek", few: "$an_int64 przystanki", other: "$an_int64 przystanków"}}"#
        var screens = try Screens(
            [kitchen.put("kitchen", "k", #"{"an_int64": \#(number)}"#)], types: kitchen,
            programme: programme("title: T, subtitle: {en: '\(english)', pl: '\(polish)'}"))
        let card = try #require(try screens.section("a", locale: locale).cards.first)
        #expect(card.subtitle?.replacing("\u{A0}", with: " ") == text)
    }

    @Test(arguments: [
        (#"a · {$maybe_number | plural: {one: "one", other: "$maybe_number of them"}}"#, "a"),
        (#"{$maybe_number | plural: {other: "x"} ?? $a_string}"#, "s"),
        (
            #"{$numbers[0] | plural: {one: "one, $a_string", other: "$numbers[0] · $a_string, $maybe_text"}}"#,
            "1,500 · s"
        ),
        (#"{$a_double | plural: {one: "one", other: "{$a_double | number: 2} ($a_string)"}}"#, "1.50 (s)"),
    ])
    func `A missing number has no text, and texts may print other fields`(template: String, text: String) throws {
        #expect(try printed(template, #"{"a_string": "s", "numbers": [1500, 1], "a_double": 1.5}"#) == text)
    }

    // MARK: - Mistakes

    @Test(arguments: [
        (#"{$an_int64 | plural: {one: "a"}}"#, "'plural' needs 'other', for all numbers without a text of their own"),
        (
            #"{$an_int64 | plural: {othr: "a", other: "b"}}"#,
            "there is no plural category 'othr'; did you mean 'other'?; categories are zero, one, two, few, many, other"
        ),
        (#"{$an_int64 | plural: {one: "a", one: "b", other: "c"}}"#, "'plural' names 'one' twice"),
        (#"{$a_string | plural: {other: "a"}}"#, "'plural' formats a number, and '$a_string' isn't one"),
        (#"{$numbers | plural: {other: "a"}}"#, "'plural' is about one number, and '$numbers' may have several"),
        (
            "{$an_int64 | plural: one}",
            "'plural' takes a text for each category: '{one: \"1 day\", other: \"$n days\"}'"
        ),
        ("{$an_int64 | plural}", "'plural' needs 'other'"),
        (#"{$an_int64 | plural: {other: "$an_int46 stops"}}"#, "has no field 'an_int46'; did you mean 'an_int64'?"),
        (#"{$an_int64 | plural: {other: "a}}"#, "a text in braces must end with a quotation mark"),
        (
            #"{$an_int64 | plural: {one "a"}}"#,
            #"the options of 'plural' are written as '{one: "1 airport", other: "$n airports"}'"#
        ),
        (#"{$an_int64 | plurl: {other: "a"}}"#, "there is no format 'plurl'; did you mean 'plural'?"),
    ])
    func `Mistakes in plural texts are named with their line and cure`(template: String, message: String) {
        do {
            let text = programme("title: '\(template)'")
            _ = try Programme.parse(text: text, file: "p.yaml", types: kitchen.set)
            Issue.record("'\(template)' was taken")
        } catch {
            let found = error.mistakes.map(\.description)
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("p.yaml:5: ") == true && found.first?.contains(message) == true, "\(found)")
        }
    }

    @Test func `A text that no locale of the programme shows gets a warning`() throws {
        func warnings(_ locales: String) throws -> [String] {
            let text = programme(
                #"title: '{$an_int64 | plural: {zero: "none", few: "some", other: "$an_int64"}}'"#, locales: locales)
            return try Programme.check(text: text, file: "p.yaml", types: kitchen.set).warnings.map(\.description)
        }
        #expect(try warnings("en, pl, ar") == [])
        #expect(
            try warnings("en, pl") == [
                "p.yaml:5: the title of a card: no number has the plural category 'zero' in en, pl, so its text is never "
                    + "shown"
            ])
    }
}
