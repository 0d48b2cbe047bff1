/// An item's position: the index of its section and its index within it.
public struct ItemPosition: Hashable, Sendable, Comparable {
    public var section: Int
    public var item: Int

    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    public static func < (a: ItemPosition, b: ItemPosition) -> Bool {
        (a.section, a.item) < (b.section, b.item)
    }
}

/// A change of place.
public struct PositionMove<Position: Hashable & Sendable>: Hashable, Sendable {
    public var from: Position
    public var to: Position

    public init(from: Position, to: Position) {
        self.from = from
        self.to = to
    }
}

/// Structural changes that `UICollectionView.performBatchUpdates` accepts as one batch: deletes and move origins use
/// old indices, inserts and move destinations new ones.
public struct StructuralBatch: Hashable, Sendable {
    public var deletedSections: [Int] = []
    public var insertedSections: [Int] = []
    public var movedSections: [PositionMove<Int>] = []
    public var deletedItems: [ItemPosition] = []
    public var insertedItems: [ItemPosition] = []
    public var movedItems: [PositionMove<ItemPosition>] = []

    public init() {}

    public var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && deletedItems.isEmpty
            && insertedItems.isEmpty && movedItems.isEmpty
    }
}

/// The changes from one state of a screen to the next.
public struct ScreenChanges: Hashable, Sendable {
    /// Perform in order, each with the data as of its end. There are at most two; if there are two, the first contains
    /// only sections.
    public var batches: [StructuralBatch] = []
    /// New positions of items that stayed and whose content changed.
    public var reconfiguredItems: [ItemPosition] = []
    /// New indices of sections that stayed and whose head changed.
    public var reconfiguredSections: [Int] = []

    public init() {}

    public var isEmpty: Bool {
        batches.isEmpty && reconfiguredItems.isEmpty && reconfiguredSections.isEmpty
    }
}
