/// Names an item of a shelf: `shelf/item`. Shelf ids contain no slash; item ids may.
package struct ItemName: Hashable, Sendable, CustomStringConvertible {
    package var shelf: String
    package var item: String

    package init(shelf: String, item: String) {
        self.shelf = shelf
        self.item = item
    }

    /// - Returns: `nil` for a text without a slash between two names.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        self.init(shelf: String(parts[0]), item: String(parts[1]))
    }

    package var description: String { "\(shelf)/\(item)" }
}

extension Subject {
    /// An item of a shelf, such as `item/featured/7`.
    package static func item(_ name: ItemName) -> Subject { Subject("item/\(name)") }

    /// The item's name, if the subject is an item of a shelf.
    package var item: ItemName? {
        name.hasPrefix("item/") ? ItemName(name.dropFirst("item/".count)) : nil
    }
}
