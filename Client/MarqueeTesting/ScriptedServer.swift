public import Foundation
public import MarqueeClient
import MarqueeLocks
import MarqueeModel
import NIOCore

/// An in-memory server with screens scripted by a test, which also controls the network and the clock.
///
/// ```swift
/// let server = ScriptedServer([home])
/// let client = server.makeClient()
/// server.network = .slow(.seconds(2))
/// try await client.setFavorite(true, for: "episode/pilot")   // pending
/// server.advance(by: .seconds(2))                            // confirmed
/// ```
///
/// The client is the real one and speaks the real protocol; only the sockets and the clock are replaced. All effects of
/// a call are complete when it returns, except those that take time: time stands still until `advance`. So a test is as
/// fast as the machine, and has the same outcome on a slow one.
///
/// A client belongs to its server's clock. It keeps working when the `ScriptedServer` itself is released, as in a
/// preview. All methods may be called from any thread.
public final class ScriptedServer: Sendable {
    private let loop: VirtualLoop
    private let lease: LoopLease
    private let world: NIOLoopBound<ScriptedWorld>
    private let start: Double
    private let clients = Locked<UInt8>(0)

    /// - Parameters:
    ///   - screens: the initial screens, with unique ids.
    ///   - collections: the collections that the server has.
    ///   - locales: the languages that the server offers, the default first. Screens are the same in all of them.
    ///   - imageBaseURL: the prefix of image names.
    ///   - date: the initial time.
    public init(
        _ screens: [SampleScreen] = [], collections: [CollectionName] = [.favorites], locales: [String] = ["en"],
        imageBaseURL: String? = nil, date: Date = Date(timeIntervalSince1970: 1_767_225_600)
    ) {
        let loop = VirtualLoop()
        self.loop = loop
        lease = LoopLease(loop)
        start = date.timeIntervalSince1970 - loop.seconds
        world = loop.run {
            let world = ScriptedWorld(loop: loop)
            world.content.screens = Dictionary(screens.map { ($0.id, $0) }) { first, _ in first }
            world.content.collections = collections
            world.locales = locales
            world.imageBaseURL = imageBaseURL
            return NIOLoopBound(world, eventLoop: loop)
        }
    }

    // MARK: - Clients

    /// A client of this server, with a mirror in memory unless `configure` names a file.
    ///
    /// - Parameters:
    ///   - user: the client's user; `nil` for none, and then there are no favorites.
    ///   - tokens: the tokens for the connection attempts, in order; the last one is used for all further attempts.
    ///     Empty for no tokens. The configuration's own closure isn't called, because there is no telling when it
    ///     answers.
    ///   - configure: changes anything else. Host, port and security have no effect here.
    public func makeClient(
        user: String? = "tester", tokens: [String] = [],
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> MarqueeClient {
        var configuration = ClientConfiguration(user: user, mirror: .memory)
        configure(&configuration)
        configuration.token = nil
        let number = clients.withLock { count in
            count &+= 1
            return count
        }
        let (world, lease, start) = (world, lease, start)
        return MarqueeClient(
            configuration, on: loop, endLoop: { _ = lease }, tokens: TokenSource(script: tokens),
            environment: { ScriptedEnvironment(world.value, start: start, number: number) })
    }

    // MARK: - Time

    /// The time of the server and its clients.
    public var date: Date { Date(timeIntervalSince1970: start + loop.seconds) }

    /// Lets time pass: answers in transit arrive, clients reconnect, calls time out.
    public func advance(by duration: Duration) { loop.advance(by: duration) }

    // MARK: - The network

    /// The network between the server and its clients. A client that has lost its connection reconnects as time passes;
    /// a minute is always enough.
    public var network: ScriptedNetwork {
        get { run { $0.network } }
        set { run { $0.set(newValue) } }
    }

    /// Breaks all connections, as a network failure does. Clients open new ones as time passes.
    public func disconnect() { run { $0.disconnect() } }

    /// The number of open connections.
    public var connections: Int { run { $0.sessions.count } }

    // MARK: - Screens

    /// A screen as the server has it. Setting it sends the difference to its readers; setting `nil` ends their
    /// subscriptions.
    public subscript(screen: ScreenID) -> SampleScreen? {
        get { run { $0.content.screens[screen] } }
        set { run { world in world.change { $0.screens[screen] = newValue } } }
    }

    /// Shows screens in one step: readers get one update with all changes.
    public func show(_ screens: SampleScreen...) {
        run { world in world.change { content in for screen in screens { content.screens[screen.id] = screen } } }
    }

    /// Changes a screen, if there is one.
    public func update(_ screen: ScreenID, _ change: (inout SampleScreen) -> Void) {
        run { world in
            guard var sample = world.content.screens[screen] else { return }
            change(&sample)
            world.change { $0.screens[screen] = sample }
        }
    }

    /// Moves an item within its section: readers get a move and no deletion.
    /// - Parameters:
    ///   - item: the item's id.
    ///   - index: its place afterwards, in the default order.
    ///   - section: the section's id.
    ///   - screen: the screen with the section.
    public func move(_ item: String, to index: Int, in section: String, of screen: ScreenID) {
        update(screen) { screen in
            guard var changed = screen[section: section], let old = changed.items.firstIndex(where: { $0.id == item })
            else { return }
            let moved = changed.items.remove(at: old)
            changed.items.insert(moved, at: max(0, min(index, changed.items.count)))
            screen[section: section] = changed
        }
    }

    /// The screens that are being watched.
    public var watchedScreens: Set<ScreenID> {
        run { world in
            Set(world.sessions.flatMap { $0.subscriptions.values.map(\.screen) }).subtracting([.collectionSet])
        }
    }

    // MARK: - Collections

    /// The members of a user's collection, newest first, as the server has them.
    public func members(of collection: CollectionName = .favorites, user: String = "tester") -> [Subject] {
        run { $0.content.users[user]?.members[collection]?.map(\.subject) ?? [] }
    }

    /// Adds a subject to a collection, as another device of the user would.
    public func set(
        _ subject: Subject, in collection: CollectionName = .favorites, value: CollectionValue? = nil,
        user: String = "tester"
    ) {
        change(subject, in: collection, true, value: value, user: user)
    }

    /// Removes a subject from a collection, as another device of the user would.
    public func remove(_ subject: Subject, from collection: CollectionName = .favorites, user: String = "tester") {
        change(subject, in: collection, false, value: nil, user: user)
    }

    private func change(
        _ subject: Subject, in collection: CollectionName, _ isMember: Bool, value: CollectionValue?, user: String
    ) {
        run { world in
            let changed = world.content.users[user, default: ScriptedUser()].set(
                subject, in: collection, isMember, value: value)
            if changed { world.publish() }
        }
    }

    // MARK: - Refusing

    /// Refuses a screen from now on, to its current readers too; `nil` shows it again.
    public func refuse(_ screen: ScreenID, _ refusal: Refusal? = .denied()) {
        run { $0.refuse(screen, refusal) }
    }

    /// Stops delivering a section: it keeps its content, and `ScreenStatus.sectionErrors` says why. `nil` delivers it
    /// again.
    public func refuse(section: String, of screen: ScreenID, _ refusal: Refusal? = .busy()) {
        run { $0.refuse(section, of: screen, refusal) }
    }

    /// Refuses changes of collections from now on.
    /// - Parameter refusal: returns the refusal of a change; `nil` to accept it.
    public func refuseChanges(_ refusal: (@Sendable (CollectionName, Subject) -> Refusal?)?) {
        run { $0.refusedChanges = refusal }
    }

    /// Refuses tokens from now on, when a connection begins.
    /// - Parameter isRefused: called with the client's token; `nil` if it has none.
    public func refuseTokens(_ isRefused: (@Sendable (String?) -> Bool)?) {
        run { $0.refusedTokens = isRefused }
    }

    // MARK: - Diverging

    /// Sends the next change of a screen with a wrong sum, as a faulty server would. The client refuses it, requests a
    /// repair, and shows nothing wrong in the meantime.
    public func makeNextUpdateWrong() { run { $0.isNextPatchWrong = true } }

    /// The number of repairs that clients have requested.
    public var repairs: Int { run { $0.repairs } }

    private func run<Value>(_ work: (ScriptedWorld) -> Value) -> Value {
        loop.run { work(world.value) }
    }
}

extension TokenSource {
    /// - Returns: `nil` if there are no tokens.
    fileprivate convenience init?(script: [String]) {
        guard let last = script.last else { return nil }
        let rest = Locked(script[...])
        self.init(ready: { rest.withLock { $0.popFirst() } ?? last })
    }
}

/// Ends a virtual loop when neither the server nor a client needs it.
private final class LoopLease: Sendable {
    private let loop: VirtualLoop

    init(_ loop: VirtualLoop) { self.loop = loop }

    deinit { loop.end() }
}

extension VirtualLoop {
    /// Seconds on its clock.
    fileprivate var seconds: Double { Double(now.uptimeNanoseconds) / 1e9 }
}
