public import Logging
import MarqueeModel
public import MarqueeTLS

/// Where a client's mirror keeps its bytes.
public enum MirrorStorage: Hashable, Sendable {
    /// Gone with the client.
    case memory
    /// The path of an SQLite file. Its folder is created. One client at a time owns it; see `MirrorAccess`.
    case file(String)
}

/// A client's rights to a mirror's file that several processes use, such as an app and its widget.
public enum MirrorAccess: Hashable, Sendable {
    /// Connects, and stores what arrives. There is one owner at a time: a second one throws `mirrorInUse`.
    case owner
    /// Stands beside the owner, whether that is running or not, and never connects. It shows what is stored, with its
    /// age, and follows what the owner stores within a second. Changes of collections are stored durably before the
    /// call returns, shown by both, and sent by the owner once it notices them, or by whoever owns the mirror next.
    ///
    /// The mirror must exist, have met a server, and belong to the configuration's user. Calls that need a connection,
    /// such as a search or a screen from the server alone, throw `unavailable`; those that only the owner may make,
    /// such as signing out, throw `mirrorInUse`.
    case companion
}

/// How a client reaches its server and what it keeps.
public struct ClientConfiguration: Sendable {
    /// A host name or an address.
    public var host: String
    /// The TCP port.
    public var port: Int
    /// How the connection is protected. By default, plain TCP to this machine and TLS to any other.
    public var security: TransportSecurity
    /// The user of this client; favorites and other collections need one.
    public var user: String?
    /// Called for each connection attempt, so an expired token is never reused, and before the server's idea of the
    /// token's end comes, so that the connection goes on under a new one. Has `tokenTimeout` to answer.
    public var token: (@Sendable () async throws -> String)?
    /// How long a connection attempt waits for its token.
    public var tokenTimeout: Duration
    /// How long the connection may be silent before the client pings the server. A hint; the server may choose
    /// another value. `nil` takes what the server proposes.
    public var pingInterval: Duration?
    /// The preferred language, such as `en` or `ko`.
    public var locale: String
    /// Where screens and changes not yet sent are kept.
    public var mirror: MirrorStorage
    /// Whether this client owns the mirror's file; another process may have a companion of it open.
    public var mirrorAccess: MirrorAccess
    /// Program and version, for the server's log.
    public var agent: String
    /// A `traceparent` of W3C's Trace Context, sent with every call: the server's log says to which trace a call
    /// belongs. Any other text is ignored.
    public var traceParent: String?
    /// How long a call waits for a connection and its answer.
    public var callTimeout: Duration
    /// Whether the client follows the app's life and the network by itself, on systems that tell of them: it calls
    /// `enteredBackground`, `enteredForeground` and `networkChanged` where UIKit and Network.framework say so. Switch
    /// it off for an app that goes on in the background, such as a player, and call them or `MarqueeClient.suspend()`.
    public var observesSystem = true
    /// Where the client writes what happens to it; nowhere by default. It never writes tokens, and what the user marked
    /// only at `debug`.
    public var logger: Logger
    /// The bounds of the pause before another connection attempt: a random time from zero up to a limit that starts at
    /// the lower bound and doubles up to the upper one. It starts again after a connection that brought something and
    /// lasted at least as long as the next pause may, or five seconds.
    public var backoff: ClosedRange<Duration>

    /// A configuration with usual values for everything else.
    public init(
        host: String = "127.0.0.1", port: Int = 7420, security: TransportSecurity? = nil, user: String? = nil,
        locale: String = "en", mirror: MirrorStorage = .memory
    ) {
        self.host = host
        self.port = port
        self.security = security ?? .standard(for: host)
        self.user = user
        self.locale = locale
        self.mirror = mirror
        mirrorAccess = .owner
        agent = "marquee-client/\(MarqueeClient.version)"
        callTimeout = .seconds(10)
        tokenTimeout = .seconds(10)
        logger = Logger(label: "marquee.client", factory: { _ in SwiftLogNoOpLogHandler() })
        backoff = .milliseconds(250)...(.seconds(30))
    }
}

/// How one section of a screen is shown.
public struct SectionOptions: Hashable, Sendable {
    /// The section's id.
    public var section: String
    /// The id of an order; `nil` keeps the section's default.
    public var sort: String?
    /// How many items to show; mapped to the section's steps by the server.
    public var window: Int?

    /// How to show a section; what is `nil` stays as it is.
    public init(section: String, sort: String? = nil, window: Int? = nil) {
        self.section = section
        self.sort = sort
        self.window = window
    }

    /// With a window as a section's head names it.
    @_disfavoredOverload
    public init(section: String, sort: String? = nil, window: UInt32?) {
        self.init(section: section, sort: sort, window: window.flatMap { $0 == 0 ? nil : Int($0) })
    }
}
