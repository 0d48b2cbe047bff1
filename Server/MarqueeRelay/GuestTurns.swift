import DequeModule

/// Work that waits to be sent upstream: the relay's own first, then that of its guests, in turns. However much guests
/// ask for, each waits for only one piece of work of each other guest.
struct GuestTurns<Work> {
    /// The divisor of the room that is left; the quotient is the room for one guest.
    static var share: Int { 16 }

    private var own: Deque<Work> = []
    private var lines: [UInt32: Deque<Work>] = [:]
    /// The guests with work, in the order of their turns, and guests who have left since.
    private var turns: Deque<UInt32> = []
    private(set) var count = 0

    /// Whether there is room for another piece of a guest's work.
    /// - Parameter limit: the most pieces of work that may wait.
    func hasRoom(for guest: UInt32, limit: Int) -> Bool {
        count < limit && lines[guest]?.count ?? 0 < max(1, (limit - count) / Self.share)
    }

    /// - Parameter guest: `nil` for the relay's own work, such as introductions.
    mutating func append(_ work: Work, for guest: UInt32?) {
        count += 1
        guard let guest else { return own.append(work) }
        if lines[guest] == nil { turns.append(guest) }
        lines[guest, default: []].append(work)
    }

    /// The next piece of work.
    var first: Work? {
        if let work = own.first { return work }
        return turns.lazy.compactMap { lines[$0]?.first }.first
    }

    mutating func popFirst() -> Work? {
        if let work = own.popFirst() {
            count -= 1
            return work
        }
        while let guest = turns.popFirst() {
            guard let work = lines[guest]?.popFirst() else { continue }
            count -= 1
            if lines[guest]?.isEmpty == true { lines[guest] = nil } else { turns.append(guest) }
            return work
        }
        return nil
    }

    /// Removes the work of a guest who has left.
    mutating func remove(_ guest: UInt32) -> [Work] {
        guard let work = lines.removeValue(forKey: guest) else { return [] }
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
