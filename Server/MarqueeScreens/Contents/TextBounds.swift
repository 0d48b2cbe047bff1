/// Bytes of texts in bodies and entries of their lists. A body must fit into one part of data, whatever a feed brings.
enum TextBounds {
    /// Of overviews and other running text.
    static let prose = 4_096
    static let title = 1_024
    /// Of people, genres, characters, distributors, countries and images.
    static let name = 512
    /// Genres, countries or directors of one movie.
    static let entries = 16
    /// Of what an item's id is made of.
    static let key = 160
}

extension String {
    /// The beginning that fits, cut between characters.
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
