/// When to say that a write-ahead log has grown: once it is large, and each time that it has doubled since.
struct GrownLog {
    /// Far more than one has whose commits are moved, and less than disks notice.
    static let large = 256 << 20

    private var said = 0

    /// - Parameter bytes: how many it has now.
    mutating func isNews(_ bytes: Int) -> Bool {
        if bytes < Self.large / 2 { said = 0 }
        guard bytes >= Self.large, bytes / 2 >= said else { return false }
        said = bytes
        return true
    }
}
