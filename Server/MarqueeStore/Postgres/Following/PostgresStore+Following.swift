import MarqueeCatalogue
import MarqueeModel

// What several servers on one database need of it.

extension PostgresStore: SharedStore {
    package func follow(_ hear: @escaping @Sendable (StoreNews) -> Void) throws(StoreError) {
        let follower = PostgresFollower(gate, hear: hear)
        try StoreError.translating(url) { try follower.start() }
        keep(follower)
    }

    /// Whether the database can be reached, as far as is known: this asks nobody.
    /// - Throws: why it can't be; `lost` if what is served is no longer in it.
    package func check() throws(StoreError) {
        if let problem { throw problem }
    }
}
