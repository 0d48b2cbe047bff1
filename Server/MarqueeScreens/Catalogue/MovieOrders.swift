import MarqueeModel

/// Names an order of all movies or of a genre's.
struct OrderName: Hashable, Sendable {
    /// `nil`: all movies.
    var genre: UInt64?
    var sort: MovieSort
}

/// What a change of one movie did to one order.
struct OrderMove: Sendable {
    var order: OrderName
    /// The rank before, `nil` when the movie was not in the order.
    var from: Int?
    /// The rank now, `nil` when it is not in the order any more.
    var to: Int?

    /// The first rank at which another movie may stand now, or the same with other content.
    var firstRank: Int { min(from ?? .max, to ?? .max) }
}

/// The orders in use: each kept up to date by O(log n) comparisons for a changed movie, and none for one whose key in
/// it stays.
struct MovieOrders: Sendable {
    private var lists: [OrderName: RankedList] = [:]
    /// Sorts that some order has.
    private var sorts: [MovieSort] = []
    /// Keys compared since the start, a measure of work.
    private(set) var comparisons: UInt64 = 0

    subscript(name: OrderName) -> RankedList? { lists[name] }

    var names: some Collection<OrderName> { lists.keys }

    /// The order's movies from a table that holds all.
    mutating func add(_ name: OrderName, slots: [UInt32], in table: MovieTable) {
        lists[name] = RankedList(table.sorted(slots, by: name.sort))
        if !sorts.contains(name.sort) { sorts.append(name.sort) }
    }

    mutating func drop(_ name: OrderName) {
        lists[name] = nil
        sorts = sorts.filter { sort in lists.keys.contains { $0.sort == sort } }
    }

    // MARK: - One movie changes

    /// Orders that hold one of two states of a movie.
    func names(holding old: Movie?, _ new: Movie?) -> [OrderName] {
        // While a catalogue is read there are none yet.
        guard !sorts.isEmpty else { return [] }
        let genres = Set((old?.genres ?? []) + (new?.genres ?? [])).map { Optional($0) } + [nil]
        return genres.flatMap { genre in
            sorts.map { OrderName(genre: genre, sort: $0) }.filter { lists[$0] != nil }
        }
    }

    /// How many movies of the order stand before a key.
    mutating func rank(of key: SortKey, in name: OrderName, _ table: MovieTable) -> Int {
        guard let list = lists[name] else { return 0 }
        var compared: UInt64 = 0
        defer { comparisons += compared }
        return list.rank { slot in
            compared += 1
            return table.precedes(slot, key, by: name.sort)
        }
    }

    /// Takes a movie out while the table still holds what its key was made of.
    ///
    /// - Returns: the rank that it had.
    mutating func remove(_ key: SortKey, from name: OrderName, _ table: MovieTable) -> Int {
        let rank = rank(of: key, in: name, table)
        lists[name]?.remove(at: rank)
        return rank
    }

    /// - Returns: the rank that the movie has now.
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
