import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// Formats and alternatives in braces: `{$plays | number ?? "none"}`.
@Suite struct TemplateFormatTests {
    private let types: RecordTypes
    private let kitchen: RecordTypes

    init() throws {
        types = try Podcasts.types()
        kitchen = try RecordTypes.kitchen()
    }

    private func programme(_ type: String, _ card: String, _ head: String = "locales: [en, ko, pl]") -> String {
        """
        \(head)
        screens:
          home:
            title: H
            sections: [{id: a, kind: list, source: {records: {type: \(type)}}, body: {card: {\(card)}}}]
        """
    }

    private func printed(_ template: String, _ record: String, _ locale: String = "en") throws -> String? {
        var screens = try Screens(
            [kitchen.put("kitchen", "k", record)], types: kitchen,
            programme: programme("kitchen", "title: T, subtitle: '\(template)'"))
        let card = try #require(try screens.section("a", locale: locale).cards.first)
        // ICU separates groups of digits, and a time from AM or PM, by spaces that don't break.
        return card.subtitle.map { $0.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ") }
    }

    private func mistakes(_ template: String) -> [String] {
        do {
            let text = programme("kitchen", "title: '\(template)'")
            _ = try Programme.parse(text: text, file: "p.yaml", types: kitchen.set)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    // MARK: - Formats

    @Test(arguments: [
        ("{$an_int64 | number}", "1,234,567", "1,234,567", "1 234 567"),
        ("{$an_int64 | bytes}", "1.2 MB", "1.2MB", "1,2 MB"),
        ("{$a_double | number: 2}", "0.50", "0.50", "0,50"),
        ("{$a_double | percent}", "50%", "50%", "50%"),
        ("{$at | date: {zone: Asia/Seoul}}", "Jan 3, 2026", "2026년 1월 3일", "3 sty 2026"),
        ("{$at | date: short}", "1/2/2026", "2026. 1. 2.", "2.01.2026"),
        ("{$at | time}", "6:30 PM", "오후 6:30", "18:30"),
        ("{$at | time: {style: short, zone: Asia/Seoul}}", "3:30 AM", "오전 3:30", "03:30"),
        ("{$at | datetime: short}", "1/2/2026, 6:30 PM", "2026. 1. 2. 오후 6:30", "2.01.2026, 18:30"),
        ("{$lasts | duration}", "1 hr, 2 min, 5 sec", "1시간 2분 5초", "1 godz., 2 min i 5 sek."),
    ])
    func `A format prints for the reader's locale`(template: String, en: String, ko: String, pl: String) throws {
        let record = #"{"an_int64": 1234567, "a_double": 0.5, "at": "2026-01-02T18:30:00Z", "lasts": "3725s"}"#
        for (locale, text) in [("en", en), ("ko", ko), ("pl", pl)] {
            #expect(try printed(template, record, locale) == text)
        }
    }

    @Test func `A formatted value that is missing or out of range omits its part`() throws {
        for template in ["a · {$at | time}", "a · {$maybe_number | number}"] {
            #expect(try printed(template, #"{"an_int64": -1}"#) == "a")
        }
    }

    @Test func `All values of a list are formatted`() throws {
        #expect(try printed("{$numbers | number}", #"{"numbers": [1000, 2]}"#) == "1,000, 2")
    }

    @Test(arguments: [
        ("{$a_string}", "{x}"), ("{a}", "{a}"), ("{{$a_string}}", "{{x}}"), ("{${a_string} | number}", "{x | number}"),
    ])
    func `Braces without an operator stay plain text`(template: String, text: String) throws {
        #expect(try printed(template, #"{"a_string": "x"}"#) == text)
    }

    @Test func `The programme's zone is for formats that name none`() throws {
        let record = try kitchen.put("kitchen", "k", #"{"at": "2026-01-02T18:30:00Z"}"#)
        for (template, text) in [
            ("{$at | datetime: {style: short}}", "2026. 1. 3. 오전 3:30"), ("{$at | date: {zone: UTC}}", "2026년 1월 2일"),
        ] {
            let programme = programme("kitchen", "title: '\(template)'", "locales: [ko]\nzone: Asia/Seoul")
            var screens = try Screens([record], types: kitchen, programme: programme)
            #expect(try screens.section("a", locale: "ko").titles == [text])
        }
    }

    @Test func `An unknown zone of the programme is refused`() {
        let text = programme("kitchen", "title: T", "zone: Asia/Seol")
        let error = #expect(throws: FileMistakes.self) {
            try Programme.parse(text: text, file: "p.yaml", types: kitchen.set)
        }
        #expect(
            error?.mistakes.map(\.description) == [
                "p.yaml:1: there is no time zone 'Asia/Seol'; did you mean 'Asia/Seoul'?"
            ])
    }

    // MARK: - Alternatives

    @Test func `The first alternative that is present is printed`() throws {
        let template = #"{$maybe_text ?? $at | date ?? "un · known"}!"#
        #expect(try printed(template, #"{"maybe_text": "x"}"#) == "x!")
        #expect(try printed(template, #"{"at": "2026-01-02T18:30:00Z"}"#) == "Jan 2, 2026!")
        #expect(try printed(template, "{}") == "un · known!")
    }

    @Test func `A part whose alternatives are all missing is omitted`() throws {
        #expect(try printed("a · {$maybe_text ?? $as_text}", "{}") == "a")
    }

    @Test func `A missing title is its alternative, and without one the id`() throws {
        for (title, expected) in [(#"{$maybe_text ?? "Untitled"}"#, "Untitled"), ("$maybe_text", "k")] {
            var screens = try Screens(
                [kitchen.put("kitchen", "k", "{}")], types: kitchen,
                programme: programme("kitchen", "title: '\(title)'"))
            #expect(try screens.section("a").titles == [expected])
        }
    }

    @Test func `A choice prints a referenced record, and its changes, once it exists`() throws {
        var screens = try Screens(
            [types.put("episode", "e", #"{"guid": "e", "show": "s", "title": {"en": "E"}}"#)], types: types,
            programme: programme("episode", #"title: '{$show.title ?? "none"}', caption: '{$show.followers | number}'"#)
        )
        try screens.watchSections(of: "home")
        #expect(try screens.section("a").titles == ["none"])
        for (followers, text) in [(1000, "1,000"), (2000, "2,000")] {
            let show = try types.put(
                "show", "s", #"{"slug": "s", "title": {"en": "S"}, "followers": \#(followers)}"#)
            #expect(try cost(of: show, in: &screens).sections == ["a"])
            let card = try #require(try screens.section("a").cards.first)
            #expect(card.title == "S" && card.caption == text)
        }
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 kB"), (1_500, "1.5 kB"), (999_949, "999.9 kB"),
        (999_950, "1 MB"), (-1_500, "-1.5 kB"), (Int64.max, "9,223.37 PB"), (Int64.min, "-9,223.37 PB"),
    ])
    func `Any number of bytes is printed`(count: Int64, wanted: String) throws {
        #expect(try printed("{$an_int64 | bytes}", #"{"anInt64": "\#(count)"}"#) == wanted)
    }

    // MARK: - Mistakes

    @Test(arguments: [
        ("{$an_int64 | numbr}", "there is no format 'numbr'; did you mean 'number'?"),
        ("{$a_string | date}", "'date' formats a google.protobuf.Timestamp or a day, and '$a_string' isn't one"),
        ("{$at | number}", "'number' formats a number, and '$at' isn't one"),
        ("{$at | duration}", "'duration' formats a google.protobuf.Duration, and '$at' isn't one"),
        ("{$at | time: {zone: Asia/Seol}}", "there is no time zone 'Asia/Seol'; did you mean 'Asia/Seoul'?"),
        ("{$at | date: meduim}", "'date' is short, medium, long, not 'meduim'; did you mean 'medium'?"),
        ("{$at | date: {zoen: UTC}}", "'date' takes 'style' and 'zone', not 'zoen'"),
        ("{$at | date: {zone}}", "the options of 'date' are written as '{zone: Asia/Seoul, style: short}'"),
        ("{$a_double | number: 99}", "'number' takes 0 to 9 fraction digits, not '99'"),
        ("{$an_int64 | bytes: 2}", "'bytes' takes nothing after it"),
        ("{$a_strin ?? $at}", "kitchen.v1.Kitchen has no field 'a_strin'; did you mean 'a_string'?"),
        ("{$a_string ?? none}", "braces hold fields and texts in quotation marks"),
        (#"{$a_string ?? "none}"#, "a text in braces must end with a quotation mark"),
        ("{$a_string ?? $at", "in braces, '??' or '}' must follow"),
    ])
    func `Mistakes in braces are named with their line and cure`(template: String, message: String) {
        let found = mistakes(template)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("p.yaml:5: ") == true && found.first?.contains(message) == true, "\(found)")
    }

    @Test func `The number of alternatives is bounded`() {
        let many = Array(repeating: "$a_string", count: 9).joined(separator: " ?? ")
        #expect(mistakes("{\(many)}").first?.contains("braces hold at most 8 alternatives") == true)
    }
}
