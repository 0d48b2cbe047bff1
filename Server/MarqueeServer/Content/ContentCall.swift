package import MarqueeModel
import MarqueeStore
package import MarqueeWire

/// The party that makes a call: the client, or a relay's guest.
package struct ContentCaller: Hashable, Sendable {
    package var identity: Identity
    package var clientID: [UInt8]
    /// A hash of the client's address, as in `MutationID.origin`; `nil` for a relay's guest.
    package var origin: UInt64?
    /// The number of a relay's guest, whose requests take turns with those of others.
    var relayedGuest: UInt32?
    /// Whether its publications are numbered, so that each takes effect once no matter how often it is sent. If not, a
    /// publication needs a key for that.
    var numbersPublications = true
    /// A publisher's address and the name it gives itself, for the log.
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

    /// The id of one of its mutations in the users' log.
    func mutation(_ number: UInt64, answeredThrough: UInt64) -> MutationID {
        MutationID(client: mutationClient, number: number, answeredThrough: answeredThrough, origin: origin)
    }
}

/// The state of a client's mirror, as its hello claims it.
package struct PositionClaim: Hashable, Sendable {
    /// The newest position that it has seen.
    package var seen: Cut?
    /// The number up to which it has the answers to all its mutations.
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
    /// From a relay: asks which variants a view shows.
    case plan(GetScreenRequest)
    case search(SearchRequest)
    case collection(CollectionRequest)
    case report(ReportRequest)
    case publish(
        number: UInt64, answeredThrough: UInt64, key: String?, source: SourceMove?, changes: [[UInt8]],
        held: ByteBudget.Reservation)
    /// Asks for the positions of the sources that the caller may move.
    case source(SourceRequest)
    case recordSums(RecordSumsRequest)
    case drafts(DraftsRequest)
}
