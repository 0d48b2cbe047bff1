import MarqueeWire

/// The views that a relay's clients have asked for and that can't be shown yet, each under a ticket. Arriving content
/// is checked against only the views that wait for it, however many others there are.
struct Openings {
    private var all: [UInt64: RelayCore.Opening] = [:]
    /// The tickets of each guest that waits for views.
    private var ticketsByGuest: [UInt32: Set<UInt64>] = [:]
    /// The tickets of views that wait for a version of a variant, by the variant's handle.
    private var waiting: [UInt64: Set<UInt64>] = [:]
    /// The tickets of views that wait for a position, or for a list that fits their plan: anything that arrives may
    /// make them ready.
    private var unsettled: Set<UInt64> = []
    private var nextTicket: UInt64 = 1

    var isEmpty: Bool { all.isEmpty }
    /// The tickets, in the order in which the views were asked for.
    var tickets: [UInt64] { all.keys.sorted() }

    /// The tickets of one guest, in the order in which the views were asked for.
    func tickets(of guest: UInt32) -> [UInt64] { ticketsByGuest[guest, default: []].sorted() }

    subscript(ticket: UInt64) -> RelayCore.Opening? { all[ticket] }

    /// - Returns: the view's ticket.
    mutating func add(_ opening: RelayCore.Opening) -> UInt64 {
        let ticket = nextTicket
        nextTicket += 1
        all[ticket] = opening
        if let guest = opening.guest { ticketsByGuest[guest, default: []].insert(ticket) }
        return ticket
    }

    mutating func remove(_ ticket: UInt64) -> RelayCore.Opening? {
        stopWaiting(ticket)
        guard let opening = all.removeValue(forKey: ticket) else { return nil }
        if let guest = opening.guest {
            ticketsByGuest[guest]?.remove(ticket)
            if ticketsByGuest[guest]?.isEmpty == true { ticketsByGuest[guest] = nil }
        }
        return opening
    }

    /// Counts another attempt.
    /// - Returns: the number of earlier attempts.
    mutating func attempt(_ ticket: UInt64) -> Int {
        defer { all[ticket]?.attempts += 1 }
        return all[ticket]?.attempts ?? 0
    }

    /// Stores a view's plan.
    /// - Parameter plan: the variants that the view shows; `nil` while they are being asked for.
    mutating func plan(_ ticket: UInt64, _ plan: PlanAnswer?) {
        stopWaiting(ticket)
        all[ticket]?.plan = plan
    }

    /// Records what a view that isn't ready is waiting for.
    /// - Parameter handle: the variant whose version has to arrive first; `nil` if anything that arrives may help.
    mutating func wait(_ ticket: UInt64, for handle: UInt64?) {
        stopWaiting(ticket)
        guard all[ticket] != nil else { return }
        all[ticket]?.awaited = handle
        if let handle { waiting[handle, default: []].insert(ticket) } else { unsettled.insert(ticket) }
    }

    /// Finds the views that may be ready, now that versions of these variants or a position have arrived.
    /// - Returns: their tickets, in the order in which the views were asked for.
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
