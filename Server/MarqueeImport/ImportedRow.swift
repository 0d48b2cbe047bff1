package import MarqueeCatalogue
import MarqueeModel

/// A row that the store accepted, with its changes.
package struct ImportedRow: Hashable, Sendable {
    /// The file, as messages name it.
    package var file: String
    /// `nil` if it isn't on a single line.
    package var line: Int?
    /// How many rows of the file it represents.
    package var rows: Int
    /// In order; they belong together.
    package var changes: [Change]
    /// Whether it changed something.
    package var isNew: Bool
    /// Whether it is for a catalogue without types alone: the types that the other rows need, and a programme, which is
    /// for a catalogue that shows none.
    package var isGroundwork = false
    /// The types of the records that it puts, one for each.
    package let types: [String]

    package init(file: String, line: Int?, rows: Int, changes: [Change], isNew: Bool) {
        self.file = file
        self.line = line
        self.rows = rows
        self.changes = changes
        self.isNew = isNew
        types = changes.compactMap { change in
            switch change {
            case .put(let id, _), .merge(let id, _, _): id.type
            default: nil
            }
        }
    }

    /// `episodes.csv:12`
    package var place: String { line.map { "\(file):\($0)" } ?? file }
}
