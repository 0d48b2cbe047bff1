package import MarqueeModel
import MarqueeStore
package import MarqueeWire

/// The party that makes a call: the client, or a relay's guest.
package struct ContentCaller: Hashable, Sendable {
    package var identity: Identity
    package var clientID: [UInt8]
    /// Stands for the client's address, as `MutationID.origin`; `nil` for a relay's guest.
    package var origin: UInt64?
    /// The number of a relay's guest, whose requests take turns with those of others.
    var relayedGuest: UInt32?
    /// Whether its publications are counted, so that each takes effect once however often it is sent. Without that, a
    /// key does it.
    var numbersPublications = true
    /// Where a publisher is, and what it calls itself, for the log.
    var place: Place?

    struct Place: Hashable, Sendable {
        var address: String
        var agent: String?
    }

    package init(identity: Identity, clientID: [UInt8]) {
        self.identity = identity
        self.clientID = clientID
    }

    package var user: String? { identity.user }
    /// The client id under which the store counts its mutations.
    package var mutationClient: [UInt8] { MutationID.client(clientID, of: user) }

    /// The name of one of its mutations in the users' log.
    func mutation(_ number: UInt64, answeredThrough: UInt64) -> MutationID {
        MutationID(client: mutationClient, number: number, answeredThrough: answeredThrough, origin: origin)
    }
}

/// The state of a client's mirror, as its hello claims it.
package struct PositionClaim: Hashable, Sendable {
    /// The newest position that it has seen.
    package var seen: Cut?
    /// It has the answers to all its mutations up to this number.
    package var answeredThrough: UInt64

    package init(seen: Cut?, answeredThrough: UInt64) {
        self.seen = seen
        self.answeredThrough = answeredThrough
    }
}

/// A unary call, decoded and validated.
package enum ContentCall: Sendable {
    case health
    case describe(locale: String?)
    case getScreen(GetScreenRequest)
    /// From a relay: which variants a view shows.
    case plan(GetScreenRequest)
    case search(SearchRequest)
    case collection(CollectionRequest)
    case report(ReportRequest)
    case publish(
        number: UInt64, answeredThrough: UInt64, key: String?, source: SourceMove?, changes: [[UInt8]],
        held: ByteBudget.Reservation)
    /// Where the sources are that the caller may move.
    case source(SourceRequest)
    case recordSums(RecordSumsRequest)
    case drafts(DraftsRequest)
}
