import Foundation
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// The podcast app of the samples and the page on records and lists, with the same data and files that users have.
@Suite struct RecordSampleTests {
    @Test func `The podcasts fill every screen and change live`() throws {
        let types = try Podcasts.types()
        var journal = RecordJournal(types)
        let catalogue = try journal.changes(ndjson: Podcasts.text("catalogue.ndjson"))
        #expect(journal.records.keys.filter { $0.type == "show" }.count == 24)
        #expect(journal.records.keys.filter { $0.type == "episode" }.count == 150)
        var screens = try Screens(catalogue, types: types, programme: Podcasts.text("programme.yaml"))
        for example in screens.describe(locale: nil).screens.compactMap(\.example) where example != "favorites" {
            let plan = try screens.plan(screen: example, locale: "ko", parameters: [], user: nil)
            for section in plan.sections where section.id != "chapters" {
                #expect(try !screens.shown(section.variant).items.isEmpty, "\(example) \(section.id)")
            }
        }
        #expect(try screens.section("new", window: 20).items.count == 20)
        #expect(try screens.section("shows").titles.first == "Cold Signal")

        try screens.watchSections(of: "home")
        var changed: [Int] = []
        for change in try journal.changes(ndjson: Podcasts.text("live.ndjson")) {
            try screens.commit([change])
            changed.append(screens.renew().count)
        }
        #expect(changed.allSatisfy { $0 > 0 }, "each line is to be seen on the home screen: \(changed)")
    }

    @Test func `The examples in the page on records are correct`() throws {
        let blocks = try DocumentBlock.all(in: Podcasts.page("cards-and-lists", part: "Records on screens"))
        let types = try Podcasts.types(try #require(blocks.first { $0.kind == "yaml types" }).text)
        let programme = try #require(blocks.first { $0.kind == "yaml programme" }).text
        var screens = try Screens([], types: types, programme: programme)
        var journal = RecordJournal(types)
        var shown = 0
        for block in blocks {
            if block.kind == "json changes" { try screens.commit(try journal.changes(ndjson: block.text)) }
            guard let cards = try screens.cards(of: block) else { continue }
            #expect(cards == block.text, "\(block.kind)")
            shown += 1
        }
        #expect(shown == 6)
    }

    @Test func `The examples in the page on lists are correct`() throws {
        let blocks = try DocumentBlock.all(in: Podcasts.page("cards-and-lists", part: "Lists"))
        let types = try Podcasts.types(try #require(blocks.first { $0.kind == "yaml types" }).text)
        let programme = try #require(blocks.first { $0.kind == "yaml programme" }).text
        var screens = try Screens([], types: types, programme: programme)
        var journal = RecordJournal(types)
        var shown = 0
        for block in blocks {
            if block.kind == "json changes" { try screens.commit(try journal.changes(ndjson: block.text)) }
            guard let cards = try screens.cards(of: block) else { continue }
            #expect(cards == block.text, "\(block.kind)")
            shown += 1
        }
        #expect(shown == 11)
        #expect(try screens.section("topics").cards.first?.caption == "2 episodes, first Spelt")
        #expect(try screens.section("hello").titles == ["Welcome"])
    }
}

extension Screens {
    /// The titles and subtitles expected in a block of a page: `text SCREEN/SECTION`, or `text SCREEN/SECTION SORT`.
    ///
    /// - Returns: `nil` for a block of another kind.
    fileprivate mutating func cards(of block: DocumentBlock) throws -> String? {
        let words = block.kind.split(separator: " ")
        guard words.first == "text", words.count > 1, let slash = words[1].lastIndex(of: "/") else { return nil }
        let section = try section(
            String(words[1][words[1].index(after: slash)...]), of: String(words[1][..<slash]),
            sort: words.count > 2 ? String(words[2]) : nil)
        return section.cards.map { card in card.subtitle.map { "\(card.title) | \($0)\n" } ?? "\(card.title) |\n" }
            .joined()
    }
}

/// A fenced block of a page, such as `yaml types`.
struct DocumentBlock {
    var kind: String
    var text: String

    static func all(in page: String) throws -> [DocumentBlock] {
        var blocks: [DocumentBlock] = []
        var isInside = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside.toggle()
                if isInside { blocks.append(DocumentBlock(kind: String(line.dropFirst(3)), text: "")) }
            } else if isInside {
                blocks[blocks.count - 1].text += line + "\n"
            }
        }
        guard !isInside, !blocks.isEmpty else { throw TestFailure("the page's blocks don't end") }
        return blocks
    }
}
