import MarqueeModel
import MarqueeServer
import NIOCore

/// The events of a catalogue's commits: first those that are remembered, then each new one. For a slow client only its
/// position is kept; it skips commits that are forgotten meanwhile.
///
/// An event's id is `EPOCH.VERSION`, of the history, in hexadecimal and decimal.
final class CommitEvents: EventSource {
    /// Commits that are written before checking whether the connection takes more.
    private static let commitsAtOnce = 32

    private let connection: DoorConnection
    private let identity: Identity
    private let history: CommitHistory
    /// Everything up to here was sent.
    private var version: UInt64
    private var stop: (() -> Void)?
    private var hasLeft = false
    private var canTake = true
    private weak var stream: EventStreamHandler?

    /// - Parameter id: that of the last event that the client has seen.
    init(_ connection: DoorConnection, _ history: CommitHistory, by identity: Identity, after id: String?) {
        self.connection = connection
        self.history = history
        self.identity = identity
        let parts = id?.split(separator: ".") ?? []
        let isOurs = parts.count == 2 && UInt64(parts[0], radix: 16) == history.epoch
        version = isOurs ? UInt64(parts[1]) ?? 0 : 0
    }

    func begin(to stream: EventStreamHandler, then: @escaping (Status?) -> Void) {
        self.stream = stream
        stop = connection.listen(to: history) { [weak self] in self?.send() }
        then(nil)
        send()
    }

    func isReady() {
        canTake = true
        send()
    }

    func pulse() {
        if !hasLeft, let status = connection.ending(of: identity) { stream?.end(status) }
    }

    func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        stop?()
        identity.grant.leave()
    }

    /// Sends what the client lacks, as far as it takes it.
    private func send() {
        while canTake, !hasLeft, let stream {
            let commits = history.commits(after: version, atMost: Self.commitsAtOnce)
            guard let last = commits.last else { return }
            version = last.version
            let texts = commits.map { commit in
                "id: \(String(history.epoch, radix: 16)).\(commit.version)\nevent: commit\n"
                    + "data: \(WebText.commit(commit).line())\n\n"
            }
            canTake = stream.send(EventTexts.chunk(texts.joined()))
        }
    }
}
