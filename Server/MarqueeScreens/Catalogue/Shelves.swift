import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// Shelves, pages, and the items chosen from shelves.
struct Shelves: Sendable {
    private var shelves: [String: Shelf] = [:]
    private var pages: [String: Page] = [:]
    /// Ids of items by pool.
    private var choices: [String: String] = [:]

    /// Applies a change to a shelf or a page; other changes have no effect here.
    mutating func apply(_ change: Change) {
        switch change {
        case .shelf(let shelf): shelves[shelf.id] = shelf
        case .removeShelf(let id): shelves[id] = nil
        case .shelfItem(let id, let item): _ = shelves[id]?.replace(item)
        case .page(let page): pages[page.id] = page
        case .removePage(let id): pages[id] = nil
        default: break
        }
    }

    mutating func choose(_ item: String?, for pool: String) { choices[pool] = item }

    func shelf(_ id: String) -> Shelf? { shelves[id] }

    var exampleItem: ItemName? {
        let shelf = shelves.values.filter { !$0.items.isEmpty }.min { $0.id < $1.id }
        return shelf.flatMap { shelf in shelf.items.first.map { ItemName(shelf: shelf.id, item: $0.id) } }
    }

    func page(_ id: String) -> Page? { pages[id] }

    func choice(of pool: String) -> String? { choices[pool] }
}
