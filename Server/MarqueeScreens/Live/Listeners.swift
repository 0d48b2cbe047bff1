/// An index of listeners that finds the variants and views touched by a change without visiting any others.
struct Listeners: Sendable {
    private var byTrigger: [Trigger: Set<UInt64>] = [:]
    /// The watchers of each order, by descending bound.
    private var byOrder: [OrderID: [Watcher]] = [:]
    /// Handles of the variants that receive an order's journal.
    private var byJournal: [OrderID: Set<UInt64>] = [:]

    private struct Watcher {
        var bound: Int
        var handle: UInt64
    }

    /// Orders with at least one watcher.
    var watchedOrders: Set<OrderID> { Set(byOrder.keys).union(byJournal.keys) }

    func isWatched(_ order: OrderID) -> Bool { byOrder[order] != nil || byJournal[order] != nil }

    /// Handles of the variants that receive an order's journal; `nil` if there are none.
    func journalReaders(of order: OrderID) -> Set<UInt64>? { byJournal[order] }

    func listeners(to trigger: Trigger) -> Set<UInt64> { byTrigger[trigger] ?? [] }

    /// Handles of the watchers whose bound is above a rank.
    func watchers(of order: OrderID, beyond rank: Int) -> [UInt64] {
        (byOrder[order] ?? []).prefix { $0.bound > rank }.map(\.handle)
    }

    mutating func add(_ handle: UInt64, to triggers: Set<Trigger>) {
        for trigger in triggers { byTrigger[trigger, default: []].insert(handle) }
    }

    mutating func remove(_ handle: UInt64, from triggers: Set<Trigger>) {
        for trigger in triggers {
            byTrigger[trigger]?.remove(handle)
            if byTrigger[trigger]?.isEmpty == true { byTrigger.removeValueAndRoom(forKey: trigger) }
        }
    }

    mutating func add(_ handle: UInt64, to watches: [OrderWatch]) {
        for watch in watches {
            if watch.isJournalled {
                byJournal[watch.order, default: []].insert(handle)
                continue
            }
            let place = byOrder[watch.order]?.partitioningIndex { $0.bound <= watch.bound } ?? 0
            byOrder[watch.order, default: []].insert(Watcher(bound: watch.bound, handle: handle), at: place)
        }
    }

    mutating func remove(_ handle: UInt64, from watches: [OrderWatch]) {
        for watch in watches {
            if watch.isJournalled {
                byJournal[watch.order]?.remove(handle)
                if byJournal[watch.order]?.isEmpty == true { byJournal.removeValueAndRoom(forKey: watch.order) }
                continue
            }
            byOrder[watch.order]?.removeAll { $0.handle == handle }
            if byOrder[watch.order]?.isEmpty == true { byOrder[watch.order] = nil }
        }
    }
}
