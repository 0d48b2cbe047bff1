public import MarqueeModel

/// What a collection view has to do to show an update. `UICollectionView.perform` carries it out; so can an app that
/// does this itself.
public enum CollectionUpdate: Sendable {
    /// Set these sections, then reload everything: nothing was shown before, or nobody is looking.
    case reload([ScreenSection])
    case change(CollectionChange)
}

/// The parts of an update, in the order in which they are performed.
public struct CollectionChange: Sendable {
    /// Batch updates, each with the sections to set inside it: at most two.
    public let steps: [ScreenStep]
    /// What the data source holds at the end. To be set even if there is no step: content may have changed in place.
    public let sections: [ScreenSection]
    /// Whether the layout has to ask for the sections' layouts again, since a head is new: with it come the layout
    /// itself, and the texts that estimated headers and footers are measured by. Batch updates alone don't make it ask
    /// for sections that stayed.
    public let invalidatesLayout: Bool
    /// Items to reconfigure, at their new places. This includes prepared cells that don't show; cells made later are
    /// configured anyway.
    public let reconfiguredItems: [ItemPosition]
    /// Sections whose visible headers, footers and side views show something old. Those that don't show are made when
    /// they are needed.
    public let refreshedSections: [Int]
}

extension ScreenUpdate {
    /// What a collection view has to do to show this update.
    ///
    /// - Parameters:
    ///   - shown: the screen that the same sequence gave before; `nil` for its first.
    ///   - isInWindow: whether the view is in a window. A view that isn't has no cells to animate, and laying them out
    ///     for batch updates there is both wasted and what UIKit warns of; it reloads.
    public func collectionUpdate(from shown: Screen?, isInWindow: Bool) -> CollectionUpdate {
        guard let shown, !isFirst, isInWindow else { return .reload(screen.sections) }
        return .change(
            CollectionChange(
                steps: steps(from: shown), sections: screen.sections,
                invalidatesLayout: !changes.reconfiguredSections.isEmpty,
                reconfiguredItems: changes.reconfiguredItems, refreshedSections: changes.reconfiguredSections))
    }
}
