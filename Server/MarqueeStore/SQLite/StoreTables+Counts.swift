import GRDB
import MarqueeModel

extension StoreTables {
    /// How much a catalogue holds.
    /// - Parameter prefix: put before the tables' names, as in a backup.
    static func counts(_ db: Database, prefix: String = "") throws -> CatalogueCounts {
        var counts: [RecordCount] = []
        try db.rows("SELECT type, count(*) FROM \(prefix)\(record.name) GROUP BY type ORDER BY type") { row in
            counts.append(RecordCount(type: try row.text(0), count: try row.unsigned(1)))
        }
        return CatalogueCounts(counts)
    }
}
