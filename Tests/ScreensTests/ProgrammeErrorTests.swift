import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// The errors reported for invalid programme files, and their lines.
@Suite struct ProgrammeErrorTests {
    private let types: TypeSet

    init() throws { types = try Podcasts.types().set }

    private func errors(_ text: String) -> [String] {
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    /// A home screen whose only section has these lines after its id and kind, starting at line 7.
    private func home(_ lines: String...) -> String {
        (["screens:", "  home:", "    title: Home", "    sections:", "      - id: a", "        kind: basic"]
            + lines.map { "        " + $0 }).joined(separator: "\n")
    }

    @Test func `A small programme is valid`() {
        #expect(errors(home("source: {records: {type: show}}")) == [])
    }

    @Test func `An unknown key is reported at its line with the nearest name`() {
        let found = errors(home("sorce: favorites", "source: favorites"))
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix("p.yaml:7: a section has no key 'sorce'; did you mean 'source'? Allowed: id,")
                == true)
    }

    @Test func `A name near none gets no suggestion`() {
        let found = errors(home("quarterly: 1", "source: favorites"))
        #expect(found.first?.hasPrefix("p.yaml:7: a section has no key 'quarterly'. Allowed: id,") == true)
    }

    @Test(arguments: [
        ("source: {records: {type: show, limit: many}}", "limit must be a whole number"),
        ("source: {records: {type: show, limit: 0}}", "limit must be from 1 to 1000, not 0"),
        ("source: {records: {type: show, where: {topics: $id}}}", "'$id' needs a screen named like 'show/$id'"),
        ("source: {records: [1]}", "a query of records must be a mapping"),
        ("source: {list: {limit: 3}}", "a list needs 'name'"),
        ("source: records", "the source 'records' needs more than its name"),
        ("source: favourites", "a section has no source 'favourites'; did you mean 'favorites'?"),
        ("source: {favorites: 1}", "the source 'favorites' takes no value"),
        ("source: {items: [], records: {type: show}}", "a section has one source, not 2"),
        ("source: {record: {type: show, id: $id}}", "'$id' is not known here; '$id' needs a screen named like"),
        ("source: {items: [{id: x}]}", "an inline item needs one of banner, text"),
        ("source: {items: [{id: x, text: {text: a}}, {id: x, card: {title: b}}]}", "the item id 'x' is used twice"),
        ("source: {items: [{id: x, course: {title: a, price: 1.9.9}}]}", "a price must be a decimal number"),
        ("source: {items: [{id: x, course: {title: a, price: 1, currency: usd}}]}", "a currency is a code of ISO 4217"),
        ("source: {items: [{id: x, banner: {title: a, image: {name: b, color: red}}}]}", "a color must be written as"),
    ])
    func `A wrong source is reported`(source: String, reason: String) {
        let found = errors(home(source))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("p.yaml:7: \(reason)") == true, "\(found)")
    }

    @Test(arguments: [
        ("windows: [6, 6]", "windows must ascend, but 6 follows 6"),
        ("windows: [12, 6]", "windows must ascend, but 6 follows 12"),
        ("windows: 6", "unknown word for windows '6'"),
        ("sorts: [popularity]", "only sections with "),
        ("placeholders: -1", "placeholders must be a whole number"),
        ("footer: {more: More, close: Close}", "a footer with 'more' and 'close' needs at least two 'windows'"),
        ("header: {en: Hello, fr: Bonjour}", "the header has no key 'fr'"),
        ("header: [Hello]", "a list stands for values by audience here"),
        ("header: ''", "the header is empty"),
        ("empty: hidden", "unknown word for an empty section 'hidden'; did you mean 'hide'?"),
        ("layout: row", "the programme has no layout 'row'"),
        ("layout: {}", "a layout needs 'group'"),
    ])
    func `A wrong part of a section is reported`(line: String, reason: String) {
        let found = errors(home(line, "source: favorites"))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("p.yaml:7: \(reason)") == true, "\(found)")
    }

    @Test(arguments: [
        ("width: fww 1", "the width of an item has the unknown unit 'fww'; did you mean 'fw'?"),
        ("width: 0.5", "the width of an item has the unknown unit '0.5'"),
        ("width: fw 0", "the width of an item must be 'fw' and a number above 0"),
        ("width: fw 1/0", "the width of an item must be 'fw' and a number above 0"),
        ("width: abs nan", "the width of an item must be 'abs' and a number above 0"),
        ("width: fw 1, insets: [1, 2]", "the item's insets must be a list of 4 numbers"),
        ("width: fw 1, badges: [{kind: b, edges: [up], width: abs 1, height: abs 1}]", "unknown edge 'up'"),
    ])
    func `A wrong dimension is reported`(item: String, reason: String) {
        let text =
            "layouts:\n  row:\n    group:\n      axis: horizontal\n      width: fw 1\n      height: abs 20\n"
            + "      items:\n        - {height: fh 1, \(item)}\n" + home("layout: row", "source: favorites")
        let found = errors(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("p.yaml:8: \(reason)") == true, "\(found)")
    }

    @Test func `All problems are reported in the order of their lines`() {
        let text = """
            locales: [en, en]
            layouts:
              row: {group: {axis: diagonal, width: fw 1, height: abs 1, items: []}}
            screens:
              home:
                title: Home
                sections:
                  - {id: a, kind: basicc, source: favorites}
                  - {id: b, kind: basic, source: favorites, windows: [3, 2]}
                  - {id: b, kind: basic, source: favorites}
              home/$id: {title: Home, sections: [{id: a, kind: detail, source: {record: {type: show, id: $id}}}]}
              detail/<film>: {title: Film, sections: []}
              user-collections: {title: Set, sections: []}
            """
        let found = errors(text)
        let lines = found.compactMap { Int($0.split(separator: ":")[1]) }
        #expect(lines == [1, 3, 3, 8, 9, 10, 11, 12, 13], "\(found)")
        #expect(found.contains("p.yaml:10: the section id 'b' is used twice in this screen"))
        #expect(found.contains { $0.hasPrefix("p.yaml:8: unknown section kind 'basicc'; did you mean 'basic'?") })
        #expect(found.contains("p.yaml:13: the screen 'user-collections' is built in"))
    }

    @Test func `A mistake in a node with aliases is reported once`() {
        let text = """
            screens:
              home:
                title: Home
                sections:
                  - {id: a, kind: basic, source: &shows {records: {type: show, limit: 0}}}
                  - {id: b, kind: basic, source: *shows}
            """
        #expect(errors(text) == ["p.yaml:5: limit must be from 1 to 1000, not 0"])
    }

    @Test func `A text must have the default locale`() {
        let found = errors("locales: [en, ko]\n" + home("header: {ko: 안녕}", "source: favorites"))
        #expect(found == ["p.yaml:8: the header has no text for the default locale 'en'"])
    }

    @Test func `No more than the limit is reported`() {
        let sections = (0..<60).map { "      - {id: s\($0), kind: wrong, source: favorites}" }
        let text = "screens:\n  home:\n    title: Home\n    sections:\n" + sections.joined(separator: "\n")
        #expect(errors(text).count == FileMistakes.limit)
    }

    @Test(arguments: [
        ("", "p.yaml:1: the file is empty"),
        ("screens:\n  - a\n", "p.yaml:2: 'screens' must map names"),
        ("just a text", "p.yaml:1: a programme must be a mapping"),
        ("screens:\n  home: [1,\n", "p.yaml:3: this is not YAML:"),
        ("screens:\n  home: {title: a, title: b}\n", "p.yaml:2: this mapping has a duplicate key: 'title'"),
        ("locales: [en]\n", "p.yaml:1: a programme needs 'screens'"),
    ])
    func `Text that isn't a programme is reported`(text: String, error: String) {
        let found = errors(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(error) == true, "\(found)")
    }

    @Test func `Nesting without end is refused`() {
        #expect(errors(String(repeating: "[", count: 100_000)).count == 1)
        #expect(errors(String(repeating: "[", count: 990) + String(repeating: "]", count: 990)).count == 1)
        let deep = (0..<20).reduce("{width: fw 1, height: fh 1}") { inner, _ in
            "{group: {axis: vertical, width: fw 1, height: fh 1, items: [\(inner)]}}"
        }
        let found = errors(home("layout: \(deep)", "source: favorites"))
        #expect(found == ["p.yaml:7: groups may be nested at most 8 deep"])
    }

    @Test func `A layout with too many items is refused once`() {
        let item = "{width: fw 1, height: fh 1}"
        let group = "{group: {axis: vertical, width: fw 1, height: fh 1, items: [\(item), \(item), \(item), \(item)]}}"
        let items = Array(repeating: group, count: 20).joined(separator: ", ")
        let layout = "{group: {axis: vertical, width: fw 1, height: fh 1, items: [\(items)]}}"
        let found = errors(home("layout: \(layout)", "source: favorites"))
        #expect(found == ["p.yaml:7: a layout has at most 64 groups and items"])
    }

    @Test(arguments: [
        ("favourites", "; did you mean 'favorites'? It has"), ("nowhere", ". It has home"), ("home/1", "It has home"),
        ("topic", "It has home"), ("topic/", "It has home"),
    ])
    func `An action to an unknown screen is reported`(target: String, words: String) {
        let found = errors(
            home("source: {items: [{id: b, banner: {title: B, actions: [{id: open, title: O, target: \(target)}]}}]}")
                + ProgrammeErrorTests.others)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("p.yaml:7: the action leads to '\(target)', which isn't a screen") == true)
        #expect(found.first?.contains(words) == true)
    }

    @Test(arguments: ["home", "favorites", "topic/28", "https://example.com/", "mailto:a@b.c"])
    func `An action may lead to any screen or link`(target: String) {
        let text =
            home(
                "header: {title: H, actions: [{id: open, title: O, target: \"\(target)\"}]}",
                "source: {records: {type: show}}") + ProgrammeErrorTests.others
        #expect(errors(text) == [])
    }

    private static let others = """

          favorites: {title: F, sections: [{id: f, kind: favorites, source: favorites}]}
          topic/$id: {title: $id, sections: [{id: m, kind: grid, source: {records: {type: show, where: {topics: $id}}}}]}
        """

    @Test(arguments: [
        ("header: $record.origin", "the header shows $title and $edition, not '$record'"),
        ("header: {en: Home, ko: $show.title}", "the header shows $title and $edition, not '$show'"),
        ("header: {title: $name, actions: []}", "the title of the header shows $title and $edition, not '$name'"),
        ("footer: ${title}", "the footer shows $title and $edition, not '${title'"),
        ("header: {title: A, actions: [{id: a, title: $count}]}", "the title of an action shows nothing but words"),
    ])
    func `A header that would show the name of a field is refused`(line: String, reason: String) {
        let found = errors("locales: [en, ko]\n" + home(line, "source: favorites"))
        #expect(found.count == 1 && found.first?.contains(reason) == true, "\(found)")
    }

    @Test func `Dollars, titles and editions in a header are fine`() {
        let texts = ["$title · $edition", "Under $20", "A$AP", "5 $", "Editions of $title"]
        for text in texts { #expect(errors(home("header: '\(text)'", "source: favorites")) == [], "\(text)") }
    }

    @Test func `An action that leads to its own screen gets a warning`() throws {
        let text = home("header: {title: A, actions: [{id: menu, title: Shows, target: home}]}", "source: favorites")
        let found = try Programme.check(text: text, file: "p.yaml", types: types).warnings.map(\.description)
        #expect(found.count == 1 && found.first?.contains("leads to 'home', the screen that it is on") == true)
    }

    @Test func `A screen without room for its title gets a warning`() throws {
        func warnings(_ layout: String, _ screen: String = "") throws -> [String] {
            let group = "group: {axis: vertical, width: fw 1, height: abs 9, items: [{width: fw 1, height: fh 1}]}"
            let text =
                home("layout: {\(group)}", "source: {records: {type: show}}")
                + "\n  favorites:\n    title: F\n    sections: [{id: f, kind: favorites, layout: {\(group)\(layout)}, source: favorites}]"
                + screen.replacing(", ", with: "\n    ")
            return try Programme.check(text: text, file: "p.yaml", types: types).warnings.map(\.description)
        }
        let found = try warnings("")
        #expect(found.count == 1, "home is the starting point")
        #expect(found.first?.hasPrefix("p.yaml:9: no layout of the screen 'favorites' has a header") == true)
        #expect(try warnings(", header: {width: fw 1, height: est 50}") == [])
        #expect(try warnings(", supplementaries: [{kind: band, edges: [top], width: fw 1, height: abs 50}]") == [])
        #expect(try warnings("", ", bar: app") == [])
    }

    @Test func `A pool used for different choices gets a warning`() throws {
        let text =
            home("source: {pool: {name: main, records: {type: show}}}")
            + "\n      - {id: b, kind: basic, source: {pool: {name: main, records: {type: episode}}}}"
        let found = try Programme.check(text: text, file: "p.yaml", types: types).warnings
        #expect(found.map(\.reason).first?.hasPrefix("the pool 'main' is used for different choices") == true)
        let one = home("source: {pool: {records: {type: show}}}")
        #expect(try Programme.check(text: one, file: "p.yaml", types: types).warnings.isEmpty)
    }
}
