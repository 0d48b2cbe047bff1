import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Searches the catalogue. The index needs no extension of the server: the pieces of each text are numbers in an array,
/// and an index over these finds the texts that have all pieces of a query. Whether the pieces are adjacent is checked
/// in the text itself.
///
/// Texts are stored as bytes: a field may hold characters that the server's text can't, and bytes compare as such.
enum PostgresSearch {
    /// Plans each query anew: pieces that few documents have are looked up in the index, and pieces that most documents
    /// have are found soon in order of rank.
    private static let planning = PostgresStatement("SET LOCAL plan_cache_mode = force_custom_plan")

    /// The documents that match a query, see `SearchQuery.found`.
    /// - Parameter connection: in a transaction.
    static func find(
        _ query: String, in scope: SearchScope, _ connection: PostgresConnection
    ) throws -> FoundRecords {
        let aliases = scope.types
        return try SearchQuery(query).found { pattern in
            let finding = aliases.map { candidates(for: pattern.with(scope.filters[$0]), of: $0) }
            let found = try connection.run([planning] + finding).dropFirst()
            return try zip(aliases, found).map { alias, rows in
                try rows.map { row in
                    let id = RecordID(type: alias, id: try row.text(0))
                    guard !pattern.alternatives.isEmpty else { return SearchCandidate(id: id) }
                    return SearchCandidate(id: id, text: String(decoding: try row.blob(2), as: UTF8.self))
                }
            }
        }
    }

    /// The canonical bytes of records, in any order.
    static func records(_ ids: [RecordID], _ connection: PostgresConnection) throws -> [CatalogueRecord] {
        let statement = PostgresStatement(
            """
            SELECT r.type, r.id, r.bytes FROM record r
            JOIN unnest($1, $2) AS d (type, id) ON r.type = d.type AND r.id = d.id
            """, [.texts(ids.map(\.type)), .texts(ids.map(\.id))])
        return try connection.run([statement]).flatMap { rows in try rows.map { try PostgresRecords.typed($0) } }
    }

    private static func candidates(for pattern: SearchPattern, of alias: String) -> PostgresStatement {
        // The array contains short needles whole, but only the pieces of longer ones, so these are checked in the text.
        let long = pattern.needles.filter { $0.unicodeScalars.count > SearchText.longestPiece }
        let isPresent = "NOT EXISTS (SELECT FROM unnest($4) AS needle WHERE position(needle in text) = 0)"
        var values: [PostgresValue] = [
            .text(alias), .integers(pieces(of: pattern.needles)), .integer(Int64(pattern.limit)),
            .blobs(long.map { Array($0.utf8) }),
        ]
        guard !pattern.alternatives.isEmpty else {
            return PostgresStatement(
                """
                SELECT id FROM search_document WHERE type = $1 AND grams @> $2 AND \(isPresent)
                ORDER BY rank DESC NULLS LAST, id LIMIT $3
                """, values)
        }
        values += pattern.alternatives.map { words in .texts(words.map { array(pieces(of: [$0])) }) }
        let others = pattern.alternatives.indices.dropFirst().map { index in
            "AND EXISTS (SELECT FROM unnest($\(5 + index)) AS other WHERE grams @> other::int8[])"
        }
        return PostgresStatement(
            """
            SELECT DISTINCT id, rank, text FROM unnest($5) AS alternative
            JOIN search_document ON grams @> alternative::int8[]
            WHERE type = $1 AND grams @> $2 AND \(isPresent) \(others.joined(separator: " "))
            ORDER BY rank DESC NULLS LAST, id LIMIT $3
            """, values)
    }

    private static func pieces(of needles: [String]) -> [Int64] {
        Set(needles.flatMap { SearchText.pieces(ofNeedle: $0) }).sorted()
    }

    /// An array as text: an array of arrays would have to be rectangular.
    private static func array(_ pieces: [Int64]) -> String {
        "{\(pieces.map { "\($0)" }.joined(separator: ","))}"
    }

    /// Documents written by one statement.
    static let documentsAtOnce = 250

    /// The statements that index documents by their current texts.
    static func putting(_ documents: [SearchDocument]) -> [PostgresStatement] {
        documents.chunks(of: documentsAtOnce).map { some in
            let grams = some.map { array(SearchText.pieces(of: $0.text)) }
            return PostgresStatement(
                """
                INSERT INTO search_document (type, id, rank, text, grams)
                SELECT type, id, rank, text, grams::int8[] FROM unnest($1, $2, $3, $4, $5)
                AS d (type, id, rank, text, grams)
                ON CONFLICT (type, id)
                DO UPDATE SET rank = EXCLUDED.rank, text = EXCLUDED.text, grams = EXCLUDED.grams
                """,
                [
                    .texts(some.map(\.id.type)), .texts(some.map(\.id.id)), .reals(some.map(\.rank)),
                    .blobs(some.map { Array($0.text.utf8) }), .texts(grams),
                ])
        }
    }

    static func removing(_ ids: [RecordID]) -> PostgresStatement {
        PostgresStatement(
            "DELETE FROM search_document s USING unnest($1, $2) AS d (type, id) WHERE s.type = d.type AND s.id = d.id",
            [.texts(ids.map(\.type)), .texts(ids.map(\.id))])
    }
}

/// Keeps the index in step with the catalogue: with its types, and with its commits.
extension PostgresCatalogueTransaction {
    /// Brings the index up to date with changes whose statements have already been queued.
    /// - Parameters:
    ///   - changed: the names that changed, with their records now.
    ///   - set: the types in force; `nil` if neither records nor types were put.
    func followSearch(_ changed: [PlannedRecords.Row], types set: TypeSet?) throws {
        var made: Set<String> = []
        if let set, changed.contains(where: { $0.name == .types }) { made = try adopt(set) }
        var (documents, removed): ([SearchDocument], [RecordID]) = ([], [])
        for case (.typed(let id), let record) in changed where !made.contains(id.type) {
            guard try indexedTypes()[id.type] != nil else { continue }
            if case .typed(_, let bytes)? = record, let declaration = set?.type(id.type) {
                documents.append(SearchDocument(id, bytes, of: declaration))
            } else {
                removed.append(id)
            }
        }
        enqueue(PostgresSearch.putting(documents))
        if !removed.isEmpty { enqueue([PostgresSearch.removing(removed)]) }
    }

    /// Rebuilds the index, whatever it holds.
    func rebuildSearch() throws {
        enqueue([PostgresStatement("DELETE FROM search_document"), PostgresStatement("DELETE FROM search_type")])
        searchedTypes = [:]
        guard case .types(let document)? = try record(.types), let types = try? typeLibrary.types(of: document) else {
            return
        }
        _ = try adopt(types)
    }

    /// The searched fields of the types in the index, by alias.
    private func indexedTypes() throws -> [String: String] {
        if let searchedTypes { return searchedTypes }
        var types: [String: String] = [:]
        try run("SELECT alias, fields FROM search_type", []).each { types[try $0.text(0)] = try $0.text(1) }
        searchedTypes = types
        return types
    }

    /// - Returns: the aliases of the types whose records were all indexed.
    private func adopt(_ set: TypeSet) throws -> Set<String> {
        var known = try indexedTypes()
        let adoption = SearchAdoption(of: set, known: known)
        if !adoption.dropped.isEmpty {
            let aliases = [PostgresValue.texts(adoption.dropped)]
            enqueue([
                PostgresStatement("DELETE FROM search_document WHERE type = ANY($1)", aliases),
                PostgresStatement("DELETE FROM search_type WHERE alias = ANY($1)", aliases),
            ])
        }
        for alias in adoption.dropped { known[alias] = nil }
        for type in adoption.added {
            let fields = type.searchSignature
            enqueue([
                PostgresStatement(
                    "INSERT INTO search_type (alias, fields) VALUES ($1, $2)", [.text(type.alias), .text(fields)])
            ])
            known[type.alias] = fields
            try index(type)
        }
        searchedTypes = known
        return Set(adoption.added.map(\.alias))
    }

    /// Indexes all records of a type, a few at a time.
    private func index(_ type: TypeDeclaration) throws {
        var last = ""
        while true {
            let rows = try run(
                "\(PostgresRecords.records) WHERE type = $1 AND id > $2 ORDER BY id LIMIT $3",
                [.text(type.alias), .text(last), .integer(Int64(PostgresSearch.documentsAtOnce))])
            var documents: [SearchDocument] = []
            try rows.each { row in
                guard case .typed(let id, let bytes) = try PostgresRecords.typed(row) else { return }
                documents.append(SearchDocument(id, bytes, of: type))
                last = id.id
            }
            enqueue(PostgresSearch.putting(documents))
            if rows.count < PostgresSearch.documentsAtOnce { return }
        }
    }
}
