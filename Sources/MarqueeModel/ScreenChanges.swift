/// Where an item stands: the index of its section and its index in there.
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

/// Structural changes that `UICollectionView.performBatchUpdates` accepts as one batch: deletes and moves' origins in
/// old indices, inserts and moves' destinations in new ones.
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

/// The way from one state of a screen to the next.
public struct ScreenChanges: Hashable, Sendable {
    /// To be performed in order, each with the data of its end: at most two, of which the first holds sections only.
    public var batches: [StructuralBatch] = []
    /// Items that stayed and whose content is new, at their new places.
    public var reconfiguredItems: [ItemPosition] = []
    /// Sections that stayed and whose head is new, at their new places.
    public var reconfiguredSections: [Int] = []

    public init() {}

    public var isEmpty: Bool {
        batches.isEmpty && reconfiguredItems.isEmpty && reconfiguredSections.isEmpty
    }
}
