import GRDB
import MarqueeModel

/// The titles of a memory store, in a database in memory, so that both engines search in the same way.
struct MemoryTitles {
    private let queue: DatabaseQueue

    init() throws(StoreError) {
        queue = try StoreError.translating("memory") {
            let queue = try DatabaseQueue()
            try queue.write { try $0.execute(sql: TitleIndex.tables) }
            return queue
        }
    }

    /// Learns the titles that have changed.
    func update(_ state: inout MemoryState) throws(StoreError) {
        guard !state.unindexed.isEmpty else { return }
        let records = state.records
        let changed = state.unindexed
        try StoreError.translating("memory") {
            try queue.write { db in
                for id in changed {
                    if case .movie(let movie) = records[.movie(id)] {
                        try TitleIndex.put(movie, id: id, in: db)
                    } else {
                        try TitleIndex.put(nil, id: id, in: db)
                    }
                }
            }
        }
        state.unindexed = []
    }

    func find(_ query: String) throws(StoreError) -> (ids: [UInt64], isCapped: Bool) {
        try StoreError.translating("memory") { try queue.read { try TitleIndex.find(query, in: $0) } }
    }
}
