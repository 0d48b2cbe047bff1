import Dispatch
import GRDB
import Synchronization

/// The same rows with GRDB alone: a table, and a ValueObservation of all of them. There is no server, no sum and no
/// position; what an app would make of an arriving change is given.
final class ObservedRows {
    struct Row: Codable, FetchableRecord, PersistableRecord, Equatable, Sendable {
        static let databaseTableName = "item"

        var id: String
        var section: Int
        var place: Int
        var subject: String
        var title: String
        var subtitle: String
        var image: String
        var length: String

        init(_ number: Int, edition: Int = 0) {
            id = "\(270_000 + number)"
            section = number / Sample.itemsPerSection
            place = number % Sample.itemsPerSection
            subject = "episode/\(270_000 + number)"
            title = Sample.title(number, edition: edition)
            subtitle = Sample.subtitle(number)
            image = Sample.image(number)
            length = Sample.length(number)
        }
    }

    private let queue: DatabaseQueue
    private var observation: AnyDatabaseCancellable?
    private let arrivals = Arrivals()

    /// The values that came out.
    private final class Arrivals: Sendable {
        private let values = DispatchSemaphore(value: 0)
        private let rows = Mutex(0)

        func add(_ count: Int) {
            rows.withLock { $0 &+= count }
            values.signal()
        }

        func wait() { values.wait() }
    }

    init(_ path: String) throws {
        queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        }
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS item (
                        id TEXT PRIMARY KEY, section INTEGER NOT NULL, place INTEGER NOT NULL, subject TEXT NOT NULL,
                        title TEXT NOT NULL, subtitle TEXT NOT NULL, image TEXT NOT NULL, length TEXT NOT NULL,
                        UNIQUE (section, place)) STRICT
                    """)
        }
    }

    /// Observes rows, and waits for the first value.
    func observe(sections: Range<Int>) {
        let request = Row.filter(sections.contains(Column("section"))).order(Column("section"), Column("place"))
        observation = ValueObservation.tracking { try request.fetchAll($0) }
            .start(in: queue, scheduling: .async(onQueue: .global())) { error in
                preconditionFailure("the observation failed: \(error)")
            } onChange: { [arrivals] rows in
                arrivals.add(rows.count)
            }
        arrivals.wait()
    }

    /// Stores rows in one transaction, and waits for their value.
    func insert(_ rows: [Row]) throws {
        try queue.write { db in
            for row in rows { try row.insert(db) }
        }
        arrivals.wait()
    }

    func update(_ row: Row) throws {
        try queue.write { try row.update($0) }
        arrivals.wait()
    }

    /// Flushes what was stored.
    func sync() throws { try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") } }

    func stop() throws {
        observation = nil
        try queue.close()
    }

    /// Decodes rows that were read before.
    static func decode(_ rows: [GRDB.Row]) throws -> Int {
        try rows.reduce(0) { $0 &+ (try Row(row: $1).title.utf8.count) }
    }

    func raw() throws -> [GRDB.Row] { try queue.read { try GRDB.Row.fetchAll($0, sql: "SELECT * FROM item") } }
}
