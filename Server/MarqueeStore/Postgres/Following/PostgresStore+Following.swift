import MarqueeCatalogue
import MarqueeModel

// What several servers on one database need of it.

extension PostgresStore: SharedStore {
    package func follow(_ hear: @escaping @Sendable (StoreNews) -> Void) throws(StoreError) {
        let follower = PostgresFollower(url, epochs: epochs, witness: witness, stop: stop, hear: hear)
        try StoreError.translating(url) { try follower.start() }
        keep(follower)
    }

    /// Whether the database can be reached, as far as is known: this asks nobody.
    /// - Throws: why it can't be; `lost` if what is served is no longer in it.
    package func check() throws(StoreError) {
        if let problem { throw problem }
    }

    /// Gives both logs of a database new epochs, so that clients take nothing of what they have seen for older or newer
    /// than what it has now. For a database that has lost commits.
    ///
    /// - Throws: if the database can't be changed.
    package static func renewEpochs(of url: PostgresURL) throws(StoreError) {
        var names = StoreNames()
        let epochs = [names.nextEpoch(), names.nextEpoch()].map(StoreNames.hexadecimal)
        try StoreError.translating(url) {
            let connection = try PostgresConnection(url)
            let rows = try connection.run(
                """
                UPDATE marquee_meta m SET value = d.value FROM unnest($1, $2) AS d (name, value) WHERE m.name = d.name
                """,
                [.texts([PostgresSchema.Meta.catalogueEpoch, PostgresSchema.Meta.usersEpoch]), .texts(epochs)])
            guard rows.changed == epochs.count else {
                throw StoreError(.missing, "\(url) has no logs yet; 'serve' and 'import' make them")
            }
        }
    }
}
