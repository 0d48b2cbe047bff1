import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// Values printed by the labels that the types declare: `{$level | label}`.
@Suite struct LabelTests {
    private static let labels = """
        {color: {COLOR_RED: {en: Red, ko: 빨강}, COLOR_GREEN: Green}, \
        colors: {COLOR_RED: Red}, texts: {a: {en: Letter A}}, a_string: {x: {ko: 엑스}}}
        """

    private static let programme = """
        locales: [en, ko, pl]
        screens:
          home:
            title: H
            sections:
              - id: a
                kind: list
                source: {records: {type: kitchen}}
                body: {card: {title: T, subtitle: 'TEMPLATE'}}
        """

    private func types(_ labels: String = Self.labels) throws -> RecordTypes {
        try RecordTypes.kitchen("labels: \(labels), facets: [color]")
    }

    private func programme(_ template: String) -> String { Self.programme.replacing("TEMPLATE", with: template) }

    private func screens(_ template: String, _ record: String) throws -> Screens {
        let types = try types()
        return try Screens([types.put("kitchen", "k", record)], types: types, programme: programme(template))
    }

    @Test(arguments: [
        ("{$color | label}", #"{"color": "COLOR_RED"}"#, "en", "Red"),
        ("{$color | label}", #"{"color": "COLOR_RED"}"#, "ko", "빨강"),
        ("{$color | label}", #"{"color": "COLOR_RED"}"#, "pl", "Red"),
        ("{$color | label}", #"{"color": "COLOR_GREEN"}"#, "ko", "Green"),
        ("{$color | label}", #"{"color": "COLOR_BELOW"}"#, "en", "COLOR_BELOW"),
        (#"{$color | label ?? "none"}"#, "{}", "en", "none"),
        ("{$colors | label}", #"{"colors": ["COLOR_RED", "COLOR_GREEN"]}"#, "en", "Red, COLOR_GREEN"),
        ("{$texts[0] | label}", #"{"texts": ["a", "b"]}"#, "pl", "Letter A"),
        ("{$a_string | label}", #"{"a_string": "x"}"#, "en", "엑스"),
        ("{$a_string | label}", #"{"a_string": "y"}"#, "en", "y"),
    ])
    func `A label is in the reader's locale, and a value without one shows its name`(
        template: String, record: String, locale: String, text: String
    ) throws {
        var screens = try screens(template, record)
        #expect(try screens.section("a", locale: locale).cards.first?.subtitle == text)
    }

    @Test func `A facet's tile is named by the label of its value`() throws {
        let types = try types()
        let text = """
            locales: [en]
            screens:
              home:
                title: H
                sections:
                  - id: a
                    kind: genres
                    source: {facet: {type: kitchen, field: color}}
                    body: {card: {title: '{$value | label}', caption: '{$count | plural: {one: "one", other: "$count"}}'}}
            """
        let records = try ["k", "l", "m"].map {
            try types.put("kitchen", $0, #"{"color": "\#($0 == "m" ? "COLOR_GREEN" : "COLOR_RED")"}"#)
        }
        var screens = try Screens(records, types: types, programme: text)
        let cards = try screens.section("a").cards
        #expect(cards.map(\.title) == ["Red", "Green"] && cards.map(\.caption) == ["2", "one"])
    }

    @Test func `New types change only the items with labels`() throws {
        let plain = "{id: b, kind: list, source: {records: {type: kitchen}}, body: {card: {title: $color}}}"
        let types = try types()
        var screens = try Screens(
            [types.put("kitchen", "k", #"{"color": "COLOR_RED"}"#)], types: types,
            programme: programme("{$color | label}") + "\n      - \(plain)")
        try screens.watchSections(of: "home")
        let other = try self.types(Self.labels.replacing("en: Red", with: "en: Crimson"))
        #expect(try cost(of: .types(other.document), in: &screens).sections == ["a"])
        #expect(try screens.section("a").cards.first?.subtitle == "Crimson")
        #expect(try cost(of: .types(other.document), in: &screens).sections == [])
    }

    @Test(arguments: [
        (
            "{$an_int32 | label}",
            "no labels are declared for '$an_int32'; declare them with its type: 'labels: {an_int32: {value: …}}'"
        ),
        (
            "{$inner.level | label}",
            "no labels are declared for '$inner.level'; declare them with its type: 'labels: {inner.level: {LOW: …}}'"
        ),
        ("{$colr | label}", "kitchen.v1.Kitchen has no field 'colr'; did you mean 'color'?"),
        ("{$color | label: short}", "'label' takes nothing after it"),
        ("{$color | lable}", "there is no format 'lable'; did you mean 'label'?"),
    ])
    func `Mistakes are named with their line and cure`(template: String, message: String) throws {
        do {
            _ = try Programme.parse(text: programme(template), file: "p.yaml", types: types().set)
            Issue.record("'\(template)' was taken")
        } catch let error as FileMistakes {
            let found = error.mistakes.map(\.description)
            #expect(found == ["p.yaml:9: the subtitle of a card: \(message)"] || found.first?.contains(message) == true)
            #expect(found.count == 1 && found.first?.hasPrefix("p.yaml:9: ") == true, "\(found)")
        }
    }
}
