/// The bytes of cuts and staged versions that have arrived on a connection, and those of them that are acknowledged.
package struct ReceivedBytes: Sendable {
    package private(set) var count: UInt64 = 0
    private var acknowledged: UInt64 = 0

    package init() {}

    package mutating func add(_ bytes: Int) { count += UInt64(bytes) }

    /// - Parameter credit: how many may be unacknowledged.
    /// - Returns: whether to acknowledge them now: always, or once they exceed half of the credit.
    package mutating func acknowledge(always: Bool, credit: UInt64) -> Bool {
        guard always || count - acknowledged > credit / 2 else { return false }
        acknowledged = count
        return true
    }
}
