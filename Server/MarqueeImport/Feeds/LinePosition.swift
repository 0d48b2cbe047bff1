/// How far lines have been published, as it is committed with them.
package struct LinePosition: Hashable, Sendable, CustomStringConvertible {
    /// The most partitions, whose offsets have to fit into a position.
    package static let partitions = 10
    static let nameBytes = 4

    /// Stands for the mapping and the types.
    package var shape: String
    /// Rises with each publication, so that of two that were made of the same position one is refused.
    package var number: UInt64 = 0
    /// Of each partition, the last line's.
    package var offsets: [String: UInt64] = [:]

    package init(shape: String) { self.shape = shape }

    private static let form = "lines1"

    /// `lines1 5f3a… 12 0=44 1=17`
    package var description: String {
        ([Self.form, shape, "\(number)"] + offsets.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
            .joined(separator: " ")
    }

    /// The position of the publication that comes next.
    package var next: LinePosition {
        var next = self
        next.number &+= 1
        return next
    }

    /// - Returns: `nil` for a text that is no such position, such as one of another kind of source.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 3, words[0] == Self.form, let number = UInt64(words[2]) else { return nil }
        (shape, self.number) = (String(words[1]), number)
        for word in words.dropFirst(3) {
            guard let sign = word.lastIndex(of: "="), let offset = UInt64(word[word.index(after: sign)...]) else {
                return nil
            }
            offsets[String(word[..<sign])] = offset
        }
    }
}
