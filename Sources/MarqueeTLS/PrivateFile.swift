import Foundation

/// Files that are nobody else's business: private keys, tokens, what has passwords in it.
package enum PrivateFile {
    /// - Parameter mayBeRead: whether only those who could change it matter.
    /// - Returns: what is wrong with who may use the file, and what to do; `nil` if all is well, or if there is no such
    ///   file. Its group may read it: that is how services are given files.
    package static func warning(_ path: String, mayBeRead: Bool = false) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, isRegular(status), let everybody = everybody(status),
            !mayBeRead || status.st_mode & S_IWOTH != 0
        else { return nil }
        return "everybody on this machine can \(everybody) \(path): 'chmod o-rwx' keeps it private"
    }

    /// The same of a file that is open, such as one that standard output goes to.
    package static func warning(descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, isRegular(status), let everybody = everybody(status) else { return nil }
        return "everybody on this machine can \(everybody) the file that this went to"
    }

    private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

    /// The access that everybody has to it, in words; `nil` for none.
    private static func everybody(_ status: stat) -> String? {
        switch (status.st_mode & S_IROTH != 0, status.st_mode & S_IWOTH != 0) {
        case (true, true): "read and change"
        case (true, false): "read"
        case (false, true): "change"
        case (false, false): nil
        }
    }
}
