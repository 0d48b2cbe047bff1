/// How far rows that are read as a whole have been published, as it is committed with them.
package struct FeedPosition: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of each of a page's validators; longer ones aren't kept. A position has 256.
    static let validatorBytes = 96

    /// Stands for the address, the mapping and the types: with others, what was published would be something else.
    package var shape: String
    /// Rises with each publication, so that of two that were made of the same position one is refused.
    package var number: UInt64 = 0
    /// How the server named what was read; none while not all of it is published.
    package var validators = FeedValidators()

    package init(shape: String) { self.shape = shape }

    private static let form = "feed1"
    private static let etag = " etag="
    private static let modified = " modified="

    /// `feed1 5f3a… 12 etag="33a6" modified=Sun, 06 Nov 1994 08:49:37 GMT`
    package var description: String {
        "\(Self.form) \(shape) \(number)" + (validators.etag.map { Self.etag + $0 } ?? "")
            + (validators.modified.map { Self.modified + $0 } ?? "")
    }

    /// - Returns: `nil` for a text that is no such position, such as one of another kind of source.
    package init?(_ text: String) {
        let parts = text.split(separator: Self.modified, maxSplits: 1, omittingEmptySubsequences: false)
        let words = (parts.first ?? "").split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count >= 3, words[0] == Self.form, let number = UInt64(words[2]) else { return nil }
        (shape, self.number) = (String(words[1]), number)
        validators.modified = parts.count == 2 ? String(parts[1]) : nil
        guard words.count == 4 else { return }
        guard words[3].hasPrefix(Self.etag.dropFirst()) else { return nil }
        validators.etag = String(words[3].dropFirst(Self.etag.count - 1))
    }

    /// The position of a publication that follows.
    /// - Parameter validators: those of all that was read; none for a part of it, which isn't what they name.
    package func next(_ validators: FeedValidators = FeedValidators()) -> FeedPosition {
        var next = self
        next.number &+= 1
        next.validators = validators
        return next
    }
}

/// A server's names for the content of an address, by which it can say that nothing has changed.
package struct FeedValidators: Hashable, Sendable {
    package var etag: String?
    package var modified: String?

    package init(etag: String? = nil, modified: String? = nil) {
        func kept(_ text: String?, _ isIn: (UInt8) -> Bool) -> String? {
            text.flatMap { 1...FeedPosition.validatorBytes ~= $0.utf8.count && $0.utf8.allSatisfy(isIn) ? $0 : nil }
        }
        self.etag = kept(etag) { (0x21...0x7E).contains($0) }
        self.modified = kept(modified) { (0x20...0x7E).contains($0) }
    }

    var isEmpty: Bool { etag == nil && modified == nil }
}
