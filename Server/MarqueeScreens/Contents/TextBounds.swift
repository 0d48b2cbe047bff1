import MarqueeDiff
import MarqueeModel

/// Limits on bytes of text and entries of lists in bodies. A body must fit into one data part, whatever a feed
/// contains.
enum TextBounds {
    /// For overviews and other running text.
    static let prose = 4_096
    static let title = 1_024
    /// For short texts, such as names of people, places and images.
    static let name = 512
    /// Maximum values of one repeated field.
    static let entries = 16
    /// For each component of an item's id.
    static let key = 160
}

extension ImageReference {
    var clipped: ImageReference {
        ImageReference(name: name.clipped(to: TextBounds.name), aspect: aspect, color: color)
    }
}

extension String {
    /// The string itself, or its hash if it is too long to be part of an id.
    var boundedKey: String {
        utf8.count <= TextBounds.key ? self : "xxh64-\(String(XXH64.hash(Array(utf8)), radix: 16))"
    }

    /// The longest prefix of at most `limit` UTF-8 bytes that doesn't split a character.
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
