import Foundation
@_spi(Admin) import MarqueeClient
import MarqueeHTTP
import MarqueeModel
import MarqueeWire
import NIOCore
import Synchronization

/// One client as an app is: it shows home, calls, publishes, and measures how long each takes.
final class OrdinaryClient: Sendable {
    struct Times: Sendable {
        var calls: [Double] = []
        var cuts: [Double] = []
        var welcomes: [Double] = []
        /// Of probes of the address for operators, or of screens read at the web door, if it is attacked.
        var probes: [Double] = []
        /// The operations that failed or did not come in time.
        var missed: [String] = []
    }

    private struct State {
        var times = Times()
        /// When home showed which revision.
        var shown: [(revision: UInt64, time: ContinuousClock.Instant)] = []
    }

    /// Milliseconds for what did not come at all.
    private static let never: Double = 20_000
    /// Between two publications, and between two newcomers.
    private static let pause = Duration.milliseconds(20)
    /// Between two changes of a favorite.
    private static let markPause = Duration.milliseconds(200)

    private let client: MarqueeClient
    private let target: Target
    private let probed: String?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - access: what a server with TLS and tokens is reached with.
    ///   - probed: a port and a path to ask for over HTTP.
    init(port: Int, access: SiegeAccess?, probing probed: String?) throws {
        self.probed = probed
        target = try Target(port: port, access: access)
        var configuration = ClientConfiguration(
            host: Target.host, port: port, user: SiegeAccess.ordinary, mirror: .memory)
        if let access {
            configuration.security = .tls(access.trust)
            configuration.token = { try access.token(of: SiegeAccess.ordinary) }
        }
        client = MarqueeClient(configuration)
    }

    var times: Times { state.withLock { $0.times } }

    /// Measures until it is cancelled.
    func measure() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watch() }
            group.addTask { await self.call() }
            group.addTask { await self.publish() }
            group.addTask { await self.newcomers() }
            group.addTask { await self.mark() }
            if let probed = self.probed { group.addTask { await self.probe(probed) } }
        }
        await client.close()
    }

    private func watch() async {
        do {
            for try await update in client.screen(.home) where update.origin == .live {
                let revision = update.screen.revision.catalogueRevision
                state.withLock { $0.shown.append((revision, .now)) }
            }
        } catch {
            if !Task.isCancelled { note("home: \(error)") }
        }
    }

    /// Returns when home is shown.
    func ready() async throws {
        for _ in 0..<1_000 {
            if !state.withLock({ $0.shown.isEmpty }) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw SiegeError("home was not shown")
    }

    func reset() { state.withLock { $0.times = Times() } }

    private func note(_ text: String) { state.withLock { $0.times.missed.append(text) } }

    private static func milliseconds(since start: ContinuousClock.Instant, to end: ContinuousClock.Instant = .now)
        -> Double
    { (end - start) / .milliseconds(1) }

    private func call() async {
        while !Task.isCancelled {
            let start = ContinuousClock.now
            do {
                _ = try await client.health()
                let time = Self.milliseconds(since: start)
                state.withLock { $0.times.calls.append(time) }
            } catch {
                if !Task.isCancelled { note("a call: \(error)") }
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func publish() async {
        // Movie 1 takes turns with movie 2 on top. Each state is a new one: a version that comes back is named by the
        // revision that had it first, so its cut alone doesn't tell which publication it shows.
        var published = 0
        while !Task.isCancelled {
            published += 1
            let popularity = (published.isMultiple(of: 2) ? 1_000 : 900) + Double(published) / 1_000
            let start = ContinuousClock.now
            do {
                let record = "{\"id\": 1, \"popularity\": \(popularity)}"
                let change = "{\"merge\": {\"type\": \"movie\", \"id\": \"1\", \"record\": \(record)}}"
                let receipt = try await client.publish([change])
                let time = await shown(receipt.revision, since: start)
                state.withLock { $0.times.cuts.append(time) }
            } catch {
                if !Task.isCancelled { note("a publication: \(error)") }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// How long it took until home showed a revision.
    private func shown(_ revision: UInt64, since start: ContinuousClock.Instant) async -> Double {
        while !Task.isCancelled {
            if let shown = state.withLock({ $0.shown.first { $0.revision >= revision } }) {
                state.withLock { $0.shown.removeAll { $0.revision < revision } }
                return Self.milliseconds(since: start, to: shown.time)
            }
            if Self.milliseconds(since: start) > Self.never { break }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return Self.milliseconds(since: start)
    }

    /// Changes a favorite now and then: it has to be confirmed, whatever others bring.
    private func mark() async {
        var isFavorite = false
        while !Task.isCancelled {
            isFavorite.toggle()
            do {
                let change = try await client.setFavorite(isFavorite, for: Subject("movie/1"))
                let result = try await client.result(of: change, within: .seconds(20))
                if result != .confirmed { note("a favorite: \(result)") }
            } catch {
                if !Task.isCancelled { note("a favorite: \(error)") }
            }
            try? await Task.sleep(for: Self.markPause)
        }
    }

    /// Asks as an orchestrator does whether the process lives, or as a page does for a screen.
    private func probe(_ place: String) async {
        while !Task.isCancelled {
            let start = ContinuousClock.now
            do {
                let address = try HTTPAddress("http://\(Target.host):\(place)")
                let answer = try await HTTPClient(maximumBytes: 1 << 20, timeout: .seconds(20)).send(.GET, address)
                guard answer.status == .ok else { throw SiegeError("\(answer.status)") }
                let time = Self.milliseconds(since: start)
                state.withLock { $0.times.probes.append(time) }
            } catch {
                if !Task.isCancelled { note("a probe: \(error)") }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// The frames of an answer that has come whole.
    private static func messages(_ answer: ByteBuffer) -> [Message] {
        var frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
        frames.append(answer)
        var messages: [Message] = []
        while let frame = try? frames.next() {
            if let message = try? MessageCodec.decode(frame, limits: .client) { messages.append(message) }
        }
        return messages
    }

    private static func isWelcome(_ answer: ByteBuffer) -> Bool {
        if case .welcome? = messages(answer).first { true } else { false }
    }

    private static func isRefusal(_ answer: ByteBuffer) -> Bool {
        switch messages(answer).first {
        case .subscriptionError?, .close?, .goAway?: true
        default: false
        }
    }

    private func newcomers() async {
        while !Task.isCancelled {
            let start = ContinuousClock.now
            do {
                let connection = try await Attacker.open(target)
                let answer = try await connection.greet(token: target.token)
                let time = Self.milliseconds(since: start)
                guard Self.isWelcome(answer) else { throw SiegeError("was not welcome") }
                state.withLock { $0.times.welcomes.append(time) }
                let shown = try await connection.ask(.subscribe(Subscribe(subscription: 1, screen: "home")))
                if Self.isRefusal(shown) { throw SiegeError("was refused home") }
                connection.close()
            } catch {
                if !Task.isCancelled { note("a newcomer: \(error)") }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }
}
