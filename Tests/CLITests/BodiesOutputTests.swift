import Foundation
import MarqueeClient
import MarqueeScreenJSON
import MarqueeTesting
import Testing

@testable import marquee

/// The output of `get --bodies` is the input of previews.
@Suite struct BodiesOutputTests {
    private static let layout = SectionLayout(
        group: .item(width: .fractionalWidth(1), height: .absolute(44), insets: .zero, badges: []))

    private static var screen: SampleScreen {
        var section = SampleSection(
            "new", kind: .grid, title: "New", layout: layout, placeholders: 3,
            items: [
                .card("alien", title: "Alien", subject: "film/alien") { $0.rating = .init(value: 8.5) },
                .record("dive", kind: ItemKind(rawValue: 1_007), bytes: [8, 1], subject: "dive/1"),
            ])
        section.head.footer = Supplement(title: "More")
        return SampleScreen(.home, title: "Home", [section, .members()])
    }

    @Test func aScreenComesBackAsItWas() throws {
        let screen = Screen(Self.screen, favorites: ["film/alien": .yes])
        let line = NDJSONWriter.snapshot(screen, status: nil, hasBodies: true).line()
        let file = try SampleFile(Data(line.utf8))
        #expect(file.favorites == ["film/alien"])
        let read = Screen(try #require(file.screens.first), favorites: ["film/alien": .yes])
        #expect(read.title == "Home" && read.sections.map(\.id) == ["new", "favorites"])
        #expect(read.sections.map(\.items) == screen.sections.map(\.items))
        #expect(read.sections.map(\.head) == screen.sections.map(\.head))
    }

    @Test func withoutBodiesCardsComeBackAndRecordsSayWhatIsMissing() throws {
        let line = NDJSONWriter.snapshot(Screen(Self.screen), status: nil).line()
        #expect(!line.contains("\"body\"") && !line.contains("\"head\""))
        let error = #expect(throws: SampleFileError.self) { try SampleFile(Data(line.utf8)) }
        #expect(error?.message == "item 'dive' isn't a card, and has no body; export it with --bodies")
    }
}
