/// The position of a window in a section that allows windows anywhere: an anchor, and the number of rows around it.
///
/// Without an anchor, the window begins at the list's first row. If an item comes with a cursor, the cursor gives the
/// window's position once the item is gone.
package struct WindowPlace: Hashable, Sendable, Codable {
    /// The id of the item that the window follows.
    package var item: String?
    /// A cursor from a section's head: the anchor is the first row at or after it, or else the last row.
    package var cursor: [UInt8]?
    /// A value of the sort order's first field: the anchor is the first row at or after it, or else the last row.
    package var value: String?
    /// Whether the anchor is the last row.
    package var isEnd: Bool
    /// Maximum number of rows before the anchor.
    package var before: UInt32
    /// Maximum number of rows after the anchor.
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

    /// Maximum number of rows in the window, including its anchor.
    package var rows: UInt64 { UInt64(before) + 1 + UInt64(after) }

    // MARK: - Text form

    private static let defaultRows: UInt32 = 20

    /// Reads `start`, `end`, `item:episode/e1` or `value:M`.
    /// - Parameter rows: the size of the window, at least 1; an item is placed in its middle.
    package init?(written text: String, rows: UInt32?) {
        let words = text.split(separator: ":", maxSplits: 1).map { String($0) }
        switch (words.first, words.dropFirst().first) {
        case ("start"?, nil): self.init()
        case ("end"?, nil): self.init(isEnd: true)
        case ("item"?, let id?): self.init(item: id)
        case ("value"?, let value?): self.init(value: value)
        default: return nil
        }
        let others = max(1, rows ?? Self.defaultRows) - 1
        before = isEnd ? others : item == nil ? 0 : others / 2
        after = others - before
    }
}
