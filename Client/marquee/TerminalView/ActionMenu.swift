import MarqueeClient
import MarqueeModel
import MarqueePresets

/// The actions to choose from, given where the focus is.
struct ActionMenu: Hashable, Sendable {
    /// Maximum entries: as many as digits can choose.
    static let maximumEntries = 9

    struct Entry: Hashable, Sendable {
        var action: ScreenAction
        /// The item that it is about: the focused one, or the first of the section whose header has the action.
        var item: ScreenItem?
        /// The section whose order the action changes.
        var section: String?
    }

    var entries: [Entry]
    var selected = 0

    /// The item's actions first, then those of its section's header, then those of the other headers.
    init(_ page: Browser.Page, focused: ItemPosition?) {
        var entries: [Entry] = []
        func add(_ actions: [ScreenAction], _ item: ScreenItem?, _ section: String? = nil) {
            for action in actions where entries.count < Self.maximumEntries {
                guard !Sanitizer.line(action.title).isEmpty,
                    !entries.contains(where: { $0.action == action && $0.section == section })
                else { continue }
                entries.append(Entry(action: action, item: item, section: section))
            }
        }
        if let focused, let item = page.item(at: focused) {
            switch item.content.decoded {
            case .preset(.banner(let banner)): add(banner.actions, item)
            case .card(let card): add(card.actions, item)
            case .preset(.text(let text)): add(text.action.map { [$0] } ?? [], item)
            default: break
            }
        }
        let sections = page.sections.indices.sorted { a, _ in a == focused?.section }
        for index in sections {
            let section = page.sections[index]
            let isFocused = index == focused?.section
            let item = isFocused ? focused.flatMap { page.item(at: $0) } : section.items.first
            for action in section.head.header?.actions ?? [] {
                // An order only makes sense for its own section.
                let isOrder = action.id == "sort"
                if isOrder, !isFocused { continue }
                add([action], item, isOrder ? section.id : nil)
            }
        }
        self.entries = entries
    }

    mutating func move(by step: Int) {
        guard !entries.isEmpty else { return }
        selected = (selected + step + entries.count) % entries.count
    }
}
