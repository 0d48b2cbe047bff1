#if canImport(UIKit) && !os(watchOS)
    import Foundation
    public import MarqueeClient
    public import UIKit

    extension UICollectionView {
        /// Shows an update: performs at most two batches, reconfigures cells that stayed, and invalidates the section
        /// layouts if a head is new. A view that isn't in a window reloads instead; `ScreenUpdate.listUpdate` says why.
        ///
        /// - Parameters:
        ///   - update: from a `ScreenUpdates` sequence.
        ///   - shown: the screen that the same sequence delivered before; `nil` for the first, which reloads
        ///     everything.
        ///   - isAnimated: whether structural changes are animated.
        ///   - setSections: sets the data source's sections. Called inside each batch, with the sections at its end.
        ///   - refreshSection: called for each section that stayed but has a new head, to update its visible headers
        ///     and footers.
        public func perform(
            _ update: ScreenUpdate, after shown: Screen?, isAnimated: Bool = true,
            setSections: @escaping ([ScreenSection]) -> Void, refreshSection: (Int) -> Void = { _ in }
        ) {
            let change = update.listUpdate(from: shown, isInWindow: window != nil)
            if change.reloads {
                setSections(change.sections)
                reloadData()
            } else {
                let perform = { self.perform(change, setSections: setSections) }
                if isAnimated { perform() } else { UIView.performWithoutAnimation(perform) }
                change.changedHeads.forEach(refreshSection)
            }
        }

        private func perform(_ change: ListUpdate, setSections: @escaping ([ScreenSection]) -> Void) {
            for step in change.steps {
                performBatchUpdates {
                    setSections(step.sections)
                    self.record(step)
                }
            }
            setSections(change.sections)
            if !change.changedHeads.isEmpty { collectionViewLayout.invalidateLayout() }
            reconfigureItems(at: change.changedItems)
        }

        /// Passes a batch to the collection view; call inside `performBatchUpdates`.
        private func record(_ step: ListUpdate.Step) {
            deleteSections(step.deletedSections)
            insertSections(step.insertedSections)
            for (origin, place) in step.movedSections { moveSection(origin, toSection: place) }
            deleteItems(at: step.deletedItems)
            insertItems(at: step.insertedItems)
            for (origin, place) in step.movedItems { moveItem(at: origin, to: place) }
        }
    }
#endif
