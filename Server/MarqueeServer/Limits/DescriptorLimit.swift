import Foundation

/// The number of files and sockets that the process may have open.
package enum DescriptorLimit {
    /// Descriptors reserved for the store's files and logs, the event loops and the listening socket.
    package static let reserved = 64
    /// More than any server needs; some systems have no limit at all.
    private static let most: rlim_t = 1 << 20

    /// Raises the process's limit as far as the system allows, as servers usually do.
    /// - Returns: the new limit.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        let wanted = min(limit.rlim_max, most)
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = wanted
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(min(limit.rlim_cur, most))
    }

    /// The number of connections to allow.
    /// - Parameters:
    ///   - wanted: the most to allow.
    ///   - descriptors: how many the process may have open.
    package static func connections(wanted: Int, descriptors: Int) -> Int {
        min(wanted, max(1, descriptors - reserved))
    }
}
