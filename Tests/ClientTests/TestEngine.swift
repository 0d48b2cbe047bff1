import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueePresets
import MarqueeWire
import NIOCore
import NIOEmbedded
import Synchronization

@testable import MarqueeClient

/// An engine in a controlled world: the test advances the clock and plays the server.
final class TestEngine {
    static let home = ViewID(screen: "home", locale: "en")
    static let set = ViewID(screen: ScreenID.collectionSet.name, locale: "en")

    let engine: ClientEngine
    let world: World
    /// The events that the app received, in words.
    var events: [String] { heard.withLock { $0 } }
    private let heard: Events
    private let loop: EmbeddedEventLoop

    private final class Events: Sendable {
        private let list = Mutex<[String]>([])
        func withLock<Value>(_ body: (inout [String]) -> Value) -> Value {
            list.withLock { list in body(&list) }
        }
    }

    init(
        user: String? = "mina", mirror: (any MirrorEngine)? = nil, tokens: TokenSource? = nil,
        adjust: (inout ClientConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = ClientConfiguration(user: user, mirror: .memory)
        configuration.backoff = .seconds(1)...(.seconds(64))
        adjust(&configuration)
        let heard = Events()
        let hub = EventHub { event in heard.withLock { $0.append(Self.words(event)) } }
        loop = EmbeddedEventLoop()
        world = World(loop: loop)
        self.heard = heard
        engine = try ClientEngine(
            configuration: configuration, loop: loop, hub: hub,
            mirror: mirror ?? Mirror(location: .memory) { [UInt8](repeating: 1, count: 16) }, environment: world,
            tokens: tokens)
    }

    // MARK: - The app

    /// Starts observing a screen.
    func watch(_ id: ViewID = TestEngine.home) -> Watcher {
        let watcher = Watcher()
        engine.observe(id, options: [], watcher)
        return watcher
    }

    /// Sends the server a request with a timeout of 10 seconds.
    func call(_ method: Method) -> CallResult {
        let result = CallResult()
        result.id = engine.call(method, [], timeout: .seconds(10)) { outcome in result.take(outcome) }
        return result
    }

    /// The outcome of a call.
    final class CallResult: Sendable {
        private let state = Mutex((id: Int?.none, result: Result<[UInt8], ClientError>?.none))
        var id: Int? {
            get { state.withLock { $0.id } }
            set { state.withLock { $0.id = newValue } }
        }
        var isPresent: Bool { state.withLock { $0.result != nil } }
        var error: ClientError? {
            if case .failure(let error)? = state.withLock({ $0.result }) { error } else { nil }
        }

        func take(_ result: Result<[UInt8], ClientError>) { state.withLock { $0.result = result } }
    }

    func favorite(_ movie: UInt64, _ on: Bool = true) throws { try engine.setFavorite(.movie(movie), on) }

    func mark(_ movie: UInt64) -> FavoriteMark { engine.overlay.favorites.mark(of: "movie/\(movie)") }

    var outbox: [String] {
        ((try? engine.mirror.outbox()) ?? []).map { "\($0.number) \($0.on ? "+" : "-")\($0.subject)" }
    }

    func advance(_ seconds: Double) {
        loop.advanceTime(by: .milliseconds(Int64(seconds * 1_000)))
    }

    // MARK: - The server

    /// Establishes the awaited connection.
    func accept() { world.accept() }

    /// The server accepts the newest connection.
    func welcome(
        at cut: Cut = TestEngine.cut(10, 3), user: String? = "mina", last: UInt64? = nil, cluster: String = "c",
        identityMilliseconds: UInt64? = nil
    ) {
        var welcome = Welcome()
        welcome.cluster = cluster
        welcome.user = user
        welcome.cut = cut
        welcome.lastMutation = last
        welcome.identityMilliseconds = identityMilliseconds
        say(.welcome(welcome))
    }

    /// From a new engine to a live favorite set.
    func connect(
        at cut: Cut = TestEngine.cut(10, 3), confirmed: [UInt64] = [], last: UInt64? = nil
    ) {
        accept()
        welcome(at: cut, last: last)
        join(Self.set, [("favorites", Self.favorites(confirmed))], at: cut)
    }

    func say(_ message: Message, flags: FrameFlags = []) { world.say(message, flags: flags) }

    func say(_ messages: [Message]) {
        for (index, message) in messages.enumerated() {
            var flags: FrameFlags = []
            if index == 0 { flags.insert(.first) }
            if index == messages.count - 1 { flags.insert(.last) }
            say(message, flags: flags)
        }
    }

    /// Answers the last request for a favorite.
    func answer(userRevision: UInt64) throws {
        let (request, favorite) = try lastFavorite()
        let body = CallBodyCodec.encode(
            MutationAnswer(number: favorite.number, cut: CutChange(userRevision: userRevision), changed: true))
        say(.answer(Answer(call: request.call, body: body)))
    }

    func refuse(
        _ reason: String, _ remedy: Status.Remedy = .fatal, message: String = "no", after pause: UInt32? = nil
    ) throws {
        let status = Status(
            .invalidArgument, reason: reason, remedy: remedy, message: message, retryAfterMilliseconds: pause)
        say(.answer(Answer(call: try lastFavorite().0.call, status: status)))
    }

    struct NothingSent: Error {}

    private func lastFavorite() throws -> (Request, CollectionRequest) {
        for message in world.sent.reversed() {
            if case .request(let request) = message, request.method == .collection {
                return (request, try CallBodyCodec.decodeCollectionRequest(request.body))
            }
        }
        throw NothingSent()
    }

    /// The favorites that were sent on all connections, in order.
    var sentChanges: [String] {
        world.everSent.compactMap { message in
            guard case .request(let request) = message, request.method == .collection,
                let favorite = try? CallBodyCodec.decodeCollectionRequest(request.body)
            else { return nil }
            return "\(favorite.number) \(favorite.isMember ? "+" : "-")\(favorite.subject)"
        }
    }

    /// The newest subscription to a view.
    func subscription(to id: ViewID) -> UInt32? {
        world.sent.compactMap { message -> UInt32? in
            guard case .subscribe(let subscribe) = message, subscribe.screen == id.screen else { return nil }
            return subscribe.subscription
        }.last
    }

    /// Shows sections of a view: stages them, and joins.
    /// - Parameters:
    ///   - left: sections that the server can't update.
    ///   - generation: of the parameters that it answers.
    func join(
        _ id: ViewID, _ sections: [(String, Version)], leaving left: Set<String> = [], generation: UInt32 = 0,
        at cut: Cut
    ) {
        guard let subscription = subscription(to: id) else { return }
        let base = UInt64(subscription) * 100
        let list = Version(head: [], items: sections.map { Item(id: $0.0, kind: .section, body: []) })
        for (index, version) in ([list] + sections.map(\.1)).enumerated() {
            say(.stage(part(base + UInt64(index), from: .empty, to: version, cut: CutChange())), flags: .first)
        }
        say([
            .join(
                Join(
                    subscription: subscription, generation: generation, viewHandle: base, viewSum: list.sum,
                    sections: sections.enumerated().map {
                        Binding(section: $1.0, handle: base + UInt64($0) + 1, sum: left.contains($1.0) ? nil : $1.1.sum)
                    }, cut: CutChange(cut), screen: id.screen, locale: id.locale))
        ])
    }

    /// Changes the first section of a view that has joined.
    func patch(_ id: ViewID, from old: Version, to new: Version, at cut: Cut) {
        let subscription = subscription(to: id) ?? 0
        say([.data(part(UInt64(subscription) * 100 + 1, from: old, to: new, cut: CutChange(cut)))])
    }

    private func part(_ handle: UInt64, from old: Version, to new: Version, cut: CutChange) -> Part {
        let patch = Differ.patch(from: old, to: new)
        return Part(
            handle: handle, base: old.sum == Version.empty.sum ? nil : patch.base, target: patch.target,
            script: patch.script, adds: patch.adds, updates: patch.updates, head: patch.head,
            count: UInt32(patch.count), cut: cut)
    }

    // MARK: - Contents

    static func cut(_ catalogue: UInt64, _ user: UInt64, userEpoch: UInt64 = 7) -> Cut {
        Cut(catalogueEpoch: 7, catalogueRevision: catalogue, userEpoch: userEpoch, userRevision: user)
    }

    static func favorites(_ movies: [UInt64]) -> Version {
        Version(
            head: [0x08, 18],
            items: movies.map { Item(id: "movie/\($0)", kind: .member, subject: "movie/\($0)", body: [0x08, 1]) })
    }

    static func movies(_ movies: [UInt64], head: [UInt8] = [0x08, 1]) -> Version {
        Version(
            head: head,
            items: movies.map {
                Item(id: "movie/\($0)", kind: .movie, subject: "movie/\($0)", body: [0x08, UInt8($0)])
            })
    }

    private static func words(_ event: ClientEvent) -> String {
        switch event {
        case .state(.idle): "idle"
        case .state(.connecting): "connecting"
        case .state(.connected): "connected"
        case .state(.waiting(_, let pause)): "waiting \(pause / .seconds(1))"
        case .state(.failed(let error)): "failed: \(error.status?.reason ?? "")"
        case .state(.closed): "closed"
        case .progress(let cut): "progress \(cut.catalogueRevision)"
        case .changeRejected(_, let subject, let error): "rejected \(subject): \(error)"
        case .changesHeldUp(let count, let error): "held up \(count): \(error.message)"
        case .changesLost(let count): "lost \(count)"
        case .tokenRefused(let error): "token: \(error.message)"
        case .optionsRefused(let screen, let error): "options of \(screen): \(error.message)"
        case .mirrorRecovered: "recovered"
        case .mirrorDamaged(let damage): "damaged \(damage.map(\.section))"
        case .mirrorProblem(let error): "mirror: \(error.code == .diskFull ? "full" : error.message)"
        }
    }
}

/// The clock and the connections of a test.
final class World: ClientEnvironment {
    private let loop: EmbeddedEventLoop
    private var waiting: [(reader: ConnectionReader, promise: EventLoopPromise<Void>)] = []
    private(set) var connections: [Connection] = []
    /// Connection attempts.
    private(set) var attempts = 0
    /// Returned instead of random numbers.
    var drawn = 1.0
    private var ids: UInt8 = 100

    init(loop: EmbeddedEventLoop) { self.loop = loop }

    func uptime() -> UInt64 { loop.now.uptimeNanoseconds / 1_000_000 }
    func wallTime() -> Double { 1_700_000_000 + Double(uptime()) / 1_000 }
    func fraction() -> Double { drawn }

    func newClientID() -> [UInt8] {
        ids += 1
        return [UInt8](repeating: ids, count: 16)
    }

    func connect(
        _ reader: ConnectionReader, to configuration: ClientConfiguration, on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        attempts += 1
        let promise = loop.makePromise(of: Void.self)
        waiting.append((reader, promise))
        return promise.futureResult
    }

    struct Refused: Error {}

    /// Lets the oldest waiting attempt succeed.
    func accept() {
        guard !waiting.isEmpty else { return }
        let (reader, promise) = waiting.removeFirst()
        let connection = Connection(reader: reader)
        connections.append(connection)
        promise.succeed()
        reader.opened(connection)
    }

    func refuse() {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst().promise.fail(Refused())
    }

    /// Ends everything under way, so that no promise is left unfulfilled.
    func end() { while !waiting.isEmpty { refuse() } }

    /// The messages that the engine sent on its newest connection, and on all of them.
    var sent: [Message] { connections.last?.sent ?? [] }
    var everSent: [Message] { connections.flatMap(\.sent) }

    func say(_ message: Message, flags: FrameFlags = []) {
        connections.last?.reader.received(MessageCodec.encode(message, flags: flags))
    }

    final class Connection: ClientLink {
        let reader: ConnectionReader
        private var frames = FrameDecoder(maximumLength: WireLimits.server.frameBytes)
        private(set) var sent: [Message] = []
        private(set) var isClosed = false
        /// Whether what is written stays unsent.
        var takesNothing = false

        init(reader: ConnectionReader) { self.reader = reader }

        func write(_ frame: ByteBuffer, whenSent: @escaping @Sendable () -> Void) {
            if !takesNothing {
                write(frame)
                whenSent()
            }
        }

        func write(_ frame: ByteBuffer) {
            frames.append(frame)
            while let frame = try? frames.next() {
                if let message = try? MessageCodec.decode(frame, limits: .server) { sent.append(message) }
            }
        }

        func close() { isClosed = true }
    }
}

/// An observer of a screen in a test.
final class Watcher: ScreenObserver {
    private let states = Mutex<[ScreenState]>([])
    private let ending = Mutex<ClientError??>(nil)

    func put(_ new: ScreenState) { states.withLock { $0.append(new) } }
    func finish(_ error: ClientError?) { ending.withLock { $0 = .some(error) } }

    var all: [ScreenState] { states.withLock { $0 } }
    var last: ScreenState? { all.last }
    var isFinished: Bool { ending.withLock { $0 != nil } }
    var error: ClientError? { ending.withLock { $0 ?? nil } }

    /// The marks on the newest state.
    func mark(_ movie: UInt64) -> FavoriteMark? {
        last?.screen.sections.flatMap(\.items).first { $0.subject == .movie(movie) }?.favorite
    }
}
