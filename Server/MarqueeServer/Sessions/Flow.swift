/// Flow control: the bytes of data and stage frames sent to a client, and acknowledged by it, since the connection
/// began (G8).
struct Flow {
    /// The bytes that the client may leave unacknowledged.
    let credit: UInt64
    private(set) var sent: UInt64 = 0
    private(set) var acknowledged: UInt64 = 0

    init(credit: UInt64) { self.credit = credit }

    /// Whether another cut may begin. A cut that has begun is sent to its end.
    /// - Parameter bytes: the bytes to be sent before it.
    func hasRoom(after bytes: Int = 0) -> Bool { sent - acknowledged + UInt64(bytes) < credit }

    mutating func send(_ bytes: Int) { sent += UInt64(bytes) }

    /// Handles the acknowledgement of a total number of bytes.
    /// - Returns: `false` if the total falls, or exceeds what was sent.
    mutating func acknowledge(_ bytes: UInt64) -> Bool {
        guard bytes >= acknowledged, bytes <= sent else { return false }
        acknowledged = bytes
        return true
    }
}
