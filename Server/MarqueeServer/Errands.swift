/// Things to be done once however often they are asked for, and again after a while when they failed. Each is done by
/// one at a time, and each has one retry at most: retries don't multiply.
struct Errands<Key: Hashable> {
    private enum State {
        case running(again: Bool)
        case pausing
    }

    private var states: [Key: State] = [:]

    /// Those that are being done or wait to be tried again.
    var count: Int { states.count }

    /// Something is to be done.
    /// - Returns: whether to begin now; otherwise it is done later, as it is being done or waits to be tried again.
    mutating func ask(_ key: Key) -> Bool {
        switch states[key] {
        case nil:
            states[key] = .running(again: false)
            return true
        case .running?:
            states[key] = .running(again: true)
            return false
        case .pausing?:
            return false
        }
    }

    /// It is done.
    /// - Returns: whether to do it again at once, as it was asked for meanwhile.
    mutating func done(_ key: Key) -> Bool {
        if case .running(again: true)? = states[key] {
            states[key] = .running(again: false)
            return true
        }
        states[key] = nil
        return false
    }

    /// It could not be done: call `retry` after a while.
    mutating func failed(_ key: Key) { states[key] = .pausing }

    /// The pause is over: it is being done again.
    mutating func retry(_ key: Key) { states[key] = .running(again: false) }
}
