@_spi(Admin) import MarqueeClient
import Synchronization

/// Changes the popularity of one movie after the other, so that something moves on home each time.
final class Publisher: Sendable {
    static let keyPrefix = "nodes/"

    private struct State {
        var made = 0
        var confirmed: [String] = []
        var waits: [Duration] = []
        var faults: [String] = []
    }

    private let client: MarqueeClient
    private let movies: [Subject]
    private let timeline: Timeline
    private let state = Mutex(State())

    init(_ configuration: ClientConfiguration, movies: [Subject], timeline: Timeline) {
        client = MarqueeClient(configuration)
        self.movies = movies
        self.timeline = timeline
    }

    /// The keys of publications that were confirmed.
    var confirmed: [String] { state.withLock { $0.confirmed } }
    /// Until each confirmation, since the phase began.
    var waits: [Duration] { state.withLock { $0.waits } }
    var faults: [String] { state.withLock { $0.faults } }

    func forget() {
        state.withLock { state in
            state.waits = []
            state.faults = []
        }
    }

    /// Publishes until a moment, one after the other.
    func publish(until end: ContinuousClock.Instant, pause: Duration) async {
        while !Task.isCancelled, ContinuousClock.now < end {
            await publishOnce(end + Bounds.settling)
            try? await Task.sleep(for: pause)
        }
    }

    /// Asks again until it is confirmed, by one key: whichever server takes it, it is made once.
    private func publishOnce(_ deadline: ContinuousClock.Instant) async {
        let number = state.withLock { state in
            state.made += 1
            return state.made
        }
        let (key, id) = (
            "\(Self.keyPrefix)\(number)", movies[number % movies.count].name.split(separator: "/").last ?? ""
        )
        // A new value each time, and near enough to others that it often changes places.
        let popularity = Double.random(in: 20..<200) + Double(number) * 1e-6
        let change = #"{"merge": {"type": "movie", "id": "\#(id)", "record": {"popularity": \#(popularity)}}}"#
        let start = ContinuousClock.now
        var last: (any Error)?
        while ContinuousClock.now < deadline, !Task.isCancelled {
            do {
                let receipt = try await client.publish([change], key: key)
                timeline.confirm(receipt.revision)
                return state.withLock { state in
                    state.confirmed.append(key)
                    state.waits.append(.now - start)
                }
            } catch {
                last = error
                try? await Task.sleep(for: Bounds.look)
            }
        }
        if !Task.isCancelled {
            state.withLock { $0.faults.append("\(key) was not confirmed: \(last.map { "\($0)" } ?? "")") }
        }
    }

    func close() async { await client.close() }
}
