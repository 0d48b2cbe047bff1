/// An error that PostgreSQL or libpq reported.
struct PostgresError: Error {
    /// The SQLSTATE, five characters; `nil` if the connection failed.
    var state: String?
    /// The message, with any password removed.
    var message: String
    /// The session that held a lock, if known.
    var blocker: PostgresBlocker?
    /// Whether the server has accepted the connection but doesn't answer.
    var isSilence = false

    /// Whether the connection is no longer usable. Its transaction was rolled back, unless it was committing.
    var isLost: Bool {
        guard let state else { return true }
        // A server that became a standby counts, too: writes have to go to another one.
        return state.hasPrefix("08") || state.hasPrefix("57P") || state == "25006" || state == "25P03"
    }

    /// The SQLSTATE in libpq's verbose message about a failed connection: that of the first host, because libpq tries
    /// the next one only if the first isn't there. The message's words depend on the server's language.
    static func state(ofFirstHostIn message: String) -> String? {
        let line = message.prefix { !$0.isNewline }
        return line.firstMatch(of: #/:  ([0-9A-Z]{5}): /#).map { String($0.1) }
    }

    static func silent(seconds: Int) -> PostgresError {
        PostgresError(state: nil, message: "no answer within \(seconds) s", isSilence: true)
    }

    /// Something changed between two statements that should have seen the same state.
    static func conflict(_ message: String) -> PostgresError { PostgresError(state: "40001", message: message) }

    /// Whether the transaction conflicted with others, so that trying again helps.
    var isConflict: Bool { state == "40P01" || state == "40001" }
}

extension StoreError {
    /// - Parameter url: the database that the message names.
    init(_ error: PostgresError, _ url: PostgresURL) {
        let cause = (error.state.map { "PostgreSQL \($0): " } ?? "") + error.message
        switch error.state {
        case "53100": self.init(.diskFull, "no room on the disk of \(url)", cause: cause)
        case "57014": self.init(.busy, "\(url) took too long over a statement; try again", cause: cause)
        case "55P03":
            self.init(
                .busy, error.blocker.map { "\(url): \($0); try again" } ?? "others keep \(url) locked; try again",
                cause: cause)
        case nil where error.isSilence:
            self.init(.io, "\(url) doesn't answer, although it has taken the connection: it hangs", cause: cause)
        case "40P01", "40001": self.init(.busy, "\(url) had conflicting transactions; try again", cause: cause)
        case "53300": self.init(.busy, "\(url) takes no more connections; raise max_connections", cause: cause)
        case "53200", "53400": self.init(.busy, "\(url) is out of memory; try again", cause: cause)
        case "42501":
            self.init(
                .forbidden, "this user may not use \(url); grant it the missing privileges", cause: cause)
        case "28000":
            self.init(
                .forbidden, "\(url) doesn't let this user in; check that it may log in, and pg_hba.conf", cause: cause)
        case "28P01":
            self.init(.forbidden, "\(url) doesn't let this user in; check the user and the password", cause: cause)
        case "3D000": self.init(.missing, "there is no such database; create it: \(url)", cause: cause)
        case "3F000": self.init(.missing, "the schema doesn't exist; create it in \(url)", cause: cause)
        case "XX001", "XX002":
            self.init(.corrupt, "\(url) is damaged; restore it from a backup", cause: cause)
        case "42P01", "42703", "42883":
            self.init(.corrupt, "\(url) lacks one of Marquee's tables; restore it from a backup", cause: cause)
        case "42P05", "26000": self.init(.invalid, "\(url) lends sessions by transaction" + PostgresSession.pooler)
        case "22021": self.init(.invalid, "a text can't be stored in \(url)", cause: cause)
        case "57P01", "57P02", "57P03": self.init(.io, "\(url) is starting or stopping", cause: cause)
        case "25006":
            self.init(
                .io, "\(url) takes no writes: the server there is a standby, or read-only", cause: cause)
        case _ where error.isLost:
            self.init(.io, "\(url) can't be reached; check that it is running", cause: cause)
        default: self.init(.io, "\(url) can't be used", cause: cause)
        }
    }

    /// Runs a body that uses a database, and turns whatever it throws into a store's error.
    static func translating<Value>(_ url: PostgresURL, _ body: () throws -> Value) throws(StoreError) -> Value {
        try translating("\(url)") {
            do {
                return try body()
            } catch let error as PostgresError {
                throw StoreError(error, url)
            }
        }
    }
}
