package import MarqueeDiff
package import MarqueeModel

/// The changes that one cut makes to one view.
package struct ViewWrite: Sendable {
    package var id: ViewID
    package var parameters: [StoredParameters]
    /// The view's own list of sections; `nil` if unchanged. A view can be read once its list has been written.
    package var list: (base: Version?, target: Version)?
    /// Sections whose content changed. A `base` of `nil` replaces whatever is stored.
    package var sections: [(id: String, base: Version?, target: Version)]
    package var removedSections: [String]

    package init(
        id: ViewID, parameters: [StoredParameters] = [], list: (base: Version?, target: Version)? = nil,
        sections: [(id: String, base: Version?, target: Version)] = [], removedSections: [String] = []
    ) {
        self.id = id
        self.parameters = parameters
        self.list = list
        self.sections = sections
        self.removedSections = removedSections
    }
}

/// Everything that one cut changes in the mirror. It is stored as a whole or not at all (G3).
package struct MirrorTransaction: Sendable {
    /// The position that all live views are at afterwards.
    package var cut: Cut
    /// The parts of the position that the cut's frames name; nothing for progress.
    package var proven: CutChange
    /// Seconds since 1970.
    package var savedAt: Double
    /// Views whose content changed.
    package var views: [ViewWrite]
    /// All live views: their position moves, changed or not.
    package var currentViews: [ViewID]
    /// Outbox entries to remove, because this cut contains their effect.
    package var finishedMutations: [UInt64]

    package init(
        cut: Cut, proven: CutChange = CutChange(), savedAt: Double, views: [ViewWrite] = [],
        currentViews: [ViewID] = [],
        finishedMutations: [UInt64] = []
    ) {
        self.cut = cut
        self.proven = proven
        self.savedAt = savedAt
        self.views = views
        self.currentViews = currentViews
        self.finishedMutations = finishedMutations
    }
}
