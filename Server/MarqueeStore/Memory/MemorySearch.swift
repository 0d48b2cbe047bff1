import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// The search index of a memory store, in a database in memory, so that it searches in the same way as `SQLiteStore`.
struct MemorySearch {
    private let queue: DatabaseQueue

    /// Indexes the whole state.
    init(_ state: inout MemoryState) throws(StoreError) {
        let whole = state
        queue = try StoreError.translating("memory") {
            let queue = try DatabaseQueue()
            try queue.write { db in
                try SearchIndex.rebuild(in: db, types: whole.types, records: whole.eachRecord)
            }
            return queue
        }
        state.unindexed = []
    }

    /// Indexes the changes since the last call.
    func update(_ state: inout MemoryState) throws(StoreError) {
        guard !state.unindexed.isEmpty else { return }
        let whole = state
        try StoreError.translating("memory") {
            try queue.write { db in
                let changed = whole.unindexed.map { (name: $0, record: whole.records[$0]) }
                try SearchIndex.follow(changed, types: whole.types, in: db, records: whole.eachRecord)
            }
        }
        state.unindexed = []
    }

    func find(_ query: String, in scope: SearchScope) throws(StoreError) -> FoundRecords {
        try StoreError.translating("memory") {
            try queue.read { try SearchIndex.find(query, in: scope.types, with: scope.filters, $0) }
        }
    }
}

extension MemoryState {
    /// The types in force.
    fileprivate var types: TypeSet? {
        guard case .types(let document)? = records[.types] else { return nil }
        // These types were parsed before they were stored, so they can be parsed again.
        return try? typeLibrary.types(of: document)
    }

    /// Passes each record of a type to `receive`.
    fileprivate func eachRecord(of alias: String, _ receive: (RecordID, [UInt8]) throws -> Void) throws {
        for case .typed(let id, let bytes) in records.values where id.type == alias { try receive(id, bytes) }
    }
}
