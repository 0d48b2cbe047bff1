#if canImport(UIKit) && !os(watchOS)
    public import MarqueeClient
    public import UIKit

    /// Identifies an item on a whole screen: a diffable data source needs identifiers unique across all sections.
    public struct ScreenItemID: Hashable, Sendable {
        /// The id of the section.
        public var section: String
        /// The item's id, unique in its section.
        public var item: String
        /// Part of the identity because a different kind needs a different cell.
        public var kind: ItemKind

        /// Creates the identity of an item of a section.
        public init(section: String, item: String, kind: ItemKind) {
            self.section = section
            self.item = item
            self.kind = kind
        }
    }

    extension NSDiffableDataSourceSnapshot where SectionIdentifierType == String, ItemIdentifierType == ScreenItemID {
        /// Creates a snapshot of a screen: its sections in order, with their items by id.
        public init(_ screen: Screen) {
            self.init()
            appendSections(screen.sections.map(\.id))
            for section in screen.sections {
                appendItems(
                    section.items.map { ScreenItemID(section: section.id, item: $0.id, kind: $0.kind) },
                    toSection: section.id)
            }
        }

        /// Creates a snapshot for an update: items that stayed but have new content are reconfigured and keep their
        /// cells.
        ///
        /// A snapshot contains no headers, footers or layouts. If heads have changed (`ListUpdate.changedHeads`), call
        /// `invalidateLayout()` on the collection view's layout after applying the snapshot, and update the visible
        /// supplementary views of those sections. Apply with `applySnapshotUsingReloadData` while the collection view
        /// isn't in a window.
        public init(_ update: ScreenUpdate) {
            self.init(update.screen)
            reconfigureItems(
                update.changes.reconfiguredItems.compactMap { position in
                    let sections = update.screen.sections
                    guard sections.indices.contains(position.section),
                        sections[position.section].items.indices.contains(position.item)
                    else { return nil }
                    let section = sections[position.section]
                    let item = section.items[position.item]
                    return ScreenItemID(section: section.id, item: item.id, kind: item.kind)
                })
        }
    }
#endif
