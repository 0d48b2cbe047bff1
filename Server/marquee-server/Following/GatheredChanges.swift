import MarqueeImport

/// A database's words since the last publication: messages that weren't read yet, and what the others amount to.
/// A value.
struct GatheredChanges {
    /// Where the source is.
    var start: FollowedPosition
    var changes = FollowedChanges()
    /// Changes of rows that were read, those included that are committed.
    var rows: UInt64 = 0
    /// Whether rows were read as they are later.
    var isAhead = false
    /// Whether a part is committed already.
    private(set) var isInPieces = false
    /// Whether something is missing in that part.
    private(set) var isIncomplete = false
    private var waiting: [[UInt8]] = []
    private(set) var waitingBytes = 0

    init(from start: FollowedPosition) { self.start = start }

    mutating func wait(_ message: [UInt8]) {
        waiting.append(message)
        waitingBytes += message.count
    }

    /// The messages that wait, which don't any more.
    mutating func takeWaiting() -> [[UInt8]] {
        defer { (waiting, waitingBytes) = ([], 0) }
        return waiting
    }

    /// The changes so far, as a piece, and where the source is with it. The newest row belongs to the next one.
    /// - Parameter until: where all pieces will be committed.
    mutating func takePiece(
        until: LogLocation, isIncomplete: Bool
    ) -> (entries: [FollowedChanges.Entry], position: FollowedPosition) {
        isInPieces = true
        self.isIncomplete = self.isIncomplete || isIncomplete
        var position = start
        (position.until, position.rows) = (until, max(start.rows, rows - min(rows, 1)))
        position.isIncomplete = start.isIncomplete || self.isIncomplete
        defer { changes = FollowedChanges() }
        return (changes.entries, position)
    }
}
