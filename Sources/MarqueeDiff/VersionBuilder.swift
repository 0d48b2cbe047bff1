import MarqueeModel

/// Consecutive items of a version that is made from another one.
enum VersionPart {
    /// Items of the other version, the base. Each position is used at most once.
    case kept(Range<Int>)
    /// New items, by their indices in the items to add. Each is used once.
    case added(Range<Int>)
    /// The item at a position of the base, with new content: that of an item to add.
    case updated(Int, with: Int)
}

/// Makes a version from parts of another one and new items.
///
/// Hashes only the edges that the other version doesn't have. Computing the sum costs a few look-ups for each part and
/// nothing for the items it keeps; making the version costs a little for each piece, unless the list is compacted.
struct VersionBuilder {
    /// Consecutive items of the base, or consecutive new ones.
    private struct Step: BitwiseCopyable {
        var isNew: Bool
        /// The position of the first item in the base, or its index in the new items.
        var start: Int
        var count: Int
        /// The number to add to a total of edges, the base's or that of the step's new items, to get the version's
        /// total.
        var edges: UInt64
    }

    private let base: Version
    /// The new items, in any order.
    private let added: AddedItems
    /// The edge of each of them.
    private let addedEdges: [UInt64]
    private let steps: [Step]
    /// The total of the edges, without the closing one.
    private let edges: UInt64
    private let closingEdge: UInt64

    /// - Parameters:
    ///   - added: the items that are new.
    ///   - parts: the whole list.
    init(over base: Version, adding added: AddedItems, parts: [VersionPart]) {
        let list = base.items
        var steps: [Step] = []
        steps.reserveCapacity(parts.count)
        var addedEdges = [UInt64](repeating: 0, count: added.items.count)
        var edges: UInt64 = 0
        var lastID = ""
        /// The position in the base of the item that has the last item's id; -1 at the front of the list, and -2 if
        /// the id is new.
        var lastPlace = -1
        /// The piece of the base that was used last.
        var index = 0

        func add(_ item: Int) {
            let edge = Sum.edge(from: lastID, to: added.items, at: item, bodyHash: added.bodyHashes[item])
            addedEdges[item] = edge
            if let last = steps.indices.last, steps[last].isNew, steps[last].start + steps[last].count == item {
                steps[last].count += 1
            } else {
                steps.append(Step(isNew: true, start: item, count: 1, edges: edges))
            }
            edges &+= edge
            lastID = added.items[item].id
        }

        for part in parts {
            switch part {
            case .added(let items):
                for item in items { add(item) }
                lastPlace = -2
            case .updated(let place, let item):
                add(item)
                lastPlace = place
            case .kept(let range):
                guard !range.isEmpty else { continue }
                index = list.pieceIndex(at: range.lowerBound, guess: index)
                let first = range.lowerBound
                if lastPlace != first - 1 {
                    let piece = list.pieces[index]
                    let storage = list.storages[piece.storage]
                    let place = piece.place(of: first)
                    let edge = Sum.edge(
                        from: lastID, to: storage.items, at: place, bodyHash: storage.bodyHashes[place])
                    let total = piece.edges &+ storage.edgeTotals[place + 1]
                    steps.append(
                        Step(isNew: false, start: first, count: range.count, edges: edges &+ edge &- total))
                } else if let last = steps.indices.last, !steps[last].isNew {
                    steps[last].count += range.count
                } else {
                    let total = list.edgeTotal(before: first, in: index)
                    steps.append(Step(isNew: false, start: first, count: range.count, edges: edges &- total))
                }
                lastPlace = range.upperBound - 1
                if lastPlace >= list.pieces[index].end { index = list.pieceIndex(at: lastPlace, guess: index + 1) }
                let piece = list.pieces[index]
                let storage = list.storages[piece.storage]
                let end = piece.place(of: range.upperBound)
                edges = steps[steps.count - 1].edges &+ piece.edges &+ storage.edgeTotals[end]
                lastID = storage.items[end - 1].id
            }
        }
        self.base = base
        self.added = added
        self.addedEdges = addedEdges
        self.steps = steps
        self.edges = edges
        closingEdge = lastPlace == list.count - 1 ? base.closingEdge : Sum.closingEdge(from: lastID)
    }

    /// The sum of the version with this head.
    func sum(headHash: UInt64) -> UInt64 { headHash &+ edges &+ closingEdge }

    /// The version with this head.
    func version(head: [UInt8], headHash: UInt64) -> Version {
        Version(head: head, headHash: headHash, items: list, closingEdge: closingEdge, sum: sum(headHash: headHash))
    }

    private var list: ItemList {
        let old = base.items
        if steps.count == 1, !steps[0].isNew, steps[0].count == old.count { return old }
        let storage = added.items.isEmpty ? nil : ItemStorage(added, edges: addedEdges)
        // Each step may begin and end within a piece; the others are used whole.
        let maximum = 2 * steps.count + old.pieces.count
        let pieces = [ItemList.Piece](unsafeUninitializedCapacity: maximum) { memory, pieceCount in
            var position = 0
            func append(_ piece: ItemList.Piece) {
                precondition(pieceCount < maximum, "a position is used twice")
                memory.initializeElement(at: pieceCount, to: piece)
                pieceCount += 1
                position += piece.count
            }
            /// Appends a piece, or makes the last one longer.
            func join(_ places: Range<Int>, storage: Int, edges: UInt64) {
                let piece = ItemList.Piece(places, storage: storage, position: position, edges: edges)
                if pieceCount > 0, memory[pieceCount - 1].extend(by: piece) {
                    position += piece.count
                } else {
                    append(piece)
                }
            }
            var index = 0
            for step in steps {
                let end = step.start + step.count
                if let storage, step.isNew {
                    let edges = step.edges &- storage.edgeTotals[step.start]
                    join(step.start..<end, storage: old.storages.count, edges: edges)
                    continue
                }
                index = old.pieceIndex(at: step.start, guess: index)
                var piece = old.pieces[index]
                let places = piece.place(of: step.start)..<piece.place(of: min(piece.end, end))
                join(places, storage: piece.storage, edges: piece.edges &+ step.edges)
                while piece.end < end {
                    index += 1
                    piece = old.pieces[index]
                    if piece.end <= end {
                        append(piece.moved(to: position, adding: step.edges))
                    } else {
                        let places = piece.start..<piece.place(of: end)
                        join(places, storage: piece.storage, edges: piece.edges &+ step.edges)
                    }
                }
            }
        }
        return ItemList(storages: storage.map { old.storages + [$0] } ?? old.storages, pieces: pieces).compacted
    }
}

extension ItemStorage {
    /// New items, with the edge of each.
    fileprivate convenience init(_ added: AddedItems, edges: [UInt64]) {
        self.init(
            items: added.items, idHashes: added.idHashes, bodyHashes: added.bodyHashes,
            edgeTotals: [UInt64](unsafeUninitializedCapacity: edges.count + 1) { totals, count in
                var total: UInt64 = 0
                totals.initializeElement(at: 0, to: total)
                for place in edges.indices {
                    total &+= edges[place]
                    totals.initializeElement(at: place + 1, to: total)
                }
                count = edges.count + 1
            }, byteTotals: ItemStorage.byteTotals(of: added.items))
    }

    /// The bytes of the items before each one, then those of all items.
    static func byteTotals(of items: [Item]) -> [Int] {
        [Int](unsafeUninitializedCapacity: items.count + 1) { totals, count in
            var total = 0
            totals.initializeElement(at: 0, to: total)
            for place in items.indices {
                total += items[place].encodedSize
                totals.initializeElement(at: place + 1, to: total)
            }
            count = items.count + 1
        }
    }
}
