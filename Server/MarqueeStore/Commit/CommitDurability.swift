/// Decides from a server's settings whether it keeps what it confirms.
package struct CommitDurability: Hashable, Sendable {
    /// A setting that allows confirmed commits to be lost.
    package struct Weakness: Hashable, Sendable {
        package var setting: String
        package var value: String
    }

    /// The settings that decide, in the order in which they are read, with the values that are safe.
    private static let accepted: [(name: String, values: [String])] = [
        ("fsync", ["on"]), ("full_page_writes", ["on"]), ("synchronous_commit", ["on", "remote_apply"]),
    ]

    package static let settings = accepted.map(\.name)

    /// Whether to accept settings with which a confirmed commit can be lost.
    package let allowsLostCommits: Bool

    package init(allowsLostCommits: Bool) { self.allowsLostCommits = allowsLostCommits }

    /// The `synchronous_commit` that each transaction sets for itself, because the server's can change at any time;
    /// `nil` to leave it.
    /// - Parameter values: the values of the server's settings.
    package func level(given values: [String]) -> String? {
        if allowsLostCommits { return nil }
        return values.last == "remote_apply" ? "remote_apply" : "on"
    }

    /// - Parameter values: the settings, as seen by the transaction that reads them.
    package func weakness(of values: [String]) -> Weakness? {
        if allowsLostCommits { return nil }
        for ((name, safe), value) in zip(Self.accepted, values) where !safe.contains(value) {
            return Weakness(setting: name, value: value)
        }
        return nil
    }
}

extension StoreError {
    /// - Parameter place: the database, as messages name it.
    package init(_ weakness: CommitDurability.Weakness, at place: String) {
        self.init(
            .notDurable,
            "\(place) can lose what it has confirmed: \(weakness.setting) is '\(weakness.value)', and 'on' is needed; "
                + "change it for the server, the database or the user, or allow commits to be lost")
    }
}
