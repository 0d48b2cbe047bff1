package import Logging
package import MarqueeModel
import MarqueeWire
import NIOCore
import Synchronization

/// The bounds of a server, so that a few clients can't take resources that all clients need.
package struct ServerLimits: Hashable, Sendable {
    /// The most connections at once; fewer if the process can't open that many descriptors. At the limit, a new
    /// connection evicts the one idle for longest, or is closed if none is idle.
    package var connections = 20_000
    /// The most connections from one address; for IPv6, from one /64. Those from this machine don't count: a proxy
    /// there connects on behalf of all clients.
    package var connectionsPerAddress = 1_000
    /// The most connections of one user.
    package var connectionsPerUser = 100
    /// The most connections that have not been welcomed. At the limit, a new one evicts the oldest. Connections
    /// accepted together, after a restart for example, must not evict each other, so this is as many as `accepts`.
    package var unauthenticated = 10_000
    /// The most connections accepted a second; the others wait in the system's queue.
    package var accepts = 10_000
    /// The most seconds that a connection may take to identify its client, including the handshake.
    package var helloSeconds = 10
    /// The most screens that one connection may subscribe to. A relay may have more (`WireLimits.relay`).
    package var subscriptions = Int(WireLimits.server.subscriptions)
    /// The most unanswered calls of one connection. A relay may have more.
    package var calls = Int(WireLimits.server.calls)
    /// The most sections and lists of sections that one connection may show.
    package var variantsPerConnection = 2_048
    /// The most sections and lists of sections that all connections together may show, each counted once.
    package var variants = 200_000
    /// The most renewals of its identity that one connection may make a second; further ones have to wait. A client
    /// renews once in a token's lifetime.
    package var renewals = 10
    /// The most bytes of publications that are arriving in parts or being committed, of all connections together.
    package var publicationBytes = 64 << 20
    /// The most bytes of answers that clients haven't accepted yet, of all connections together.
    package var answerBytes = 64 << 20
    /// The most HTTP requests being answered, of all connections together.
    package var webRequests = 1_000

    package init() {}
}

/// A limit that can be hit.
package enum Limit: String, CaseIterable, Hashable, Sendable {
    case connections
    case connectionsPerAddress = "connections_per_address"
    case connectionsPerUser = "connections_per_user"
    case unauthenticated
    case accepts
    case descriptors
    case variantsPerConnection = "variants_per_connection"
    case variants
    case renewals
    case hello
    case subscriptions
    case calls
    case publications
    case answers
    case manifests
    case observations
    case proxies = "proxy_protocol"
    case webRequests = "web_requests"
    case webBodies = "web_bodies"
    case webHeads = "web_heads"
    case webOrigins = "web_origins"
    case webMessages = "web_messages"

    /// The consequence of hitting the limit, for the log.
    fileprivate var consequence: String {
        switch self {
        case .connections: "a connection was closed to make room, or refused"
        case .connectionsPerAddress: "a connection from an address that has too many was refused"
        case .connectionsPerUser: "a connection of a user who has too many was refused"
        case .unauthenticated: "an unauthenticated connection was closed to make room"
        case .accepts: "new connections wait"
        case .descriptors: "no connection can be accepted for now: the process or the system has no descriptors left"
        case .variantsPerConnection: "a connection that shows too much was refused another view"
        case .variants: "a view was refused: too many different ones are shown"
        case .renewals: "a connection that renews its identity too often has to wait"
        case .hello: "a connection that didn't authenticate in time was closed"
        case .subscriptions: "a connection was refused another subscription"
        case .calls: "a connection was refused another call until its earlier ones are answered"
        case .publications: "a publication was refused: too many bytes of them are in progress"
        case .proxies: "a connection was closed: it doesn't begin as --proxy-protocol demands"
        case .webRequests: "a web request was refused: too many are being answered"
        case .webBodies: "a web request was refused: its body is too large, too late or can't be read"
        case .webHeads: "a web connection was closed: its request's head is too large, too late or can't be read"
        case .webOrigins: "a web request was refused: it is for another host, or from a page of another site"
        case .webMessages: "a WebSocket was closed: its messages are too large or violate RFC 6455"
        case .manifests: "a section was sent whole: too many bytes of manifests are in progress"
        case .observations: "a client has to keep its observations: too many wait to be taken by 'marquee-server seen'"
        case .answers: "a call was refused its answer: too many bytes of answers are unsent"
        }
    }
}

/// How often each limit was hit. Thread safe.
package final class LimitHits: Sendable {
    /// The least nanoseconds between two log lines about one limit.
    private static let spacing: UInt64 = 10_000_000_000

    private struct Entry {
        var hits: UInt64 = 0
        var logged: UInt64 = 0
        var earliest: UInt64 = 0
    }

    private let entries = Mutex<[Limit: Entry]>([:])
    private let logger: Logger

    package init(logger: Logger) { self.logger = logger }

    var counts: [Limit: UInt64] { entries.withLock { $0.mapValues(\.hits) } }

    package func hit(_ limit: Limit, _ details: @autoclosure () -> Logger.Metadata = [:]) {
        let now = NIODeadline.now().uptimeNanoseconds
        let news = entries.withLock { entries -> UInt64? in
            var entry = entries[limit] ?? Entry()
            entry.hits += 1
            defer { entries[limit] = entry }
            guard now >= entry.earliest else { return nil }
            entry.earliest = now + Self.spacing
            defer { entry.logged = entry.hits }
            return entry.hits - entry.logged
        }
        guard let news else { return }
        var metadata = details()
        metadata["limit"] = "\(limit.rawValue)"
        metadata["times"] = .stringConvertible(news)
        logger.warning("\(limit.consequence)", metadata: metadata)
    }
}

extension Status {
    /// One connection, or all of them together, show as many different sections as they may.
    package static let tooManyVariants = Status(
        .resourceExhausted, reason: "TOO_MANY_VARIANTS", remedy: .retrySame,
        message: "too many different sections are shown", retryAfterMilliseconds: 10_000)

    package static let tooManyConnections = Status(
        .resourceExhausted, reason: "TOO_MANY_CONNECTIONS", remedy: .retrySame,
        message: "this user has too many connections", retryAfterMilliseconds: 10_000)
}
