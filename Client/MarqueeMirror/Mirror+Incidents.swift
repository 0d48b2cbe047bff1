import GRDB

/// A problem, recorded so that it can be looked up later.
package struct Incident: Hashable, Sendable {
    /// The kinds of problem. An open set.
    package enum Kind: String, Hashable, Sendable {
        /// The connection failed, or could not be established.
        case connection
        /// A screen, or its sorts and windows, was refused.
        case screen
        /// A change of a collection was refused or can't be sent.
        case collection
        /// A cut was wrong and was refused.
        case patch
        /// Stored bytes differed from what had been stored.
        case damage
        /// The mirror could not be read or written.
        case mirror
        case other
    }

    package var kind: Kind
    /// The screen concerned; empty if there is none in particular.
    package var screen: String
    /// A message for people, of at most `MirrorLimit.reasonBytes`.
    package var message: String
    /// The time in seconds since 1970; for repetitions, that of the last one.
    package var at: Double

    package init(_ kind: Kind, screen: String = "", message: String, at: Double) {
        self.kind = kind
        self.screen = screen
        self.message = message
        self.at = at
    }
}

extension Mirror {
    /// Records an incident. It replaces the last one if only their times differ; the oldest beyond
    /// `MirrorLimit.incidents` are dropped.
    package func note(_ incident: Incident) throws(MirrorError) {
        try write(.later) { db in
            var message = incident.message
            while message.utf8.count > MirrorLimit.reasonBytes { message.removeLast() }
            try db.execute(
                sql: """
                    DELETE FROM incident WHERE id = (SELECT max(id) FROM incident)
                    AND kind = ? AND screen = ? AND message = ?
                    """, arguments: [incident.kind.rawValue, incident.screen, message])
            try db.execute(
                sql: "INSERT INTO incident (kind, screen, message, at) VALUES (?, ?, ?, ?)",
                arguments: [incident.kind.rawValue, incident.screen, message, incident.at])
            try db.execute(
                sql: "DELETE FROM incident WHERE id <= (SELECT max(id) FROM incident) - ?",
                arguments: [MirrorLimit.incidents])
        }
    }

    /// Recent problems, oldest first.
    package func incidents() throws(MirrorError) -> [Incident] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT kind, screen, message, at FROM incident ORDER BY id").map { row in
                Incident(
                    Incident.Kind(rawValue: try row.decode(String.self, atIndex: 0)) ?? .other,
                    screen: try row.decode(String.self, atIndex: 1), message: try row.decode(String.self, atIndex: 2),
                    at: try row.decode(Double.self, atIndex: 3))
            }
        }
    }
}
