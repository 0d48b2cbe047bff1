public import MarqueeModel

/// The instructions by which a collection view shows an update. `UICollectionView.perform` carries them out; an app may
/// also do so itself.
public enum CollectionUpdate: Sendable {
    /// Set these sections, then reload everything: nothing was shown before, or the view is not on screen.
    case reload([ScreenSection])
    case change(CollectionChange)
}

/// The parts of an update, in the order in which to perform them.
public struct CollectionChange: Sendable {
    /// Batch updates, each with the sections to set inside it: at most two.
    public let steps: [ScreenStep]
    /// The data source's sections at the end. Set them even if there are no steps: content may have changed in place.
    public let sections: [ScreenSection]
    /// Whether the layout must ask for the sections' layouts again because a head changed: heads carry the layout and
    /// the texts that estimated headers and footers are measured by. Batch updates alone don't make the layout ask
    /// again for sections that stayed.
    public let invalidatesLayout: Bool
    /// Items to reconfigure, at their new places. Includes prepared cells that aren't visible; cells created later are
    /// configured anyway.
    public let reconfiguredItems: [ItemPosition]
    /// Sections whose visible headers, footers and side views are outdated. Those that aren't visible are created when
    /// they are needed.
    public let refreshedSections: [Int]

    /// An update made by hand, for tests and previews.
    public init(
        steps: [ScreenStep], sections: [ScreenSection], invalidatesLayout: Bool, reconfiguredItems: [ItemPosition],
        refreshedSections: [Int]
    ) {
        self.steps = steps
        self.sections = sections
        self.invalidatesLayout = invalidatesLayout
        self.reconfiguredItems = reconfiguredItems
        self.refreshedSections = refreshedSections
    }
}

extension ScreenUpdate {
    /// Returns the instructions by which a collection view shows this update.
    ///
    /// - Parameters:
    ///   - shown: the screen that the same sequence delivered before; `nil` for its first.
    ///   - isInWindow: whether the view is in a window. Outside one there are no cells to animate; laying them out for
    ///     batch updates is wasted work, and UIKit warns about it. So such a view reloads.
    public func collectionUpdate(from shown: Screen?, isInWindow: Bool) -> CollectionUpdate {
        guard let shown, !isFirst, isInWindow else { return .reload(screen.sections) }
        return .change(
            CollectionChange(
                steps: steps(from: shown), sections: screen.sections,
                invalidatesLayout: !changes.reconfiguredSections.isEmpty,
                reconfiguredItems: changes.reconfiguredItems, refreshedSections: changes.reconfiguredSections))
    }
}
