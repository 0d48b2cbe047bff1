/// An item's position: the index of its section and its index within it.
package struct ItemPosition: Hashable, Sendable, Comparable {
    /// The place of the section on the screen, from 0.
    package var section: Int
    /// The place of the item in the section, from 0.
    package var item: Int

    /// A place on a screen.
    package init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    package static func < (a: ItemPosition, b: ItemPosition) -> Bool {
        (a.section, a.item) < (b.section, b.item)
    }
}

/// A change of place.
package struct PositionMove<Position: Hashable & Sendable>: Hashable, Sendable {
    /// The place before.
    package var from: Position
    /// The place afterwards.
    package var to: Position

    /// A move from one place to another.
    package init(from: Position, to: Position) {
        self.from = from
        self.to = to
    }
}

/// Structural changes that `UICollectionView.performBatchUpdates` accepts as one batch: deletes and move origins use
/// old indices, inserts and move destinations new ones.
package struct StructuralBatch: Hashable, Sendable {
    /// Places before.
    package var deletedSections: [Int] = []
    /// Places afterwards.
    package var insertedSections: [Int] = []
    /// Sections that change their place.
    package var movedSections: [PositionMove<Int>] = []
    /// Places before, of items in sections that stay.
    package var deletedItems: [ItemPosition] = []
    /// Places afterwards, of items in sections that stay.
    package var insertedItems: [ItemPosition] = []
    /// Items that change their place.
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
    /// Perform in order, each with the data as of its end. There are at most two; if there are two, the first contains
    /// only sections.
    package var batches: [StructuralBatch] = []
    /// New positions of items that stayed and whose content changed.
    package var reconfiguredItems: [ItemPosition] = []
    /// New indices of sections that stayed and whose head changed.
    package var reconfiguredSections: [Int] = []

    /// No changes.
    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool {
        batches.isEmpty && reconfiguredItems.isEmpty && reconfiguredSections.isEmpty
    }
}
