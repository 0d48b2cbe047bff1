package import MarqueeWire

/// What all sessions of a server have in common.
package struct SessionSettings: Sendable {
    /// Pings closer together than the minimum that a connection may send before it is closed.
    package static let hastyPings: UInt64 = 8
    /// Bytes of all parts of one publication.
    package static let publishBytes = 8 << 20
    /// Changes of one publication.
    package static let publishChanges = 65_536
    /// Bytes of all publications of a connection that are coming in or being committed.
    package static let publicationBytesHeld = 16 << 20
    /// Counted for each change of a publication beside its bytes.
    package static let changeOverhead = 64
    /// Answers of a connection that are being made or wait to be written; further calls wait before anything is done
    /// for them. Calls whose answers are a few bytes don't count.
    package static let answersAtOnce = 2
    /// Frames of one connection that are taken before others have their turn.
    package static let framesPerTurn = 16
    /// Frames of all connections with frames waiting that an event loop takes before it reads from the others.
    package static let framesPerSlice = 128
    /// Bytes that came in and are not taken apart yet, after which a connection that sends more is closed.
    package static let unreadBytes = 1 << 20
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
    /// How long answers may wait to be taken while room for answers is scarce.
    package var scarceAnswerMilliseconds: UInt64 = 3_000
    /// From a publication's first part to its last, at most.
    package var publicationMilliseconds: UInt64 = 120_000
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

    /// The ping interval for a client that wishes for one: not below what is allowed, not above what this server waits
    /// for.
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
