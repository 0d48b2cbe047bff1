public import MarqueeModel

/// One batch of a screen's changes with the data that belongs to its end.
public struct ScreenStep: Sendable {
    public let batch: StructuralBatch
    /// What the data source has to hold when the batch is performed: set it inside the batch, never earlier or later.
    public let sections: [ScreenSection]
}

extension ScreenUpdate {
    /// The structural changes in the order in which they are to be performed: at most two.
    ///
    /// When a section moves, the first step holds sections only, and its data is the new order of sections with the
    /// old items of those that stayed. Content that changed in place is no part of the steps; see
    /// `ScreenChanges.reconfiguredItems`.
    ///
    /// - Parameter old: the screen that the same sequence gave before.
    public func steps(from old: Screen) -> [ScreenStep] {
        changes.batches.enumerated().map { index, batch in
            guard index + 1 < changes.batches.count else { return ScreenStep(batch: batch, sections: screen.sections) }
            let before = Dictionary(old.sections.map { ($0.id, $0) }) { first, _ in first }
            return ScreenStep(batch: batch, sections: screen.sections.map { before[$0.id] ?? $0 })
        }
    }
}
