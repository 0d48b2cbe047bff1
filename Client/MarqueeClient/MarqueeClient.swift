import Foundation
import MarqueeLocks
import MarqueeMirror
public import MarqueeModel
import MarqueeWire
import NIOCore
import NIOPosix

/// A connection to a Marquee server, and the mirror it keeps up to date.
///
/// ```swift
/// let client = try MarqueeClient(ClientConfiguration(host: "127.0.0.1", port: 7420))
/// for try await update in client.screen(.home) {
///     for section in update.screen.sections {
///         print(section.head.header?.title ?? section.id, section.items.count)
///     }
/// }
/// ```
///
/// The client connects when first needed and reconnects by itself. Everything it shows comes from the mirror, so being
/// offline is no special case. All methods may be called from any thread. Releasing the client closes everything.
public final class MarqueeClient: Sendable {
    /// The version of this library.
    public static let version = "0.1.0"
    /// The most bytes of a search query.
    public static let maximumQuery = 1_024
    /// The most bytes of one published change.
    public static let maximumChange = PublishRequest.changeBytes

    let configuration: ClientConfiguration
    private let group: MultiThreadedEventLoopGroup
    private let engine: NIOLoopBound<ClientEngine>
    private let hub: EventHub

    /// Opens the mirror, and blocks the calling thread until it is open, which takes no longer for a large one. Doesn't
    /// connect yet.
    ///
    /// The mirror's file is checked for damage while the client is in use. If it is damaged, everything readable goes
    /// into a new file, unsent changes first, and `events` reports it; see `ClientEvent.mirrorRecovered`.
    /// - Throws: when the mirror can't be opened: it belongs to another user, another process has it open, or the
    ///   file isn't a mirror.
    public init(_ configuration: ClientConfiguration) throws(ClientError) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let hub = EventHub()
        let opened: Result<NIOLoopBound<ClientEngine>, ClientError>
        do {
            opened = try loop.submit { () -> Result<NIOLoopBound<ClientEngine>, ClientError> in
                do throws(MirrorError) {
                    let engine = try ClientEngine(configuration: configuration, loop: loop, hub: hub)
                    return .success(NIOLoopBound(engine, eventLoop: loop))
                } catch {
                    return .failure(ClientError(mirror: error))
                }
            }.wait()
        } catch {
            opened = .failure(ClientError(.mirrorUnusable, "the mirror can't be opened: \(error)"))
        }
        switch opened {
        case .failure(let error):
            group.shutdownGracefully { _ in }
            throw error
        case .success(let engine):
            self.configuration = configuration
            self.group = group
            self.hub = hub
            self.engine = engine
        }
    }

    deinit {
        let engine = engine
        let group = group
        group.next().execute {
            engine.value.stop()
            // A connection attempt still needs its event loop.
            engine.value.whenIdle { group.shutdownGracefully { _ in } }
        }
    }

    /// Ends all subscriptions, closes the connection and the mirror, and waits until that is done.
    public func close() async {
        await onLoop { $0.stop() }
    }

    // MARK: - Screens

    /// The states of a screen: the mirror's at once if it has one, then each newer one. A slow reader skips states and
    /// never gets the same state twice.
    ///
    /// The sequence throws a `ClientError` when the server refuses the screen for good. Leaving the loop, or cancelling
    /// its task, ends the subscription. Several readers of one screen share a subscription.
    /// - Parameter options: initial sorts and windows; sections not named keep what the mirror has, or the
    ///   default.
    public func screen(_ id: ScreenID, options: [SectionOptions] = []) -> ScreenUpdates {
        ScreenUpdates(client: self, screen: id, locale: configuration.locale, options: options)
    }

    /// Changes the sort or window of sections of a screen that is being shown, for all its readers.
    public func show(_ options: [SectionOptions], on screen: ScreenID) async {
        let locale = configuration.locale
        await onLoop { $0.setOptions(options, on: ViewID(screen: screen.name, locale: locale)) }
    }

    /// Fetches a screen once, without subscribing and without touching the mirror.
    public func get(_ screen: ScreenID, options: [SectionOptions] = []) async throws(ClientError) -> Screen {
        if let error = ClientEngine.refusal(of: screen.name, options) { throw error }
        let request = GetScreenRequest(
            screen: screen.name, locale: configuration.locale, sections: options.map(\.parameters))
        let answer = try await call(.getScreen, CallBodyCodec.encode(request)) {
            try CallBodyCodec.decodeGetScreenAnswer($0)
        }
        return Screen(answer, collections: await overlay(), asOf: Date().timeIntervalSince1970)
    }

    /// The user's collections, to be laid over an answer. A client that has just started waits until its mirror has
    /// them.
    private func overlay() async -> CollectionsOverlay {
        guard configuration.user != nil else { return CollectionsOverlay() }
        let engine = engine
        return await withCheckedContinuation { continuation in
            group.next().execute { engine.value.whenCollectionsKnown { continuation.resume(returning: $0) } }
        }
    }

    // MARK: - Events

    /// How far a shown screen can be relied on.
    /// - Returns: `nil` when the screen isn't being read.
    public func status(of screen: ScreenID) async -> ScreenStatus? {
        let id = ViewID(screen: screen.name, locale: configuration.locale)
        return await onLoop { $0.status(of: id) }
    }

    /// What happens to the client as a whole, beginning with its current state. A slow reader loses the least
    /// important events first, such as news of the connection, and of those the oldest.
    public var events: AsyncStream<ClientEvent> { hub.events() }

    // MARK: - The app's life

    /// Call this when the app returns to the foreground. It probes the connection, which has 3 seconds to answer, and
    /// replaces it if it did not survive the suspension. A pause between attempts ends. Calling it often is harmless.
    public func enteredForeground() { enqueue { $0.wake() } }

    /// Call this when the device changes networks or regains one. Does the same as `enteredForeground`.
    public func networkChanged() { enqueue { $0.wake() } }

    // MARK: - Calls

    /// What the server offers.
    public func describe() async throws(ClientError) -> ServerOffer {
        let body = CallBodyCodec.encodeDescribeRequest(locale: configuration.locale)
        let answer = try await call(.describe, body) { try CallBodyCodec.decodeDescribeAnswer($0) }
        return ServerOffer(answer)
    }

    public func health() async throws(ClientError) -> ServerHealth {
        ServerHealth(try await call(.health, []) { try CallBodyCodec.decodeHealthAnswer($0) })
    }

    /// Finds what contains the query, in any language; the server's programme says which types are searched. Needs a
    /// connection; cancelling the task cancels the search on the server.
    /// - Parameter page: from 1.
    public func search(_ query: String, queryID: UInt64 = 0, page: Int = 1) async throws(ClientError) -> SearchPage {
        guard query.utf8.count <= Self.maximumQuery, page > 0 else {
            throw ClientError(.limit, "a query has at most \(Self.maximumQuery) bytes, and pages begin with 1")
        }
        let request = SearchRequest(
            query: query, queryID: queryID, page: UInt32(clamping: page), locale: configuration.locale)
        let answer = try await call(.search, CallBodyCodec.encode(request)) {
            try CallBodyCodec.decodeSearchAnswer($0)
        }
        return SearchPage(answer, favorites: await overlay().favorites)
    }

    /// Publishes changes of the catalogue as one commit.
    /// - Parameters:
    ///   - changes: JSON documents, each one change, such as
    ///     `{"merge": {"type": "episode", "id": "e1", "record": {"plays": 12}}}`.
    ///   - key: a commit with this key is made once, however often it is published.
    public func publish(_ changes: [String], key: String? = nil) async throws(ClientError) -> PublishReceipt {
        if let index = changes.firstIndex(where: { $0.utf8.count > Self.maximumChange }) {
            throw ClientError(.limit, "change \(index + 1) has more than \(Self.maximumChange) bytes")
        }
        let parts = PublishRequest.parts(of: changes.map { Array($0.utf8) })
        let (number, answeredThrough) = try await onLoop(throwing: { engine throws(ClientError) in
            try engine.takeMutationNumber()
        })
        defer { enqueue { $0.publicationEnded(number) } }
        var receipt = PublishReceipt(revision: 0, changed: false)
        for (index, part) in parts.enumerated() {
            let request = PublishRequest(
                number: number, answeredThrough: answeredThrough, key: key, index: UInt32(clamping: index),
                last: index == parts.count - 1, changes: part)
            let body = try await call(.publish, CallBodyCodec.encode(request)) { $0 }
            guard request.last else { continue }
            let answer = try Self.decode(body) { try CallBodyCodec.decodeMutationAnswer($0) }
            receipt = PublishReceipt(revision: answer.cut.catalogueRevision ?? 0, changed: answer.changed)
        }
        return receipt
    }

    // MARK: - The mirror

    /// What the mirror contains.
    public func mirrorStatus() async throws(ClientError) -> MirrorStatus {
        try await onLoop(throwing: { engine throws(ClientError) in try engine.mirrorStatus() })
    }

    // MARK: - Helpers

    static let notSignedIn = ClientError(
        .notSignedIn, "favorites and other collections need a user; name one in the configuration")

    /// Runs `work` on the thread that owns the engine.
    func onLoop<Value: Sendable>(_ work: @escaping @Sendable (ClientEngine) -> Value) async -> Value {
        let engine = engine
        return await withCheckedContinuation { continuation in
            group.next().execute { continuation.resume(returning: work(engine.value)) }
        }
    }

    func onLoop<Value: Sendable>(
        throwing work: @escaping @Sendable (ClientEngine) throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        let result: Result<Value, ClientError> = await onLoop { engine in
            do throws(ClientError) { return .success(try work(engine)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Runs `work` on the thread that owns the engine, without waiting.
    func enqueue(_ work: @escaping @Sendable (ClientEngine) -> Void) {
        let engine = engine
        group.next().execute { work(engine.value) }
    }

    private func call<Value: Sendable>(
        _ method: Method, _ body: [UInt8], decode: (([UInt8]) throws -> Value)
    ) async throws(ClientError) -> Value {
        let engine = engine
        let loop = group.next()
        let timeout = configuration.callTimeout
        let ticket = CallTicket()
        let result: Result<[UInt8], ClientError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute {
                    guard !ticket.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
                    ticket.id = engine.value.call(method, body, timeout: timeout) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            ticket.cancel()
            loop.execute { if let id = ticket.id { engine.value.cancelCall(id) } }
        }
        return try Self.decode(try result.get(), decode)
    }

    private static func decode<Value>(
        _ body: [UInt8], _ decode: ([UInt8]) throws -> Value
    ) throws(ClientError) -> Value {
        do {
            return try decode(body)
        } catch {
            throw ClientError(.refused, "the server's answer can't be read: \(error)")
        }
    }
}

/// A call whose task may be cancelled before, while or after the engine takes it. Thread safe.
private final class CallTicket: Sendable {
    private let state = Locked((id: Int?.none, isCancelled: false))

    /// The engine's id of the call, once it has taken it.
    var id: Int? {
        get { state.withLock { $0.id } }
        set { state.withLock { $0.id = newValue } }
    }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
