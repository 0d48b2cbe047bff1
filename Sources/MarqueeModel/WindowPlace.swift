/// The place of a window in a section that allows windows anywhere: an anchor, and the number of rows around it.
///
/// Without any anchor the window begins at the list's first row. An item's cursor says where the window is once the
/// item has gone.
package struct WindowPlace: Hashable, Sendable, Codable {
    /// The id of the item that the window follows.
    package var item: String?
    /// A place as a section's head names it: the first row there or after it, otherwise the last one.
    package var cursor: [UInt8]?
    /// A value of the first field of the order: the first row with it or after it, otherwise the last.
    package var value: String?
    /// Whether the anchor is the last row.
    package var isEnd: Bool
    /// The rows before the anchor, at most.
    package var before: UInt32
    /// The rows after the anchor, at most.
    package var after: UInt32

    package init(
        item: String? = nil, cursor: [UInt8]? = nil, value: String? = nil, isEnd: Bool = false, before: UInt32 = 0,
        after: UInt32 = 0
    ) {
        self.item = item
        self.cursor = cursor
        self.value = value
        self.isEnd = isEnd
        self.before = before
        self.after = after
    }

    /// The rows of the window at most, its anchor among them.
    package var rows: UInt64 { UInt64(before) + 1 + UInt64(after) }

    // MARK: - As people write it

    /// The number of rows by default.
    private static let usualRows: UInt32 = 20

    /// Reads `start`, `end`, `item:episode/e1` or `value:M`.
    /// - Parameter rows: how many there are, at least 1; an item is in the middle of them.
    package init?(written text: String, rows: UInt32?) {
        let words = text.split(separator: ":", maxSplits: 1).map { String($0) }
        switch (words.first, words.dropFirst().first) {
        case ("start"?, nil): self.init()
        case ("end"?, nil): self.init(isEnd: true)
        case ("item"?, let id?): self.init(item: id)
        case ("value"?, let value?): self.init(value: value)
        default: return nil
        }
        let others = max(1, rows ?? Self.usualRows) - 1
        before = isEnd ? others : item == nil ? 0 : others / 2
        after = others - before
    }
}
