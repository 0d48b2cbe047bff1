public import MarqueeModel

/// One batch of a screen's changes, with the data that holds at its end.
public struct ScreenStep: Sendable {
    /// The inserts, deletes and moves of sections and items.
    public let batch: StructuralBatch
    /// The sections that the data source must hold when the batch is performed: set them inside the batch, never
    /// earlier or later.
    public let sections: [ScreenSection]

    /// A step made by hand, for tests.
    public init(batch: StructuralBatch, sections: [ScreenSection]) {
        self.batch = batch
        self.sections = sections
    }
}

extension ScreenUpdate {
    /// The structural changes, in the order in which to perform them: at most two.
    ///
    /// When a section moves, the first step changes only sections: its data is the new order of sections, in which
    /// those that stayed have their old items. Content that changed in place is not part of the steps; see
    /// `ScreenChanges.reconfiguredItems`.
    ///
    /// - Parameter old: the screen that the same sequence delivered before.
    public func steps(from old: Screen) -> [ScreenStep] {
        changes.batches.enumerated().map { index, batch in
            guard index + 1 < changes.batches.count else { return ScreenStep(batch: batch, sections: screen.sections) }
            let before = Dictionary(old.sections.map { ($0.id, $0) }) { first, _ in first }
            return ScreenStep(batch: batch, sections: screen.sections.map { before[$0.id] ?? $0 })
        }
    }
}
