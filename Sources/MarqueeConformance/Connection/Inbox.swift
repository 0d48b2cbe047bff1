import NIOCore
import Synchronization

/// A queue of elements, such as arrivals, that wait for the script. Written by channels, read by one task.
final class Inbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        /// The index of the first element that hasn't been taken.
        var first = 0
        /// The cost of all waiting elements.
        var cost = 0
        var waiter: CheckedContinuation<Element?, Never>?
        /// The number of the newest wait, so that the timer of an earlier one doesn't end it.
        var ticket = 0
    }

    private let state = Mutex(State())
    private let maximumCost: Int
    private let cost: @Sendable (Element) -> Int

    /// - Parameters:
    ///   - maximumCost: the limit on the cost of all waiting elements together.
    ///   - cost: returns the cost of one element.
    init(maximumCost: Int, cost: @escaping @Sendable (Element) -> Int = { _ in 1 }) {
        self.maximumCost = maximumCost
        self.cost = cost
    }

    /// Adds an element, or hands it to the waiting task.
    /// - Returns: whether there was room.
    func append(_ element: Element) -> Bool {
        let (waiter, hasRoom) = state.withLock { state -> (CheckedContinuation<Element?, Never>?, Bool) in
            if let waiter = state.waiter {
                state.waiter = nil
                return (waiter, true)
            }
            guard state.cost + cost(element) <= maximumCost else { return (nil, false) }
            state.cost += cost(element)
            state.elements.append(element)
            return (nil, true)
        }
        waiter?.resume(returning: element)
        return hasRoom
    }

    /// The next element; `nil` if none arrives in time, or if the task is cancelled.
    func next(within limit: Duration, on loop: any EventLoop) async -> Element? {
        let ticket = state.withLock { state in
            state.ticket += 1
            return state.ticket
        }
        var timer: Scheduled<Void>?
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (ready, waits) = state.withLock { state -> (Element?, Bool) in
                    if let element = takeFirst(&state) { return (element, false) }
                    // If the task was cancelled before this point, `giveUp` found no waiter to resume.
                    guard !Task.isCancelled else { return (nil, false) }
                    state.waiter = continuation
                    return (nil, true)
                }
                guard waits else { return continuation.resume(returning: ready) }
                timer = loop.scheduleTask(in: TimeAmount(limit)) { self.giveUp(ticket) }
            }
        } onCancel: {
            giveUp(ticket)
        }
    }

    private func takeFirst(_ state: inout State) -> Element? {
        guard state.first < state.elements.count else { return nil }
        let element = state.elements[state.first]
        state.first += 1
        state.cost -= cost(element)
        if state.first == state.elements.count { (state.elements, state.first) = ([], 0) }
        return element
    }

    private func giveUp(_ ticket: Int) {
        let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard state.ticket == ticket else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }
}
