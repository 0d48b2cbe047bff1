import MarqueeDiff
package import MarqueeModel
import MarqueeWire

extension Screen {
    /// The changes from an earlier state of this screen: the value of `ScreenUpdate.changes` when both come from one
    /// sequence. Costs a comparison of all items.
    package func changes(since old: Screen) -> ScreenChanges {
        var changes = ScreenChanges.between(old: old.versions, new: versions)
        var reconfigured = Set(changes.reconfiguredItems)
        // A star is drawn inside the cell: items whose mark has changed are reconfigured too.
        for (index, section) in sections.enumerated() {
            guard let before = old[section: section.id] else { continue }
            let marks = Dictionary(before.items.map { ($0.id, $0) }) { first, _ in first }
            for (position, item) in section.items.enumerated() {
                guard let known = marks[item.id],
                    known.favorite != item.favorite || known.favoriteError != item.favoriteError
                else { continue }
                reconfigured.insert(ItemPosition(section: index, item: position))
            }
        }
        changes.reconfiguredItems = reconfigured.sorted()
        return changes
    }

    private var versions: [ScreenChanges.Section] {
        sections.map { ($0.id, Version(head: BodyCodec.encode($0.head), items: $0.items.map(\.item))) }
    }
}
