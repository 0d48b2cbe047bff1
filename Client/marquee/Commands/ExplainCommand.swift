import ArgumentParser
import MarqueeClient
import MarqueeLayout
import MarqueePresentation

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains why a section and one of its items are where they are.",
        discussion: """
            Lists the numbers the layout used: the container, the insets, the size of a group and an item
            and the rule it follows from, how many fit, and what adds up to the frame. Rules on which the
            platform's documentation is silent are marked.

            EXAMPLES
              marquee explain home rank                 the section, its header and its first item
              marquee explain home rank 3               its fourth item
              marquee explain detail/27205 credits 0 --size 768x1024
              marquee explain home rank --as plan=free  whose values by audience it has
            """)

    @Argument(help: "The screen, such as home or detail/27205.", completion: ScreenName.completion)
    var screen: ScreenName

    @Argument(help: "The section's id; `marquee render SCREEN` shows them.")
    var section: String

    @Argument(help: "The item: an index from 0, or an id. (default: 0)")
    var item: String?

    @OptionGroup(title: "Layout") var layout: LayoutOptions
    @OptionGroup(title: "As another reader, at another moment, with a draft") var preview: PreviewOptions
    @OptionGroup var source: ScreenSource

    func validate() throws { try preview.check(offline: source.offline) }

    func run() async throws {
        var options = ScreenPresentation.Options(size: layout.size.size)
        options.isRightToLeft = layout.isRightToLeft
        options.isExpanded = layout.isExpanded
        let shown = try await source.loadNamingOrigin(
            screen.id, reader: preview.reader, at: preview.at, draft: preview.draft
        ).screen
        let presentation = ScreenPresentation(shown, options: options)
        let audiences = shown[section: section]?.audiences ?? []
        try Output.standard.write(
            Self.lines(of: presentation, section: section, item: item, audiences: audiences))
    }

    /// - Throws: `Failure` for a section or item that doesn't exist, naming those that do.
    /// - Parameter audiences: those whose values the section has, as in a preview.
    static func lines(
        of presentation: ScreenPresentation, section id: String, item: String?, audiences: [String] = []
    ) throws -> [String] {
        guard let index = presentation.sections.firstIndex(where: { $0.id == id }) else {
            throw Failure.unknownSection(id, of: presentation.id, known: presentation.sections.map(\.id))
        }
        let section = presentation.sections[index]
        let count = max(section.cards.count, section.cards.isEmpty ? section.placeholders : 0)
        var number = 0
        if let item {
            let byID = section.cards.firstIndex { $0.id == item }
            let byPlace = Int(item).flatMap { (0..<count).contains($0) ? $0 : nil }
            guard let found = byPlace ?? byID else {
                throw Failure(.usage, "\(id) has no item \(item); it has \(Words.count(count, "item")), counted from 0")
            }
            number = found
        }
        guard let explanation = presentation.explanation(ofSection: index, item: number) else { return [] }
        var title = "\(presentation.id.name) › \(id)"
        if section.cards.indices.contains(number) {
            let (itemID, card) = section.cards[number]
            title += " › item \(number), \(itemID)\(card.title.isEmpty ? "" : " “\(card.title)”")"
        }
        if section.head.layout == nil {
            title += ", which came without a layout and is shown \(section.design.words)"
        }
        let chosen = audiences.map { $0.isEmpty ? "the value for everybody else" : "the value for \($0)" }
        let reason = chosen.isEmpty ? [] : ["by audience: \(chosen.joined(separator: ", "))", ""]
        return ([title, ""] + reason + explanation.lines).map { Sanitizer.line($0) }
    }
}
