import Foundation
import MarqueeAccess
import MarqueeCatalogue
@_spi(Admin) import MarqueeClient
import MarqueeModel
import MarqueePresetRecords
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeWire
import NIOCore
import Synchronization
import Testing

/// Relays over real connections: what their clients see is what the server upstream shows.
@Suite(.timeLimit(.minutes(10))) struct RelayTests {
    @Test(arguments: [1, 2])
    func `Screens, calls and changes are the server's, through a chain of relays too`(count: Int) async throws {
        let relayed = try await Relayed(Harness(), count: count)
        let (near, far) = (try relayed.client(), try relayed.origin.client())
        #expect(try await near.describe().screens.map(\.pattern) == far.describe().screens.map(\.pattern))
        #expect(try await near.search("love").total == far.search("love").total)
        for screen in ["home", "detail/680", "detail/13"] {
            let expected = try await far.fetchScreen(ScreenID(screen))
            let fetched = try await near.fetchScreen(ScreenID(screen))
            #expect(fetched.sections.map(\.sum) == expected.sections.map(\.sum))
            var updates = near.screen(ScreenID(screen)).makeAsyncIterator()
            let shown = try await updates.first { $0.origin == .live }
            #expect(shown.screen.sections.map(\.sum) == expected.sections.map(\.sum))
            #expect(shown.screen.revision == expected.revision)
        }
        var home = near.screen(.home).makeAsyncIterator()
        let before = try await home.first { $0.origin == .live }
        try await relayed.origin.showChart("2024-05-02")
        let after = try await home.first {
            $0.screen.revision.catalogueRevision > before.screen.revision.catalogueRevision
        }
        #expect(after.screen.sections.map(\.sum) == (try await far.fetchScreen(.home)).sections.map(\.sum))
        #expect(after.screen.sections.map(\.sum) != before.screen.sections.map(\.sum))
        await relayed.stop()
    }

    @Test func `A request for something that doesn't exist is refused in the server's words`() async throws {
        let relayed = try await Relayed(Harness())
        let client = try relayed.client()
        for screen in ["nonsense", "detail/999999999"] {
            let near = await #expect(throws: ClientError.self) {
                for try await _ in client.screen(ScreenID(screen)) {}
            }
            let far = await #expect(throws: ClientError.self) {
                for try await _ in try relayed.origin.client().screen(ScreenID(screen)) {}
            }
            #expect(near?.status == far?.status)
        }
        await relayed.stop()
    }

    @Test func `Frames are passed on byte for byte, and nothing is encoded`() async throws {
        let relayed = try await Relayed(Harness(), count: 2)
        let relays = relayed.relays
        var watchers: [FrameWatcher] = []
        for port in [relayed.origin.server.summary.port] + relays.map(\.summary.port) {
            let watcher = try await FrameWatcher(port: port)
            try await eventually("the view to join") { watcher.revision != nil }
            watchers.append(watcher)
        }
        let encodes = relays.map { $0.counters.encodes }
        for day in ["2024-05-02", "2024-05-03", "2024-05-02"] {
            try await relayed.origin.showChart(day)
            let revision = try relayed.origin.store.catalogueHead().revision
            // A slower watcher would get one patch for two changes.
            try await eventually("all having it") { watchers.allSatisfy { $0.revision == revision } }
        }
        #expect(watchers[0].bodies.count > 3)
        #expect(watchers.allSatisfy { $0.bodies == watchers[0].bodies })
        #expect(relays.map { $0.counters.encodes } == encodes)
        #expect(relays.map { $0.counters.comparisons } == [0, 0])
        for watcher in watchers { await watcher.connection.close() }
        await relayed.stop()
    }

    @Test(arguments: [1, 2])
    func `Favorites go upstream as their user, and come to all of the user's devices`(count: Int) async throws {
        let relayed = try await Relayed(Harness(), count: count)
        let (phone, tablet) = (try relayed.client(user: "mina"), try relayed.origin.client(user: "mina"))
        let other = try relayed.client(user: "jun")
        var (onPhone, onTablet) = (
            phone.screen(.favorites).makeAsyncIterator(), tablet.screen(.favorites).makeAsyncIterator()
        )
        _ = try await onPhone.first { $0.origin == .live }
        _ = try await onTablet.first { $0.origin == .live }
        try await phone.setFavorite(true, for: .movie(27_205))
        #expect(try await phone.waitForConfirmation(within: .seconds(60)))
        _ = try await onTablet.first { $0.screen.sections.first?.items.map(\.subject) == [.movie(27_205)] }
        try await tablet.setFavorite(true, for: .movie(496_243))
        let both: [Subject?] = [.movie(496_243), .movie(27_205)]
        _ = try await onPhone.first { update in
            let items = update.screen.sections.first?.items ?? []
            return items.map(\.subject) == both && items.allSatisfy { $0.favorite == .yes }
        }

        var theirs = other.screen(.favorites).makeAsyncIterator()
        let empty = try await theirs.first { $0.origin == .live }
        #expect(empty.screen.sections.first?.items.isEmpty == true)
        await relayed.stop()
    }

    @Test func `While the server upstream is away clients keep what they have, and are told how old it is`()
        async throws
    {
        let relayed = try await Relayed(Harness())
        let client = try relayed.client(user: "mina")
        var home = client.screen(.home).makeAsyncIterator()
        var favorites = client.screen(.favorites).makeAsyncIterator()
        let before = try await home.first { $0.origin == .live }
        _ = try await favorites.first { $0.origin == .live }
        let relay = relayed.relays[0]
        try await eventually("the relay having everything") { relay.staleMilliseconds == nil }

        await relayed.origin.server.drain(grace: .milliseconds(100))
        try await eventually("the relay noticing") { relay.staleMilliseconds != nil }
        #expect(try await client.health().staleness != nil)
        try await client.setFavorite(true, for: .movie(27_205))

        try await relayed.origin.startAgain()
        try await relayed.origin.showChart("2024-05-02")
        let after = try await home.first {
            $0.screen.revision.catalogueRevision > before.screen.revision.catalogueRevision
        }
        let far = try relayed.origin.client()
        #expect(after.screen.sections.map(\.sum) == (try await far.fetchScreen(.home)).sections.map(\.sum))
        #expect(try await client.waitForConfirmation(within: .seconds(60)))
        _ = try await favorites.first { $0.screen.sections.first?.items.map(\.subject) == [.movie(27_205)] }
        try await eventually("the relay having everything again") { relay.staleMilliseconds == nil }
        #expect(try await client.health().staleness == nil)
        await relayed.stop()
    }

    @Test func `Connections that break lose nothing, whatever changes meanwhile`() async throws {
        let relayed = try await Relayed(Harness(), count: 2)
        let (phone, tablet) = (try relayed.client(user: "mina"), try relayed.origin.client(user: "mina"))
        var home = phone.screen(.home).makeAsyncIterator()
        var favorites = phone.screen(.favorites).makeAsyncIterator()
        _ = try await home.first { $0.origin == .live }
        _ = try await favorites.first { $0.origin == .live }
        let movies: [UInt64] = [27_205, 496_243, 13, 680, 155]
        for (index, movie) in movies.enumerated() {
            await relayed.link.cut()
            try await tablet.setFavorite(true, for: .movie(movie))
            try await relayed.origin.showChart(index.isMultiple(of: 2) ? "2024-05-02" : "2024-05-03")
        }
        #expect(try await tablet.waitForConfirmation(within: .seconds(60)))
        let expected = try await relayed.origin.client().fetchScreen(.home)
        _ = try await home.first { $0.screen.sections.map(\.sum) == expected.sections.map(\.sum) }
        _ = try await favorites.first { $0.screen.sections.first?.items.count == movies.count }
        await relayed.stop()
    }

    @Test func `Another programme, and a record that is removed, change what relayed screens show`() async throws {
        let relayed = try await Relayed(Harness())
        let client = try relayed.client()
        var home = client.screen(.home).makeAsyncIterator()
        let before = try await home.first { $0.origin == .live }
        var detail = client.screen(ScreenID("detail/680")).makeAsyncIterator()
        _ = try await detail.first { $0.origin == .live }
        let text = PresetCatalogue.programme
        let action = try #require(text.range(of: "      - id: action\n")).lowerBound
        let comedy = try #require(text.range(of: "      - id: comedy\n")).lowerBound
        try await relayed.origin.commit([.programme(text.replacingCharacters(in: action..<comedy, with: ""))])
        let after = try await home.first { $0.screen.sections.count < before.screen.sections.count }
        #expect(
            after.screen.sections.map(\.sum)
                == (try await relayed.origin.client().fetchScreen(.home)).sections.map(\.sum))

        try await relayed.origin.commit([.remove(RecordID(type: "movie", id: "680"))])
        let error = await #expect(throws: ClientError.self) { while try await detail.next() != nil {} }
        #expect(error?.status?.reason == "UNKNOWN_RECORD")
        await relayed.stop()
    }

    @Test func `A relay needs the scope, and its clients have the scopes that they have upstream`() async throws {
        var file = TokenFile()
        var tokens: [String: String] = [:]
        for (name, user, scopes) in [
            ("relay", nil, ["relay"]), ("phone", "ana", ["read home", "favorites"]), ("nobody", nil, ["read *"]),
        ] as [(String, String?, [String])] {
            let (token, hash) = Token.make()
            tokens[name] = token
            try file.add(TokenFile.Entry(name: name, user: user, hash: hash, scopes: Scopes(scopes), expires: nil))
        }
        let register = TokenRegister(file)
        let origin = try await Harness(authenticator: AccessAuthenticator(register, anonymous: nil))
        let refused = try await RawConnection.open(port: origin.server.summary.port)
        var hello = Hello()
        hello.clientID = [UInt8](repeating: 7, count: 16)
        hello.token = tokens["nobody"]
        hello.isRelay = true
        try await refused.send(.hello(hello))
        #expect(await refused.closingStatus()?.reason == "SCOPE_TOO_SMALL")

        let relayed = try await Relayed(origin, token: tokens["relay"])
        let other = try relayed.client()
        let unknown = await #expect(throws: ClientError.self) { try await other.health() }
        #expect(unknown?.status?.reason == "TOKEN_NEEDED")
        let phone = try relayed.client(user: "ana", token: tokens["phone"])
        var home = phone.screen(.home).makeAsyncIterator()
        _ = try await home.first { $0.origin == .live }
        let hidden = await #expect(throws: ClientError.self) {
            for try await _ in phone.screen(ScreenID("detail/680")) {}
        }
        #expect(hidden?.status?.message == "there is no screen 'detail/680'")
        #expect(try await phone.describe().screens.map(\.pattern) == ["home"])
        let published = await #expect(throws: ClientError.self) {
            try await phone.publish([Harness.update(680, #""title": "x""#)])
        }
        #expect(published?.status?.reason == "PUBLISH_DENIED")

        // Revoked upstream, it is out here as well.
        let events = phone.events
        _ = file.remove("phone")
        register.replace(by: file)
        for await event in events {
            if case .state(.waiting(let why, _)) = event {
                #expect(why.message.contains("revoked"), "\(why)")
                break
            }
        }
        await relayed.stop()
    }

    @Test func `Publications go through a relay, each once`() async throws {
        let relayed = try await Relayed(Harness())
        let client = try relayed.client()
        let before = try relayed.origin.store.catalogueHead().revision
        let many = (0..<3_000).map { Harness.update(680, #""popularity": \#($0)"#) }
        _ = try await client.publish(many, key: "once")
        _ = try await client.publish(many, key: "once")
        #expect(try relayed.origin.store.catalogueHead().revision == before + 1)
        await relayed.stop()
    }

    @Test func `Damage on the way upstream to a relay never reaches its clients`() async throws {
        let damages = Damages()
        let relayed = try await Relayed(Harness()) { damages.apply(to: $0) }
        let client = try relayed.client()
        var home = client.screen(.home).makeAsyncIterator()
        let before = try await home.first { $0.origin == .live }
        damages.next = true
        try await relayed.origin.showChart("2024-05-02")
        let after = try await home.first {
            $0.screen.revision.catalogueRevision > before.screen.revision.catalogueRevision
        }
        #expect(!damages.next, "a frame was damaged")
        #expect(
            after.screen.sections.map(\.sum)
                == (try await relayed.origin.client().fetchScreen(.home)).sections.map(\.sum))
        await relayed.stop()
    }
}

/// A client that shows the home screen, and keeps the bodies of the frames of data that it receives.
private final class FrameWatcher: Sendable {
    private struct State {
        var revision: UInt64?
        var bodies: [String: [ByteBuffer]] = [:]
    }

    let connection: RawConnection
    private let state = Mutex(State())

    init(port: Int) async throws {
        connection = try await RawConnection.open(port: port)
        _ = try #require(try await connection.greet())
        try await connection.send(.subscribe(Subscribe(subscription: 1, screen: "home")))
        Task { [self] in for await frame in connection.frames { take(frame) } }
    }

    /// The revision up to which it has everything; `nil` before the view has joined.
    var revision: UInt64? { state.withLock { $0.revision } }
    /// By the handle and the two versions of each patch.
    var bodies: [String: [ByteBuffer]] { state.withLock { $0.bodies } }

    private func take(_ frame: Frame) {
        guard let message = try? MessageCodec.decode(frame, limits: .client) else { return }
        state.withLock { state in
            switch message {
            case .data(let part), .stage(let part):
                state.bodies["\(part.handle) \(part.base ?? 0) \(part.target)", default: []].append(frame.body)
                if frame.flags.contains(.last) { state.revision = part.cut.catalogueRevision ?? state.revision }
            case .join(let join) where frame.flags.contains(.last): state.revision = join.cut.catalogueRevision
            case .progress(let cut): state.revision = cut.catalogueRevision ?? state.revision
            default: break
            }
        }
    }
}

/// Changes what a patch says, as a server with a fault would, when it is told to.
private final class Damages: Sendable {
    private let isNext = Mutex(false)

    var next: Bool {
        get { isNext.withLock { $0 } }
        set { isNext.withLock { $0 = newValue } }
    }

    func apply(to frame: Frame) -> Frame {
        guard next, case .data(var part)? = try? MessageCodec.decode(frame, limits: .client) else { return frame }
        part.target ^= 1
        next = false
        var bytes = MessageCodec.encode(.data(part), flags: frame.flags)
        bytes.moveReaderIndex(forwardBy: Frame.headerBytes)
        return Frame(kind: frame.kind, flags: frame.flags, body: bytes)
    }
}
