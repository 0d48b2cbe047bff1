import DequeModule
import MarqueeServer
import NIOCore

/// A body without end, with each line published by itself: the part that has arrived and isn't committed yet.
///
/// Belongs to one event loop. Nothing more is read while a line waits, so it holds no more than one read brings, and
/// the beginning of one line.
final class WebStream {
    struct Line {
        /// Counted from 1.
        var number: Int
        var bytes: [UInt8]
    }

    let caller: DoorCaller
    /// The key from which the keys of lines are made.
    let key: String?
    /// Takes a place for as long as the stream lasts.
    let ticket: DoorTicket
    /// Whether a line is being committed.
    var isBusy = false
    /// Whether the client, or the server, ends it.
    var isEnding = false
    /// The time since which answers wait for the client, by the server's clock.
    var blockedSince: UInt64?

    private let limit: Int
    private let makeRoom: () -> ByteBudget.Reservation?
    private var room: ByteBudget.Reservation?
    private var begun: [UInt8] = []
    private var lines: Deque<Line> = []
    private var count = 0

    /// - Parameters:
    ///   - limit: the most bytes of a line.
    ///   - makeRoom: reserves room for what comes next.
    init(
        _ caller: DoorCaller, key: String?, ticket: DoorTicket, limit: Int,
        makeRoom: @escaping () -> ByteBudget.Reservation?
    ) {
        self.caller = caller
        self.key = key
        self.ticket = ticket
        self.limit = limit
        self.makeRoom = makeRoom
    }

    var isEmpty: Bool { lines.isEmpty }

    /// - Throws: the problem that ends the stream.
    func append(_ bytes: ByteBuffer) throws(WebProblem) {
        if room == nil { room = makeRoom() }
        guard let room, room.grow(by: bytes.readableBytes) else { throw .publicationsWait }
        for part in bytes.readableBytesView.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 { endLine() }
            guard part.element.count <= limit - begun.count else { throw .bodyTooLarge(limit) }
            begun += part.element
        }
    }

    /// Ends the body; its last line may lack a line break.
    func end() {
        if !begun.isEmpty { endLine() }
        isEnding = true
    }

    private func endLine() {
        count += 1
        if begun.last == 0x0D { begun.removeLast() }
        if begun.contains(where: { $0 != 0x20 && $0 != 0x09 }) { lines.append(Line(number: count, bytes: begun)) }
        begun = []
    }

    /// Takes the next line.
    func next() -> Line? {
        let line = lines.popFirst()
        if line == nil, begun.isEmpty { room = nil }
        return line
    }
}
