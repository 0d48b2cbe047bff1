import MarqueeLocks

/// A growable array of trivial values, reused by one comparison after another.
///
/// Not freed automatically: its owner, `DiffScratch`, calls `free`.
struct ScratchArray<Element: BitwiseCopyable> {
    private(set) var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    var bytes: Int { capacity * MemoryLayout<Element>.stride }

    var last: Element? { count > 0 ? base[count - 1] : nil }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: 2 * capacity) }
        base[count] = element
        count &+= 1
    }

    mutating func removeAll() { count = 0 }

    mutating func removeLast() { count -= 1 }

    /// Sets the count without initializing any elements.
    mutating func resize(_ count: Int) {
        if count > capacity { grow(to: count) }
        self.count = count
    }

    func free() { base.deallocate() }

    private mutating func grow(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        larger.update(from: base, count: count)
        base.deallocate()
        (base, capacity) = (larger, newCapacity)
    }
}

/// The working memory of a comparison, kept for later ones.
///
/// `@unchecked Sendable`: between `take` and `giveBack` only the caller of `take` uses it.
struct DiffScratch: @unchecked Sendable {
    /// Maximum number kept, enough for the comparisons that run at the same time.
    private static let maximumKept = 4
    /// Maximum size, in bytes, of a scratch that is kept. Changing a tenth of 100,000 items needs less.
    private static let maximumBytes = 3 << 20

    private static let pool = Locked<[DiffScratch]>([])

    var runs = ScratchArray<MatchRun>(capacity: 64)
    /// Runs to be merged into `runs`, and the memory for the merged runs.
    var found = ScratchArray<MatchRun>(capacity: 64)
    var merged = ScratchArray<MatchRun>(capacity: 64)
    /// Runs of items that both lists share.
    var shared = ScratchArray<MatchRun>(capacity: 64)
    /// One bit per position of the old list's middle: whether it is paired.
    var used = ScratchArray<UInt64>(capacity: 16)
    var table = ScratchArray<UInt64>(capacity: 64)
    /// For the longest increasing subsequence.
    var tails = ScratchArray<UInt32>(capacity: 64)
    var script = ScratchArray<UInt8>(capacity: 256)
    /// For `AddedItems`.
    var marks = ScratchArray<UInt8>(capacity: 256)
    /// The parts of both lists that have to be compared, if they aren't consecutive in memory.
    var old = ScratchColumns()
    var new = ScratchColumns()

    static func take() -> DiffScratch { pool.withLock { $0.popLast() } ?? DiffScratch() }

    func giveBack() {
        let isKept =
            bytes <= Self.maximumBytes
            && Self.pool.withLock { pool in
                guard pool.count < Self.maximumKept else { return false }
                pool.append(self)
                return true
            }
        if !isKept { free() }
    }

    private var bytes: Int {
        runs.bytes + found.bytes + merged.bytes + shared.bytes + used.bytes + table.bytes + tails.bytes + script.bytes
            + marks.bytes + old.bytes + new.bytes
    }

    private func free() {
        runs.free()
        found.free()
        merged.free()
        shared.free()
        used.free()
        table.free()
        tails.free()
        script.free()
        marks.free()
        old.free()
        new.free()
    }
}
