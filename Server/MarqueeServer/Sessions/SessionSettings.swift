package import MarqueeWire

/// The settings that all sessions of a server share.
package struct SessionSettings: Sendable {
    /// How many pings closer together than the minimum a connection may send before it is closed.
    package static let hastyPings: UInt64 = 8
    /// The most bytes of one publication, all parts together.
    package static let publishBytes = 8 << 20
    /// The most changes of one publication.
    package static let publishChanges = 65_536
    /// The most bytes of publications that one connection may have arriving or being committed.
    package static let publicationBytesHeld = 16 << 20
    /// Bytes counted for each change of a publication, in addition to its own.
    package static let changeOverhead = 64
    /// The most large answers that a connection may have being prepared or waiting to be written. Further calls wait
    /// before any work is done for them. Calls with answers of a few bytes don't count.
    package static let answersAtOnce = 2
    /// The same limit for a relay, whose guests share its connection.
    package static let relayAnswersAtOnce = 16
    /// Bytes of a frame that count as one more step of a turn.
    package static let stepBytes = 4 << 10
    /// The most bytes received but not yet decoded; a connection that sends more is closed.
    package static let unreadBytes = 1 << 20
    /// The most items of manifests that a session has requested and not yet used.
    package static let manifestPairs = 65_536
    /// Bytes that an item of a manifest takes, in an array that grows by doubling.
    package static let manifestPairBytes = 32
    /// The most manifests requested and not yet received.
    package static let manifestQuestions = 1_024
    /// Consecutive refusals after which a section fails: of the exact patch, of a patch from a manifest, and of the
    /// whole section.
    package static let refusals = 3
    /// The pause before a failed section is retried, in milliseconds: doubled each time, within these bounds.
    package static let sectionPause: ClosedRange<UInt64> = 30_000...600_000
    /// The most guests of a relay.
    package static let guests = 262_144
    /// The most bytes of one part of an answer.
    package static let answerPartBytes = 60 << 10

    package var cluster: String
    package var node: String
    package var agent: String
    package var limits = WireLimits.server
    /// The limits of a relay, which shows everything that its clients show.
    package var relayLimits = WireLimits.relay
    /// The least limits that a client must accept, because parts are encoded once, to these limits, for all clients.
    package var requiredLimits = WireLimits.leastOfClients
    package var locales: [String]
    package var imageBaseURL: String?
    package var pingIntervalMilliseconds: UInt32 = 20_000
    package var pingMinimumMilliseconds: UInt32 = 1_000
    package var progressIntervalMilliseconds: UInt32 = 15_000
    /// The most sections and lists of sections that one connection may show.
    package var variantsPerConnection = ServerLimits().variantsPerConnection
    /// The most renewals of its identity that one connection may make a second.
    package var renewals = ServerLimits().renewals
    package var helloTimeoutMilliseconds = UInt64(ServerLimits().helloSeconds) * 1_000
    package var dataTimeoutMilliseconds: UInt64 = 60_000
    /// How long answers may wait for the client to accept them while the room for answers is scarce.
    package var scarceAnswerMilliseconds: UInt64 = 3_000
    /// The most time from a publication's first part to its last.
    package var publicationMilliseconds: UInt64 = 120_000
    /// The most time between two parts of requested manifests.
    package var manifestTimeoutMilliseconds: UInt64 = 60_000
    /// How long this node may take to catch up with a client that has seen more; below the time that clients wait for a
    /// welcome.
    package var catchUpMilliseconds: UInt64 = 3_000
    /// Bounds of the random delay after go-away.
    package var reconnectMilliseconds: ClosedRange<UInt32> = 100...2_000

    package init(cluster: String, node: String, agent: String, locales: [String]) {
        self.cluster = cluster
        self.node = node
        self.agent = agent
        self.locales = locales
    }

    /// Takes over the limits that sessions enforce themselves.
    mutating func apply(_ limits: ServerLimits) {
        variantsPerConnection = limits.variantsPerConnection
        renewals = limits.renewals
        helloTimeoutMilliseconds = UInt64(clamping: limits.helloSeconds) * 1_000
        self.limits.subscriptions = UInt32(clamping: limits.subscriptions)
        self.limits.calls = UInt32(clamping: limits.calls)
    }

    /// The steps that a frame with this many bytes takes.
    static func steps(_ bytes: Int) -> Int { 1 + bytes / stepBytes }

    /// The ping interval for a client: the one it asks for, within this server's minimum and its own interval.
    func pingInterval(requested: UInt32?) -> UInt32 {
        guard let requested else { return pingIntervalMilliseconds }
        return min(max(requested, pingMinimumMilliseconds), pingIntervalMilliseconds)
    }

    /// The progress interval for a client with that ping interval. It is never longer: a client that keeps receiving
    /// data sends no pings, so only its acks of progress show that it is alive.
    func progressInterval(pinging interval: UInt32) -> UInt32 { min(progressIntervalMilliseconds, interval) }
}

extension WireLimits {
    /// The limits on what a server accepts from a relay.
    package static let relay = {
        var limits = WireLimits.server
        limits.subscriptions = 65_536
        limits.calls = 1_024
        limits.creditBytes = 16 << 20
        return limits
    }()

    /// The least limits that a client has to accept. Cuts are kept within the client's limits, but one join for each of
    /// its views has to fit.
    package static let leastOfClients = {
        var limits = WireLimits.client
        limits.cutBytes = 4 << 20
        return limits
    }()

    /// Whether a receiver with these limits accepts everything that a sender within `other` may send in data frames.
    func admit(_ other: WireLimits) -> Bool {
        frameBytes >= other.frameBytes && partBytes >= other.partBytes && elementsPerFrame >= other.elementsPerFrame
            && listItems >= other.listItems && sections >= other.sections && cutBytes >= other.cutBytes
            && creditBytes > 0
    }
}
