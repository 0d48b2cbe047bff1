/// Whether a server keeps what it confirms.
enum PostgresDurability {
    /// The oldest version whose client library can send several statements at once, and whose servers are maintained.
    private static let oldestVersion = 140_000

    /// Checks a connection that will write.
    /// - Parameter allowsLostCommits: whether to accept settings with which a confirmed commit can be lost.
    /// - Throws: `foreignFile` for a server or a database of the wrong kind; `notDurable`.
    static func check(_ connection: PostgresConnection, allowsLostCommits: Bool) throws {
        let url = connection.url
        guard connection.serverVersion >= oldestVersion else {
            throw StoreError(
                .foreignFile, "\(url) is served by PostgreSQL \(connection.parameter("server_version")); 14 is needed")
        }
        let encoding = connection.parameter("server_encoding")
        guard encoding == "UTF8" else {
            throw StoreError(.foreignFile, "\(url) is encoded as \(encoding); create one with the encoding UTF8")
        }
        if allowsLostCommits { return }
        let accepted = [
            "synchronous_commit": ["on", "remote_apply"], "fsync": ["on"], "full_page_writes": ["on"],
        ]
        for (name, values) in accepted.sorted(by: { $0.key < $1.key }) {
            let setting = try connection.run("SELECT current_setting($1)", [.text(name)]).first?.text(0) ?? ""
            guard !values.contains(setting) else { continue }
            throw StoreError(
                .notDurable,
                "\(url) can lose what it has confirmed: \(name) is '\(setting)', and 'on' is needed; change it for the "
                    + "server, the database or the user, or allow commits to be lost")
        }
    }
}
