import MarqueeServer

/// Events that schedules should run into. A long run in which one never happened hasn't tested it.
package enum Occurrence: String, CaseIterable, Sendable {
    // Network
    case connectionCut, connectionRefused, split, stall, halfOpen, contentDamaged, bitDamaged,
        bitDamagedToServer, garbage, unknownKind, unknownField
    // Devices
    case clientKilled, clientCrashedInWrite, clientRestarted, clientDiskFull, clientSlept, clientSuspended, bitFlipped,
        tornLog
    case mirrorCopied
    // Servers
    case serverCrashed, serverCrashedInWrite, serverDiskFull, storeUnreachable, serverDrained, nodeLagging
    case historyCut, eviction, epochChanged, programmeChanged, cohortCut, cohortShared, cohortLeft
    case tokenRenewed, tokenEnded, tokenRevoked, tokenRevised, tokenNarrowed, tokenWidened, audienceSwitched,
        viewForbidden, changeForbidden
    case tooManyConnections, tooManyOfAddress, tooManyOfUser, tooManyUnauthenticated, tooManyVariants,
        tooManyVariantsInAll
    case commitsGivenAway, clientForgotten, logRead, logReadAgain, cameInOutage
    case movesHeard, movesMissed, commitInDoubt, failover, failoverLost, databaseFoundBehind
    case databaseCrashed, databaseConnectionEnded, databaseSettingChanged, databaseClockLeapt, failoverInCommit,
        formerReturned, formerRefused, silenceEnded, commitFound, commitClaimed, claimUnanswered, outcomeUnknown
    case relayConnected, relayChained, relayCrashed, relayLinkFault, arrivedInLoss, relayGaveUp, relayBeganAnew
    case guestIntroduced, guestSwitched, guestRevised
    // People
    case commit, timePassed, favorite, progress, sortChosen, windowChosen, windowMoved, screenShown, screenHidden
    // Recovery
    case reconnect, tier0, tier1, tier2, tier3, manifest, nack, repair, sectionFailed, mended
    case nodeBehind, clientCloned, mutationForgotten, mutationRepeated, mutationRejected, rolledBack, damagedSection,
        storedOnFile, keptInMemory, dialect

    /// The rows of a report.
    package static let groups: [(title: String, range: ClosedRange<Occurrence>)] = [
        ("network", .connectionCut ... .unknownField), ("devices", .clientKilled ... .mirrorCopied),
        ("servers", .serverCrashed ... .guestRevised), ("people", .commit ... .screenHidden),
        ("outcome", .reconnect ... .dialect),
    ]
}

extension Occurrence {
    /// A limit that the simulation's servers have was hit.
    init?(_ limit: Limit) {
        switch limit {
        case .connections: self = .tooManyConnections
        case .connectionsPerAddress: self = .tooManyOfAddress
        case .connectionsPerUser: self = .tooManyOfUser
        case .unauthenticated: self = .tooManyUnauthenticated
        case .variantsPerConnection: self = .tooManyVariants
        case .variants: self = .tooManyVariantsInAll
        case .accepts, .descriptors, .renewals, .hello, .subscriptions, .calls, .publications, .answers, .manifests,
            .observations,
            .proxies, .webRequests, .webBodies, .webHeads, .webOrigins, .webMessages:
            return nil
        }
    }
}

extension Occurrence: Comparable {
    private static let places = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($0.element, $0.offset) })

    var place: Int { Self.places[self] ?? 0 }

    package static func < (a: Occurrence, b: Occurrence) -> Bool { a.place < b.place }
}

/// How often each thing happened.
package struct Counts: Sendable {
    private var counts = [UInt64](repeating: 0, count: Occurrence.allCases.count)

    package init() {}

    package subscript(occurrence: Occurrence) -> UInt64 {
        get { counts[occurrence.place] }
        set { counts[occurrence.place] = newValue }
    }

    package mutating func add(_ other: Counts) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }

    /// Everything that never happened.
    package var missing: [Occurrence] { Occurrence.allCases.filter { self[$0] == 0 } }
}
