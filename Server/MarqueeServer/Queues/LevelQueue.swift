import DequeModule

/// Decides whose turn it is, and how long the turn may be: owners that have used little go ahead of those that have
/// used much.
///
/// An owner is busy from the moment it gets something to do until it has nothing left and awaits no result. The steps
/// it has taken in that time put it on a level. Level 0 goes first; within a level, owners take turns. So an owner that
/// arrives for a single step waits only for short turns of other newcomers, however many owners are busy with something
/// long. Those still get a turn after every `stepsAhead` steps taken before them. Each operation takes amortized
/// constant time.
struct LevelQueue<Owner: Hashable> {
    /// The most steps of a turn.
    static var stepsPerTurn: Int { 16 }
    /// The steps an owner may take on each level before it moves to the next. It stays on the last one.
    static var stepsPerLevel: [Int] { [4, 12, stepsPerTurn] }
    /// Steps that owners on the lowest level may take before one waiting on a higher level gets its turn.
    static var stepsAhead: Int { 64 }

    private struct Entry {
        /// Steps taken since it became busy.
        var steps = 0
        /// The serial of the place where it waits; `nil` while it doesn't.
        var place: UInt64?
    }
    private typealias Place = (owner: Owner, serial: UInt64)

    /// The busy owners.
    private var entries: [Owner: Entry] = [:]
    /// Places by level, the oldest first; includes those of owners since removed.
    private var levels: [Deque<Place>] = stepsPerLevel.map { _ in [] }
    private var serial: UInt64 = 0
    /// Steps taken since an owner on a higher level last went ahead of a lower one, or since only one level was
    /// waiting.
    private var ahead = 0
    /// The owner whose turn it is, and whether it has requested another one meanwhile.
    private var current: (owner: Owner, asks: Bool)?
    /// The number of owners waiting for their turn.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds an owner that has something to do; one that is already waiting keeps its place.
    mutating func add(_ owner: Owner) {
        if current?.owner == owner {
            current?.asks = true
            return
        }
        guard entries[owner]?.place == nil else { return }
        serial += 1
        count += 1
        entries[owner, default: Entry()].place = serial
        levels[level(of: owner)].append((owner, serial))
        if levels.reduce(0, { $0 + $1.count }) > 2 * count + 64 {
            for level in levels.indices { levels[level].removeAll { entries[$0.owner]?.place != $0.serial } }
        }
    }

    /// Removes the owner whose turn it is; `took` must follow.
    /// - Returns: the owner, and the steps that it may take.
    mutating func next() -> (owner: Owner, steps: Int)? {
        for level in levels.indices {
            while let place = levels[level].first, entries[place.owner]?.place != place.serial {
                levels[level].removeFirst()
            }
        }
        let waiting = levels.indices.filter { !levels[$0].isEmpty }
        guard let lowest = waiting.first else { return nil }
        var chosen = lowest
        if waiting.count == 1 {
            ahead = 0
        } else if ahead >= Self.stepsAhead {
            ahead = 0
            chosen = waiting.dropFirst().min { levels[$0][0].serial < levels[$1][0].serial } ?? lowest
        }
        let owner = levels[chosen].removeFirst().owner
        entries[owner]?.place = nil
        count -= 1
        return (owner, begin(owner))
    }

    /// Gives an owner its turn without waiting; `took` must follow.
    /// - Returns: the steps that it may take.
    mutating func begin(_ owner: Owner) -> Int {
        current = (owner, false)
        return Self.stepsPerLevel[level(of: owner)]
    }

    /// Ends the turn of the current owner.
    /// - Parameter isDone: whether it has nothing left to do and awaits no result.
    mutating func charge(_ steps: Int, isDone: Bool) {
        guard let (owner, asks) = current else { return }
        current = nil
        ahead += steps
        if isDone { entries[owner] = nil } else { entries[owner, default: Entry()].steps += steps }
        if asks { add(owner) }
    }

    /// Removes an owner that has gone.
    mutating func remove(_ owner: Owner) {
        if current?.owner == owner { current = nil }
        if entries.removeValue(forKey: owner)?.place != nil { count -= 1 }
    }

    private func level(of owner: Owner) -> Int {
        let steps = entries[owner]?.steps ?? 0
        var bound = 0
        for (level, most) in Self.stepsPerLevel.enumerated() {
            bound += most
            if steps < bound { return level }
        }
        return Self.stepsPerLevel.count - 1
    }
}
