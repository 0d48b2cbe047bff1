/// Decides when to log that a write-ahead log has grown: once it is large, and each time it has doubled since.
struct GrownLog {
    /// Far more than a log that is checkpointed normally ever has, and too little to fill a disk.
    static let large = 256 << 20

    private var said = 0

    /// - Parameter bytes: the log's size now.
    mutating func isNews(_ bytes: Int) -> Bool {
        if bytes < Self.large / 2 { said = 0 }
        guard bytes >= Self.large, bytes / 2 >= said else { return false }
        said = bytes
        return true
    }
}
