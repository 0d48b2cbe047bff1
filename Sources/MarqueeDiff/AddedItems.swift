import MarqueeModel

/// Items that a version adds to those of another one, with their hashes.
struct AddedItems {
    private(set) var items: [Item] = []
    private(set) var idHashes: [UInt64] = []
    private(set) var bodyHashes: [UInt64] = []

    init() {}

    /// The items that a patch adds.
    init(_ items: [Item]) {
        self.items = items
        idHashes = items.indices.map { XXH64.hash(id: items[$0].id) }
        bodyHashes = items.indices.map { XXH64.hash(items[$0].body) }
    }

    mutating func append(_ item: Item, idHash: UInt64, bodyHash: UInt64) {
        items.append(item)
        idHashes.append(idHash)
        bodyHashes.append(bodyHash)
    }

    /// Appends items of a version, each with its next change.
    ///
    /// - Parameter positions: the positions of the items, in `base` and in the new version.
    /// - Throws: `invalidBody`.
    mutating func append(
        _ positions: [(new: Int, old: Int)], changing base: Version, by changes: [FieldChange]
    ) throws(PatchError) {
        guard !positions.isEmpty else { return }
        items.reserveCapacity(items.count + positions.count)
        idHashes.reserveCapacity(items.count + positions.count)
        bodyHashes.reserveCapacity(items.count + positions.count)
        for (position, change) in zip(positions, changes) {
            let (storage, place) = base.items.location(of: position.old)
            var item = storage.items[place]
            do {
                item.body = try change.apply(to: item.body)
            } catch {
                throw PatchError(.invalidBody, "the update of item \(position.new) can't be applied: \(error.message)")
            }
            append(item, idHash: storage.idHashes[place], bodyHash: XXH64.hash(item.body))
        }
    }

    /// Checks that no added id is empty or occurs twice in the target.
    ///
    /// - Parameters:
    ///   - count: how many items, from the first on, have ids that are new or were deleted; no others are checked.
    ///   - base: the version with the items that the target keeps; it has no duplicate ids.
    ///   - deleted: the ranges that the target doesn't keep, ascending.
    /// - Throws: `invalidID`.
    func checkIDs(ofFirst count: Int, against base: Version, without deleted: [Range<Int>]) throws(PatchError) {
        guard count > 0 else { return }
        guard items[..<count].allSatisfy({ !$0.id.isEmpty }) else {
            throw PatchError(.invalidID, "an added item has an empty id")
        }
        let result = items[..<count].withUnsafeBufferPointer { items in
            idHashes[..<count].withUnsafeBufferPointer { Self.compare(items, $0, base.items, without: deleted) }
        }
        switch result {
        case .different: return
        case .twice(let id): throw PatchError(.invalidID, "item '\(id)' is added twice, or was kept")
        case .unknown: try checkWholeIDs(ofFirst: count, against: base, without: deleted)
        }
    }

    private enum Comparison {
        case different
        case twice(String)
        /// The table ran out of steps: too many ids share a hash.
        case unknown
    }

    private static func compare(
        _ items: UnsafeBufferPointer<Item>, _ ids: UnsafeBufferPointer<UInt64>, _ base: ItemList,
        without deleted: [Range<Int>]
    ) -> Comparison {
        guard let first = items.baseAddress, let firstID = ids.baseAddress else { return .different }
        var scratch = DiffScratch.take()
        defer { scratch.giveBack() }
        var table = IDTable(
            items: first, ids: firstID, entries: items.count, lookups: base.count, slots: &scratch.table)
        for place in items.indices where !table.insert(place) {
            return table.isOverLimit ? .unknown : .twice(items[place].id)
        }
        let filter = HashFilter(ids, marks: &scratch.marks)
        var deleted = deleted[...]
        var result = Comparison.different
        var position = 0
        base.forEachPart(of: base.indices) { storage, places in
            storage.withColumns(of: places) { kept in
                filter.forEachCandidate(in: kept) { place in
                    guard case .different = result else { return }
                    var probe = table.probe(kept.ids[place])
                    while let candidate = table.next(&probe) {
                        guard ids[candidate] == kept.ids[place],
                            items[candidate].id.hasSameBytes(as: kept.items[place].id)
                        else { continue }
                        while let range = deleted.first, range.upperBound <= position + place { deleted.removeFirst() }
                        if deleted.first?.contains(position + place) != true { result = .twice(items[candidate].id) }
                        return
                    }
                    if table.isOverLimit { result = .unknown }
                }
            }
            position += places.count
        }
        return result
    }

    /// The same check with whole ids, for lists built to make the hashes collide.
    private func checkWholeIDs(
        ofFirst count: Int, against base: Version, without deleted: [Range<Int>]
    ) throws(PatchError) {
        var ids: Set<ExactString> = []
        ids.reserveCapacity(count)
        for item in items[..<count] where !ids.insert(ExactString(item.id)).inserted {
            throw PatchError(.invalidID, "item '\(item.id)' is added twice")
        }
        var deleted = deleted[...]
        for (position, item) in base.items.enumerated() {
            while let range = deleted.first, range.upperBound <= position { deleted.removeFirst() }
            if deleted.first?.contains(position) != true, ids.contains(ExactString(item.id)) {
                throw PatchError(.invalidID, "item '\(item.id)' is added and was kept")
            }
        }
    }
}

/// Rules out most ids that are not in a small set, by looking at some bits of their hashes.
private struct HashFilter {
    /// Marks for each hash: the more there are, the fewer other hashes pass. Even `maximumMarks` fit in the processor's
    /// cache.
    private static let marksPerHash = 16
    private static let maximumMarks = 1 << 14
    /// Hashes looked up before their combined result is tested.
    private static let block = 8

    private let marks: UnsafeMutablePointer<UInt8>
    private let mask: UInt64

    /// - Parameter memory: holds the marks, which are valid until it is used for something else.
    init(_ hashes: UnsafeBufferPointer<UInt64>, marks memory: inout ScratchArray<UInt8>) {
        let wanted = min(hashes.count, Self.maximumMarks) * Self.marksPerHash
        let bits = Int.bitWidth - (min(wanted, Self.maximumMarks) - 1).leadingZeroBitCount
        memory.resize(1 << bits)
        marks = memory.base
        marks.update(repeating: 0, count: 1 << bits)
        mask = (1 << UInt64(bits)) - 1
        for hash in hashes { marks[Int(truncatingIfNeeded: hash & mask)] = 1 }
    }

    /// Calls `body` with the places of hashes that may be in the set.
    @inline(__always)
    func forEachCandidate(in columns: ListColumns, _ body: (Int) -> Void) {
        var place = 0
        while place &+ Self.block <= columns.count {
            var found: UInt8 = 0
            for offset in 0..<Self.block { found |= mark(columns.ids[place &+ offset]) }
            if found != 0 { check(columns, place..<place + Self.block, body) }
            place &+= Self.block
        }
        check(columns, place..<columns.count, body)
    }

    @inline(__always)
    private func mark(_ hash: UInt64) -> UInt8 { marks[Int(truncatingIfNeeded: hash & mask)] }

    private func check(_ columns: ListColumns, _ places: Range<Int>, _ body: (Int) -> Void) {
        for place in places where mark(columns.ids[place]) != 0 { body(place) }
    }
}
