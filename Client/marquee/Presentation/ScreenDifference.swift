import MarqueeClient
import MarqueeModel

/// The changes between two states of a screen, by ids.
///
/// Indices count from 0. Those of deletions and of moves' origins refer to the old list, all others to the new one. So
/// the new list is the old one without the deleted and moved elements; moved and inserted ones are then put at their
/// indices, in ascending order.
struct ScreenDifference {
    enum Operation {
        case sectionDelete(ScreenSection, from: Int)
        case sectionInsert(ScreenSection, to: Int)
        case sectionMove(ScreenSection, from: Int, to: Int)
        /// The section's head has changed.
        case sectionUpdate(old: ScreenSection, new: ScreenSection, to: Int)
        case delete(ScreenItem, section: String, from: Int)
        case insert(ScreenItem, section: String, to: Int)
        case move(ScreenItem, section: String, from: Int, to: Int)
        /// The content or the favorite mark has changed.
        case update(old: ScreenItem, new: ScreenItem, section: String, to: Int)
    }

    /// Sections first, then the items of each section in the new order.
    private(set) var operations: [Operation] = []

    /// - Parameter changes: the batches from the one state to the other; they say what was moved.
    init(from old: Screen, to new: Screen, changes: ScreenChanges) {
        let oldSections = Self.positions(old.sections.map(\.id))
        let newSections = Self.positions(new.sections.map(\.id))
        var movedSections: Set<Int> = []
        var movedItems: [Int: Set<Int>] = [:]
        // Destinations are final places: the first of two batches already has the final order of sections, and leaves
        // items alone.
        for batch in changes.batches {
            movedSections.formUnion(batch.movedSections.map(\.to))
            for move in batch.movedItems { movedItems[move.to.section, default: []].insert(move.to.item) }
        }
        for (index, section) in old.sections.enumerated() where newSections[section.id] == nil {
            operations.append(.sectionDelete(section, from: index))
        }
        for (index, section) in new.sections.enumerated() {
            guard let oldIndex = oldSections[section.id] else {
                operations.append(.sectionInsert(section, to: index))
                continue
            }
            if movedSections.contains(index) { operations.append(.sectionMove(section, from: oldIndex, to: index)) }
            if old.sections[oldIndex].head != section.head {
                operations.append(.sectionUpdate(old: old.sections[oldIndex], new: section, to: index))
            }
        }
        for (index, section) in new.sections.enumerated() {
            guard let oldIndex = oldSections[section.id] else { continue }
            addItems(from: old.sections[oldIndex], to: section, moved: movedItems[index] ?? [])
        }
    }

    private mutating func addItems(from old: ScreenSection, to new: ScreenSection, moved: Set<Int>) {
        let before = Self.positions(old.items.map(\.id))
        let after = Self.positions(new.items.map(\.id))
        for (index, item) in old.items.enumerated() {
            if let newIndex = after[item.id], Self.isSame(item, new.items[newIndex]) { continue }
            operations.append(.delete(item, section: new.id, from: index))
        }
        for (index, item) in new.items.enumerated() {
            guard let oldIndex = before[item.id], Self.isSame(old.items[oldIndex], item) else {
                operations.append(.insert(item, section: new.id, to: index))
                continue
            }
            if moved.contains(index) {
                operations.append(.move(item, section: new.id, from: oldIndex, to: index))
            }
            if old.items[oldIndex] != item {
                operations.append(.update(old: old.items[oldIndex], new: item, section: new.id, to: index))
            }
        }
    }

    /// A different kind or subject under the same id is a different item.
    private static func isSame(_ a: ScreenItem, _ b: ScreenItem) -> Bool { a.kind == b.kind && a.subject == b.subject }

    /// If an id occurs twice, which no correct server sends, its first place counts.
    private static func positions(_ ids: [String]) -> [String: Int] {
        Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
    }
}
