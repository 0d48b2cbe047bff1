/// The number of records of one type.
package struct RecordCount: Hashable, Sendable, CustomStringConvertible {
    /// The type's alias, such as `episode`.
    package var type: String
    /// The number of records of that type.
    package var count: UInt64

    package init(type: String, count: UInt64) {
        self.type = type
        self.count = count
    }

    /// `episode 12`
    package var description: String { "\(type) \(count)" }
}

/// The number of records of each type in a catalogue; types without records are left out.
package struct CatalogueCounts: Hashable, Sendable {
    package var records: [RecordCount]

    package init(_ records: [RecordCount] = []) { self.records = records }

    /// The number of records of a type.
    package func of(_ type: String) -> UInt64 { records.first { $0.type == type }?.count ?? 0 }

    /// `show 2, episode 12`; `nil` if there are none.
    package var summary: String? {
        records.isEmpty ? nil : records.map(\.description).joined(separator: ", ")
    }
}
