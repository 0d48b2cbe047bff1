import MarqueeCatalogue
import MarqueeModel

/// All movies, each packed into one block, with the fields that orders compare alongside.
///
/// A movie keeps its slot, a small number, while it exists; free slots are reused.
struct MovieTable: Sendable {
    private struct Row {
        var id: UInt64
        // Ordinals of `SortKey`.
        var popularity: UInt64
        var revenue: UInt64
        var releaseDate: UInt64
        var rating: UInt64
        var packed: Packed<Movie>

        init(_ movie: Movie) {
            id = movie.id
            popularity = MovieSort.popularity.key(of: movie).ordinal
            revenue = MovieSort.revenue.key(of: movie).ordinal
            releaseDate = MovieSort.releaseDate.key(of: movie).ordinal
            rating = MovieSort.rating.key(of: movie).ordinal
            packed = Packed(movie)
        }
    }

    private var slots: [UInt64: UInt32] = [:]
    /// Rows of free slots keep their last content.
    private var rows: [Row] = []
    private var free: [UInt32] = []

    var count: Int { slots.count }

    /// Slots in use, in no particular order.
    var slotsInUse: some Sequence<UInt32> { slots.values }

    func slot(of id: UInt64) -> UInt32? { slots[id] }

    func contains(_ id: UInt64) -> Bool { slots[id] != nil }

    subscript(id: UInt64) -> Movie? { slots[id].map { rows[Int($0)].packed.record } }

    // MARK: - By slot

    func id(at slot: UInt32) -> UInt64 { rows[Int(slot)].id }

    func genres(at slot: UInt32) -> Set<UInt64> { rows[Int(slot)].packed.genres }

    func key(at slot: UInt32, by sort: MovieSort) -> SortKey {
        let row = rows[Int(slot)]
        let text = sort.isNumeric ? "" : row.packed.title.lowercased()
        return SortKey(ordinal: ordinal(at: slot, by: sort), text: text, id: row.id)
    }

    /// Whether the movie in a slot precedes a key.
    func precedes(_ slot: UInt32, _ key: SortKey, by sort: MovieSort) -> Bool {
        // Most comparisons end here.
        let ordinal = ordinal(at: slot, by: sort)
        if ordinal != key.ordinal { return ordinal < key.ordinal }
        return sort.isNumeric ? rows[Int(slot)].id < key.id : self.key(at: slot, by: sort) < key
    }

    private func ordinal(at slot: UInt32, by sort: MovieSort) -> UInt64 {
        switch sort {
        case .popularity: rows[Int(slot)].popularity
        case .revenue: rows[Int(slot)].revenue
        case .releaseDate: rows[Int(slot)].releaseDate
        case .rating: rows[Int(slot)].rating
        case .title: 0
        }
    }

    // MARK: - Changing

    /// Adds a movie or replaces the one with its id.
    ///
    /// - Returns: its slot.
    mutating func set(_ movie: Movie) -> UInt32 {
        let row = Row(movie)
        if let slot = slots[movie.id] {
            rows[Int(slot)] = row
            return slot
        }
        let slot: UInt32
        if let reused = free.popLast() {
            slot = reused
            rows[Int(slot)] = row
        } else {
            slot = UInt32(rows.count)
            rows.append(row)
        }
        slots[movie.id] = slot
        return slot
    }

    mutating func remove(_ id: UInt64) {
        guard let slot = slots.removeValue(forKey: id) else { return }
        free.append(slot)
    }
}
