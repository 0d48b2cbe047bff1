import DequeModule
import HeapModule

/// Gives the next turn to the owner whose turns have taken the least time. So an owner that needs little doesn't wait
/// for owners that always have something to do, or that need much each time they arrive.
///
/// An owner that arrives for the first time, or after a long pause, starts level with those that have used least:
/// nobody saves up time. After a short pause, the time it used before still counts. Every few turns, the owner that has
/// waited longest gets one, so that others can't hold it up by using little, or by being new, again and again. Each
/// operation takes amortized logarithmic time.
struct TurnQueue<Owner: Hashable> {
    /// Turns given to those that have used least before the owner that has waited longest gets one.
    static var turnsAhead: Int { 4 }

    private struct Entry {
        /// Nanoseconds that its turns have taken, plus the level at which it arrived.
        var used: UInt64
        /// The serial of its place in the order of time taken.
        var place: UInt64
        /// The serial of its place in the order of waiting; `nil` while it doesn't wait.
        var waiting: UInt64?
    }

    private struct Place: Comparable {
        var used: UInt64
        var serial: UInt64
        var owner: Owner

        static func < (a: Self, b: Self) -> Bool { (a.used, a.serial) < (b.used, b.serial) }
        static func == (a: Self, b: Self) -> Bool { a.serial == b.serial }
    }

    /// Owners that are waiting, and those whose turns have taken more than the level.
    private var entries: [Owner: Entry] = [:]
    /// All of them in the order of time taken; includes places of owners since removed.
    private var byUse = Heap<Place>()
    /// Those that are waiting, the longest first; includes places of owners since removed.
    private var byAge: Deque<(owner: Owner, serial: UInt64)> = []
    private var serial: UInt64 = 0
    /// The least time that the turns of a waiting owner have taken. It only rises.
    private var level: UInt64 = 0
    /// Turns since the owner that has waited longest had one.
    private var ahead = 0
    /// The owner whose turn it is, and whether it has requested another one meanwhile.
    private var current: (owner: Owner, used: UInt64, asks: Bool)?
    /// The number of owners waiting for their turn.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds an owner that has something to do; one that is already waiting keeps its place.
    mutating func add(_ owner: Owner) {
        if current?.owner == owner {
            current?.asks = true
            return
        }
        guard entries[owner]?.waiting == nil else { return }
        if entries[owner] == nil { place(owner, used: level) }
        serial += 1
        count += 1
        entries[owner]?.waiting = serial
        byAge.append((owner, serial))
        if byAge.count > 2 * count + 64 { byAge.removeAll { entries[$0.owner]?.waiting != $0.serial } }
    }

    /// Removes and returns the owner whose turn it is; `took` must follow. The owner doesn't wait again until it is
    /// added again.
    mutating func next() -> Owner? {
        let oldest = longestWaiting()
        let chosen = ahead < Self.turnsAhead ? leastUsing() : oldest
        guard let owner = chosen, let entry = entries.removeValue(forKey: owner) else { return nil }
        ahead = owner == oldest ? 0 : ahead + 1
        count -= 1
        current = (owner, entry.used, false)
        return owner
    }

    /// Ends the turn of the current owner.
    /// - Parameter time: how long it took, in nanoseconds.
    mutating func charge(_ time: UInt64) {
        guard let (owner, used, asks) = current else { return }
        current = nil
        // A turn too short to measure still moves the owner behind its equals.
        place(owner, used: used + max(1, time))
        if asks { add(owner) }
    }

    /// Removes an owner that has gone.
    mutating func remove(_ owner: Owner) {
        if current?.owner == owner { current = nil }
        if entries.removeValue(forKey: owner)?.waiting != nil { count -= 1 }
    }

    private mutating func place(_ owner: Owner, used: UInt64) {
        serial += 1
        entries[owner] = Entry(used: used, place: serial, waiting: nil)
        byUse.insert(Place(used: used, serial: serial, owner: owner))
        if byUse.count > 2 * entries.count + 64 {
            byUse = Heap(byUse.unordered.filter { entries[$0.owner]?.place == $0.serial })
        }
    }

    /// Removes places up to that of the waiting owner that has used least, which it returns, and forgets the owners
    /// passed over.
    private mutating func leastUsing() -> Owner? {
        while let place = byUse.popMin() {
            guard let entry = entries[place.owner], entry.place == place.serial else { continue }
            level = place.used
            if entry.waiting != nil { return place.owner }
            entries[place.owner] = nil
        }
        return nil
    }

    private mutating func longestWaiting() -> Owner? {
        while let place = byAge.first {
            if entries[place.owner]?.waiting == place.serial { return place.owner }
            byAge.removeFirst()
        }
        return nil
    }
}
