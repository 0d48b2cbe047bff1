package import MarqueeModel
package import MarqueeStore
package import MarqueeTypes
package import MarqueeWire
package import NIOCore

/// Where a server's sessions get their views, positions and answers from: a hub over a store, or a server upstream.
///
/// Thread safe. Completions are called once, on any thread unless it says otherwise.
package protocol ContentSource: AnyObject, Sendable {
    /// How many opens a connection may have waiting now.
    var openAllowance: Int { get }
    /// The locales in which there are screens now.
    var locales: [String] { get }
    /// The types of records in force; `nil` where they aren't known.
    var types: TypeSet? { get }

    /// Opens a view whose variants are kept current until they are released.
    /// - Parameters:
    ///   - caller: who shall see it; that they may was checked.
    ///   - completion: called between the same publications as the view was opened; not at all if the connection is
    ///     dropped before its turn.
    func open(
        _ request: OpenRequest, by caller: ContentCaller, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<OpenedView, Status>) -> Void)

    /// Variants are no longer shown.
    func release(_ handles: [UInt64])

    /// Looks up the position to name in a welcome, never ahead of what will be shown, and the highest mutation number
    /// applied for a client.
    /// - Parameter claim: what the client says of itself, in case that nobody can be asked; `nil` for a relay's guest.
    func locate(
        _ caller: ContentCaller, claim: PositionClaim?, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<(cut: Cut, lastMutation: UInt64?), Status>) -> Void)

    /// Makes a call, other than `health`.
    /// - Parameter deadline: when the caller stops waiting, in milliseconds of the server's clock; `nil` for never.
    func perform(
        _ call: ContentCall, by caller: ContentCaller, for connection: ConnectionID, deadline: UInt64?,
        completion: @escaping @Sendable (Result<[UInt8], Status>) -> Void)

    /// Finds all mistakes of a publication that can be found without committing it.
    func check(
        _ documents: [[UInt8]], by identity: Identity, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<[PublicationMistake], Status>) -> Void)

    /// Finds out what a publication without mistakes would do to a screen.
    func preview(
        _ documents: [[UInt8]], by identity: Identity, of screen: GetScreenRequest, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<PublicationPreview, Status>) -> Void)

    /// A record as JSON, as `put` takes it, the programme as it was published, or the types as the change that
    /// publishes them; `nil` if there is none.
    func read(
        _ document: StoredDocument, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<String?, Status>) -> Void)

    /// The newest commits; `nil` where only a server upstream knows them.
    var history: CommitHistory? { get }

    /// A publication was refused before it got here.
    func refused(_ status: Status, publicationBy caller: ContentCaller, for connection: ConnectionID)

    /// A client has seen more than there is, and waiting hasn't helped.
    func note(ahead client: ClientAhead)

    /// Drops the waiting requests of a connection that has closed.
    func drop(_ connection: ConnectionID)

    /// Called about once a second.
    func tick(now: UInt64)
    /// Returns once everything that was submitted is done. No connection is left.
    func finish() async
    /// From here on, no work may pass between threads.
    func stop()

    // MARK: - For operators

    /// The catalogue's newest revision that has been published.
    var revision: UInt64 { get }
    /// Records by type.
    var records: [RecordCount] { get }
    /// That this source is without what it gets its content from; `nil` if it has it.
    var outage: SourceOutage? { get }
    /// The age of the content shown, in milliseconds; `nil` if it is current. Also where a server upstream, which can
    /// be reached, is without what it gets its content from.
    var staleMilliseconds: UInt64? { get }
    var laneFigures: [LaneFigures] { get }
    var commitFigures: [String: CommitFigures] { get }
    /// The sources that publish here from elsewhere, by their names.
    var sources: [SourceState] { get }
    /// Those of them that aren't as they should be.
    var sourceTroubles: [SourceTrouble] { get }
    /// How many variants are remembered, and how many subscribers each has.
    func variantCounts(within bound: AnswerBound) async throws -> VariantCounts
    /// The variants with these handles that still exist, in this order.
    func variantReports(_ handles: [UInt64], within bound: AnswerBound) async throws -> [VariantReport]
    /// Completes once the thread that publishes has done what it had to do before.
    func turn() -> EventLoopFuture<Void>
}

extension ContentSource {
    package var types: TypeSet? { nil }

    package func check(
        _ documents: [[UInt8]], by identity: Identity, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<[PublicationMistake], Status>) -> Void
    ) {
        completion(
            .failure(
                Status(
                    .unimplemented, reason: "NO_TYPES_HERE", remedy: .fatal,
                    message: "only a server with a store can check a publication; ask that one")))
    }

    package func preview(
        _ documents: [[UInt8]], by identity: Identity, of screen: GetScreenRequest, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<PublicationPreview, Status>) -> Void
    ) {
        completion(.failure(.noStoreHere))
    }

    package func read(
        _ document: StoredDocument, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<String?, Status>) -> Void
    ) {
        completion(.failure(.noStoreHere))
    }

    package var history: CommitHistory? { nil }
    package var sources: [SourceState] { [] }
    package var sourceTroubles: [SourceTrouble] { [] }

    package func refused(_ status: Status, publicationBy caller: ContentCaller, for connection: ConnectionID) {}
}

/// Something that a store holds and that a publisher wants to see before changing it.
package enum StoredDocument: Hashable, Sendable {
    case record(type: String, id: String)
    case programme
    case types

    /// As a scope to publish names it, see `Change.subjectOfPublishing`.
    package var subjectOfPublishing: String {
        switch self {
        case .record(let type, _): type
        case .programme: ":programme"
        case .types: ":types"
        }
    }
}

extension Status {
    /// A relay is asked for something that only a server with a store has.
    static let noStoreHere = Status(
        .unimplemented, reason: "NO_STORE_HERE", remedy: .fatal,
        message: "only a server with a store has records and commits; ask that one")
}

/// All sessions of a server, for the source of what they show.
package struct Audience: Sendable {
    /// Passes a publication to all of them. Called on one thread, in order.
    package let publish: @Sendable (Publication) -> Void
    /// The users whose publications they receive. May be called on any thread.
    package let users: @Sendable () -> Set<String>
}
