import MarqueeCatalogue
import MarqueeModel

/// Names an order of all movies or of one genre's.
struct OrderName: Hashable, Sendable {
    /// `nil`: all movies.
    var genre: UInt64?
    var sort: MovieSort
}

/// What a change to one movie did to one order.
struct OrderMove: Sendable {
    var order: OrderName
    /// The old rank; `nil` if the movie was not in the order.
    var from: Int?
    /// The new rank; `nil` if it is no longer in the order.
    var to: Int?

    /// The first rank whose movie or content may have changed.
    var firstRank: Int { min(from ?? .max, to ?? .max) }
}

/// The orders in use: each updated with O(log n) comparisons for a changed movie, and none if its key in that order is
/// unchanged.
struct MovieOrders: Sendable {
    private var lists: [OrderName: RankedList] = [:]
    /// Sorts used by some order.
    private var sorts: [MovieSort] = []
    /// Keys compared since the start, a measure of work.
    private(set) var comparisons: UInt64 = 0

    subscript(name: OrderName) -> RankedList? { lists[name] }

    var names: some Collection<OrderName> { lists.keys }

    /// Adds an order with its movies from a table that holds all.
    mutating func add(_ name: OrderName, slots: [UInt32], in table: MovieTable) {
        lists[name] = RankedList(table.sorted(slots, by: name.sort))
        if !sorts.contains(name.sort) { sorts.append(name.sort) }
    }

    mutating func drop(_ name: OrderName) {
        lists[name] = nil
        sorts = sorts.filter { sort in lists.keys.contains { $0.sort == sort } }
    }

    // MARK: - One movie changes

    /// Orders that contain either of two states of a movie.
    func names(holding old: Movie?, _ new: Movie?) -> [OrderName] {
        // While a catalogue is being read there are none yet.
        guard !sorts.isEmpty else { return [] }
        let genres = Set((old?.genres ?? []) + (new?.genres ?? [])).map { Optional($0) } + [nil]
        return genres.flatMap { genre in
            sorts.map { OrderName(genre: genre, sort: $0) }.filter { lists[$0] != nil }
        }
    }

    /// How many movies in the order precede a key.
    mutating func rank(of key: SortKey, in name: OrderName, _ table: MovieTable) -> Int {
        guard let list = lists[name] else { return 0 }
        var compared: UInt64 = 0
        defer { comparisons += compared }
        return list.rank { slot in
            compared += 1
            return table.precedes(slot, key, by: name.sort)
        }
    }

    /// Removes a movie while the table still holds the fields its key was built from.
    ///
    /// - Returns: its former rank.
    mutating func remove(_ key: SortKey, from name: OrderName, _ table: MovieTable) -> Int {
        let rank = rank(of: key, in: name, table)
        lists[name]?.remove(at: rank)
        return rank
    }

    /// - Returns: its new rank.
    mutating func insert(_ slot: UInt32, _ key: SortKey, into name: OrderName, _ table: MovieTable) -> Int {
        let rank = rank(of: key, in: name, table)
        lists[name]?.insert(slot, at: rank)
        return rank
    }
}

extension MovieTable {
    fileprivate func sorted(_ slots: [UInt32], by sort: MovieSort) -> [UInt32] {
        slots.map { (key: key(at: $0, by: sort), slot: $0) }.sorted { $0.key < $1.key }.map(\.slot)
    }
}

extension Movie {
    /// - Parameter genre: `nil` for all movies.
    func belongs(to genre: UInt64?) -> Bool {
        guard let genre else { return true }
        return genres?.contains(genre) ?? false
    }
}
