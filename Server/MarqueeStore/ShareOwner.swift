/// A user or an address with a share of a scarce resource.
package enum ShareOwner: Hashable, Sendable {
    case user(String)
    case origin(UInt64)

    /// The owners that are charged for an action of a client.
    /// - Parameters:
    ///   - user: `nil` for a client without one.
    ///   - origin: stands for the client's address; `nil` if it isn't counted.
    package static func all(user: String?, origin: UInt64?) -> [ShareOwner] {
        (user.map { [.user($0)] } ?? []) + (origin.map { [.origin($0)] } ?? [])
    }
}
