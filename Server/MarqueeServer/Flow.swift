/// How much of the data sent to a client it has taken, in bytes of data and stage frames since the connection began
/// (G8).
struct Flow {
    /// What the client may leave unacknowledged.
    let credit: UInt64
    private(set) var sent: UInt64 = 0
    private(set) var acknowledged: UInt64 = 0

    init(credit: UInt64) { self.credit = credit }

    /// Whether another cut may begin. A cut that has begun is sent to its end.
    var hasRoom: Bool { sent - acknowledged < credit }

    mutating func send(_ bytes: Int) { sent += UInt64(bytes) }

    /// The client has taken so many bytes.
    /// - Returns: `false` if that is not possible.
    mutating func acknowledge(_ bytes: UInt64) -> Bool {
        guard bytes >= acknowledged, bytes <= sent else { return false }
        acknowledged = bytes
        return true
    }
}
