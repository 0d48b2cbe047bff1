import MarqueeCatalogue
import MarqueeMirror
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import NIOCore
import Testing

@testable import MarqueeClient
@testable import MarqueeServer
@testable import Simulation

/// The protocol document's trace, row by row, with the real hub, sessions, sync machines and mirrors.
@Suite struct TraceTests {
    @Test func `The trace in the protocol's document happens as written`() throws {
        let trace = try TracePlay()
        let table = try TraceTable()
        #expect(table.rows.map(\.number) == Array(1...75))
        for row in table.rows {
            try trace.play(row)
            try #require(trace.problems == [], "row \(row.number)")
        }
        trace.checkEnd()
    }
}

/// Two clients and one server playing the trace.
private final class TracePlay {
    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: rank, kind: rank, source: {records: {type: movie, where: {topics: 1}, sort: title, limit: 9}}}
              - {id: basic, kind: basic, source: {records: {type: movie, where: {topics: 2}, sort: title, limit: 9}}}
          detail/$id:
            title: Movie
            sections:
              - {id: detail, kind: detail, source: {record: {type: movie, id: $id}}}
              - id: credits
                kind: credits
                source: {nested: {type: cast, id: $id, field: parts, key: person}}
                body: {card: {title: $role}}
        """
    /// Favorites are the only collection.
    private static let types = TypesDocument(
        declarations: """
            descriptors: sim.desc
            types:
              movie: {message: sim.Film, id: id, sorts: [title], facets: [topics]}
              topic: {message: sim.Topic, id: id}
              cast: {message: sim.Cast, id: film}
            collections:
              favorites: {of: [movie]}
            """, descriptors: Types.descriptors)
    private static let home = ViewID(screen: "home", locale: "en")
    private static let detail = ViewID(screen: "detail/27205", locale: "en")

    let server: TraceServer
    let a: TraceClient
    let b: TraceClient
    private let connections: [String: TraceConnection]
    /// Client messages the server has not read yet, in order.
    private var said: [String: [Message]] = ["A": [], "B": []]
    private var names: [UInt64: String] = [:]
    private var lastNumber: [Character: Int] = [:]
    private var bodies: [Int: ByteBuffer] = [:]
    private var now: UInt64 = 0
    private var isStalled = false
    private(set) var problems: [String] = []

    init() throws {
        let store = MemoryStore(seed: 1)
        try Self.fill(store)
        var settings = SessionSettings(cluster: store.cluster, node: "n", agent: "simulation", locales: ["en"])
        settings.progressIntervalMilliseconds = 15_000
        let programme = try Programme.parse(
            text: Self.programme, file: "trace.yaml", types: TypeSet(Self.types, file: "trace"))
        server = try TraceServer(store: store, programme: programme, settings: settings)
        var slow = WireLimits.client
        slow.creditBytes = 1_000
        a = try TraceClient(name: "A", user: "ana", clientID: 0xa)
        b = try TraceClient(name: "B", user: "ana", clientID: 0xb, limits: slow)
        connections = ["A": TraceConnection(), "B": TraceConnection()]
        a.onSend = { [unowned self] in said["A"]?.append($0) }
        b.onSend = { [unowned self] in said["B"]?.append($0) }
    }

    // MARK: - Content

    private static func movie(_ id: Int, _ letter: String, topic: Int, length: Int) -> Change {
        let title = letter + String(repeating: "-", count: length - 1)
        return .put(
            "movie", "\(id)", ["id": .text("\(id)"), "title": .text(title), "topics": .list([.text("\(topic)")])])
    }

    private static func cast(_ roles: [String]) -> Change {
        .cast(of: 27205, roles.enumerated().map { (person: $0.offset + 1, role: $0.element) })
    }

    /// Ten catalogue commits, the first of them with the types, and three of the user's.
    private static func fill(_ store: MemoryStore) throws {
        let commits: [[Change]] = [
            [.types(types), movie(1, "a", topic: 1, length: 250)], [movie(2, "b", topic: 1, length: 250)],
            [movie(3, "c", topic: 1, length: 250)], [movie(4, "d", topic: 2, length: 250)],
            [movie(5, "e", topic: 2, length: 180)], [movie(6, "f", topic: 2, length: 100)],
            [movie(27205, "Inception", topic: 3, length: 900)], [.topic(3, name: "Science Fiction")],
            [.topic(4, name: "Comedy")],
            [cast(["One", String(repeating: "Two", count: 60), String(repeating: "Three", count: 60)])],
        ]
        for changes in commits { _ = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)]) }
        for (number, operation) in [("movie/1", true), ("movie/2", true), ("movie/1", false)].enumerated() {
            let mutation = MutationID(
                client: [UInt8](repeating: 1, count: 16), number: UInt64(number + 1), answeredThrough: 0)
            _ = try store.write([.favorite(user: "ana", subject: operation.0, on: operation.1, mutation: mutation)])
        }
    }

    // MARK: - Rows

    func play(_ row: TraceTable.Row) throws {
        now += 10
        switch row.who {
        case "": try event(row.number)
        case "S→A", "S→B": serverWrites(to: String(row.who.suffix(1)), row)
        default: try clientWrites(String(row.who.prefix(1)), row)
        }
        for (name, client) in [("A", a), ("B", b)] {
            let expected = row.positions[name].map { "\($0)" } ?? "nothing"
            let position = client.core.position
            let found =
                client.core.isLive ? "\((position.catalogueRevision, position.userRevision))" : "nothing"
            check(expected == found, row, "\(name) is at \(found), not at \(expected)")
        }
    }

    private func check(_ condition: Bool, _ row: TraceTable.Row, _ problem: @autoclosure () -> String) {
        if !condition { problems.append("row \(row.number): \(problem())") }
    }

    private func serverWrites(to name: String, _ row: TraceTable.Row) {
        guard let connection = connections[name], let session = server.session(of: connection) else {
            return problems.append("row \(row.number): no session")
        }
        if row.number == 59 { session.damage = { Self.damaged($0) } }
        guard let bytes = session.writeFrame(now: now), let (message, flags) = Self.decode(bytes) else {
            return problems.append("row \(row.number): the server has nothing to say")
        }
        bodies[row.number] = bytes.getSlice(
            at: bytes.readerIndex + Frame.headerBytes, length: bytes.readableBytes - Frame.headerBytes)
        if let same = row.fields.firstMatch(of: /[Tt]he body of row (\d+)/), let earlier = Int(same.1), row.number != 59
        {
            check(bodies[earlier] == bodies[row.number], row, "not the bytes of row \(earlier)")
        }
        let flagNames = (flags.contains(.first) ? "F" : "") + (flags.contains(.last) ? "L" : "")
        let frame = "\(message.kind.name)\(flagNames.isEmpty ? "" : " ")\(flagNames)"
        check(frame == row.frame, row, "the frame is \(frame), not \(row.frame)")
        check(fields(message, row), row, "\(describe(message)) is not what the row says: \(row.fields)")
        if isStalled, name == "B" { return }
        (name == "A" ? a : b).readFrame(now: now)
    }

    private func clientWrites(_ name: String, _ row: TraceTable.Row) throws {
        let client = name == "A" ? a : b
        switch row.number {
        case 1, 12: try connect(client)
        case 4, 15: client.watch(Self.home)
        case 36: try client.setFavorite("movie/27205", true)
        case 40: client.watch(Self.detail)
        default: break
        }
        guard let message = said[name]?.first else {
            return problems.append("row \(row.number): \(name) has nothing to say")
        }
        said[name]?.removeFirst()
        check(message.kind.name == row.frame, row, "\(name) says \(message.kind.name), not \(row.frame)")
        check(fields(message, row), row, "\(describe(message)) is not what the row says: \(row.fields)")
        if row.number == 36 { check(a.favorites.mark(of: "movie/27205") == .pendingYes, row, "the star is not shown") }
        // The server reads row 62 later.
        if row.number != 62 { try serverReads(name) }
    }

    private func connect(_ client: TraceClient) throws {
        guard let connection = connections[client.name] else { return }
        server.accept(connection, now: now)
        client.connect(connection, now: now)
    }

    private func serverReads(_ name: String) throws {
        guard let connection = connections[name] else { return }
        server.session(of: connection)?.read(now: now)
        // A mutation waits for its row.
        if server.hasWrites { return }
        try server.settle(now: now)
    }

    private func event(_ number: Int) throws {
        switch number {
        case 25: try commit(Self.movie(1, "A", topic: 1, length: 250))
        case 28: isStalled = true
        case 29:
            try commit(
                Self.movie(2, "B", topic: 1, length: 300), Self.movie(4, "D", topic: 2, length: 400))
        case 34: try commit(Self.movie(3, "C", topic: 1, length: 100))
        case 37: try server.settle(now: now)
        case 43: try commit(Self.movie(1, "AA", topic: 1, length: 60))
        case 46: try commit(Self.cast(["One", String(repeating: "Two", count: 60)]))
        case 49:
            isStalled = false
            b.readFrame(now: now)
        case 51: b.readFrame(now: now)
        case 57: try commit(Self.movie(2, "BB", topic: 1, length: 110))
        case 60: try commit(Self.movie(5, "EE", topic: 2, length: 100))
        case 64: try serverReads("A")
        case 71:
            now += UInt64(server.settings.progressIntervalMilliseconds)
            for session in server.sessions { session.tick(now: now) }
        default: problems.append("row \(number): an unknown event")
        }
    }

    private func commit(_ changes: Change...) throws {
        try server.commit(changes)
        try server.settle(now: now)
    }

    // MARK: - Reading frames

    private static func decode(_ bytes: ByteBuffer) -> (Message, FrameFlags)? {
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(bytes)
        guard let frame = try? decoder.next(), let message = try? MessageCodec.decode(frame, limits: .client) else {
            return nil
        }
        return (message, frame.flags)
    }

    /// Changes one byte of a new body.
    private static func damaged(_ frame: Frame) -> ByteBuffer? {
        guard case .data(var part)? = try? MessageCodec.decode(frame, limits: .client), !part.updates.isEmpty,
            let last = part.updates[0].records.indices.last
        else { return nil }
        part.updates[0].records[last] ^= 1
        return MessageCodec.encode(.data(part), flags: frame.flags)
    }

    /// The document's name for a version: its handle's letter, numbered in order of appearance.
    private func name(_ sum: UInt64, of handle: UInt64) -> String {
        if let known = names[sum] { return known }
        let letters = Array("?vfhrbdec")
        let letter = handle < letters.count ? letters[Int(handle)] : "?"
        lastNumber[letter, default: 0] += 1
        let name = "\(letter)\(lastNumber[letter, default: 0])"
        names[sum] = name
        return name
    }

    private func describe(_ message: Message) -> String {
        func cut(_ cut: CutChange) -> String {
            let parts = [
                cut.catalogueRevision.map { "c \($0)" }, cut.userRevision.map { "u \($0)" },
            ].compactMap { $0 }
            return "cut {\(parts.joined(separator: ", "))}"
        }
        func position(_ cut: CutChange) -> String {
            "cut (\(cut.catalogueRevision ?? 0),\(cut.userRevision ?? 0))"
        }
        switch message {
        case .stage(let part):
            return "handle \(part.handle), no base, target \(name(part.target, of: part.handle))"
        case .data(let part):
            let base = part.base.map { name($0, of: part.handle) } ?? "nothing"
            return "handle \(part.handle), \(base) → \(name(part.target, of: part.handle)), \(cut(part.cut))"
        case .join(let join):
            let bindings = join.sections.map { "`\($0.section)` \($0.handle) = \(name($0.sum ?? 0, of: $0.handle))" }
            let view = "view \(join.viewHandle) = \(name(join.viewSum, of: join.viewHandle))"
            return "sub \(join.subscription): \(([view] + bindings).joined(separator: ", ")); \(position(join.cut))"
        case .progress(let cut): return position(cut)
        case .ack(let bytes, let cut):
            return "bytes \(bytes), cut (\(cut?.catalogueRevision ?? 0),\(cut?.userRevision ?? 0))"
        case .subscribe(let subscribe):
            return "sub \(subscribe.subscription) gen \(subscribe.generation) `\(subscribe.screen)`"
        case .nack(let nack):
            let held = nack.held.map { held in
                let name = held.sum.map { names[$0] ?? "?" } ?? "–"
                return "\(held.handle) \(name)\(held.refused ? " refused" : "")"
            }
            return
                "number \(nack.number), good \(position(CutChange(nack.good)).dropFirst(4)), held \(held.joined(separator: ", "))"
        case .repair(let number): return "number \(number)"
        case .answer(let answer): return "call \(answer.call), \(answer.status == nil ? "OK" : "failed")"
        case .request(let request): return "call \(request.call), method \(request.method.rawValue)"
        default: return ""
        }
    }

    /// Whether a message has the fields named in its row. Byte counts there are only examples.
    private func fields(_ message: Message, _ row: TraceTable.Row) -> Bool {
        var described = describe(message)
        if case .ack = message { described = described.replacing(/bytes \d+/, with: "") }
        if row.fields.contains("ody of row") || row.fields.hasPrefix("as row") { return true }
        return described.split(separator: ", ").allSatisfy {
            row.fields.contains($0.trimmingCharacters(in: .whitespaces))
        }
    }

    // MARK: - The end

    func checkEnd() {
        #expect(server.library.counters.encodes == 19)
        #expect(server.sessions.map { $0.core.deliveries } == [19, 12])
        #expect(a.favorites.mark(of: "movie/27205") == .yes)
        #expect((try? a.mirror.outbox()) == [])
        for client in [a, b] {
            let shown = client.core.content(of: Self.home)
            #expect(names[shown?.sections["rank"]?.sum ?? 0] == "r6")
            #expect(names[shown?.sections["basic"]?.sum ?? 0] == "b3")
            #expect(names[client.core.content(of: TraceClient.collectionSet)?.sections["favorites"]?.sum ?? 0] == "f2")
        }
        #expect(names[a.core.content(of: Self.detail)?.sections["credits"]?.sum ?? 0] == "c2")
    }
}

extension FrameKind {
    /// The name used in the document.
    var name: String {
        switch self {
        case .hello: "hello"
        case .welcome: "welcome"
        case .ping: "ping"
        case .pong: "pong"
        case .progress: "progress"
        case .ack: "ack"
        case .goAway: "goAway"
        case .close: "close"
        case .subscribe: "subscribe"
        case .unsubscribe: "unsubscribe"
        case .subscriptionError: "subscriptionError"
        case .join: "join"
        case .nack: "nack"
        case .repair: "repair"
        case .rebase: "rebase"
        case .manifest: "manifest"
        case .data: "data"
        case .stage: "stage"
        case .request: "request"
        case .answer: "answer"
        case .cancel: "cancel"
        case .dismiss: "dismiss"
        case .guestEnded: "guestEnded"
        case .userProgress: "userProgress"
        case .replan: "replan"
        default: "kind \(rawValue)"
        }
    }
}
