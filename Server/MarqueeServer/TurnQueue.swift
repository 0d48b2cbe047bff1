import DequeModule

/// Decides whose turn it is. Owners with something to do take turns, and one that returns after a pause goes before
/// those that always have something to do: an owner with little work doesn't wait for those with much.
///
/// No owner can hold up the others by returning again and again: after its turn, it counts as new only once all those
/// waiting at that time have had theirs. Each operation takes amortized constant time.
struct TurnQueue<Owner: Hashable> {
    private struct Entry {
        /// Identifies the one place that the owner has in the queues.
        var serial: UInt64
        var isWaiting: Bool
    }
    private typealias Place = (owner: Owner, serial: UInt64)

    private var entries: [Owner: Entry] = [:]
    /// Owners without a turn since they came.
    private var new: Deque<Place> = []
    /// Owners that have had a turn, including those not waiting for another one.
    private var others: Deque<Place> = []
    private var serial: UInt64 = 0
    /// The number of owners waiting for their turn.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// An owner has something to do; one that is waiting already keeps its place.
    mutating func add(_ owner: Owner) {
        if let entry = entries[owner] {
            if !entry.isWaiting { count += 1 }
            entries[owner]?.isWaiting = true
            return
        }
        serial += 1
        count += 1
        entries[owner] = Entry(serial: serial, isWaiting: true)
        new.append((owner, serial))
        if new.count + others.count > 2 * entries.count + 64 {
            new.removeAll { entries[$0.owner]?.serial != $0.serial }
            others.removeAll { entries[$0.owner]?.serial != $0.serial }
        }
    }

    /// Removes the owner whose turn it is. It doesn't wait again until it is added again.
    mutating func next() -> Owner? {
        while let place = new.popFirst() ?? others.popFirst() {
            guard let entry = entries[place.owner], entry.serial == place.serial else { continue }
            guard entry.isWaiting else {
                entries[place.owner] = nil
                continue
            }
            count -= 1
            entries[place.owner]?.isWaiting = false
            others.append(place)
            return place.owner
        }
        return nil
    }

    mutating func remove(_ owner: Owner) {
        if entries.removeValue(forKey: owner)?.isWaiting == true { count -= 1 }
    }
}
