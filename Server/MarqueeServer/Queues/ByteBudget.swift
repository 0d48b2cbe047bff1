import Synchronization

/// A bound on the bytes of one kind that all connections together may hold.
///
/// Thread safe. A reservation is returned when its object is released, so nothing leaks, no matter how a connection
/// ends.
package final class ByteBudget: Sendable {
    /// The most bytes that may be reserved.
    package let limit: Int
    private let reserved = Mutex(0)

    package init(limit: Int) { self.limit = limit }

    /// Bytes reserved now.
    package var bytes: Int { reserved.withLock { $0 } }

    /// Whether more than half is reserved, so that holders should soon give up what they don't need.
    package var isScarce: Bool { bytes > limit / 2 }

    /// - Returns: `nil` when there is not enough room.
    package func reserve(_ bytes: Int) -> Reservation? {
        guard claim(bytes) else { return nil }
        return Reservation(budget: self, bytes: bytes)
    }

    fileprivate func claim(_ bytes: Int) -> Bool {
        reserved.withLock { reserved in
            guard bytes <= limit - reserved else { return false }
            reserved += bytes
            return true
        }
    }

    fileprivate func giveBack(_ bytes: Int) { reserved.withLock { $0 -= bytes } }

    /// Bytes of a budget, reserved for as long as this object exists.
    package final class Reservation: Sendable {
        private let budget: ByteBudget
        private let held: Mutex<Int>

        fileprivate init(budget: ByteBudget, bytes: Int) {
            self.budget = budget
            held = Mutex(bytes)
        }

        deinit { budget.giveBack(held.withLock { $0 }) }

        package var bytes: Int { held.withLock { $0 } }

        /// - Returns: `false` when there is not enough room.
        package func grow(by bytes: Int) -> Bool {
            guard budget.claim(bytes) else { return false }
            held.withLock { $0 += bytes }
            return true
        }
    }
}
