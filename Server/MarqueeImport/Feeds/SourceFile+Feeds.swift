import MarqueeStore
package import MarqueeTypes

extension SourceFile {
    /// Whether changes are read from a database's log, rather than found by comparing all rows again and again.
    package var hasLog: Bool { if case .database(.postgres) = origin { true } else { false } }

    /// Stands for everything on which records of a feed depend, besides its rows.
    package func feedShape(_ types: TypeSet) -> String {
        let own =
            switch origin {
            case .http(let feed): feed.shape
            case .tmdb(let feed): feed.shape
            case .files(let feed): feed.shape
            case .lines(let feed): feed.shape
            case .file(let file): FileFeed(file).shape
            case .database(.sqlite(let path)): ["sqlite", path]
            case .database(.postgres), .outbox: [String]()
            }
        let mapped = tables.flatMap { [$0.name, $0.type, "\($0.mapping)"] + [$0.condition].compactMap(\.self) }
        let texts = own + mapped + [types.document.declarations, "\(types.document.descriptors)"]
        return String(Fingerprint.of(texts: texts), radix: 16)
    }

    /// - Throws: when two tables have records of one type.
    package func checkTypes() throws(ImportError) {
        for (index, table) in tables.enumerated() {
            guard let other = tables[..<index].first(where: { $0.type == table.type }) else { continue }
            throw ImportError(
                .malformed,
                "the tables \(other.name) and \(table.name) both have records of \(table.type); each would remove "
                    + "the other's")
        }
    }
}
