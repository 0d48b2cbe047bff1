/// An item's position: the index of its section and its index within it.
public struct ItemPosition: Hashable, Sendable, Comparable {
    /// The place of the section on the screen, from 0.
    public var section: Int
    /// The place of the item in the section, from 0.
    public var item: Int

    /// A place on a screen.
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
    /// The place before.
    public var from: Position
    /// The place afterwards.
    public var to: Position

    /// A move from one place to another.
    public init(from: Position, to: Position) {
        self.from = from
        self.to = to
    }
}

/// Structural changes that `UICollectionView.performBatchUpdates` accepts as one batch: deletes and move origins use
/// old indices, inserts and move destinations new ones.
public struct StructuralBatch: Hashable, Sendable {
    /// Places before.
    public var deletedSections: [Int] = []
    /// Places afterwards.
    public var insertedSections: [Int] = []
    /// Sections that change their place.
    public var movedSections: [PositionMove<Int>] = []
    /// Places before, of items in sections that stay.
    public var deletedItems: [ItemPosition] = []
    /// Places afterwards, of items in sections that stay.
    public var insertedItems: [ItemPosition] = []
    /// Items that change their place.
    public var movedItems: [PositionMove<ItemPosition>] = []

    /// No changes.
    public init() {}

    /// Whether nothing changes.
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

    /// No changes.
    public init() {}

    /// Whether nothing changes.
    public var isEmpty: Bool {
        batches.isEmpty && reconfiguredItems.isEmpty && reconfiguredSections.isEmpty
    }
}
