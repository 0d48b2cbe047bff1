/// Jobs that run once however often they are requested, and again after a pause if they fail. Each key has at most one
/// run in progress and one retry pending, so retries don't multiply.
struct CoalescedJobs<Key: Hashable> {
    private enum State {
        case running(again: Bool)
        case pausing
    }

    private var states: [Key: State] = [:]
    /// Why jobs failed, until they succeed.
    private var failures: [Key: String] = [:]

    /// Jobs that are running or waiting to be retried.
    var count: Int { states.count }

    /// Requests a job.
    /// - Returns: whether to start it now; otherwise it runs later, as it is already running or waiting to be retried.
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

    /// Ends a job that has succeeded.
    /// - Returns: whether to run it again at once, because it was requested in the meantime.
    mutating func done(_ key: Key) -> Bool {
        failures[key] = nil
        if case .running(again: true)? = states[key] {
            states[key] = .running(again: false)
            return true
        }
        states[key] = nil
        return false
    }

    /// Ends a job that has failed: call `retry` after a pause.
    /// - Returns: whether the reason has changed since the last failure.
    mutating func failed(_ key: Key, _ reason: String) -> Bool {
        states[key] = .pausing
        return failures.updateValue(reason, forKey: key) != reason
    }

    /// Marks a job as running again, after the pause.
    mutating func retry(_ key: Key) { states[key] = .running(again: false) }
}
