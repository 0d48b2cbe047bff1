import GRDB

extension Database {
    /// Runs `body` in a transaction, which is committed unless `body` throws.
    /// - Parameter kind: whether others may write until `body` does its first write.
    func committing<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
        var result: Value?
        try inTransaction(kind) {
            result = try body()
            return .commit
        }
        guard let result else { throw MirrorError(.io, "the transaction did not take place") }
        return result
    }
}
