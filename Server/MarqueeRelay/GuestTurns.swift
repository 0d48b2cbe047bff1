import DequeModule

/// Work that waits to be sent upstream: the relay's own first, then that of its guests, in turns. However much the
/// others ask for, a guest's next piece of work waits for at most one piece of each of them.
struct GuestTurns<Work> {
    /// A guest's queue may be as long as the remaining room divided by this.
    static var share: Int { 16 }

    /// The relay's own work.
    private var own: Deque<Work> = []
    /// The work of each guest that has any, in order.
    private var queues: [UInt32: Deque<Work>] = [:]
    /// The guests with work, in the order of their turns.
    private var turns: Deque<UInt32> = []
    private(set) var count = 0

    /// Whether there is room for another piece of a guest's work.
    /// - Parameter limit: the most pieces of work that may wait, those of all guests together.
    func hasRoom(for guest: UInt32, limit: Int) -> Bool {
        count < limit && queues[guest]?.count ?? 0 < max(1, (limit - count) / Self.share)
    }

    /// - Parameter guest: `nil` for the relay's own work, such as introductions.
    mutating func append(_ work: Work, for guest: UInt32?) {
        count += 1
        guard let guest else { return own.append(work) }
        if queues[guest] == nil { turns.append(guest) }
        queues[guest, default: []].append(work)
    }

    /// The next piece of work.
    var first: Work? {
        if let work = own.first { return work }
        return turns.lazy.compactMap { queues[$0]?.first }.first
    }

    mutating func popFirst() -> Work? {
        if let work = own.popFirst() {
            count -= 1
            return work
        }
        while let guest = turns.popFirst() {
            guard let work = queues[guest]?.popFirst() else { continue }
            count -= 1
            if queues[guest]?.isEmpty == true { queues[guest] = nil } else { turns.append(guest) }
            return work
        }
        return nil
    }

    /// Removes the work of a guest who has left.
    mutating func remove(_ guest: UInt32) -> [Work] {
        guard let work = queues.removeValue(forKey: guest) else { return [] }
        turns.removeAll { $0 == guest }
        count -= work.count
        return Array(work)
    }

    mutating func removeAll() -> [Work] {
        var all: [Work] = []
        while let work = popFirst() { all.append(work) }
        return all
    }
}
