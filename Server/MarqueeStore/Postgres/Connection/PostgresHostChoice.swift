/// Chooses the server to use among the hosts of an address, beginning with the first that takes writes.
///
/// A former primary that has come back may be the first host that takes writes. It is refused, and the hosts are tried
/// one by one. This value holds no connection: a shell connects, proves the history of each database it reaches, and
/// reports the result.
package struct PostgresHostChoice: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// - Parameter host: its index among the hosts of the address; `nil` for the first that takes writes.
        case connect(host: Int?)
        /// There is no connection, for the last reported reason.
        case fail
        /// There is no connection: a former primary was met, and no other host is usable.
        case refuse
    }

    private let hosts: Int
    /// The next host to try; `nil` before the first that takes writes has failed.
    private var next: Int?
    private var isConnected = false

    /// - Parameter hosts: the number of hosts in the address if there are several; 0 otherwise.
    package init(hosts: Int) { self.hosts = hosts }

    /// There is a connection, to be proven before anything else is done with it.
    package mutating func connected() { isConnected = true }

    /// The connection can't be made, or can't be used.
    /// - Parameters:
    ///   - isFormerPrimary: whether it leads to a former primary.
    ///   - isStopped: whether nobody waits for a connection any more.
    package mutating func failed(isFormerPrimary: Bool, isStopped: Bool = false) -> Step {
        let isOver = isConnected ? !isFormerPrimary : next == nil
        if isOver { return .fail }
        isConnected = false
        let host = next ?? 0
        guard host < hosts, !isStopped else { return .refuse }
        next = host + 1
        return .connect(host: host)
    }
}
