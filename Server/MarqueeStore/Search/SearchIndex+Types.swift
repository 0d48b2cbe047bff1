import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// An indexed type.
struct SearchedType: Hashable, Sendable {
    var alias: String
    /// The number in the upper bits of its documents' labels.
    var code: Int64
    /// Which fields are searched, see `TypeDeclaration.searchSignature`.
    var fields: String

    /// The codes that a label has room for; twice as many as there can be types.
    static let codes: ClosedRange<Int64> = 1...127
}

/// Keeps the index in step with the catalogue: with its types, and with its commits.
extension SearchIndex {
    /// Passes each record of a type to `receive`.
    typealias Records = (_ alias: String, _ receive: (RecordID, [UInt8]) throws -> Void) throws -> Void

    /// The types in the index, by alias.
    static func types(in db: Database) throws -> [String: SearchedType] {
        var types: [String: SearchedType] = [:]
        try db.rows("SELECT alias, code, fields FROM title_type") { row in
            let type = SearchedType(alias: try row.text(0), code: try row.integer(1), fields: try row.text(2))
            types[type.alias] = type
        }
        return types
    }

    /// Creates the tables, empty except for the version.
    static func create(in db: Database) throws {
        try db.execute(sql: tables)
        try db.run("INSERT INTO title_version (version) VALUES (?)", [.text(SearchText.version)])
    }

    /// Rebuilds the index, whatever it holds.
    /// - Parameter types: the types in force.
    static func rebuild(in db: Database, types: TypeSet?, records: Records) throws {
        // A restored file has none of these tables, and a file of another version has different ones.
        for table in ["title", "title_version", "title_type", "title_trigram", "title_gram"] {
            try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
        }
        try create(in: db)
        var entries = SearchEntries()
        if let types { _ = try adopt(types, in: db, &entries, records: records) }
        try write(&entries, to: db)
    }

    /// Makes the index cover exactly what these types declare. Unchanged types keep their documents; all records of the
    /// others are indexed anew.
    ///
    /// - Returns: the aliases of the types whose documents were indexed anew.
    private static func adopt(
        _ set: TypeSet, in db: Database, _ entries: inout SearchEntries, records: Records
    ) throws -> Set<String> {
        var known = try types(in: db)
        let adoption = SearchAdoption(of: set, known: known.mapValues(\.fields))
        // Forgetting all documents at once costs nothing; forgetting one costs as much as adding it did.
        let areAllDropped = Set(known.keys).isSubset(of: adoption.dropped)
        if areAllDropped { try removeAll(from: db) }
        for alias in adoption.dropped {
            if !areAllDropped, let type = known[alias] { try removeAll(of: type, from: db, &entries) }
            try db.run("DELETE FROM title_type WHERE alias = ?", [.text(alias)])
            known[alias] = nil
        }
        var made: Set<String> = []
        for declaration in adoption.added {
            let used = Set(known.values.map(\.code))
            guard let code = SearchedType.codes.first(where: { !used.contains($0) }) else {
                throw StoreError(.invalid, "more than \(SearchedType.codes.upperBound) types can't be searched")
            }
            let type = SearchedType(alias: declaration.alias, code: code, fields: declaration.searchSignature)
            try add(type, to: db)
            known[type.alias] = type
            made.insert(type.alias)
            try records(type.alias) { id, bytes in
                try put(SearchDocument(id, bytes, of: declaration), type: type, in: db, &entries)
            }
        }
        return made
    }

    private static func add(_ type: SearchedType, to db: Database) throws {
        try db.run(
            "INSERT INTO title_type (alias, code, fields) VALUES (?, ?, ?)",
            [.text(type.alias), .integer(type.code), .text(type.fields)])
    }

    /// Brings the index up to date with changes already made to the catalogue.
    ///
    /// - Parameters:
    ///   - changed: the names that changed, with their records now.
    ///   - set: the types in force; `nil` if neither records nor types were put.
    ///   - records: called only for types whose searched fields have changed.
    static func follow(
        _ changed: [PlannedRecords.Row], types set: TypeSet?, in db: Database,
        records: Records
    ) throws {
        var entries = SearchEntries()
        var made: Set<String> = []
        if let set, changed.contains(where: { $0.name == .types }) {
            made = try adopt(set, in: db, &entries, records: records)
        }
        var known: [String: SearchedType]?
        for (name, record) in changed {
            switch (name, record) {
            case (.typed(let id), _) where !made.contains(id.type):
                let types = try known ?? types(in: db)
                known = types
                guard let type = types[id.type] else { continue }
                if case .typed(_, let bytes) = record, let declaration = set?.type(id.type) {
                    try put(SearchDocument(id, bytes, of: declaration), type: type, in: db, &entries)
                } else {
                    try remove(id.id, type: type, from: db, &entries)
                }
            default: continue
            }
        }
        try write(&entries, to: db)
    }
}
