import Foundation

/// An SQLite file that is read again once it has changed. Blocks; used by one thread at a time.
///
/// `PRAGMA data_version` tells a connection whether another one has committed, so an unchanged file costs one small
/// read. A changed one is copied in a single read transaction: the rows of all tables are of the same moment, and
/// nobody waits for the server while they are published.
package final class SQLiteFeed {
    /// Tells whether the path still leads to the same file.
    private struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    /// The file as a connection has it.
    private struct Held {
        var source: SQLiteSource
        var identity: Identity
        /// Of what was read last.
        var version: Int?
    }

    private let path: String
    private var held: Held?

    package init(path: String) { self.path = path }

    /// - Returns: a copy of the file; `nil` if it is as it was.
    /// - Throws: when it can't be read, such as when it isn't there. It is looked at anew then.
    package func look() throws(ImportError) -> FeedPages? {
        do throws(ImportError) {
            let identity = try identity()
            var held = self.held
            // A connection goes on to read a file that has lost its name.
            if held?.identity != identity { held = nil }
            var current =
                if let held { held } else {
                    Held(source: try SQLiteSource(path, patience: Self.patience), identity: identity)
                }
            let copy = try current.source.copy(unlessVersion: current.version)
            if let copy { current.version = copy.version }
            self.held = current
            return copy.map { FeedPages(database: $0.copy) }
        } catch {
            held = nil
            throw error
        }
    }

    /// Seconds to wait for a writer.
    private static let patience: TimeInterval = 5

    private func identity() throws(ImportError) -> Identity {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw ImportError(.noInput, "\(path) can't be read: \(String(cString: strerror(errno)))")
        }
        return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}

/// A table of a database that is held open.
struct HeldTable: RecordRows {
    let database: SQLiteSource
    let table: DatabaseTable

    var name: String { table.name }
    var isKeyed: Bool { table.isKeyed }

    func read(
        _ importer: Importer, columns: ([String]) throws(ImportError) -> Void,
        row: (RecordRow) throws(ImportError) -> Void
    ) throws(ImportError) -> String? {
        try table.read(importer, from: database, columns: columns, row: row)
    }
}
