import MarqueeDiff
import NIOCore

/// A screen followed by readers of one event loop.
///
/// Readers get a text that takes them from the state that they hold to the newest one; it is made once for all that
/// hold the same state. They are served in rounds, each of which has one target: a slow reader misses rounds, and later
/// goes from its own state straight to the current target.
final class ScreenFeed {
    let number: UInt64
    /// The first reader's request.
    let request: OpenRequest
    var screen: FollowedScreen
    /// The state to which readers are being taken.
    private(set) var target: FeedState
    private(set) var readers: [FeedReader] = []

    private struct Text {
        /// Kept alive, because its address identifies it.
        let base: FeedState?
        /// `nil` while it is being made.
        var bytes: ByteBuffer?
        /// Readers that are waiting for it.
        var waiting: [FeedReader] = []
    }

    /// Readers whose text is ready but wasn't sent yet.
    private struct Due {
        let bytes: ByteBuffer
        var readers: [FeedReader]
    }

    /// Texts that lead to the target, by the states they start from; `nil` for a start from nothing.
    private var texts: [ObjectIdentifier?: Text] = [:]
    /// States that readers brought from earlier connections, so that readers that have seen the same share a state.
    private var resumed: [SeenScreen: FeedState] = [:]
    /// Whether the screen is newer than the target.
    private var isOld = false
    /// The number of readers that this round has yet to serve; they are the first in the array.
    private var left = 0
    private var making = 0
    private var due: [Due] = []
    private let makeText: FeedText
    private let work: FeedWork
    private let onLate: () -> Void

    /// The most states remembered for returning readers, and the most texts for one target.
    static let maximumStates = 256

    /// - Parameters:
    ///   - revision: the newest published revision.
    ///   - onLate: called when a text is ready, so that the readers waiting for it can be served or a round can begin.
    init(
        _ number: UInt64, _ request: OpenRequest, _ screen: FollowedScreen, at revision: UInt64,
        making: @escaping FeedText, work: @escaping FeedWork, onLate: @escaping () -> Void
    ) {
        self.number = number
        self.request = request
        self.screen = screen
        target = screen.state(at: revision)
        makeText = making
        self.work = work
        self.onLate = onLate
    }

    // MARK: - Readers

    func add(_ reader: FeedReader, in library: VersionLibrary) {
        reader.feed = self
        reader.index = readers.count
        readers.append(reader)
        if let seen = reader.seen {
            reader.seen = nil
            reader.held = resumed[seen] ?? screen.state(seen, in: library)
            if resumed.count < Self.maximumStates { resumed[seen] = reader.held }
        }
        serve(reader)
    }

    func remove(_ reader: FeedReader) {
        guard reader.feed === self else { return }
        let last = readers.count - 1
        readers.swapAt(reader.index, last)
        readers[reader.index].index = reader.index
        readers.removeLast()
        reader.feed = nil
    }

    // MARK: - Rounds

    /// Records that the screen has changed, and begins a round if possible.
    /// - Returns: whether a round begins.
    func changed(at revision: UInt64) -> Bool {
        isOld = true
        return begin(at: revision)
    }

    /// Begins a round if the screen is newer than the target and the last round is over.
    private func begin(at revision: UInt64) -> Bool {
        guard isOld, left == 0, making == 0, due.isEmpty else { return false }
        isOld = false
        target = screen.state(at: revision)
        texts = [:]
        resumed = [:]
        left = readers.count
        return left > 0
    }

    /// Serves the readers whose text is ready, and those that this round has yet to serve.
    /// - Parameters:
    ///   - revision: the newest published revision.
    ///   - hasTime: checked after each reader.
    /// - Returns: `false` if time ran out.
    func goOn(at revision: UInt64, while hasTime: () -> Bool) -> Bool {
        repeat {
            guard sendDue(while: hasTime) else { return false }
            // From the end, so that a reader that leaves is replaced by one already served.
            while left > 0 {
                left = min(left, readers.count) - 1
                guard left >= 0 else { break }
                serve(readers[left])
                if !hasTime() { return false }
            }
            left = 0
        } while begin(at: revision)
        return true
    }

    /// - Returns: `false` if time ran out.
    private func sendDue(while hasTime: () -> Bool) -> Bool {
        while !due.isEmpty {
            guard let reader = due[due.count - 1].readers.popLast() else {
                due.removeLast()
                continue
            }
            reader.isWaiting = false
            if reader.feed === self { send(due[due.count - 1].bytes, target, to: reader) }
            if !hasTime() { return false }
        }
        return true
    }

    /// Sends a reader the text that it lacks, if it accepts it.
    func serve(_ reader: FeedReader) {
        guard reader.canTake, !reader.isWaiting, reader.held !== target else { return }
        let key = reader.held.map { ObjectIdentifier($0) }
        if let bytes = texts[key]?.bytes { return send(bytes, target, to: reader) }
        let isFirst = texts[key] == nil
        reader.isWaiting = true
        texts[key, default: Text(base: reader.held)].waiting.append(reader)
        if isFirst { make(from: reader.held) }
    }

    private func send(_ text: ByteBuffer, _ state: FeedState, to reader: FeedReader) {
        reader.held = state
        // Readers that already have the same screen are sent nothing.
        if text.readableBytes > 0 { reader.canTake = reader.output.send(text) }
    }

    /// Has a text made. The target stays the same until the text is ready.
    private func make(from base: FeedState?) {
        making += 1
        let (makeText, target) = (makeText, target)
        work({ makeText(base, target) }) { [self] bytes in
            making -= 1
            let key = base.map { ObjectIdentifier($0) }
            // Queued, so that they take turns with the event loop's other work, however many they are.
            due.append(Due(bytes: bytes, readers: texts[key]?.waiting ?? []))
            texts[key] = texts.count <= Self.maximumStates ? Text(base: base, bytes: bytes) : nil
            onLate()
        }
    }
}
