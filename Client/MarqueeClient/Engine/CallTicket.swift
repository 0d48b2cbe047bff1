import MarqueeLocks

/// A call whose task may be cancelled before, while or after the engine takes it. Thread safe.
final class CallTicket: Sendable {
    private let state = Locked((id: Int?.none, isCancelled: false))

    /// The engine's id of the call, once it has taken it.
    var id: Int? {
        get { state.withLock { $0.id } }
        set { state.withLock { $0.id = newValue } }
    }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
