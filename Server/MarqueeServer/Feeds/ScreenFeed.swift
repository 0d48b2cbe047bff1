import MarqueeDiff
import NIOCore

/// A screen that readers of one event loop follow.
///
/// Its readers get a text from the state that each holds to the newest one, made once for all that hold the same. They
/// are served in rounds, each to one state: a slow reader misses rounds, and is taken from where it is to where the
/// others are then.
final class ScreenFeed {
    let number: UInt64
    var screen: FollowedScreen
    /// The state to which readers are taken.
    private(set) var target: FeedState
    private(set) var readers: [FeedReader] = []

    private struct Text {
        /// Kept, as its place in memory is its name.
        let base: FeedState?
        /// `nil` while it is being made.
        var bytes: ByteBuffer?
        /// Readers that wait for it.
        var waiting: [FeedReader] = []
    }

    /// Readers for whom a text has come, and who have yet to be sent it.
    private struct Due {
        let bytes: ByteBuffer
        var readers: [FeedReader]
    }

    /// Texts that lead to the target, by the states from which they do; that of nothing is `nil`.
    private var texts: [ObjectIdentifier?: Text] = [:]
    /// The states that readers brought from elsewhere, so that those who have seen the same are sent the same.
    private var resumed: [SeenScreen: FeedState] = [:]
    /// Whether there is a newer state than the target.
    private var isOld = false
    /// How many readers this round has left, the first ones.
    private var left = 0
    private var making = 0
    private var due: [Due] = []
    private let makeText: FeedText
    private let work: FeedWork
    private let onLate: () -> Void

    /// The most states that are remembered for readers who come back, and the most texts to one target.
    static let maximumStates = 256

    /// - Parameters:
    ///   - revision: the newest that has been published.
    ///   - onLate: called when a text has come: readers wait for it, or a round that can begin now.
    init(
        _ number: UInt64, _ screen: FollowedScreen, at revision: UInt64, making: @escaping FeedText,
        work: @escaping FeedWork, onLate: @escaping () -> Void
    ) {
        self.number = number
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

    /// The screen has changed.
    /// - Returns: whether a round begins.
    func changed(at revision: UInt64) -> Bool {
        isOld = true
        return begin(at: revision)
    }

    /// Begins a round if there is a newer state, and the round before is over.
    private func begin(at revision: UInt64) -> Bool {
        guard isOld, left == 0, making == 0, due.isEmpty else { return false }
        isOld = false
        target = screen.state(at: revision)
        texts = [:]
        resumed = [:]
        left = readers.count
        return left > 0
    }

    /// Serves the readers for whom a text has come, and those that are left.
    /// - Parameters:
    ///   - revision: the newest that has been published.
    ///   - hasTime: checked after each reader.
    /// - Returns: `false` if time ran out.
    func goOn(at revision: UInt64, while hasTime: () -> Bool) -> Bool {
        repeat {
            guard sendDue(while: hasTime) else { return false }
            // From the end, where a reader that leaves is replaced by one that has been served.
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

    /// Sends a reader what it lacks, if it can take it.
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
        // Readers that have the same already are sent nothing.
        if text.readableBytes > 0 { reader.canTake = reader.output.send(text) }
    }

    /// The target stays what it is until the text is there.
    private func make(from base: FeedState?) {
        making += 1
        let (makeText, target) = (makeText, target)
        work({ makeText(base, target) }) { [self] bytes in
            making -= 1
            let key = base.map { ObjectIdentifier($0) }
            // However many they are, they take turns with what else the event loop has to do.
            due.append(Due(bytes: bytes, readers: texts[key]?.waiting ?? []))
            texts[key] = texts.count <= Self.maximumStates ? Text(base: base, bytes: bytes) : nil
            onLate()
        }
    }
}
