import DequeModule

/// Work that waits, in one queue for each owner; the owners take turns, one piece of work each.
///
/// However much one owner asks for, another one waits for one piece of work of each owner before it, and no more. Each
/// operation costs a constant number of steps on average, but for `remove`, which costs as many as the owner had
/// waiting.
struct FairQueue<Owner: Hashable, Work> {
    struct Bounds: Hashable, Sendable {
        /// Pieces of work that may wait for one owner.
        var each = 16
        /// Pieces of work in all from which on an owner may have no more than one waiting.
        var total = 4_096
    }

    private struct Line {
        var work: Deque<Work> = []
        var serial: UInt64
    }

    private var lines: [Owner: Line] = [:]
    /// The owner whose turn is next first. Owners that were removed stay until it is their turn.
    private var turns: Deque<(owner: Owner, serial: UInt64)> = []
    private var serial: UInt64 = 0
    private let bounds: Bounds
    /// Pieces of work that wait.
    private(set) var count = 0

    init(bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// How many pieces of work an owner may have waiting now: fewer when little room is left, but always one. An owner
    /// that has as many is not to ask for more until some of it is done.
    var allowance: Int { max(1, min(bounds.each, (bounds.total - count) / bounds.each)) }

    func count(of owner: Owner) -> Int { lines[owner]?.work.count ?? 0 }

    mutating func append(_ work: Work, for owner: Owner) {
        count += 1
        if lines[owner] == nil {
            serial += 1
            lines[owner] = Line(serial: serial)
            turns.append((owner, serial))
            if turns.count > 2 * lines.count + 64 { turns.removeAll { lines[$0.owner]?.serial != $0.serial } }
        }
        lines[owner]?.work.append(work)
    }

    /// Takes the oldest work of the owner whose turn it is.
    mutating func next() -> Work? {
        while let turn = turns.popFirst() {
            guard lines[turn.owner]?.serial == turn.serial, let work = lines[turn.owner]?.work.popFirst() else {
                continue
            }
            count -= 1
            if lines[turn.owner]?.work.isEmpty == true { lines[turn.owner] = nil } else { turns.append(turn) }
            return work
        }
        return nil
    }

    /// Takes out all that waits for an owner.
    /// - Returns: how much that was.
    @discardableResult
    mutating func remove(_ owner: Owner) -> Int {
        let removed = lines.removeValue(forKey: owner)?.work.count ?? 0
        count -= removed
        return removed
    }
}
