import Logging
import MarqueeServer

/// Log lines about changes by operators. They are written whatever the log's level is.
struct AdminAudit {
    private static let label = "marquee-server"

    let log: ServerLog
    /// The address that the request came from.
    let peer: String
    /// `nil` where it doesn't matter who asks.
    var caller: AdminCaller?

    func ended(_ chosen: ChosenSessions, _ count: Int) {
        var metadata: Logger.Metadata = ["ended": .stringConvertible(count)]
        switch chosen {
        case .connection(let number): metadata["connection"] = .stringConvertible(number)
        case .user(let user): metadata["user"] = "\(user)"
        }
        add("an operator ended sessions", metadata)
    }

    func set(_ level: Logger.Level) { add("the log's level is now \(level.rawValue)", [:]) }

    /// The token's role didn't allow a change. There may be many such attempts, so these lines are limited like any
    /// others.
    func refused(_ method: String, _ path: String) {
        log.logger(label: Self.label).notice(
            "an operator was refused a change",
            metadata: metadata(and: ["method": "\(method)", "path": "\(path)"]))
    }

    private func add(_ message: String, _ more: Logger.Metadata) {
        log.add(.notice, label: Self.label, message, metadata(and: more))
    }

    private func metadata(and more: Logger.Metadata) -> Logger.Metadata {
        var metadata = more
        metadata["peer"] = "\(peer)"
        metadata["operator"] = caller?.name.map { "\($0)" }
        metadata["role"] = caller.map { "\($0.role.rawValue)" }
        return metadata
    }
}
