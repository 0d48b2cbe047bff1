/// Slots in an order determined by the owner, found by rank or by comparison: a B+ tree whose nodes count the slots
/// below them.
///
/// Finding, inserting and removing cost O(log n). A value: copies share no mutable state.
struct RankedList: Sendable {
    /// Maximum slots in a leaf.
    static let leafCapacity = 128
    /// Maximum children of an inner node.
    static let innerCapacity = 64
    /// Fill level of nodes built from a sorted list, which leaves room for insertions.
    private static let fillPercent = 75

    private struct Child {
        var node: Int
        /// Slots below it, never 0.
        var count: Int
        /// The last slot below it.
        var last: UInt32
    }

    /// A leaf with slots or an inner node with children.
    private struct Node {
        var slots: [UInt32] = []
        var children: [Child] = []
        var isLeaf: Bool { children.isEmpty }
    }

    private var nodes = [Node()]
    /// Unused indices in `nodes`.
    private var free: [Int] = []
    private var root = 0
    private(set) var count = 0

    init() {}

    /// - Parameter slots: in order.
    init(_ slots: [UInt32]) {
        count = slots.count
        guard !slots.isEmpty else { return }
        nodes.removeAll()
        let leafFill = RankedList.leafCapacity * RankedList.fillPercent / 100
        var level = stride(from: 0, to: slots.count, by: leafFill).map { start in
            child(Node(slots: Array(slots[start..<min(start + leafFill, slots.count)])))
        }
        let innerFill = RankedList.innerCapacity * RankedList.fillPercent / 100
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: innerFill).map { start in
                child(Node(children: Array(level[start..<min(start + innerFill, level.count)])))
            }
        }
        root = level[0].node
    }

    /// Levels of nodes, 1 for a single leaf.
    var height: Int {
        var height = 1
        var node = root
        while let first = nodes[node].children.first {
            height += 1
            node = first.node
        }
        return height
    }

    // MARK: - Reading

    /// The slot at a rank, from 0.
    subscript(rank: Int) -> UInt32 {
        precondition((0..<count).contains(rank), "rank \(rank) of a list of \(count)")
        var rank = rank
        var node = root
        while !nodes[node].isLeaf { node = nodes[node].children[descend(&rank, in: node)].node }
        return nodes[node].slots[rank]
    }

    /// The first slots, in order.
    func prefix(_ limit: Int) -> [UInt32] {
        var slots: [UInt32] = []
        slots.reserveCapacity(min(limit, count))
        func collect(_ node: Int) {
            slots += nodes[node].slots.prefix(limit - slots.count)
            for child in nodes[node].children where slots.count < limit { collect(child.node) }
        }
        collect(root)
        return slots
    }

    /// The slots at ranks, in order. Costs O(log n) and their number.
    subscript(ranks: Range<Int>) -> [UInt32] {
        var slots: [UInt32] = []
        slots.reserveCapacity(ranks.count)
        /// - Parameter start: the rank of the node's first slot.
        func collect(_ node: Int, from start: Int) {
            if nodes[node].isLeaf {
                let own = ranks.clamped(to: start..<start + nodes[node].slots.count)
                slots += nodes[node].slots[own.lowerBound - start..<own.upperBound - start]
                return
            }
            var start = start
            for child in nodes[node].children where start < ranks.upperBound {
                if start + child.count > ranks.lowerBound { collect(child.node, from: start) }
                start += child.count
            }
        }
        collect(root, from: 0)
        return slots
    }

    /// How many slots precede the one sought.
    ///
    /// - Parameter precedes: whether a slot precedes it; true for a prefix of the list and false for the rest.
    func rank(where precedes: (UInt32) -> Bool) -> Int {
        var rank = 0
        var node = root
        while !nodes[node].isLeaf {
            let children = nodes[node].children
            let place = children.partitioningIndex { !precedes($0.last) }
            for child in children[..<place] { rank += child.count }
            guard place < children.count else { return rank }
            node = children[place].node
        }
        return rank + nodes[node].slots.partitioningIndex { !precedes($0) }
    }

    /// The child of `node` that holds a rank, or the last child for the rank past the end; `rank` becomes relative to
    /// that child.
    private func descend(_ rank: inout Int, in node: Int) -> Int {
        let children = nodes[node].children
        for (place, child) in children.enumerated() {
            if rank < child.count || place == children.count - 1 { return place }
            rank -= child.count
        }
        return 0
    }

    // MARK: - Changing

    /// Inserts a slot so that it has this rank, from 0 to `count`.
    mutating func insert(_ slot: UInt32, at rank: Int) {
        precondition((0...count).contains(rank), "rank \(rank) in a list of \(count)")
        count += 1
        guard let right = insert(slot, at: rank, below: root) else { return }
        let left = Child(node: root, count: count - right.count, last: last(of: root))
        root = child(Node(children: [left, right])).node
    }

    /// - Returns: the right half if the node had to be split.
    private mutating func insert(_ slot: UInt32, at rank: Int, below node: Int) -> Child? {
        if nodes[node].isLeaf {
            nodes[node].slots.insert(slot, at: rank)
            guard nodes[node].slots.count > RankedList.leafCapacity else { return nil }
            let half = RankedList.leafCapacity / 2
            let right = Node(slots: Array(nodes[node].slots[half...]))
            nodes[node].slots.removeSubrange(half...)
            return child(right)
        }
        var rank = rank
        let place = descend(&rank, in: node)
        let below = nodes[node].children[place].node
        let split = insert(slot, at: rank, below: below)
        nodes[node].children[place].count += 1 - (split?.count ?? 0)
        nodes[node].children[place].last = last(of: below)
        guard let split else { return nil }
        nodes[node].children.insert(split, at: place + 1)
        guard nodes[node].children.count > RankedList.innerCapacity else { return nil }
        let half = RankedList.innerCapacity / 2
        let right = Node(children: Array(nodes[node].children[half...]))
        nodes[node].children.removeSubrange(half...)
        return child(right)
    }

    /// Removes the slot at a rank.
    mutating func remove(at rank: Int) {
        precondition((0..<count).contains(rank), "rank \(rank) of a list of \(count)")
        count -= 1
        remove(at: rank, below: root)
        while nodes[root].children.count == 1 {
            let only = nodes[root].children[0].node
            release(root)
            root = only
        }
    }

    private mutating func remove(at rank: Int, below node: Int) {
        guard !nodes[node].isLeaf else {
            nodes[node].slots.remove(at: rank)
            return
        }
        var rank = rank
        let place = descend(&rank, in: node)
        let below = nodes[node].children[place].node
        remove(at: rank, below: below)
        nodes[node].children[place].count -= 1
        if nodes[node].children[place].count == 0 {
            nodes[node].children.remove(at: place)
            release(below)
        } else {
            nodes[node].children[place].last = last(of: below)
            mergeChild(at: place, of: node)
        }
    }

    /// Merges a child with a neighbour if both fit into one node. Two neighbours therefore always hold more than one
    /// full node together.
    private mutating func mergeChild(at place: Int, of node: Int) {
        for left in [place - 1, place] where left >= 0 && left + 1 < nodes[node].children.count {
            let (a, b) = (nodes[node].children[left], nodes[node].children[left + 1])
            let isLeaf = nodes[a.node].isLeaf
            let size = isLeaf ? a.count + b.count : nodes[a.node].children.count + nodes[b.node].children.count
            guard size <= (isLeaf ? RankedList.leafCapacity : RankedList.innerCapacity) else { continue }
            let right = nodes[b.node]
            nodes[a.node].slots += right.slots
            nodes[a.node].children += right.children
            nodes[node].children[left] = Child(node: a.node, count: a.count + b.count, last: b.last)
            nodes[node].children.remove(at: left + 1)
            release(b.node)
            return
        }
    }

    // MARK: - Nodes

    /// Adds a nonempty node.
    private mutating func child(_ node: Node) -> Child {
        let count = node.isLeaf ? node.slots.count : node.children.reduce(0) { $0 + $1.count }
        let place: Int
        if let reused = free.popLast() {
            place = reused
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        return Child(node: place, count: count, last: last(of: place))
    }

    private mutating func release(_ node: Int) {
        nodes[node] = Node()
        free.append(node)
    }

    /// The last slot of a nonempty node.
    private func last(of node: Int) -> UInt32 {
        nodes[node].isLeaf ? nodes[node].slots[nodes[node].slots.count - 1] : nodes[node].children.last?.last ?? 0
    }
}
