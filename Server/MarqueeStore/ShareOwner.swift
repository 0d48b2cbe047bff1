/// A user or an address, which has a share of what is scarce.
package enum ShareOwner: Hashable, Sendable {
    case user(String)
    case origin(UInt64)

    /// The owners that something done for a client is charged to.
    /// - Parameters:
    ///   - user: `nil` for a client without one.
    ///   - origin: the client's address; `nil` if it doesn't count.
    package static func all(user: String?, origin: UInt64?) -> [ShareOwner] {
        (user.map { [.user($0)] } ?? []) + (origin.map { [.origin($0)] } ?? [])
    }
}
