import MarqueeModel
import MarqueeServer
import MarqueeWire
import NIOCore

/// The events of a screen.
final class ScreenEvents: EventSource {
    private let connection: DoorConnection
    private let request: GetScreenRequest
    private let caller: DoorCaller
    private let seen: SeenScreen?
    private let texts: EventTexts
    private var reader: FeedReader?
    private var hasLeft = false
    private weak var stream: EventStreamHandler?

    /// - Parameter seen: the screen that the client has.
    init(
        _ connection: DoorConnection, _ request: GetScreenRequest, by caller: DoorCaller, from seen: SeenScreen?,
        _ texts: EventTexts
    ) {
        self.connection = connection
        self.request = request
        self.caller = caller
        self.seen = seen
        self.texts = texts
    }

    private var making: FeedText { { [texts] in texts.text(from: $0, to: $1) } }

    func begin(to stream: EventStreamHandler, then: @escaping (Status?) -> Void) {
        self.stream = stream
        reader = connection.follow(request, by: caller, from: seen, to: self, making: making, then: then)
        guard let reader else {
            caller.identity.grant.leave()
            return then(.tooManyConnections)
        }
        // It may have been refused at once.
        if hasLeft { connection.leave(reader) }
    }

    func isReady() { reader?.isReady() }

    func pulse() {}

    func leave() {
        hasLeft = true
        if let reader { connection.leave(reader) }
        reader = nil
    }
}

extension ScreenEvents: FeedOutput {
    func send(_ text: ByteBuffer) -> Bool { stream?.send(text) ?? false }

    func reopen() {
        guard let reader else { return }
        connection.open(request, for: reader, making: making) { [weak self] status in
            if let status { self?.end(status) }
        }
    }

    func end(_ status: Status) { stream?.end(status) }
}
