#if canImport(UIKit) && !os(watchOS)
    import Foundation
    public import MarqueeClient
    public import UIKit

    extension UICollectionView {
        /// Shows an update: performs at most two batches, reconfigures cells that stayed, and invalidates the section
        /// layouts if a head is new. A view that isn't in a window reloads instead; `CollectionUpdate` says why.
        ///
        /// - Parameters:
        ///   - update: from a `ScreenUpdates` sequence.
        ///   - shown: the screen the same sequence produced before; `nil` for the first, which reloads everything.
        ///   - isAnimated: whether structural changes are animated.
        ///   - setSections: puts these sections into the data source. Called inside each batch, with the data as of its
        ///     end.
        ///   - refreshSection: called for each section that stayed but has a new head, to update its visible headers
        ///     and footers.
        public func perform(
            _ update: ScreenUpdate, after shown: Screen?, isAnimated: Bool = true,
            setSections: @escaping ([ScreenSection]) -> Void, refreshSection: (Int) -> Void = { _ in }
        ) {
            switch update.collectionUpdate(from: shown, isInWindow: window != nil) {
            case .reload(let sections):
                setSections(sections)
                reloadData()
            case .change(let change):
                let perform = { self.perform(change, setSections: setSections) }
                if isAnimated { perform() } else { UIView.performWithoutAnimation(perform) }
                change.refreshedSections.forEach(refreshSection)
            }
        }

        private func perform(_ change: CollectionChange, setSections: @escaping ([ScreenSection]) -> Void) {
            for step in change.steps {
                performBatchUpdates {
                    setSections(step.sections)
                    self.record(step.batch)
                }
            }
            setSections(change.sections)
            if change.invalidatesLayout { collectionViewLayout.invalidateLayout() }
            reconfigureItems(at: change.reconfiguredItems.map { IndexPath($0) })
        }

        /// Tells the collection view what a batch does; call inside `performBatchUpdates`.
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
