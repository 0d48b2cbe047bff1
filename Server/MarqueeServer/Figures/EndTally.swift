/// Counts the connections of one event loop that have ended. Lives on the loop.
struct EndTally {
    /// More than the number of existing reasons; connections with any further ones are counted together.
    static let maximumReasons = 64
    /// The reason under which those are counted.
    static let otherReason = "OTHER"
    /// The client said goodbye, or closed the connection without a word.
    static let clientLeft = "CLIENT_LEFT"
    static let connectionLost = "CONNECTION_LOST"

    private(set) var reasons: [String: UInt64] = [:]
    /// Bytes of data sent to these connections.
    private(set) var sentBytes: UInt64 = 0

    mutating func add(_ reason: String, sentBytes: UInt64) {
        let isKnown = reasons[reason] != nil || reasons.count < Self.maximumReasons
        reasons[isKnown ? reason : Self.otherReason, default: 0] += 1
        self.sentBytes += sentBytes
    }
}
