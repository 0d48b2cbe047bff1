/// An item's position: the index of its section and its index within it.
package struct ItemPosition: Hashable, Sendable, Comparable {
    /// The index of the section on the screen, from 0.
    package var section: Int
    /// The index of the item in the section, from 0.
    package var item: Int

    /// A position on a screen.
    package init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    package static func < (a: ItemPosition, b: ItemPosition) -> Bool {
        (a.section, a.item) < (b.section, b.item)
    }
}

/// A move from one position to another.
package struct PositionMove<Position: Hashable & Sendable>: Hashable, Sendable {
    /// The position before the change.
    package var from: Position
    /// The position after the change.
    package var to: Position

    /// A move between two positions.
    package init(from: Position, to: Position) {
        self.from = from
        self.to = to
    }
}

/// Structural changes that `UICollectionView.performBatchUpdates` accepts as one batch: deletes and move origins use
/// old indices, inserts and move destinations new ones.
package struct StructuralBatch: Hashable, Sendable {
    /// Indices before the change.
    package var deletedSections: [Int] = []
    /// Indices after the change.
    package var insertedSections: [Int] = []
    /// Sections that move.
    package var movedSections: [PositionMove<Int>] = []
    /// Positions before the change, in sections that remain.
    package var deletedItems: [ItemPosition] = []
    /// Positions after the change, in sections that remain.
    package var insertedItems: [ItemPosition] = []
    /// Items that move.
    package var movedItems: [PositionMove<ItemPosition>] = []

    /// No changes.
    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && deletedItems.isEmpty
            && insertedItems.isEmpty && movedItems.isEmpty
    }
}

/// The changes from one state of a screen to the next.
package struct ScreenChanges: Hashable, Sendable {
    /// To be performed in order, each with the data as it is after that batch. There are at most two; if there are two,
    /// the first contains only sections.
    package var batches: [StructuralBatch] = []
    /// New positions of items that remained and whose content changed.
    package var reconfiguredItems: [ItemPosition] = []
    /// New indices of sections that remained and whose head changed.
    package var reconfiguredSections: [Int] = []

    /// No changes.
    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool {
        batches.isEmpty && reconfiguredItems.isEmpty && reconfiguredSections.isEmpty
    }
}
