import Foundation
import MarqueeModel
import SeededRandom
import Synchronization

@testable import MarqueeClient

/// A library client behind the proxy, with a mirror that outlives it, which observes some screens and sets favorites of
/// its own.
final class ChaosClient: Sendable {
    static let screens: [ScreenID] = [.home, .favorites, .detail(27_205)]

    let user: String
    let mirror: String
    private let name: String
    private let subjects: [Subject]
    private let port: Int
    private let journal: ChaosJournal

    private struct State {
        var client: MarqueeClient?
        var watchers: [Task<Void, Never>] = []
        var newest: [ScreenID: ScreenUpdate] = [:]
        /// The state last requested for each subject.
        var requested: [Subject: Bool] = [:]
        var reconnects = 0
    }

    private let state = Mutex(State())

    init(user: String, name: String, subjects: [Subject], port: Int, in folder: URL, journal: ChaosJournal) {
        self.user = user
        self.name = name
        self.subjects = subjects
        self.port = port
        self.journal = journal
        mirror = folder.appending(path: "\(name).sqlite").path
    }

    var requested: [Subject: Bool] { state.withLock { $0.requested } }
    var reconnects: Int { state.withLock { $0.reconnects } }
    func newest(_ screen: ScreenID) -> ScreenUpdate? { state.withLock { $0.newest[screen] } }
    var client: MarqueeClient? { state.withLock { $0.client } }

    /// How what it shows differs from the server's state, for people; `nil` if it doesn't.
    func difference(from screen: Screen) -> String? {
        let wanted = "\(name): \(screen.id) should be at revision \(screen.revision.catalogueRevision)"
        guard let update = newest(screen.id) else { return "\(wanted), nothing is shown" }
        if update.origin == .live, update.screen.sections.map(\.sum) == screen.sections.map(\.sum) { return nil }
        return "\(wanted), is at \(update.screen.revision.catalogueRevision) (\(update.origin))"
    }

    func open() throws {
        var configuration = ClientConfiguration(host: "127.0.0.1", port: port, user: user, mirror: .file(mirror))
        configuration.backoff = .milliseconds(10)...(.milliseconds(500))
        let client = MarqueeClient(configuration)
        var watchers = Self.screens.map { screen in
            Task { [self] in
                do {
                    for try await update in client.screen(screen) {
                        journal.saw(update, mirror: name, user: user)
                        state.withLock { $0.newest[screen] = update }
                    }
                } catch {
                    journal.failed("\(name) lost \(screen): \(error)")
                }
            }
        }
        watchers.append(
            Task { [self] in
                for await event in client.events {
                    switch event {
                    case .state(.connected): state.withLock { $0.reconnects += 1 }
                    case .state(.failed(let error)): journal.failed("\(name) gave up: \(error)")
                    case .changeRejected(_, let subject, let reason):
                        journal.failed("\(name) lost the favorite \(subject): \(reason)")
                    case .mirrorRecovered, .mirrorProblem: journal.failed("\(name): \(event)")
                    default: break
                    }
                }
            })
        state.withLock { state in
            state.client = client
            state.watchers = watchers
        }
    }

    /// Sets or unsets one of its own subjects.
    func changeFavorite(using random: inout SeededGenerator) async throws {
        guard let client, let subject = random.pick(subjects) else { return }
        let on = !(requested[subject] ?? false)
        try await client.setFavorite(on, for: subject)
        state.withLock { $0.requested[subject] = on }
    }

    func close() async {
        let (client, watchers) = state.withLock { state in
            defer { (state.client, state.watchers) = (nil, []) }
            return (state.client, state.watchers)
        }
        await client?.close()
        for watcher in watchers { await watcher.value }
    }
}
