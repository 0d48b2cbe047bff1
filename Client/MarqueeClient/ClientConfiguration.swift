public import Logging
import MarqueeModel
public import MarqueeTLS

/// The place where a client's mirror is stored.
public enum MirrorStorage: Hashable, Sendable {
    /// A file for each host, port and user, in a folder `marquee` in the system's folder for application data:
    /// Application Support, on tvOS Caches, on Linux `$XDG_DATA_HOME` or `~/.local/share`.
    case standard
    /// The path of an SQLite file. Its folder is created. One client at a time owns it; see `MirrorAccess`.
    case file(String)
    /// In memory only; lost with the client.
    case memory
}

/// A client's rights to a mirror's file that several processes use, such as an app and its widget.
public enum MirrorAccess: Hashable, Sendable {
    /// Connects, and stores what arrives. There is one owner at a time: a second one throws `mirrorInUse`.
    case owner
    /// Works beside the owner, whether or not the owner is running, and never connects. It shows what is stored, with
    /// its age, and follows what the owner stores within a second. Changes of collections are stored durably before the
    /// call returns, shown by both, and sent by the owner once it notices them, or by the mirror's next owner.
    ///
    /// The mirror must exist, must have been connected to a server once, and must belong to the configuration's user.
    /// Calls that need a connection, such as a search or a screen from the server alone, throw `unavailable`; those
    /// that only the owner may make, such as signing out, throw `mirrorInUse`.
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
    /// Called for each connection attempt, so an expired token is never reused, and again before the server considers
    /// the token expired, so that the connection continues with a new one. Has `tokenTimeout` to answer.
    public var token: (@Sendable () async throws -> String)?
    /// How long a connection attempt waits for its token.
    package var tokenTimeout: Duration
    /// How long the connection may be silent before the client pings the server. A hint; the server may choose another
    /// value. `nil` accepts the server's proposal.
    package var pingInterval: Duration?
    /// The preferred language, such as `en` or `ko`.
    public var locale: String
    /// Where screens and changes not yet sent are kept: by default, in a file.
    public var mirror: MirrorStorage
    /// Whether this client owns the mirror's file; another process may have a companion of it open.
    public var mirrorAccess: MirrorAccess
    /// Program and version, for the server's log.
    package var agent: String
    /// A `traceparent` of W3C's Trace Context, sent with every call, so that the server's log names the call's trace.
    /// Any other text is ignored.
    package var traceParent: String?
    /// How long a call waits for a connection and its answer.
    public var callTimeout: Duration
    /// Whether the client observes the app's lifecycle and the network, on systems that report them: it suspends and
    /// resumes with the app where there is UIKit, and probes its connection when Network.framework reports another
    /// path. Switch it off for an app that keeps running in the background, such as a player, and call
    /// `MarqueeClient.suspend()` and `resume()`.
    public var observesAppLifecycle = true
    /// The logger for the client's events; by default, nothing is logged. Tokens are never logged, and the user's
    /// subjects only at `debug`.
    public var logger: Logger
    /// The bounds of the pause before another connection attempt: a random time from zero up to a limit that starts at
    /// the lower bound and doubles up to the upper one. It starts again after a connection that delivered something and
    /// lasted at least five seconds, or as long as the next pause may be if that is shorter.
    package var backoff: ClosedRange<Duration>

    /// Creates a configuration with defaults for everything else.
    public init(
        host: String = "127.0.0.1", port: Int = 7_420, security: TransportSecurity? = nil, user: String? = nil,
        locale: String = "en", mirror: MirrorStorage = .standard,
        token: (@Sendable () async throws -> String)? = nil
    ) {
        self.host = host
        self.port = port
        self.security = security ?? .standard(for: host)
        self.user = user
        self.locale = locale
        self.mirror = mirror
        self.token = token
        mirrorAccess = .owner
        agent = "marquee-client/\(MarqueeClient.version)"
        callTimeout = .seconds(10)
        tokenTimeout = .seconds(10)
        logger = Logger(label: "marquee.client", factory: { _ in SwiftLogNoOpLogHandler() })
        backoff = .milliseconds(250)...(.seconds(30))
    }
}

/// How one section of a screen is shown.
package struct SectionOptions: Hashable, Sendable {
    /// The section's id.
    package var section: String
    /// The id of an order; `nil` keeps the section's default.
    package var sort: String?
    /// How many items to show; mapped to the section's steps by the server.
    package var window: Int?
    /// The place of a window that may be anywhere in the list. All readers share it; it replaces `window`.
    package var place: WindowPlace?

    /// Creates options for a section; whatever is `nil` stays as it is.
    package init(section: String, sort: String? = nil, window: Int? = nil, place: WindowPlace? = nil) {
        self.section = section
        self.sort = sort
        self.window = window
        self.place = place
    }

    /// Whether nothing is to change.
    var isEmpty: Bool { sort == nil && window == nil && place == nil }

    /// Adopts every option that `other` sets.
    /// - Parameter standard: the section's default order; `nil` if it isn't known.
    mutating func adopt(_ other: SectionOptions, standard: String?) {
        // A place in one order means nothing in another one.
        if let sort = other.sort, sort != self.sort ?? standard { place = place?.inAnotherOrder }
        sort = other.sort ?? sort
        if other.window != nil || other.place != nil { (window, place) = (other.window, other.place) }
    }
}

extension WindowPlace {
    /// The place of the same item in another order; without an item, at the same end of the list.
    var inAnotherOrder: WindowPlace { WindowPlace(item: item, isEnd: isEnd, before: before, after: after) }
}

extension [SectionOptions] {
    /// - Parameters:
    ///   - sorts: ids of orders, by section.
    ///   - windows: numbers of items, by section.
    package init(sorts: [String: String], windows: [String: Int]) {
        self = Set(sorts.keys).union(windows.keys).sorted().map {
            SectionOptions(section: $0, sort: sorts[$0], window: windows[$0])
        }
    }
}
