import MarqueeClient
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire

/// A client that does what it should, on a connection of a fuzzed server: whatever others do to the server, it never
/// sees a mistake.
struct HonestClient {
    private var core = SyncCore()
    let connection: FuzzConnection
    private unowned let server: FuzzServer
    /// Whether the server said that it can't deliver something now.
    private(set) var wasRefused = false

    static let view = ViewID(screen: "home", locale: "en")

    init(_ server: FuzzServer) {
        self.server = server
        connection = FuzzConnection(server)
        var hello = Hello()
        hello.clientID = [UInt8](repeating: 9, count: Hello.clientIDBytes)
        run(core.connected(hello, now: server.now))
        run(core.want(Self.view, parameters: [], stored: nil, cut: Cut()))
    }

    var position: Cut { core.position }

    /// Whether it shows everything that the server has.
    var isComplete: Bool { core.isComplete(Self.view) }

    /// The state that it is waiting in, for messages.
    var state: String {
        "wanted \(core.isWanted(Self.view)), live \(core.isLive(Self.view)), answered \(core.isAnswered(Self.view))"
    }

    /// The sums of what it shows, those of the sections by their ids.
    var shown: [String: UInt64] {
        guard let content = core.content(of: Self.view) else { return [:] }
        return content.sections.mapValues(\.sum).merging(["": content.list.sum]) { $1 }
    }

    mutating func show(window: UInt32?, sort: String?) {
        run(core.setParameters([SectionParameters(section: "new", sort: sort, window: window)], of: Self.view))
    }

    /// Takes what was written to it, and answers, until there is nothing more.
    mutating func takeTurn() {
        repeat {
            for (message, flags, bytes) in connection.takeWritten() {
                run(core.received(message, flags: flags, bytes: bytes))
            }
            core.heard(now: server.now)
            run(core.tick(now: server.now))
            connection.pump()
        } while hasMore()
    }

    private mutating func hasMore() -> Bool {
        let next = connection.takeWritten()
        for (message, flags, bytes) in next { run(core.received(message, flags: flags, bytes: bytes)) }
        return !next.isEmpty
    }

    /// Asks again for what was refused.
    mutating func askAgain() {
        wasRefused = false
        run(
            core.isWanted(Self.view)
                ? core.subscribeAgain(Self.view) : core.want(Self.view, parameters: [], stored: nil, cut: Cut()))
    }

    private mutating func run(_ actions: [SyncCore.Action]) {
        for action in actions { run(action) }
    }

    private mutating func run(_ action: SyncCore.Action) {
        switch action {
        case .send(let message):
            switch message {
            case .nack(let nack): fatalError("an honest client refuses nothing: \(nack.status.message)")
            case .close(let status): fatalError("an honest client doesn't close: \(status.message)")
            default: connection.receive(message)
            }
        case .welcomed(let welcome): run(core.accept(welcome, seen: nil))
        case .apply(let result):
            require(!result.cut.isBehind(core.position), "a position never goes back")
            run(core.applied(result, durable: result.cut))
        case .progress(let cut): run(core.progressTaken(durable: cut))
        case .viewFailed, .sectionFailed, .parametersRefused: wasRefused = true
        case .parametersKept, .answered: break
        case .close(let ending): fatalError("an honest client is not sent away: \(ending)")
        }
    }
}
