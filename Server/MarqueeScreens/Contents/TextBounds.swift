/// Limits on text bytes and list entries in bodies. A body must fit into one data part, whatever a feed contains.
enum TextBounds {
    /// For overviews and other running text.
    static let prose = 4_096
    static let title = 1_024
    /// For names of people, genres, characters, distributors, countries and images.
    static let name = 512
    /// Genres, countries or directors per movie.
    static let entries = 16
    /// For each component of an item's id.
    static let key = 160
}

extension String {
    /// The longest prefix that fits, cut between characters.
    func clipped(to limit: Int) -> String {
        if utf8.count <= limit { return self }
        var bytes = 0
        let fitting = prefix { character in
            bytes += character.utf8.count
            return bytes <= limit
        }
        return String(fitting)
    }
}
