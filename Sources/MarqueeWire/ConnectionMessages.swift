package import MarqueeModel

package struct Hello: Hashable, Sendable {
    /// Bytes of a client id.
    package static let clientIDBytes = 16

    /// A random id for a client.
    package static func newClientID() -> [UInt8] {
        // Two calls of the system instead of sixteen.
        [UInt64.random(in: .min ... .max), .random(in: .min ... .max)].flatMap { withUnsafeBytes(of: $0, Array.init) }
    }

    package var protocolMinimum: UInt32 = 1
    package var protocolMaximum: UInt32 = 1
    package var limits: WireLimits = .client
    package var user: String?
    package var token: String?
    package var clientID: [UInt8] = []
    package var agent: String = ""
    package var cluster: String?
    package var seen: Cut?
    package var answeredThrough: UInt64 = 0
    package var pingIntervalMilliseconds: UInt32?
    /// Whether the client asks to act as a relay.
    package var isRelay = false

    package init() {}
}

package struct Welcome: Hashable, Sendable {
    package var protocolVersion: UInt32 = 1
    package var cluster: String = ""
    package var user: String?
    package var node: String = ""
    package var limits: WireLimits = .server
    package var cut = Cut()
    package var pingIntervalMilliseconds: UInt32 = 20_000
    package var pingMinimumMilliseconds: UInt32 = 5_000
    package var progressIntervalMilliseconds: UInt32 = 15_000
    package var imageBaseURL: String?
    package var locales: [String] = []
    package var lastMutation: UInt64?
    package var agent: String = ""
    /// How much longer the client's identity is valid; `nil`: until it is revoked.
    package var identityMilliseconds: UInt64?

    package init() {}
}
