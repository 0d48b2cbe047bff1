import Foundation

enum Output {
    /// Standard output goes to a file, where lines would otherwise wait for more of them.
    static func flush() throws {
        guard fflush(nil) == 0 else { throw POSIXError(.EIO) }
    }
}
