import MarqueeModel

/// The items that a patch adds, with their hashes.
struct AddedItems {
    let items: [Item]
    let idHashes: [UInt64]
    let bodyHashes: [UInt64]

    init(_ items: [Item]) {
        self.items = items
        idHashes = items.indices.map { XXH64.hash(id: items[$0].id) }
        bodyHashes = items.indices.map { XXH64.hash(items[$0].body) }
    }

    /// Checks that no added id is empty or occurs twice in the target.
    ///
    /// - Parameter operations: the script's operations, which say what the target keeps of `base`. `base` has no
    ///   duplicate ids.
    /// - Throws: `invalidID`.
    func checkIDs(against base: Version, keeping operations: [Script.Operation]) throws(PatchError) {
        guard !items.isEmpty else { return }
        guard items.allSatisfy({ !$0.id.isEmpty }) else {
            throw PatchError(.invalidID, "an added item has an empty id")
        }
        let result = base.withColumns { base in
            items.withUnsafeBufferPointer { items in
                idHashes.withUnsafeBufferPointer { Self.compare(items, $0, base, operations) }
            }
        }
        switch result {
        case .different: return
        case .twice(let id): throw PatchError(.invalidID, "item '\(id)' is added twice, or was kept")
        case .unknown: try checkWholeIDs(against: base, keeping: operations)
        }
    }

    private enum Comparison {
        case different
        case twice(String)
        /// The table ran out of steps: too many ids share a hash.
        case unknown
    }

    private static func compare(
        _ items: UnsafeBufferPointer<Item>, _ ids: UnsafeBufferPointer<UInt64>, _ base: ListColumns,
        _ operations: [Script.Operation]
    ) -> Comparison {
        guard let first = items.baseAddress, let firstID = ids.baseAddress else { return .different }
        var scratch = DiffScratch.take()
        defer { scratch.giveBack() }
        var table = IDTable(
            items: first, ids: firstID, entries: items.count, lookups: base.count, slots: &scratch.table)
        for place in items.indices where !table.insert(place) {
            return table.isOverLimit ? .unknown : .twice(items[place].id)
        }
        for case let source? in operations.lazy.map(\.source) {
            for place in source {
                let hash = base.ids[place]
                var probe = table.probe(hash)
                while let candidate = table.next(&probe) {
                    if ids[candidate] == hash, items[candidate].id.hasSameBytes(as: base.items[place].id) {
                        return .twice(items[candidate].id)
                    }
                }
                if table.isOverLimit { return .unknown }
            }
        }
        return .different
    }

    /// The same check with whole ids, for lists built to make the hashes collide.
    private func checkWholeIDs(against base: Version, keeping operations: [Script.Operation]) throws(PatchError) {
        var ids: Set<ExactString> = []
        ids.reserveCapacity(items.count)
        for item in items where !ids.insert(ExactString(item.id)).inserted {
            throw PatchError(.invalidID, "item '\(item.id)' is added twice")
        }
        for source in operations.compactMap(\.source) {
            for item in base.items[source] where ids.contains(ExactString(item.id)) {
                throw PatchError(.invalidID, "item '\(item.id)' is added and was kept")
            }
        }
    }
}
