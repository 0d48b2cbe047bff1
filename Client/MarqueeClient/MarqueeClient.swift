import Foundation
import MarqueeLocks
import MarqueeMirror
public import MarqueeModel
import MarqueeWire
package import NIOCore

/// A client of a Marquee server, with a mirror that it keeps up to date.
///
/// ```swift
/// let client = MarqueeClient("films.example", user: "mina") { try await Session.token() }
/// for try await update in client.screen(.home) {
///     for section in update.screen.sections {
///         print(section.title ?? section.id, section.items.count)
///     }
/// }
/// ```
///
/// The client connects when first needed and reconnects automatically. Everything it shows comes from the mirror, so
/// being offline is no special case. All methods may be called from any thread. Releasing the client closes everything.
public final class MarqueeClient: Sendable {
    /// The version of this library.
    package static var version: String { MarqueeVersion.current }
    /// The most bytes of a search query.
    package static let maximumQuery = 1_024

    let configuration: ClientConfiguration
    private let loop: any EventLoop
    /// Ends the loop's thread, if it belongs to this client alone.
    private let endLoop: @Sendable () -> Void
    /// The outcome of opening the mirror. Set by the first task of the client's thread, so every later one finds it.
    private let opened: NIOLoopBoundBox<Result<ClientEngine, ClientError>?>
    private let hub: EventHub
    /// Set once, when the client is complete, because events may arrive immediately.
    private let systemEvents = Locked<SystemEvents?>(nil)

    /// Creates a client with defaults for everything: TLS to any other machine, and the mirror at its standard place
    /// (`MirrorStorage.standard`).
    /// - Parameters:
    ///   - host: a host name or an address.
    ///   - port: the TCP port; servers use 7420 by default.
    ///   - user: the user whose favorites and other collections it shows; `nil` for none.
    ///   - token: called for each connection attempt; see `ClientConfiguration.token`.
    public convenience init(
        _ host: String, port: Int = 7_420, user: String? = nil,
        token: (@Sendable () async throws -> String)? = nil
    ) {
        self.init(ClientConfiguration(host: host, port: port, user: user, token: token))
    }

    /// Creates a client that opens its mirror on its own thread, and returns immediately. Doesn't connect yet.
    ///
    /// If the mirror can't be opened, every call and sequence throws the reason, and `events` reports it; to be told
    /// first, use `open`. The mirror's file is checked for damage while the client is in use. If it is damaged,
    /// everything readable is moved to a new file, unsent changes first, and `events` reports it; see
    /// `ClientEvent.mirrorRecovered`.
    public convenience init(_ configuration: ClientConfiguration) {
        let transport = SystemTransport.chosen(for: configuration)
        let group = transport.makeThread()
        self.init(configuration, on: group.next(), endLoop: { group.shutdownGracefully { _ in } }) {
            SystemEnvironment(transport)
        }
        if configuration.observesAppLifecycle { systemEvents.withLock { $0 = SystemEvents(of: self) } }
    }

    /// Creates a client on a thread that it shares with others, for programs with many clients.
    /// - Parameter loop: a SwiftNIO event loop for sockets.
    package convenience init(_ configuration: ClientConfiguration, sharing loop: any EventLoop) {
        let transport = SocketTransport()
        self.init(configuration, on: loop) { SystemEnvironment(transport) }
    }

    /// Creates a client for tests and previews, which supply their own clock and connections.
    ///
    /// - Parameters:
    ///   - loop: the engine's event loop.
    ///   - endLoop: called once nothing needs the loop any more.
    ///   - tokens: the source of tokens; `nil` for the configuration's closure.
    ///   - environment: called on the loop.
    package init(
        _ configuration: ClientConfiguration, on loop: any EventLoop, endLoop: @escaping @Sendable () -> Void = {},
        tokens: TokenSource? = nil, environment: @escaping @Sendable () -> any ClientEnvironment
    ) {
        self.configuration = configuration
        let log = ClientLog(configuration.logger)
        let hub = EventHub { log.record($0) }
        let opened = NIOLoopBoundBox.makeEmptyBox(valueType: Result<ClientEngine, ClientError>.self, eventLoop: loop)
        self.loop = loop
        self.endLoop = endLoop
        self.hub = hub
        self.opened = opened
        loop.execute {
            do throws(MirrorError) {
                opened.value = .success(
                    try ClientEngine(
                        configuration: configuration, loop: loop, hub: hub, tokens: tokens, environment: environment()))
            } catch {
                let error = ClientError(mirror: error)
                opened.value = .failure(error)
                hub.send(.state(.failed(error)))
                hub.finish()
            }
        }
    }

    /// Creates a client and waits until its mirror is open. No thread is blocked, and a large mirror doesn't take
    /// longer.
    /// - Throws: `mirrorOfAnotherUser`, `mirrorInUse`, `mirrorDamaged`, `notAMirror`, `diskFull` or `mirrorUnusable`
    ///   when the mirror can't be opened; for a companion also `noMirror` when there is no mirror yet that has been
    ///   connected to a server, and `busy` while the owner is replacing its file.
    public static func open(_ configuration: ClientConfiguration) async throws(ClientError) -> MarqueeClient {
        let client = MarqueeClient(configuration)
        try await client.onLoop(throwing: { _ throws(ClientError) in })
        return client
    }

    deinit {
        let opened = opened
        let endLoop = endLoop
        loop.execute {
            guard case .success(let engine)? = opened.value else { return endLoop() }
            engine.stop()
            // A connection attempt still needs its event loop.
            engine.whenIdle(endLoop)
        }
    }

    /// Ends all subscriptions, closes the connection and the mirror, and waits until that is done.
    public func close() async {
        await onLoopIfOpen { _ = $0.stop() }
    }

    // MARK: - Screens

    /// The states of a screen: the mirror's immediately if it has one, then each newer one. A slow reader skips states
    /// and never gets the same state twice.
    ///
    /// The sequence throws a `ClientError` when the server refuses the screen for good; other screens aren't affected.
    /// Leaving the loop, or cancelling its task, ends the subscription. Several readers of one screen share a
    /// subscription; see `ScreenUpdates`.
    /// - Parameters:
    ///   - id: the screen.
    ///   - sorts: the initial order of sections, by their ids, for all readers of the screen. Sections not named keep
    ///     the mirror's options, or the default; the same is true of windows.
    ///   - windows: the number of items to show of a section, by its id, to this reader.
    ///   - source: whether to begin with the mirror's content, and whether to use the server at all.
    public func screen(
        _ id: ScreenID, sorts: [String: String] = [:], windows: [String: Int] = [:],
        source: ScreenSource = .mirrorFirst
    ) -> ScreenUpdates {
        screen(id, options: [SectionOptions](sorts: sorts, windows: windows), source: source)
    }

    /// The same with options by section.
    package func screen(
        _ id: ScreenID, options: [SectionOptions], source: ScreenSource = .mirrorFirst
    ) -> ScreenUpdates {
        ScreenUpdates(client: self, screen: id, options: options, source: source)
    }

    /// Fetches a screen once, without subscribing and without changing the mirror. Cancelling the task cancels the
    /// request on the server.
    /// - Parameters:
    ///   - screen: the screen.
    ///   - sorts: the order of sections, by their ids; those not named have the server's default. A screen from the
    ///     mirror has the options it was last shown with.
    ///   - windows: the number of items to show of a section, by its id.
    ///   - source: with `mirrorFirst`, the server is used only if the mirror has nothing.
    /// - Throws: `notFound`, `notSignedIn` and `unknownOptions`, among others; `notStored` with the source `mirror`,
    ///   when the mirror has nothing.
    public func fetchScreen(
        _ screen: ScreenID, sorts: [String: String] = [:], windows: [String: Int] = [:],
        source: ScreenSource = .server
    ) async throws(ClientError) -> Screen {
        try await fetchScreen(
            screen, options: [SectionOptions](sorts: sorts, windows: windows), source: source)
    }

    /// The same with options by section. From the server it can also be fetched as another reader sees it, or at
    /// another moment.
    ///
    /// - Parameters:
    ///   - reader: claims and audiences, such as `plan=free`; empty for the client itself.
    ///   - moment: `nil` for now.
    ///   - draft: a draft to apply; `nil` for the catalogue alone.
    package func fetchScreen(
        _ screen: ScreenID, options: [SectionOptions], source: ScreenSource = .server, reader: [String] = [],
        at moment: Moment? = nil, draft: String? = nil
    ) async throws(ClientError) -> Screen {
        if let error = ClientEngine.refusal(of: screen.name, options) { throw error }
        if source != .server {
            let id = viewID(screen)
            let stored = try await onLoop(throwing: { engine throws(ClientError) in
                if engine.isSuspended { throw .suspended }
                return engine.isStopped ? nil : engine.storedState(of: id)
            })
            if let stored { return stored.screen }
            if source == .mirror { throw ClientError(.notStored, "the mirror doesn't have the screen '\(screen)'") }
        }
        var request = GetScreenRequest(
            screen: screen.name, locale: configuration.locale, sections: options.map(\.parameters))
        (request.reader, request.at, request.draft) = (reader, moment, draft)
        let answer = try await call(.getScreen, CallBodyCodec.encode(request)) {
            try CallBodyCodec.decodeGetScreenAnswer($0)
        }
        if request.isPreview {
            guard answer.isPreview else {
                throw ClientError(.updateNeeded, "the server can't show screens as another reader or at another moment")
            }
            guard answer.draft == draft else { throw ClientError(.updateNeeded, "the server knows no drafts") }
            return Screen(answer, collections: CollectionsOverlay(), asOf: Date().timeIntervalSince1970)
        }
        return Screen(answer, collections: await overlay(), asOf: Date().timeIntervalSince1970)
    }

    /// The user's collections, to be laid over an answer. A client that has just started waits until its mirror has
    /// them.
    private func overlay() async -> CollectionsOverlay {
        guard configuration.user != nil else { return CollectionsOverlay() }
        let opened = opened
        return await withCheckedContinuation { continuation in
            loop.execute {
                guard case .success(let engine)? = opened.value else {
                    return continuation.resume(returning: CollectionsOverlay())
                }
                engine.whenCollectionsKnown { continuation.resume(returning: $0) }
            }
        }
    }

    // MARK: - Events

    /// How far a shown screen can be relied on.
    /// - Throws: why the mirror can't be opened.
    /// - Returns: `nil` when the screen isn't being read.
    package func status(of screen: ScreenID) async throws(ClientError) -> ScreenStatus? {
        let id = viewID(screen)
        return try await onLoop(throwing: { engine throws(ClientError) in engine.status(of: id) })
    }

    /// The events of the client as a whole from here on, beginning with the current state of its connection. Reading
    /// this property costs nothing; listening begins with the loop over it.
    ///
    /// For a slow reader the least important events, such as news of the connection, are dropped first, oldest first. A
    /// rejected change is never dropped: when too many of them are unread, no further change is sent until some are
    /// read.
    public var events: ClientSequence<ClientEvent, Never> { hub.events() }

    /// Returns the counters of the client's work since it was made: bytes, cuts, repairs and latencies.
    /// - Throws: why the mirror can't be opened.
    package func counters() async throws(ClientError) -> ClientCounters {
        try await onLoop(throwing: { engine throws(ClientError) in engine.counters })
    }

    // MARK: - Calls

    /// Finds everything that contains the query, in any language; the server's programme declares the types to search.
    /// Needs a connection; cancelling the task cancels the search on the server.
    /// - Parameters:
    ///   - query: at most 1,024 bytes.
    ///   - page: the page's number, from 1.
    ///   - filters: values that the matches have in fields; the types declare those fields as facets of their search.
    ///   - facets: fields whose values among the matches are counted.
    /// - Returns: the matches on that page alone; `liveSearch` joins pages.
    public func search(
        _ query: String, page: Int = 1, filters: [String: String] = [:], facets: [String] = []
    ) async throws(ClientError) -> SearchResults {
        let found = try await searchPage(
            query, page: page, filters: filters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, facets: facets)
        var results = SearchResults(
            query: query, items: found.items, total: found.total, isTotalCapped: found.isTotalCapped,
            hasMore: found.page < found.pages)
        results.facets = found.facets
        return results
    }

    /// One page of matches, with the revision of the catalogue that was searched.
    package func searchPage(
        _ query: String, page: Int = 1, filters: [(field: String, value: String)] = [], facets: [String] = []
    ) async throws(ClientError) -> SearchPage {
        guard query.utf8.count <= Self.maximumQuery, page > 0 else {
            throw ClientError(.limit, "a query has at most \(Self.maximumQuery) bytes, and pages begin with 1")
        }
        let (limit, bytes) = (Int(SearchRequest.maximumFilters), SearchRequest.maximumFilterBytes)
        let texts = filters.flatMap { [$0.field, $0.value] } + facets
        guard filters.count <= limit, facets.count <= limit, texts.allSatisfy({ $0.utf8.count <= bytes }) else {
            throw ClientError(.limit, "a search has at most \(limit) filters and facets, of \(bytes) bytes")
        }
        var request = SearchRequest(
            query: query, queryID: 0, page: UInt32(clamping: page), locale: configuration.locale)
        request.filters = filters.map { SearchRequest.Filter(field: $0.field, value: $0.value) }
        request.facets = facets
        let answer = try await call(.search, CallBodyCodec.encode(request)) {
            try CallBodyCodec.decodeSearchAnswer($0)
        }
        guard answer.filters == UInt32(clamping: filters.count) else {
            throw ClientError(.updateNeeded, "the server can't filter the results of a search")
        }
        return SearchPage(answer, favorites: await overlay().favorites)
    }

    // MARK: - The mirror

    /// Returns a summary of the mirror's contents.
    package func mirrorStatus() async throws(ClientError) -> MirrorStatus {
        try await onLoop(throwing: { engine throws(ClientError) in try engine.mirrorStatus() })
    }

    // MARK: - Helpers

    static let notSignedIn = ClientError(
        .notSignedIn, "favorites and other collections need a user; name one in the configuration")

    /// Runs `work` on the thread that owns the engine, and waits for it. Does nothing if the mirror could not be
    /// opened.
    func onLoopIfOpen(_ work: @escaping @Sendable (ClientEngine) -> Void) async {
        _ = await result { .success(work($0)) }
    }

    /// Runs `work` on the thread that owns the engine.
    /// - Throws: the error of `work`, or the reason why the mirror could not be opened.
    func onLoop<Value: Sendable>(
        throwing work: @escaping @Sendable (ClientEngine) throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        try await result { engine in
            do throws(ClientError) { return .success(try work(engine)) } catch { return .failure(error) }
        }.get()
    }

    private func result<Value: Sendable>(
        _ work: @escaping @Sendable (ClientEngine) -> Result<Value, ClientError>
    ) async -> Result<Value, ClientError> {
        await withCheckedContinuation { continuation in
            enqueue {
                continuation.resume(returning: work($0))
            } otherwise: {
                continuation.resume(returning: .failure($0))
            }
        }
    }

    /// Runs `work` on the thread that owns the engine, without waiting.
    /// - Parameter otherwise: runs there instead if the mirror could not be opened.
    func enqueue(
        _ work: @escaping @Sendable (ClientEngine) -> Void,
        otherwise: @escaping @Sendable (ClientError) -> Void = { _ in }
    ) {
        let opened = opened
        loop.execute {
            switch opened.value {
            case .success(let engine)?: work(engine)
            case .failure(let error)?: otherwise(error)
            case nil: otherwise(.closed)
            }
        }
    }

    func call<Value: Sendable>(
        _ method: Method, _ body: [UInt8], decode: (([UInt8]) throws -> Value)
    ) async throws(ClientError) -> Value {
        let timeout = configuration.callTimeout
        let ticket = CallTicket()
        let result: Result<[UInt8], ClientError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue { engine in
                    guard !ticket.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
                    ticket.id = engine.call(method, body, timeout: timeout) { continuation.resume(returning: $0) }
                } otherwise: {
                    continuation.resume(returning: .failure($0))
                }
            }
        } onCancel: {
            ticket.cancel()
            enqueue { engine in if let id = ticket.id { engine.cancelCall(id) } }
        }
        return try Self.decode(try result.get(), decode)
    }

    static func decode<Value>(
        _ body: [UInt8], _ decode: ([UInt8]) throws -> Value
    ) throws(ClientError) -> Value {
        do {
            return try decode(body)
        } catch {
            throw ClientError(.refused, "the server's answer can't be read: \(error)", cause: error)
        }
    }
}
