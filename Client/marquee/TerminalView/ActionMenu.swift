import MarqueeClient
import MarqueeModel
import MarqueePresets

/// The actions to choose from, given where the focus is.
struct ActionMenu: Hashable, Sendable {
    /// Maximum entries: as many as digits can choose.
    static let maximumEntries = 9

    struct Entry: Hashable, Sendable {
        var action: ScreenAction
        /// The title as shown; each entry has a different one.
        var title: String
        /// The item that the action is about: the focused one.
        var item: ScreenItem?
        /// The section whose order the action changes.
        var section: String?
        /// The item or section that has the action.
        fileprivate var place: String
    }

    var entries: [Entry]
    var selected = 0

    /// The item's actions first, then those of its section's header, then those of other headers that lead to a screen
    /// or a page: their other actions are about their own items.
    init(_ page: Browser.Page, focused: ItemPosition?) {
        var entries: [Entry] = []
        func add(_ actions: [ScreenAction], of place: String, _ item: ScreenItem?, section: String? = nil) {
            for action in actions where entries.count < Self.maximumEntries {
                let title = Sanitizer.line(action.title)
                guard !title.isEmpty,
                    !entries.contains(where: { $0.action == action && $0.section == section && $0.item == item })
                else { continue }
                entries.append(Entry(action: action, title: title, item: item, section: section, place: place))
            }
        }
        let item = focused.flatMap { page.item(at: $0) }
        if let item {
            let actions: [ScreenAction] =
                switch item.content.decoded {
                case .preset(.banner(let banner)): banner.actions
                case .card(let card): card.actions
                case .preset(.text(let text)): text.action.map { [$0] } ?? []
                default: []
                }
            add(actions, of: ItemText(item).title, item)
        }
        if let focused, page.sections.indices.contains(focused.section) {
            let section = page.sections[focused.section]
            for action in section.head.header?.actions ?? [] {
                add([action], of: section.name, item, section: action.id == "sort" ? section.id : nil)
            }
        }
        for (index, section) in page.sections.enumerated() where index != focused?.section {
            let actions = (section.head.header?.actions ?? []).filter { $0.id != "sort" && !$0.target.isEmpty }
            // These lead to the same place from everywhere.
            let known = Set(entries.filter { $0.section == nil }.map { [$0.action.title, $0.action.target] })
            add(actions.filter { !known.contains([$0.title, $0.target]) }, of: section.name, nil)
        }
        self.entries = entries
        tellApart { $0.place }
        tellApart { $0.action.target.isEmpty ? $0.action.id : $0.action.target }
    }

    /// Adds the difference to titles that occur more than once.
    private mutating func tellApart(by difference: (Entry) -> String) {
        let counts = Dictionary(entries.map { ($0.title, 1) }, uniquingKeysWith: +)
        for index in entries.indices where counts[entries[index].title, default: 0] > 1 {
            let text = Sanitizer.line(difference(entries[index]))
            if !text.isEmpty { entries[index].title += " · \(text)" }
        }
    }

    mutating func move(by step: Int) {
        guard !entries.isEmpty else { return }
        selected = (selected + step + entries.count) % entries.count
    }
}
