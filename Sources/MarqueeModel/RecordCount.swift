/// How many records of one type there are.
public struct RecordCount: Hashable, Sendable, CustomStringConvertible {
    /// The type's alias, such as `episode`.
    public var type: String
    public var count: UInt64

    package init(type: String, count: UInt64) {
        self.type = type
        self.count = count
    }

    /// `episode 12`
    public var description: String { "\(type) \(count)" }
}

/// What a catalogue holds, in numbers.
package struct CatalogueCounts: Hashable, Sendable {
    package var movies: Int
    /// Of each type that has any.
    package var records: [RecordCount]

    package init(movies: Int = 0, records: [RecordCount] = []) {
        self.movies = movies
        self.records = records
    }

    /// `120 movies, show 2, episode 12`; `nil` where there is neither.
    package var summary: String? {
        let parts =
            (movies > 0 ? ["\(movies) movie\(movies == 1 ? "" : "s")"] : []) + records.map(\.description)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
