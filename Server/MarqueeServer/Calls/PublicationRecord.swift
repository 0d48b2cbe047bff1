import Logging
import MarqueeModel

/// A committed publication, for the log: its publisher, its subjects, the number of changes, and its revision.
struct PublicationRecord {
    /// The most subjects that are listed.
    static let maximumNames = 8
    /// The most characters of a subject, and of a client's agent.
    static let maximumLength = 64

    private(set) var names: Set<String> = []
    private(set) var isCut = false
    private(set) var changes = 0

    /// - Parameter name: a subject as scopes name it, such as `movie`, `list/top` or `pool/banner`.
    mutating func add(_ name: String) {
        changes += 1
        guard !names.contains(name) else { return }
        if names.count < Self.maximumNames { names.insert(name) } else { isCut = true }
    }

    func metadata(
        by caller: ContentCaller, connection: ConnectionID, key: String?, revision: UInt64, changed: Bool
    ) -> Logger.Metadata {
        let about = names.sorted().map { $0.prefix(Self.maximumLength) } + (isCut ? ["…"] : [])
        var metadata = Self.metadata(of: caller, connection: connection, key: key)
        metadata["about"] = "\(about.joined(separator: " "))"
        metadata["changes"] = .stringConvertible(changes)
        metadata["revision"] = .stringConvertible(revision)
        metadata["changed"] = .stringConvertible(changed)
        return metadata
    }

    /// The publisher, for the history of commits.
    static func publisher(_ caller: ContentCaller) -> CommitHistory.Publisher {
        CommitHistory.Publisher(
            user: caller.user, by: caller.identity.grant.source.words,
            agent: caller.place?.agent.map { String($0.prefix(Self.maximumLength)) }, address: caller.place?.address)
    }

    /// The publisher, and the key of the publication.
    static func metadata(of caller: ContentCaller, connection: ConnectionID, key: String?) -> Logger.Metadata {
        let publisher = publisher(caller)
        var metadata: Logger.Metadata = ["connection": .stringConvertible(connection)]
        metadata["user"] = publisher.user.map { "\($0)" }
        metadata["by"] = publisher.by.map { "\($0)" }
        metadata["agent"] = publisher.agent.map { "\($0)" }
        metadata["peer"] = publisher.address.map { "\($0)" }
        metadata["key"] = key.map { "\($0)" }
        return metadata
    }
}

extension Grant.Source {
    /// The name that operators gave the client's token or certificate; `nil` if it has presented none.
    var words: String? {
        switch self {
        case .open: nil
        case .token(let name): "token \(name)"
        case .certificate(let name): "certificate \(name)"
        case .jwt(let key, let id): "jwt \(id ?? "of key \(key)")"
        case .upstream: "upstream"
        }
    }
}
