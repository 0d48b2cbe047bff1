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
    /// Whether it replaces what an earlier row of the file put.
    package var isRepeat = false
    /// Whether it is only for a catalogue without types. It puts the types that the other rows need, and a programme
    /// for a catalogue without one.
    package var isGroundwork = false
    /// The types of the records that it puts, one for each.
    package let types: [String]
    /// Whether it stands for no row of the file, but for a record that the file doesn't have.
    let isRemoval: Bool

    package init(file: String, line: Int?, rows: Int, changes: [Change], isNew: Bool) {
        self.file = file
        self.line = line
        self.rows = rows
        self.changes = changes
        self.isNew = isNew
        isRemoval = rows == 0 && changes.contains { if case .remove = $0 { true } else { false } }
        types = changes.compactMap { change in
            switch change {
            case .put(let id, _), .merge(let id, _, _, _): id.type
            default: nil
            }
        }
    }

    /// `episodes.csv:12`
    package var place: String { line.map { "\(file):\($0)" } ?? file }
}
