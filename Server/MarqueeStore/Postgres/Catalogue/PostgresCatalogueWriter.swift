import MarqueeCatalogue
import MarqueeModel

extension PostgresCatalogueTransaction {
    /// Applies writes in order.
    /// - Parameter counting: whether clients beyond the limits are to be forgotten.
    /// - Returns: the outcomes, and how many clients were new; `nil` if they are to be counted next time.
    func apply(_ writes: [StoreWrite], counting: Bool) throws -> (outcomes: [StoreOutcome], newClients: Int?) {
        try load(mutationsOf: writes, counting: counting)
        var transaction = self
        let outcomes = try writes.map { write in
            try prefetch(for: write)
            return try transaction.apply(write, limits: limits)
        }
        return (outcomes, mutations.counted)
    }
}

/// Writes to the catalogue within a transaction that its caller ends. The transaction begins when it is first needed;
/// from then on nobody else can write.
final class PostgresCatalogueWriter: CatalogueWriter {
    private var transaction: PostgresCatalogueTransaction?
    private var hasEnded = false
    private let begin: () throws -> PostgresCatalogueTransaction
    private let url: PostgresURL
    private let epoch: UInt64
    private let steady: WallClock
    /// When the database last heard from the transaction, by `steady`.
    private var heard: UInt64 = 0

    /// - Parameters:
    ///   - url: the database to name in messages.
    ///   - epoch: the epoch of the catalogue's log.
    ///   - steady: a monotonic clock in milliseconds.
    ///   - begin: begins the transaction.
    init(
        url: PostgresURL, epoch: UInt64, steady: @escaping WallClock,
        begin: @escaping () throws -> PostgresCatalogueTransaction
    ) {
        self.url = url
        self.epoch = epoch
        self.steady = steady
        self.begin = begin
    }

    /// Stops taking writes.
    /// - Returns: the transaction; `nil` if none was needed.
    func end() -> PostgresCatalogueTransaction? {
        hasEnded = true
        return transaction.take()
    }

    private func begun() throws(StoreError) -> PostgresCatalogueTransaction {
        if hasEnded { throw .closed }
        if let transaction { return transaction }
        let begun = try StoreError.translating(url) { try begin() }
        transaction = begun
        return begun
    }

    func keepAlive() throws(StoreError) {
        guard let transaction, steady() >= heard + PostgresBounds.keepAliveSeconds * 1_000 else { return }
        defer { heard = steady() }
        try StoreError.translating(url) { try transaction.connection.run("SELECT 1") }
    }

    func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead {
        let transaction = try begun()
        defer { heard = steady() }
        let revision = try StoreError.translating(url) {
            try transaction.flush()
            try PostgresSnapshot(connection: transaction.connection).readAll { receive($0.change) }
            return transaction.catalogueRevision()
        }
        return LogHead(epoch: epoch, revision: revision)
    }

    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        let transaction = try begun()
        defer { heard = steady() }
        guard writes.allSatisfy({ $0.log == .catalogue }) else {
            throw StoreError(.invalid, "a transaction can only write to the catalogue")
        }
        return try StoreError.translating(url) {
            let (outcomes, _) = try transaction.apply(writes, counting: false)
            try transaction.flush()
            return outcomes
        }
    }
}
