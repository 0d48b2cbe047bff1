/// The reason why one of several changes is refused, with that change's number: `change 3: the record isn't there`.
package struct RefusedChange: Hashable, Sendable, CustomStringConvertible {
    private static let word = "change "

    /// The change's index, from 0.
    package var index: Int
    package var reason: String

    package init(_ index: Int, _ reason: String) {
        self.index = index
        self.reason = reason
    }

    /// - Parameter text: a server's message.
    /// - Returns: `nil` if it names no change.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.word), let colon = text.firstIndex(of: ":"),
            let number = Int(text[..<colon].dropFirst(Self.word.count)), number > 0
        else { return nil }
        self.init(number - 1, String(text[colon...].dropFirst().drop { $0 == " " }))
    }

    package var description: String { "\(Self.word)\(index + 1): \(reason)" }
}
