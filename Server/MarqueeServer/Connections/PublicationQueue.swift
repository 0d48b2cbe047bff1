import Synchronization

/// Publications on their way from the hub to an event loop, and the hub's answers to its sessions. However many there
/// are, they wake the loop once.
///
/// Both are taken together: a publication comes with all answers before it, which it may change, and an answer with all
/// publications before it, on which it builds.
///
/// Thread safe.
final class PublicationQueue: Sendable {
    private struct State {
        var waiting = PublicationBacklog()
        var answers: [@Sendable () -> Void] = []
        /// How many sessions of the loop belong to each user.
        var users: [String: Int] = [:]
        /// Whether the loop has been woken.
        var isLookedAt = false
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: makes the loop call `take`.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Adds a publication, unless it concerns only users who have no session on the loop.
    func add(_ publication: Publication) {
        adding { state in
            if publication.isOnlyTheirs, publication.users.keys.allSatisfy({ state.users[$0] == nil }) { return false }
            state.waiting.append(publication)
            return true
        }
    }

    /// Adds an answer of the hub to a session of the loop.
    func add(answer: @escaping @Sendable () -> Void) {
        adding { state in
            state.answers.append(answer)
            return true
        }
    }

    /// Wakes the loop if something is added and it hasn't been woken yet.
    /// - Parameter something: returns whether it has added something.
    private func adding(_ something: (inout State) -> Bool) {
        let isFirst = state.withLock { state in
            guard something(&state) else { return false }
            defer { state.isLookedAt = true }
            return !state.isLookedAt
        }
        if isFirst { wake() }
    }

    /// Removes and returns everything, each in order; what is added next wakes the loop again.
    func take() -> (answers: [@Sendable () -> Void], publications: [Publication]) {
        state.withLock { state in
            state.isLookedAt = false
            defer { state.answers = [] }
            return (state.answers, state.waiting.take())
        }
    }

    /// Whether the end of all sessions is among the waiting publications.
    var hasEnd: Bool { state.withLock { $0.waiting.hasEnd } }

    /// The users who have a session on the loop.
    var users: Set<String> { state.withLock { Set($0.users.keys) } }

    /// Counts a session of the loop that belongs to a user: from now on nothing about that user is missed.
    func joined(_ user: String) { state.withLock { $0.users[user, default: 0] += 1 } }

    func left(_ user: String) {
        state.withLock { state in
            let count = (state.users[user] ?? 1) - 1
            state.users[user] = count > 0 ? count : nil
        }
    }
}
