#if canImport(UIKit)
    import Foundation
    public import MarqueeClient
    public import UIKit

    extension UICollectionView {
        /// Performs an update with at most two batches, and gives cells that stayed their new content.
        ///
        /// - Parameters:
        ///   - update: from a `ScreenUpdates` sequence.
        ///   - shown: the screen that the same sequence gave before; `nil` for its first, which reloads everything.
        ///   - isAnimated: whether changes of structure are animated.
        ///   - setSections: puts these sections into the data source. Called inside each batch, with the data that belongs to its end.
        ///   - refreshSection: called for each section that stayed and whose head is new, to set what its visible headers and footers show.
        public func perform(
            _ update: ScreenUpdate, after shown: Screen?, isAnimated: Bool = true,
            setSections: @escaping ([ScreenSection]) -> Void, refreshSection: (Int) -> Void = { _ in }
        ) {
            guard let shown, !update.isFirst else {
                setSections(update.screen.sections)
                return reloadData()
            }
            let changes = {
                for step in update.steps(from: shown) {
                    self.performBatchUpdates {
                        setSections(step.sections)
                        self.record(step.batch)
                    }
                }
                // Without a batch the data is still to be set: content may have changed in place.
                setSections(update.screen.sections)
                self.reconfigureItems(at: update.changes.reconfiguredItems.map { IndexPath($0) })
            }
            if isAnimated { changes() } else { UIView.performWithoutAnimation(changes) }
            update.changes.reconfiguredSections.forEach(refreshSection)
        }

        /// Tells the collection view what a batch does; to be called inside `performBatchUpdates`.
        private func record(_ batch: StructuralBatch) {
            deleteSections(IndexSet(batch.deletedSections))
            insertSections(IndexSet(batch.insertedSections))
            for move in batch.movedSections { moveSection(move.from, toSection: move.to) }
            deleteItems(at: batch.deletedItems.map { IndexPath($0) })
            insertItems(at: batch.insertedItems.map { IndexPath($0) })
            for move in batch.movedItems { moveItem(at: IndexPath(move.from), to: IndexPath(move.to)) }
        }
    }

    extension IndexPath {
        fileprivate init(_ position: ItemPosition) {
            self.init(item: position.item, section: position.section)
        }
    }
#endif
