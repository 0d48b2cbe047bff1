import MarqueeCatalogue
import MarqueeModel

/// All lists with their editions, and the current edition of each list.
struct ListCatalogue: Sendable {
    private var lists: [String: [String?: ListedEntries]] = [:]
    private var shown: [String: String] = [:]
    /// Comparisons by lists that were replaced.
    private var earlierComparisons: UInt64 = 0
    /// The entries of each record, in the lists with counted orders.
    private var holders: [RecordID: Set<Holder>] = [:]

    private struct Holder: Hashable {
        var list: ListName
        var key: String
    }

    /// Numbers compared since the start, a measure of work.
    var comparisons: UInt64 {
        lists.values.reduce(earlierComparisons) { $1.values.reduce($0) { $0 + $1.comparisons } }
    }

    /// The entries of a list, or of an edition of it.
    subscript(name: ListName) -> ListedEntries? { lists[name.list]?[name.edition] }

    /// The names of all lists and editions, in any order.
    var names: [ListName] {
        lists.flatMap { list, editions in editions.keys.map { ListName(list, edition: $0) } }
    }

    /// The current edition of a list.
    func shownEdition(of list: String) -> String? { shown[list] }

    /// Applies a change of a list. Other changes have no effect.
    ///
    /// - Parameter isThere: whether a record exists.
    /// - Returns: the entry's move, if the change edits an entry of an existing list.
    mutating func apply(_ change: Change, isThere: (RecordID) -> Bool) -> ListMove? {
        switch change {
        case .list(let list):
            earlierComparisons += self[list.name]?.comparisons ?? 0
            let rules = self[list.name]?.rules ?? []
            forgetHolders(of: list.name)
            lists[list.name.list, default: [:]][list.name.edition] = ListedEntries(list.entries)
            for rule in rules { prepare(EntryOrder(list: list.name, rule: rule), isThere: isThere) }
        case .listItem(let edit):
            if lists[edit.list.list]?[edit.list.edition] == nil {
                // The first entry creates the list.
                guard let entry = edit.entry else { return nil }
                lists[edit.list.list, default: [:]][edit.list.edition] = ListedEntries([entry])
                return nil
            }
            let move = lists[edit.list.list]?[edit.list.edition]?.apply(edit, isThere: isThere)
            if let move, self[edit.list]?.rules.isEmpty == false {
                let holder = Holder(list: edit.list, key: edit.key)
                if let record = move.old?.record { forget(holder, of: record) }
                if let record = move.new?.record { holders[record, default: []].insert(holder) }
            }
            return move
        case .show(let list, let edition): shown[list] = edition
        case .removeList(let name):
            if let edition = name.edition {
                forgetHolders(of: name)
                let removed = lists[name.list]?.removeValue(forKey: edition)
                earlierComparisons += removed?.comparisons ?? 0
                if shown[name.list] == edition { shown[name.list] = nil }
            } else {
                for edition in (lists[name.list] ?? [:]).keys {
                    forgetHolders(of: ListName(name.list, edition: edition))
                }
                let removed = lists.removeValue(forKey: name.list)
                earlierComparisons += removed?.values.reduce(0) { $0 + $1.comparisons } ?? 0
                shown[name.list] = nil
            }
        default: break
        }
        return nil
    }

    // MARK: - Counted orders

    /// Counts the entries of an order unless they are already counted. Reads each entry of the list once.
    mutating func prepare(_ order: EntryOrder, isThere: (RecordID) -> Bool) {
        let (list, edition) = (order.list.list, order.list.edition)
        guard let entries = self[order.list], !entries.rules.contains(order.rule) else { return }
        if entries.rules.isEmpty {
            for entry in entries.prefix(entries.count) {
                guard let record = entry.record else { continue }
                holders[record, default: []].insert(Holder(list: order.list, key: entry.key))
            }
        }
        lists[list]?[edition]?.count(by: order.rule, isThere: isThere)
    }

    /// Stops counting all other orders.
    mutating func keepOrders(_ wanted: Set<EntryOrder>) {
        for name in names {
            let rules = self[name]?.rules ?? []
            for rule in rules where !wanted.contains(EntryOrder(list: name, rule: rule)) {
                lists[name.list]?[name.edition]?.stopCounting(by: rule)
            }
            if !rules.isEmpty, self[name]?.rules.isEmpty == true { forgetHolders(of: name) }
        }
    }

    /// The number of entries in a prepared order.
    func count(in order: EntryOrder) -> Int { self[order.list]?.count(by: order.rule) ?? 0 }

    /// Keys of the entries at ranks of a prepared order. The ranks must be within the order.
    func keys(in order: EntryOrder, at ranks: Range<Int>) -> [String] {
        self[order.list]?.keys(at: ranks, by: order.rule) ?? []
    }

    /// The rank of an entry in a prepared order; `nil` if it isn't there.
    mutating func rank(of key: String, in order: EntryOrder) -> Int? {
        lists[order.list.list]?[order.list.edition]?.rank(of: key, by: order.rule)
    }

    /// Follows a change of a record.
    ///
    /// - Returns: the moves of its entries in counted orders.
    mutating func follow(_ record: RecordID, wasThere: Bool, isThere: Bool) -> [EntryMove] {
        guard !holders.isEmpty, let holders = holders[record] else { return [] }
        return holders.flatMap { holder in
            lists[holder.list.list]?[holder.list.edition]?
                .follow(holder.key, of: holder.list, wasThere: wasThere, isThere: isThere) ?? []
        }
    }

    private mutating func forgetHolders(of list: ListName) {
        if holders.isEmpty { return }
        for record in self[list]?.records ?? [] where holders[record] != nil { forgetAll(of: record, in: list) }
    }

    private mutating func forgetAll(of record: RecordID, in list: ListName) {
        for holder in holders[record] ?? [] where holder.list == list { forget(holder, of: record) }
    }

    private mutating func forget(_ holder: Holder, of record: RecordID) {
        holders[record]?.remove(holder)
        if holders[record]?.isEmpty == true { holders[record] = nil }
    }
}
