import Foundation

/// Files that nobody else may see: private keys, tokens, files with passwords.
package enum PrivateFile {
    /// - Parameter mayBeRead: whether only write access by others matters.
    /// - Returns: the problem with the file's permissions, and how to mend it; `nil` if there is none, or no such
    ///   file. The group may read the file: that is how services are given files.
    package static func warning(_ path: String, mayBeRead: Bool = false) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, isRegular(status), let everybody = everybody(status),
            !mayBeRead || status.st_mode & S_IWOTH != 0
        else { return nil }
        return "everybody on this machine can \(everybody) \(path): 'chmod o-rwx' keeps it private"
    }

    /// The same for an open file, such as the one that standard output goes to.
    package static func warning(descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, isRegular(status), let everybody = everybody(status) else { return nil }
        return "everybody on this machine can \(everybody) the file that this went to"
    }

    /// - Returns: why a file can't be read, in words; `nil` if it can.
    package static func obstacle(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else { return String(cString: strerror(errno)) }
        return status.st_mode & S_IFMT == S_IFDIR ? String(cString: strerror(EISDIR)) : nil
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
