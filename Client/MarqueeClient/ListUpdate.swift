public import Foundation
import MarqueeModel

/// The steps by which a collection or table view shows an update. `UICollectionView.perform` of `MarqueeUIKit` performs
/// them; an app with another kind of list performs them itself.
public struct ListUpdate: Sendable {
    /// Whether to set `sections` and reload everything: nothing was shown before, or the view is not on screen.
    public let reloads: Bool
    /// Batch updates, in the order in which to perform them: at most two. When a section moves, the first one changes
    /// only sections.
    public let steps: [Step]
    /// The data source's sections at the end. Set them even if there are no steps: content may have changed in place.
    public let sections: [ScreenSection]
    /// Items to reconfigure, by their new places, including prepared cells that aren't visible.
    public let changedItems: [IndexPath]
    /// Sections with another head, by their new places. Their visible headers, footers and side views are outdated; and
    /// unless this is empty, the layout must be invalidated, because heads carry the sections' layouts.
    public let changedHeads: [Int]

    /// One batch for `performBatchUpdates`.
    public struct Step: Sendable {
        /// The sections that the data source must hold when the batch is performed: set them inside the batch, never
        /// earlier or later.
        public let sections: [ScreenSection]
        /// Places before the batch.
        public let deletedSections: IndexSet
        /// Places after the batch.
        public let insertedSections: IndexSet
        /// The destination of each section that moves.
        public let movedSections: [Int: Int]
        /// Places before the batch, for items in sections that stay.
        public let deletedItems: [IndexPath]
        /// Places after the batch, for items in sections that stay.
        public let insertedItems: [IndexPath]
        /// The destination of each item that moves.
        public let movedItems: [IndexPath: IndexPath]

        init(_ batch: StructuralBatch, _ sections: [ScreenSection]) {
            self.sections = sections
            deletedSections = IndexSet(batch.deletedSections)
            insertedSections = IndexSet(batch.insertedSections)
            movedSections = Dictionary(batch.movedSections.map { ($0.from, $0.to) }) { first, _ in first }
            deletedItems = batch.deletedItems.map { IndexPath($0) }
            insertedItems = batch.insertedItems.map { IndexPath($0) }
            movedItems = Dictionary(batch.movedItems.map { (IndexPath($0.from), IndexPath($0.to)) }) { first, _ in first
            }
        }
    }
}

extension ScreenUpdate {
    /// Returns the steps that show this update in a list.
    ///
    /// - Parameters:
    ///   - shown: the screen that the same sequence delivered before; `nil` for its first.
    ///   - isInWindow: whether the view is in a window. Outside one there are no cells to animate; laying them out for
    ///     batch updates is wasted work, and UIKit warns about it. Such a view reloads instead.
    public func listUpdate(from shown: Screen?, isInWindow: Bool = true) -> ListUpdate {
        guard let shown, !isFirst, isInWindow else {
            return ListUpdate(reloads: true, steps: [], sections: screen.sections, changedItems: [], changedHeads: [])
        }
        return ListUpdate(
            reloads: false, steps: steps(from: shown), sections: screen.sections,
            changedItems: changes.reconfiguredItems.map { IndexPath($0) }, changedHeads: changes.reconfiguredSections)
    }

    private func steps(from old: Screen) -> [ListUpdate.Step] {
        changes.batches.enumerated().map { index, batch in
            guard index + 1 < changes.batches.count else { return ListUpdate.Step(batch, screen.sections) }
            // Only the order of sections is new: sections that stay have their old items.
            let before = Dictionary(old.sections.map { ($0.id, $0) }) { first, _ in first }
            return ListUpdate.Step(batch, screen.sections.map { before[$0.id] ?? $0 })
        }
    }
}

extension IndexPath {
    fileprivate init(_ position: ItemPosition) { self.init(indexes: [position.section, position.item]) }
}
