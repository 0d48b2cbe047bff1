import MarqueeCatalogue
import MarqueeModel

// The operations for several servers on one database.

extension PostgresStore: SharedStore {
    package func follow(_ hear: @escaping @Sendable (StoreEvent) -> Void) throws(StoreError) {
        let follower = PostgresFollower(gate, hear: hear)
        try StoreError.translating(url) { try follower.start() }
        keep(follower)
    }

    /// Checks whether the database can be reached, as far as is known, without asking it.
    /// - Throws: why it can't be; `lost` if what is served is no longer in it.
    package func check() throws(StoreError) {
        if let problem { throw problem }
    }
}
