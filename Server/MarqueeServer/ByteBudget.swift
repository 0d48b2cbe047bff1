import Synchronization

/// Bytes that all connections together may hold of one kind of thing.
///
/// Thread safe. What was reserved is given back when the reservation is forgotten, so that nothing is lost however a
/// connection ends.
package final class ByteBudget: Sendable {
    /// In all.
    package let limit: Int
    private let used = Mutex(0)

    package init(limit: Int) { self.limit = limit }

    /// Bytes that are reserved now.
    package var bytes: Int { used.withLock { $0 } }

    /// Whether more than half is reserved: who holds something without need is to give it up soon.
    package var isScarce: Bool { bytes > limit / 2 }

    /// - Returns: `nil` when there is no room.
    package func reserve(_ bytes: Int) -> Reservation? {
        guard take(bytes) else { return nil }
        return Reservation(budget: self, bytes: bytes)
    }

    fileprivate func take(_ bytes: Int) -> Bool {
        used.withLock { used in
            guard bytes <= limit - used else { return false }
            used += bytes
            return true
        }
    }

    fileprivate func giveBack(_ bytes: Int) { used.withLock { $0 -= bytes } }

    /// Bytes of a budget, until it is forgotten.
    package final class Reservation: Sendable {
        private let budget: ByteBudget
        private let held: Mutex<Int>

        fileprivate init(budget: ByteBudget, bytes: Int) {
            self.budget = budget
            held = Mutex(bytes)
        }

        deinit { budget.giveBack(held.withLock { $0 }) }

        package var bytes: Int { held.withLock { $0 } }

        /// - Returns: `false` when there is no room for so many more.
        package func grow(by bytes: Int) -> Bool {
            guard budget.take(bytes) else { return false }
            held.withLock { $0 += bytes }
            return true
        }
    }
}

/// What all sessions of a server share in bytes.
package struct SessionBudgets: Sendable {
    /// Answers that were made and not written yet.
    package var answers = ByteBudget(limit: 64 << 20)
    /// Publications whose parts are coming in, or that are being committed.
    package var publications = ByteBudget(limit: 64 << 20)

    package init() {}
}
