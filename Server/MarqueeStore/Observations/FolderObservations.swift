import Foundation
import GRDB
import MarqueeModel

extension SQLiteStore: ObservationLog {
    package func observations(after position: UInt64, limit: Int) throws(StoreError) -> [ObservedRow] {
        try FolderObservations(opened().folder.path).observations(after: position, limit: limit)
    }

    package func forgetObservations(through position: UInt64) throws(StoreError) -> Int {
        try FolderObservations(opened().folder.path).forgetObservations(through: position)
    }
}

/// The observations in a data folder, which another process may be serving.
package struct FolderObservations: ObservationLog {
    private static let forgottenAtOnce = 1_000
    private static let busySeconds = 5.0

    private let folder: String

    package init(_ folder: String) { self.folder = folder }

    private var path: String { StoreLog.users.path(in: folder) }

    package func observations(after position: UInt64, limit: Int) throws(StoreError) -> [ObservedRow] {
        guard limit > 0 else { return [] }
        return try opened(readonly: true) { queue in
            try queue.read { db in
                guard try ObservationTables.exist(in: db) else { return [] }
                return try ObservationTables.read(after: position, limit: limit, TableReader(db))
            }
        }
    }

    package func forgetObservations(through position: UInt64) throws(StoreError) -> Int {
        try opened(readonly: false) { queue in
            guard try queue.read({ try ObservationTables.exist(in: $0) }) else { return 0 }
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            var (count, last) = (0, 0)
            repeat {
                // Between two of these transactions, a server that is running can write.
                try queue.writeWithoutTransaction { db in
                    try db.writing { tables in
                        last = try ObservationTables.forget(
                            through: position, limit: Self.forgottenAtOnce, tables)
                        return .commit
                    }
                }
                count += last
            } while last == Self.forgottenAtOnce
            return count
        }
    }

    private func opened<Value>(
        readonly: Bool, _ body: (DatabaseQueue) throws -> Value
    ) throws(StoreError) -> Value {
        guard FileSystem.exists(path) else {
            throw StoreError(.missing, "\(folder) is not a data folder: it has no \(StoreLog.users.fileName)")
        }
        guard access(path, readonly ? R_OK : R_OK | W_OK) == 0 else {
            throw StoreError("\(path) can't be \(readonly ? "read" : "written")", errno: errno)
        }
        return try StoreError.translating(path) {
            var configuration = Configuration()
            configuration.readonly = readonly
            configuration.busyMode = .timeout(Self.busySeconds)
            let newest = WriteAheadLog(.users, in: folder)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            try queue.read { db in
                guard try StoreFile.isMade(db, StoreLog.users.schema, path) else { throw StoreDamage("it is empty") }
                try newest.check(db)
            }
            return try body(queue)
        }
    }
}
