import MarqueeWire

/// The views that clients of a relay have asked for and that can't be shown yet, each under a ticket. What arrives is
/// given to those alone that wait for it, however many there are.
struct Openings {
    private var all: [UInt64: RelayCore.Opening] = [:]
    private var ofGuests: [UInt32: Set<UInt64>] = [:]
    /// Those that wait for a version of a variant, by its handle.
    private var waiting: [UInt64: Set<UInt64>] = [:]
    /// Those that wait for a position, or for a list that fits its plan: for anything that arrives.
    private var unsettled: Set<UInt64> = []
    private var nextTicket: UInt64 = 1

    var isEmpty: Bool { all.isEmpty }
    /// In the order in which they came.
    var tickets: [UInt64] { all.keys.sorted() }

    /// Those of one guest, in the order in which they came.
    func tickets(of guest: UInt32) -> [UInt64] { ofGuests[guest, default: []].sorted() }

    subscript(ticket: UInt64) -> RelayCore.Opening? { all[ticket] }

    /// - Returns: its ticket.
    mutating func add(_ opening: RelayCore.Opening) -> UInt64 {
        let ticket = nextTicket
        nextTicket += 1
        all[ticket] = opening
        if let guest = opening.guest { ofGuests[guest, default: []].insert(ticket) }
        return ticket
    }

    mutating func remove(_ ticket: UInt64) -> RelayCore.Opening? {
        stopWaiting(ticket)
        guard let opening = all.removeValue(forKey: ticket) else { return nil }
        if let guest = opening.guest {
            ofGuests[guest]?.remove(ticket)
            if ofGuests[guest]?.isEmpty == true { ofGuests[guest] = nil }
        }
        return opening
    }

    /// Counts another attempt.
    /// - Returns: how many there were before.
    mutating func attempt(_ ticket: UInt64) -> Int {
        defer { all[ticket]?.attempts += 1 }
        return all[ticket]?.attempts ?? 0
    }

    /// - Parameter plan: the variants that it shows; `nil` while that is being asked.
    mutating func plan(_ ticket: UInt64, _ plan: PlanAnswer?) {
        stopWaiting(ticket)
        all[ticket]?.plan = plan
    }

    /// One isn't ready yet.
    /// - Parameter handle: the variant of which a version has to arrive first; `nil` for anything.
    mutating func wait(_ ticket: UInt64, for handle: UInt64?) {
        stopWaiting(ticket)
        guard all[ticket] != nil else { return }
        all[ticket]?.awaited = handle
        if let handle { waiting[handle, default: []].insert(ticket) } else { unsettled.insert(ticket) }
    }

    /// Versions of these variants have arrived, or a position has.
    /// - Returns: those that may be ready now, in the order in which they came.
    func arrived(_ handles: some Sequence<UInt64>) -> [UInt64] {
        var ready = unsettled
        for handle in handles { ready.formUnion(waiting[handle, default: []]) }
        return ready.sorted()
    }

    private mutating func stopWaiting(_ ticket: UInt64) {
        unsettled.remove(ticket)
        guard let handle = all[ticket]?.awaited else { return }
        all[ticket]?.awaited = nil
        waiting[handle]?.remove(ticket)
        if waiting[handle]?.isEmpty == true { waiting[handle] = nil }
    }
}
