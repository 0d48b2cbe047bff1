import GRDB
import MarqueeModel

extension StoreTables {
    /// How much a catalogue holds.
    /// - Parameter prefix: of the tables' names, such as a backup has.
    static func counts(_ db: Database, prefix: String = "") throws -> CatalogueCounts {
        let movies = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(prefix)\(movie.name)") ?? 0
        let records = try Row.fetchAll(
            db, sql: "SELECT type, count(*) FROM \(prefix)\(record.name) GROUP BY type ORDER BY type")
        return CatalogueCounts(
            (movies > 0 ? [RecordCount(type: "movie", count: UInt64(movies))] : [])
                + (try records.map { row in
                    RecordCount(type: try row.decode(String.self, atIndex: 0), count: try row.unsigned(1))
                }))
    }
}
