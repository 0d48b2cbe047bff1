import DequeModule
import MarqueeWire

/// The answers waiting to be written to a connection, one after another. Each keeps its budget reservation until its
/// last part has been taken from the queue.
struct AnswerQueue {
    private struct Entry {
        var call: UInt32
        var body: [UInt8]
        var next = 0
        var room: ByteBudget.Reservation
    }

    private var entries: Deque<Entry> = []

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    /// Bytes of bodies not taken yet.
    var bytes: Int { entries.reduce(0) { $0 + $1.body.count - $1.next } }

    mutating func append(_ body: [UInt8], to call: UInt32, room: ByteBudget.Reservation) {
        entries.append(Entry(call: call, body: body, room: room))
    }

    /// The next part, of at most `limit` bytes; `nil` when there is none.
    mutating func next(_ limit: Int) -> Answer? {
        guard var entry = entries.popFirst() else { return nil }
        let end = min(entry.next + limit, entry.body.count)
        let answer = Answer(
            call: entry.call, body: Array(entry.body[entry.next..<end]), more: end < entry.body.count)
        entry.next = end
        if answer.more { entries.prepend(entry) }
        return answer
    }
}
