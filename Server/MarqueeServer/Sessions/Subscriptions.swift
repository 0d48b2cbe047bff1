import MarqueeModel

/// The subscriptions of a session, and indexes of those with unfinished work. A relay has thousands of subscriptions,
/// of which a few change at a time; checks made for every frame look only at those few.
struct Subscriptions {
    private var all: [UInt32: SessionCore.Subscription] = [:]
    /// Subscriptions that keep the session at its position until the hub has answered.
    private(set) var blocking = SortedIDs()
    /// Subscriptions that can join in the next cut.
    private(set) var joinable = SortedIDs()
    /// Subscriptions that are shown, and hold up every cut until more of them is staged.
    private(set) var incomplete = SortedIDs()
    /// Subscriptions that aren't shown until more of them is staged.
    private(set) var arriving = SortedIDs()
    /// The subscription whose staged version is on its way; a client assembles one at a time.
    private(set) var staging: UInt32?
    /// For a relay: its subscriptions to each user's sections.
    private var byUser: [String: SortedIDs] = [:]

    var count: Int { all.count }
    var isEmpty: Bool { all.isEmpty }
    var ids: [UInt32] { all.keys.sorted() }
    var values: some Collection<SessionCore.Subscription> { all.values }

    /// Whether any subscription is waiting to join.
    var areJoining: Bool { !joinable.isEmpty || !incomplete.isEmpty || !arriving.isEmpty }

    /// Whether each shown subscription is up to date.
    var areSettled: Bool {
        incomplete.isEmpty && !blocking.ids.contains { all[$0]?.isLive == true }
            && !joinable.ids.contains { all[$0]?.isLive == true }
    }

    /// Subscriptions for which something has to be staged; those that hold up all others come first.
    var stagingOrder: [UInt32] { incomplete.ids + arriving.ids }

    /// For a relay: its subscriptions to a user's sections.
    func ids(of user: String) -> [UInt32] { byUser[user]?.ids ?? [] }

    subscript(id: UInt32) -> SessionCore.Subscription? {
        get { all[id] }
        _modify {
            let user = all[id]?.user
            defer { sort(id, formerly: user) }
            yield &all[id]
        }
    }

    mutating func remove(_ id: UInt32) -> SessionCore.Subscription? {
        let removed = all[id]
        self[id] = nil
        return removed
    }

    /// Adds a subscription to the indexes where it belongs, and removes it from the others.
    private mutating func sort(_ id: UInt32, formerly user: String?) {
        let subscription = all[id]
        let isStaged = subscription?.isStaged ?? true
        let isLive = subscription?.isLive ?? false
        let needsJoin = subscription?.needsJoin ?? false
        blocking.set(id, subscription?.blocks ?? false)
        joinable.set(id, needsJoin && isStaged)
        incomplete.set(id, isLive && !isStaged)
        arriving.set(id, needsJoin && !isLive && !isStaged)
        if subscription?.staging != nil {
            staging = id
        } else if staging == id {
            staging = nil
        }
        guard subscription?.user != user else { return }
        if let user {
            byUser[user]?.set(id, false)
            if byUser[user]?.isEmpty == true { byUser[user] = nil }
        }
        if let user = subscription?.user { byUser[user, default: SortedIDs()].set(id, true) }
    }
}

/// A few ids in ascending order.
struct SortedIDs {
    private(set) var ids: [UInt32] = []

    var isEmpty: Bool { ids.isEmpty }

    /// Adds or removes an id.
    mutating func set(_ id: UInt32, _ isIn: Bool) {
        if ids.isEmpty, !isIn { return }
        let index = ids.partitioningIndex { $0 >= id }
        let isPresent = index < ids.count && ids[index] == id
        if isIn, !isPresent { ids.insert(id, at: index) }
        if !isIn, isPresent { ids.remove(at: index) }
    }
}
