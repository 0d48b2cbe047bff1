/// Shares an event loop among owners with something to do. They take turns, those that need little first, and after a
/// bounded time the loop gets to read from connections.
///
/// Lives on the loop.
final class LoopTurns<Owner: Hashable> {
    /// The result of an owner's turn.
    struct Turn {
        var steps: Int
        /// Whether it has nothing left to do and awaits no result.
        var isDone: Bool
    }

    /// How long a slice of turns lasts, in nanoseconds, not counting the rest of a turn already begun.
    static var slice: UInt64 { 1_000_000 }
    /// The same while other threads want the loop's processor.
    static var shortSlice: UInt64 { 150_000 }
    /// Turns granted immediately, without waiting, between two slices.
    static var turnsAtOnce: Int { 8 }

    private let inbox: LoopInbox
    /// Runs its argument after the loop has had a chance to do other work.
    private let afterReading: (@escaping () -> Void) -> Void
    /// A monotonic clock, in nanoseconds.
    private let now: () -> UInt64
    /// Whether other threads want the loop's processor.
    private let isContended: () -> Bool
    /// Gives an owner a turn of at most the given number of steps.
    private let turn: (Owner, Int) -> Turn

    private var queue = LevelQueue<Owner>()
    private var isSliceScheduled = false
    private var isInSlice = false
    /// Turns granted immediately since the last slice.
    private var atOnce = 0

    /// - Parameter inbox: deliveries from it may add owners.
    init(
        inbox: LoopInbox, now: @escaping () -> UInt64, isContended: @escaping () -> Bool = { false },
        afterReading: @escaping (@escaping () -> Void) -> Void,
        turn: @escaping (Owner, Int) -> Turn
    ) {
        self.inbox = inbox
        self.now = now
        self.isContended = isContended
        self.afterReading = afterReading
        self.turn = turn
    }

    /// Gives an owner that has something to do its turn at once, if nobody is waiting and few turns were granted this
    /// way lately.
    /// - Returns: whether it has had its turn; otherwise the turn comes later.
    func ask(_ owner: Owner) -> Bool {
        guard queue.isEmpty, atOnce < Self.turnsAtOnce else {
            askLater(owner)
            return false
        }
        atOnce += 1
        take(owner, queue.begin(owner))
        return true
    }

    /// Queues an owner that has something to do.
    func askLater(_ owner: Owner) {
        queue.add(owner)
        if !isInSlice { scheduleSlice() }
    }

    func remove(_ owner: Owner) { queue.remove(owner) }

    /// Handles a wake-up: something was delivered while nobody was looking at the inbox.
    func inboxWoke() { if !isSliceScheduled { runSlice() } }

    /// Empties the inbox.
    private func collect() {
        for delivery in inbox.take() { delivery() }
    }

    private func take(_ owner: Owner, _ steps: Int) {
        let done = turn(owner, steps)
        queue.charge(done.steps, isDone: done.isDone)
    }

    private func scheduleSlice() {
        guard !isSliceScheduled else { return }
        isSliceScheduled = true
        afterReading { [weak self] in
            self?.isSliceScheduled = false
            self?.runSlice()
        }
    }

    private func runSlice() {
        isInSlice = true
        atOnce = 0
        let end = now() + (isContended() ? Self.shortSlice : Self.slice)
        collect()
        while let (owner, steps) = queue.next() {
            take(owner, steps)
            if now() >= end { break }
        }
        isInSlice = false
        if !queue.isEmpty || !inbox.leave() { scheduleSlice() }
    }
}
