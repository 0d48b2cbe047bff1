import MarqueeModel

/// Sorted lists of movies, each kept up to date from its first use on: a changed movie costs two binary searches in each
/// list that holds it.
struct MovieOrders: Sendable {
    struct Name: Hashable, Sendable {
        /// `nil`: all movies.
        var genre: UInt64?
        var sort: MovieSort
    }

    private var lists: [Name: [UInt64]] = [:]

    subscript(name: Name) -> [UInt64]? {
        get { lists[name] }
        set { lists[name] = newValue }
    }

    /// Moves a movie to where its new values belong.
    ///
    /// - Parameters:
    ///   - old: the movie before, `nil` for a new one.
    ///   - new: the movie after, `nil` for one that is gone.
    ///   - movies: all movies, `old` still among them.
    mutating func replace(_ old: Movie?, by new: Movie?, movies: [UInt64: Movie]) {
        for name in Array(lists.keys) {
            let oldKey = old.flatMap { $0.belongs(to: name.genre) ? name.sort.key(of: $0) : nil }
            let newKey = new.flatMap { $0.belongs(to: name.genre) ? name.sort.key(of: $0) : nil }
            if oldKey == newKey { continue }
            if let oldKey {
                let place = place(of: oldKey, in: name, movies: movies)
                lists[name]?.remove(at: place)
            }
            if let newKey {
                let place = place(of: newKey, in: name, movies: movies)
                lists[name]?.insert(newKey.id, at: place)
            }
        }
    }

    /// How many movies of the list stand before `key`.
    private func place(of key: MovieSort.Key, in name: Name, movies: [UInt64: Movie]) -> Int {
        let list = lists[name] ?? []
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if let movie = movies[list[middle]], name.sort.key(of: movie) < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension Movie {
    /// - Parameter genre: `nil` for all movies.
    func belongs(to genre: UInt64?) -> Bool {
        guard let genre else { return true }
        return genres?.contains(genre) ?? false
    }
}
