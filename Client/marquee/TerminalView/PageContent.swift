import MarqueeClient
import MarqueeLayout
import MarqueeModel
import MarqueePresets

/// A section as a page shows it.
struct PageSection: Sendable {
    var id: String
    var head: SectionHead
    var items: [ScreenItem]
    /// The number of items to expect while there are none.
    var placeholders: Int
    /// Whether its items have nothing but text to show.
    let hasOnlyWords: Bool

    init(_ section: ScreenSection) {
        self.init(id: section.id, head: section.head, items: section.items.filter { Self.isShown($0) })
        let isSkipped = section.head.layout == nil && SectionDesign(of: section.head.kind) == .bare
        placeholders = section.items.isEmpty && !isSkipped ? Int(section.placeholders) : 0
    }

    /// Items of kinds that this program doesn't know can't be shown; they leave no gap.
    static func isShown(_ item: ScreenItem) -> Bool {
        if case .unknown = item.content.decoded { false } else { true }
    }

    init(id: String, head: SectionHead, items: [ScreenItem]) {
        self.id = id
        self.head = head
        self.items = items
        placeholders = 0
        hasOnlyWords = items.haveOnlyWords
    }

    /// The header's title; empty without a header.
    var title: String { head.header?.title ?? "" }
    /// The title, or what kind of section it is: an id may be generated.
    var name: String {
        let title = Sanitizer.line(self.title)
        return title.isEmpty ? head.kind.name : title
    }
    /// Whether its order is a rank.
    var isRanked: Bool { head.kind == .rank || head.kind == .chart }
    /// The number of frames to draw: placeholders stand in for items still to come.
    var frameCount: Int { items.isEmpty ? min(placeholders, Self.maximumPlaceholders) : items.count }

    private static let maximumPlaceholders = 64

    /// Three in a row, as search shows what it finds.
    static let searchLayout = SectionLayout(
        group: .group(
            axis: .horizontal, width: .fractionalWidth(1), height: .fractionalHeight(1 / 3.6), insets: .zero,
            spacing: 0, count: nil,
            children: [
                .item(
                    width: .fractionalWidth(1 / 3), height: .fractionalHeight(1),
                    insets: LayoutInsets(top: 10, leading: 5, bottom: 5, trailing: 5), badges: [])
            ]))
}

/// The frames of a page for one size of the terminal.
struct PageLayout: Sendable {
    let scale: GridScale
    let screen: ScreenLayout

    init(_ sections: [PageSection], scale: GridScale, language: Language = .english) {
        self.scale = scale
        screen = ScreenLayout(
            sections: sections.map { section in
                ScreenLayout.Section(
                    layout: .shown(section, on: scale), itemCount: section.frameCount,
                    measured: PageLayout.measured(section, scale, language))
            }, container: scale.container)
    }

    /// Items that are read as text take the height of their text.
    private static func measured(
        _ section: PageSection, _ scale: GridScale, _ language: Language
    ) -> [Int: LayoutSize] {
        var sizes: [Int: LayoutSize] = [:]
        for (index, item) in section.items.prefix(maximumMeasured).enumerated() {
            let lines: Int
            switch item.content.preset {
            case .text(let text)?:
                lines = TextWidth.wrap(Sanitizer.line(text.text), to: max(1, scale.columns - 8)).count
            default:
                guard
                    let block = CardPainter.detailLines(item, in: section.head.kind, columns: scale.columns, language)
                else { continue }
                lines = block.count + 1
            }
            sizes[index] = LayoutSize(
                width: scale.container.width, height: Double(max(1, lines)) * scale.pointsPerRow)
        }
        return sizes
    }

    /// Maximum items that are measured. Sections of text are short; in a longer one the rest keep their estimates.
    private static let maximumMeasured = 64
}
