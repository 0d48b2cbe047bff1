import MarqueeModel

/// How the rows of a file become records, as far as the user says. The rest follows from the names of the columns.
///
/// Fields are paths, in names of the schema or of JSON: `title`, `audio.url` through messages that occur once,
/// `title[ko]` for the entry of a map.
package struct RecordMapping: Hashable, Sendable {
    /// A field, and its setting.
    package struct Entry: Hashable, Sendable {
        package var field: String
        package var value: String

        package init(field: String, value: String) {
            self.field = field
            self.value = value
        }

        /// - Parameter text: `FIELD=VALUE`.
        /// - Returns: `nil` if one of the two is missing.
        package init?(_ text: String) {
            guard let entry = NamedValue(text), !entry.value.isEmpty else { return nil }
            self.init(field: entry.name, value: entry.value)
        }
    }

    /// Joins the values of several columns into an id.
    package static let idJoint = "-"

    /// The columns that make up the id; empty for the column named like the type's id field.
    package var id: [String] = []
    /// The column of a field.
    package var columns: [Entry] = []
    /// A value that a field has in every record.
    package var constants: [Entry] = []
    /// The separator between the values of a list.
    package var separators: [Entry] = []
    /// How a time is written, as `TimeFormat` reads it.
    package var times: [Entry] = []
    /// The zone of times without one; `nil` for UTC if the form of the time is given, else for none.
    package var zone: ImportZone?
    /// How numbers are written in texts; `nil` for a point.
    package var decimal: DecimalMark?
    /// A text or number that means a field has no value, such as 0.
    package var unknowns: [Entry] = []
    /// Texts of cells without a value.
    package var nullTexts: [String] = []
    /// Columns that fill no field by their own name.
    package var omitted: [String] = []

    package init() {}

    /// Adds the entries of another mapping; if both name a field, this one's entry counts.
    package mutating func add(_ other: RecordMapping) {
        if id.isEmpty { id = other.id }
        let named = Set((columns + constants).map(\.field))
        columns += other.columns.filter { !named.contains($0.field) }
        constants += other.constants.filter { !named.contains($0.field) }
        let separated = Set(separators.map(\.field))
        separators += other.separators.filter { !separated.contains($0.field) }
        let timed = Set(times.map(\.field))
        times += other.times.filter { !timed.contains($0.field) }
        zone = zone ?? other.zone
        decimal = decimal ?? other.decimal
        unknowns += other.unknowns
        nullTexts += other.nullTexts
        omitted += other.omitted
    }
}
