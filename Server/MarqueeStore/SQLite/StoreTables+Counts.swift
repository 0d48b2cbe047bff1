import GRDB
import MarqueeModel

extension StoreTables {
    /// How much a catalogue holds.
    /// - Parameter prefix: put before the tables' names, as in a backup.
    static func counts(_ db: Database, prefix: String = "") throws -> CatalogueCounts {
        let records = try Row.fetchAll(
            db, sql: "SELECT type, count(*) FROM \(prefix)\(record.name) GROUP BY type ORDER BY type")
        return CatalogueCounts(
            try records.map { row in
                RecordCount(type: try row.decode(String.self, atIndex: 0), count: try row.unsigned(1))
            })
    }
}
