import Synchronization

/// The newest values that several clients need at about the same time, on any thread: each is made once, while the
/// other threads that need it wait. Thread safe.
package final class SharedMemo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value that one thread makes and others wait for.
    private final class Entry: Sendable {
        private let value = Mutex<Value?>(nil)

        /// - Returns: the value, and whether this call made it.
        func value<Failure: Error>(making: () throws(Failure) -> Value) throws(Failure) -> (Value, isNew: Bool) {
            try value.withLock { value throws(Failure) in
                if let value { return (value, false) }
                let made = try making()
                value = made
                return (made, true)
            }
        }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Keys and the bytes of their values, the oldest first.
        var order = AgeQueue<Key>()
    }

    private let maximumValues: Int
    private let maximumBytes: Int
    private let size: @Sendable (Value) -> Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - values: the most values that are remembered.
    ///   - bytes: the most bytes of them; the newest is remembered however large it is.
    ///   - size: the bytes of a value.
    package init(values: Int, bytes: Int, size: @escaping @Sendable (Value) -> Int) {
        maximumValues = values
        maximumBytes = bytes
        self.size = size
    }

    /// The value of a key.
    /// - Parameter making: makes the value if it isn't remembered. A failure isn't remembered.
    package func value<Failure: Error>(
        of key: Key, making: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let entry = state.withLock { state in
            if let known = state.entries[key] { return known }
            let entry = Entry()
            state.entries[key] = entry
            add(key, bytes: 0, to: &state)
            return entry
        }
        let (value, isNew) = try entry.value(making: making)
        if isNew {
            state.withLock { state in
                if state.entries[key] === entry { add(key, bytes: size(value), to: &state) }
            }
        }
        return value
    }

    /// The number of values that are remembered, and their bytes.
    package var held: (values: Int, bytes: Int) { state.withLock { ($0.order.count, $0.order.bytes) } }

    private func add(_ key: Key, bytes: Int, to state: inout State) {
        // Only the order matters, not the times.
        state.order.append(key, bytes: bytes, at: 0)
        while state.order.count > 1, state.order.count > maximumValues || state.order.bytes > maximumBytes,
            let oldest = state.order.popFirst()
        {
            state.entries[oldest] = nil
        }
    }
}
