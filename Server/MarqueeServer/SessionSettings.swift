package import MarqueeWire

/// What all sessions of a server have in common.
package struct SessionSettings: Sendable {
    /// Pings closer together than the minimum that a connection may send before it is closed.
    package static let hastyPings: UInt64 = 8
    /// Bytes of all parts of one publication.
    package static let publishBytes = 8 << 20
    /// Changes of one publication.
    package static let publishChanges = 65_536
    /// Items of all manifests that a session asked for and has not used yet.
    package static let manifestPairs = 65_536
    /// Manifests that were asked for and have not come.
    package static let manifestQuestions = 1_024
    /// Refusals of one section in a row after which it fails: the exact patch, the one from a manifest, the whole.
    package static let refusals = 3
    /// Before a section that failed is tried again: doubled each time, within these bounds, in milliseconds.
    package static let sectionPause: ClosedRange<UInt64> = 30_000...600_000
    /// Bytes of one part of an answer.
    package static let answerPartBytes = 60 << 10

    package var cluster: String
    package var node: String
    package var agent: String
    package var limits = WireLimits.server
    /// What a client has to accept: parts are made once for all, by these limits.
    package var requiredLimits = WireLimits.client
    package var locales: [String]
    package var imageBaseURL: String?
    package var pingIntervalMilliseconds: UInt32 = 20_000
    package var pingMinimumMilliseconds: UInt32 = 1_000
    package var progressIntervalMilliseconds: UInt32 = 15_000
    package var helloTimeoutMilliseconds: UInt64 = 10_000
    package var dataTimeoutMilliseconds: UInt64 = 60_000
    /// Between two parts of the manifests that a client was asked for, at most.
    package var manifestTimeoutMilliseconds: UInt64 = 60_000
    /// How long a client that has seen more than this node has waits for the node; below what clients wait for welcome.
    package var catchUpMilliseconds: UInt64 = 3_000
    /// Bounds of the jitter after go-away.
    package var reconnectMilliseconds: ClosedRange<UInt32> = 100...2_000

    package init(cluster: String, node: String, agent: String, locales: [String]) {
        self.cluster = cluster
        self.node = node
        self.agent = agent
        self.locales = locales
    }

    /// The ping interval for a client that wishes for one: not below what is allowed, not above what this server waits for.
    func pingInterval(wished: UInt32?) -> UInt32 {
        guard let wished else { return pingIntervalMilliseconds }
        return min(max(wished, pingMinimumMilliseconds), pingIntervalMilliseconds)
    }
}

extension WireLimits {
    /// Whether a receiver with these limits takes everything that a sender within `other` may send in data frames.
    func admit(_ other: WireLimits) -> Bool {
        frameBytes >= other.frameBytes && partBytes >= other.partBytes && elementsPerFrame >= other.elementsPerFrame
            && listItems >= other.listItems && sections >= other.sections && cutBytes >= other.cutBytes
            && creditBytes > 0
    }
}
