package import MarqueeModel
package import MarqueeStore
package import MarqueeTypes
package import MarqueeWire
package import NIOCore

/// The source of views, positions and answers for a server's sessions: a hub over a store, or a server upstream.
///
/// Thread safe. Completions are called once, on any thread unless stated otherwise.
package protocol ContentSource: AnyObject, Sendable {
    /// The number of requests to open a view that a connection may have waiting now.
    var openAllowance: Int { get }
    /// The locales that have screens now.
    var locales: [String] { get }
    /// The current types of records; `nil` where they aren't known.
    var types: TypeSet? { get }

    /// Opens a view whose variants are kept current until they are released.
    /// - Parameters:
    ///   - caller: the party that will see the view; its permission was checked before.
    ///   - completion: called at the view's place in the order of publications; not at all if the connection is dropped
    ///     before its turn.
    func open(
        _ request: OpenRequest, by caller: ContentCaller, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<OpenedView, Status>) -> Void)

    /// Releases variants that are no longer shown.
    func release(_ handles: [UInt64])

    /// Looks up the position to announce in a welcome, never ahead of what will be shown, and the highest mutation
    /// number applied for a client.
    /// - Parameter claim: the client's own account, used if the store can't be reached; `nil` for a relay's guest.
    func locate(
        _ caller: ContentCaller, claim: PositionClaim?, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<(cut: Cut, lastMutation: UInt64?), Status>) -> Void)

    /// Makes a call, other than `health`.
    /// - Parameter deadline: when the caller stops waiting, in milliseconds of the server's clock; `nil` for never.
    func perform(
        _ call: ContentCall, by caller: ContentCaller, for connection: ConnectionID, deadline: UInt64?,
        completion: @escaping @Sendable (Result<[UInt8], Status>) -> Void)

    /// Finds all mistakes in a publication that can be found without committing it.
    func check(
        _ documents: [[UInt8]], by identity: Identity, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<[PublicationMistake], Status>) -> Void)

    /// Finds out how a publication without mistakes would change a screen.
    func preview(
        _ documents: [[UInt8]], by identity: Identity, of screen: GetScreenRequest, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<PublicationPreview, Status>) -> Void)

    /// Reads a record as JSON in the form that `put` takes, the programme as it was published, or the types as the
    /// change that publishes them; `nil` if there is none.
    func read(
        _ document: StoredDocument, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<String?, Status>) -> Void)

    /// The newest commits; `nil` where only a server upstream knows them.
    var history: CommitHistory? { get }

    /// Logs a publication that was refused before it got here.
    func refused(_ status: Status, publicationBy caller: ContentCaller, for connection: ConnectionID)

    /// Handles a client that has seen more than the store has, although it waited.
    func note(ahead client: ClientAhead)

    /// Drops the waiting requests of a connection that has closed.
    func drop(_ connection: ConnectionID)

    /// Called about once a second.
    func tick(now: UInt64)
    /// Returns once everything submitted is done. Called when no connection is left.
    func finish() async
    /// Stops passing work between threads.
    func stop()

    // MARK: - For operators

    /// The catalogue's newest revision that has been published.
    var revision: UInt64 { get }
    /// Records by type.
    var records: [RecordCount] { get }
    /// The reason why this source can't reach its store, or the server upstream, and since when; `nil` if it can.
    var outage: SourceOutage? { get }
    /// The age of the content shown, in milliseconds; `nil` if it is current. It isn't current either if the server
    /// upstream can be reached, but can't reach its own source.
    var staleMilliseconds: UInt64? { get }
    /// The reason why nothing can be stored although the store, or the server upstream, can be reached, and since when;
    /// `nil` if writes succeed, or nobody has tried recently.
    var writeFailure: SourceOutage? { get }
    /// Why the time of day isn't believed; `nil` if it is, or if nothing here depends on it.
    var clockTrouble: ClockTrouble? { get }
    var laneFigures: [LaneFigures] { get }
    var commitFigures: [String: CommitFigures] { get }
    /// The sources that publish here from elsewhere, sorted by name.
    var sources: [SourceState] { get }
    /// How many variants are remembered, and how many subscribers each has.
    func variantCounts(within bound: AnswerBound) async throws -> VariantCounts
    /// The variants with these handles that still exist, in this order.
    func variantReports(_ handles: [UInt64], within bound: AnswerBound) async throws -> [VariantReport]
    /// Completes once the publishing thread has done all it had to do before.
    func turn() -> EventLoopFuture<Void>
}

extension ContentSource {
    package var types: TypeSet? { nil }

    /// For how long no change could be stored, in milliseconds; `nil` if changes are stored, as far as is known.
    var unwritableMilliseconds: UInt64? { [outage, writeFailure].compactMap { $0?.age }.max() }

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

    package var clockTrouble: ClockTrouble? { nil }
    package var history: CommitHistory? { nil }
    package var sources: [SourceState] { [] }

    package func refused(_ status: Status, publicationBy caller: ContentCaller, for connection: ConnectionID) {}
}

/// A document of the store that a publisher wants to see before changing it.
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
    /// A relay was asked for something that only a server with a store has.
    static let noStoreHere = Status(
        .unimplemented, reason: "NO_STORE_HERE", remedy: .fatal,
        message: "only a server with a store has records and commits; ask that one")
}

/// All sessions of a server, as the receivers of what a source publishes.
package struct Audience: Sendable {
    /// Passes a publication to all of them. Called on one thread, in order.
    package let publish: @Sendable (Publication) -> Void
    /// The users whose publications they receive. May be called on any thread.
    package let users: @Sendable () -> Set<String>
}
