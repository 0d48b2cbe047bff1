import DequeModule

/// Waiting work, in one queue for each owner; the owners take turns, one job each.
///
/// No matter how much one owner requests, and how long its jobs take, an owner whose jobs have taken little goes ahead
/// of it, and nobody waits for more than a few jobs of each other owner; see `TurnQueue`. Each operation takes
/// amortized logarithmic time, except `remove`, which takes time proportional to the owner's waiting jobs.
struct FairQueue<Owner: Hashable, Work> {
    struct Bounds: Hashable, Sendable {
        /// The most jobs that may wait for one owner.
        var each = 16
        /// The total number of jobs beyond which an owner may have only one waiting.
        var total = 4_096
    }

    private var lines: [Owner: Deque<Work>] = [:]
    private var turns = TurnQueue<Owner>()
    private let bounds: Bounds
    /// The number of waiting jobs.
    private(set) var count = 0

    init(bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// How many jobs an owner may have waiting now: fewer when little room is left, but always one. An owner at its
    /// allowance must not add more until some are done.
    var allowance: Int { max(1, min(bounds.each, (bounds.total - count) / bounds.each)) }

    func count(of owner: Owner) -> Int { lines[owner]?.count ?? 0 }

    mutating func append(_ work: Work, for owner: Owner) {
        count += 1
        lines[owner, default: []].append(work)
        turns.add(owner)
    }

    /// Adds a job ahead of the owner's others.
    mutating func prepend(_ work: Work, for owner: Owner) {
        count += 1
        lines[owner, default: []].prepend(work)
        turns.add(owner)
    }

    /// Removes and returns the oldest job of the owner whose turn it is; `took` must follow.
    mutating func next() -> Work? { nextOfOwner()?.work }

    /// The same as `next`, with the job's owner.
    mutating func nextOfOwner() -> (owner: Owner, work: Work)? {
        guard let owner = turns.next(), let work = lines[owner]?.popFirst() else { return nil }
        count -= 1
        if lines[owner]?.isEmpty == true { lines[owner] = nil } else { turns.add(owner) }
        return (owner, work)
    }

    /// Charges the owner for the job that `next` returned, which is done.
    /// - Parameter time: how long it took, in nanoseconds.
    mutating func charge(_ time: UInt64) { turns.charge(time) }

    /// Removes all jobs of an owner.
    /// - Returns: how many there were.
    @discardableResult
    mutating func remove(_ owner: Owner) -> Int {
        turns.remove(owner)
        let removed = lines.removeValue(forKey: owner)?.count ?? 0
        count -= removed
        return removed
    }
}
