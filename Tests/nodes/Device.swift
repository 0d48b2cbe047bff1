import MarqueeClient
import MarqueeModel
import NIOCore
import NIOPosix
import Synchronization

/// One client, as an app is: it shows home and the favorites, and notes what it feels.
final class Device: Sendable {
    /// The disturbances that it felt in a phase.
    struct Felt: Sendable {
        /// How often home stopped being live, and for how long altogether.
        var losses = 0
        var away = Duration.zero
        /// The bytes received from then until home was live again; `nil` when it was back before they could be counted.
        var bytes: Int? = 0
        /// The longest time from the confirmation of a publication until home showed it.
        var behind = Duration.zero
    }

    private struct State {
        var shown: [ScreenID: Screen] = [:]
        var isLive = false
        /// When home was lost, and what had been received until then.
        var loss: (at: ContinuousClock.Instant, bytes: Int?)?
        /// The number of the connection that home was live on.
        var connection = 0
        var felt = Felt()
        var faults: [String] = []
    }

    /// The event loops that all of them run on.
    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: Bounds.threads)

    static let screens = [ScreenID.home, .favorites]

    let user: String
    let client: MarqueeClient
    private let timeline: Timeline
    private let state = Mutex(State())

    init(_ configuration: ClientConfiguration, timeline: Timeline) {
        user = configuration.user ?? ""
        client = MarqueeClient(configuration, sharing: Self.threads.next())
        self.timeline = timeline
    }

    var felt: Felt { state.withLock { $0.felt } }
    var isLive: Bool { state.withLock { $0.isLive } }
    /// The events that should never happen to a client, however often servers die, since the phase began.
    var faults: [String] { state.withLock { $0.faults } }
    /// The picture that it shows; `nil` before it has all screens.
    var picture: Picture? {
        let shown = state.withLock { $0.shown }
        guard shown.count == Self.screens.count else { return nil }
        return Picture(Self.screens.compactMap { shown[$0] })
    }
    /// The revision of what home shows.
    var revision: UInt64 { state.withLock { $0.shown[.home]?.revision.catalogueRevision ?? 0 } }

    /// Forgets what it felt before, so that only what it feels from here on counts.
    func forget() {
        state.withLock { state in
            state.felt = Felt()
            state.faults = []
        }
    }

    /// Shows its screens until it is cancelled.
    func watch() async {
        await withTaskGroup(of: Void.self) { group in
            for screen in Self.screens { group.addTask { await self.watch(screen) } }
        }
        await client.close()
    }

    private func watch(_ id: ScreenID) async {
        do {
            for try await update in client.screen(id) {
                take(update.screen)
                if id == .home { await note(isLive: update.isLive) }
            }
            if !Task.isCancelled { fail("\(id) ended") }
        } catch {
            if !Task.isCancelled { fail("\(id) ended: \(error)") }
        }
    }

    private func fail(_ fault: String) { state.withLock { $0.faults.append(fault) } }

    private func take(_ screen: Screen) {
        state.withLock { state in
            if let last = state.shown[screen.id] {
                if Self.hasGoneBack(from: last.revision, to: screen.revision) {
                    state.faults.append("\(screen.id) went from \(last.revision) to \(screen.revision)")
                }
                if screen.id == .home, let age = timeline.age(ofOldestIn: Self.between(last, screen)) {
                    state.felt.behind = max(state.felt.behind, age)
                }
            }
            state.shown[screen.id] = screen
        }
    }

    /// The epochs stay the same, as nothing is restored.
    private static func hasGoneBack(from last: Cut, to next: Cut) -> Bool {
        next.isBehind(last) || next.catalogueEpoch != last.catalogueEpoch
            || last.userEpoch != 0 && next.userEpoch != last.userEpoch
    }

    /// The revisions that a screen has and one before it had not.
    private static func between(_ last: Screen, _ next: Screen) -> Range<UInt64> {
        let first = last.revision.catalogueRevision
        return first + 1..<max(first, next.revision.catalogueRevision) + 1
    }

    /// Called for each state of home, one after the other.
    private func note(isLive: Bool) async {
        guard isLive != self.isLive else { return }
        if !isLive {
            state.withLock { state in
                state.isLive = false
                state.loss = (.now, nil)
            }
            guard let counters = try? await client.counters() else { return }
            state.withLock { state in
                // On the next connection, some of what is to be counted had come already.
                if counters.connections == state.connection { state.loss?.bytes = counters.bytesReceived }
            }
        } else {
            let now = ContinuousClock.now
            guard let counters = try? await client.counters() else { return }
            state.withLock { state in
                state.isLive = true
                state.connection = counters.connections
                guard let loss = state.loss else { return }
                state.loss = nil
                state.felt.losses += 1
                state.felt.away += now - loss.at
                state.felt.bytes = loss.bytes.flatMap { before in
                    state.felt.bytes.map { $0 + counters.bytesReceived - before }
                }
            }
        }
    }
}
