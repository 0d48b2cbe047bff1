package import MarqueeTypes

/// A table before anything is decided about it: its columns, keys, and some of its rows.
package struct SampledTable: Hashable, Sendable {
    /// Columns whose values are those of other columns, of the same table or another one.
    package struct ForeignKey: Hashable, Sendable {
        package var columns: [String]
        package var table: String
        package var otherColumns: [String]
    }

    /// The table's name in the source: `public.product`, `airports`.
    package var name: String
    package var columns: [SampledColumn]
    package var primaryKey: [String] = []
    package var foreignKeys: [ForeignKey] = []
    /// Rows that were looked at.
    package var sampled = 0
    /// Whether these are all rows.
    package var isWhole = true
    /// The database's own estimate of all rows.
    package var estimate: Int?

    package init(name: String, columns: [SampledColumn]) {
        self.name = name
        self.columns = columns
    }

    /// How many rows there are, as far as is known.
    var size: Int { max(sampled, isWhole ? 0 : estimate ?? 0) }
}

package struct SampledColumn: Hashable, Sendable {
    /// A column's type, as far as a database says it.
    package enum Declared: Hashable, Sendable {
        /// - Parameter note: a note for the reader.
        case field(InlineFieldType, note: String? = nil)
        /// JSON; its values tell more.
        case json
        /// Nothing that a screen shows.
        case refused(String)
        /// The values decide, as in a file; the word is the type's, if it has one.
        case sampled(String)
    }

    package var name: String
    package var declared = Declared.sampled("")
    /// Whether the database keeps its values unique.
    package var isUnique = false
    package var profile = ColumnProfile()

    package init(name: String, declared: Declared = .sampled("")) {
        self.name = name
        self.declared = declared
    }
}
