import MarqueeCatalogue
import MarqueeModel

/// Writes to the catalogue within a transaction that its caller ends.
final class SQLiteWriter: CatalogueWriter {
    /// `nil` once the transaction has ended.
    private var transaction: SQLiteTransaction?
    private let path: String
    private let epoch: UInt64

    /// - Parameters:
    ///   - path: the file to name in messages.
    ///   - epoch: the epoch of the catalogue's log.
    init(_ transaction: SQLiteTransaction, path: String, epoch: UInt64) {
        self.transaction = transaction
        self.path = path
        self.epoch = epoch
    }

    /// Stops taking writes.
    /// - Returns: the transaction; `nil` if it had ended already.
    func end() -> SQLiteTransaction? { transaction.take() }

    func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead {
        guard let transaction else { throw .closed }
        let revision = try StoreError.translating(path) {
            try RecordTables.readAll(from: transaction.catalogue) { receive($0.change) }
            return try transaction.catalogueRevision()
        }
        return LogHead(epoch: epoch, revision: revision)
    }

    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        guard var transaction else { throw .closed }
        guard writes.allSatisfy({ $0.log == .catalogue }) else {
            throw StoreError(.invalid, "a transaction can only write to the catalogue")
        }
        let outcomes = try StoreError.translating(path) {
            try writes.map { try transaction.apply($0, limits: transaction.limits) }
        }
        self.transaction = transaction
        return outcomes
    }
}
