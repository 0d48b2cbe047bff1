import MarqueeModel

/// The place of a window that can start anywhere in a list.
struct ShownPlace: Hashable, Sendable {
    /// The rank of the window's first row.
    var first: Int
    /// The place of the anchor.
    var cursor: [UInt8]
}

/// The row that a window's anchor stands for.
struct AnchoredRow: Sendable {
    var rank: Int
    var id: String
}

/// The rows of a window around its anchor, in an order whose rows are counted. A move elsewhere in the order costs a
/// few comparisons of numbers.
struct PlacedRows: Sendable {
    /// Rows of the whole order.
    private(set) var total = 0
    /// The rows shown, and the rank of the first one.
    private(set) var ids: [String] = []
    private(set) var first = 0
    /// The row that the anchor stands for; `nil` without rows.
    private(set) var anchor: AnchoredRow?
    private let place: WindowPlace
    /// The rows that the anchor goes along with while they are in the order.
    private let followed: Set<String>
    /// Whether the anchor stands for whatever row has its rank.
    private var isRank = false
    /// Whether the rows have to be found again.
    private var isStale = true

    /// - Parameter followed: the rows that the anchor goes along with while they are in the order.
    init(at place: WindowPlace, following followed: Set<String> = []) {
        self.place = place
        self.followed = followed
    }

    func members(first limit: Int) -> [Member] { ids.prefix(limit).map { .text($0) } }

    /// Forgets the rows; `find` finds them again.
    mutating func reset() { self = PlacedRows(at: place, following: followed) }

    /// - Parameters:
    ///   - total: rows of the whole order.
    ///   - rank: that of the anchor; `nil` if it stands for no row.
    ///   - isRank: whether the anchor stands for whatever row has its rank.
    ///   - ids: the rows at ranks.
    mutating func find(total: Int, rank: Int?, isRank: Bool = false, ids: (Range<Int>) -> [String]) {
        reset()
        (self.total, isStale) = (total, false)
        guard let rank, total > 0 else { return }
        let rows = place.rows(around: rank, of: total)
        (first, self.ids, self.isRank) = (rows.lowerBound, ids(rows), isRank)
        anchor = AnchoredRow(rank: rank, id: self.ids[rank - first])
    }

    mutating func follow(_ journal: OrderJournal) -> SectionReaction {
        if journal.isIncomplete { return .all }
        guard !isStale, let reaction = passed(journal) else {
            isStale = true
            return .members(except: journal.members)
        }
        return reaction
    }

    /// Follows moves that leave the window's rows as they are.
    ///
    /// - Returns: `nil` if the moves may change the rows.
    private mutating func passed(_ journal: OrderJournal) -> SectionReaction? {
        var (start, total) = (first, total)
        var changed: Set<Member> = []
        for move in journal.moves {
            if let rank = move.from, rank == move.to {
                // The row before the anchor's may now be the first at or after the anchor's place.
                if let anchor, !followed.contains(anchor.id), rank == anchor.rank + start - first - 1 { return nil }
                guard rank >= start, rank < start + ids.count else { continue }
                if move.id == anchor?.id { return nil }
                changed.insert(.text(move.id))
                continue
            }
            if let rank = move.from {
                if rank < start { start -= 1 } else if rank < start + ids.count { return nil }
                total -= 1
            }
            if let rank = move.to {
                // A row next to the window may belong to it now, and the anchor may have returned.
                if rank < start { start += 1 } else if rank <= start + ids.count { return nil }
                if followed.contains(move.id) { return nil }
                total += 1
            }
            // Other rows have the anchor's rank then.
            if isRank, start != first { return nil }
        }
        let isMoved = (start, total) != (first, self.total)
        if isMoved {
            let before = first
            (first, self.total) = (start, total)
            if let rank = anchor?.rank {
                anchor?.rank = rank + start - before
                guard place.rows(around: rank + start - before, of: self.total) == start..<start + ids.count else {
                    return nil
                }
            }
        }
        if !changed.isEmpty { return .items(changed) }
        return isMoved ? .head : SectionReaction.none
    }
}
