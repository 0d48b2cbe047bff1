import Foundation
import MarqueeModel
import MarqueeWire
import NIOCore

/// One kind of pressure.
struct Mode: Sendable {
    /// The target and the bounds that an attack has to go by.
    struct Field: Sendable {
        var target: Target
        /// The port of the address for operators.
        var adminPort: Int
        /// The port of the web door.
        var webPort: Int
        var seconds: Double
        var connections: Int
        var deadline: ContinuousClock.Instant

        var isOver: Bool { ContinuousClock.now >= deadline || Task.isCancelled }
    }

    /// The address that is under pressure.
    enum Place: Hashable, Sendable {
        case clients
        /// That for operators: a probe of it is judged too, and the server is told to end under it.
        case operators
        /// The web door: reading a screen there is judged too.
        case web
    }

    var name: String
    var place = Place.clients
    /// Files and sockets that the server may have open.
    var descriptors: Int?
    /// Megabytes that the server may hold more afterwards.
    var growth: Double = 128
    /// Whether the server demands TLS and tokens. The ordinary client has both, and attackers come from outside.
    var isSecured = false
    /// More options of `serve`.
    var options: [String] = []
    /// Metrics of the server that have to rise, or the pressure was not what the mode's name says.
    var evidence: [String] = []
    /// Milliseconds that newcomers wait for others who came before, by the limit that the mode is about.
    var newcomersWait: Double = 0
    /// Milliseconds that others wait for a commit, where the pressure is a large one.
    var commitsWait: Double = 0
    /// Whether the ordinary client and the attackers are guests of a relay.
    var isRelayed = false
    /// Puts the server under pressure until the field's deadline, then closes everything.
    var attack: @Sendable (Field) async throws -> Void

    static let all = [calm] + unsecured + shared + web + secured

    /// The name of the mode without pressure that this one is compared with.
    var basis: String {
        switch place {
        case .web: Self.webCalm.name
        case .clients, .operators: (isSecured ? Self.quiet : isRelayed ? Self.relayedCalm : Self.calm).name
        }
    }

    /// The basis of comparison for the others without TLS.
    static let calm = Mode(name: "nothing") { await $0.wait() }
    /// The basis of comparison for those behind a relay.
    static let relayedCalm = Mode(name: "relayed-nothing", isRelayed: true) { await $0.wait() }

    private static let unsecured: [Mode] = [
        Mode(name: "idle") { try await $0.crowd { _ in } },
        Mode(name: "half-open") { try await $0.crowd(greets: false) { _ in } },
        Mode(name: "slow-hello") { field in
            let hello = MessageCodec.encode(.hello(Attacker.hello()), flags: [])
            try await field.crowd(greets: false) { attacker in
                for index in 0..<hello.readableBytes where !field.isOver && attacker.isOpen {
                    if let byte = hello.getSlice(at: index, length: 1) { attacker.send(byte, messages: 0) }
                    try? await Task.sleep(for: .milliseconds(500))
                }
            }
        },
        Mode(name: "subscribers") { try await $0.crowd { $0.subscribe(1, "home") } },
        Mode(name: "stalled-readers") { field in
            try await field.crowd(field.connections / 2) { attacker in
                attacker.stopReading()
                attacker.subscribe(1, "home")
                attacker.subscribe(2, "large")
            }
        },
        Mode(name: "churn") { field in
            await field.again(32) {
                let attacker = try await Attacker.open(field.target)
                try await attacker.greet()
                attacker.subscribe(1, "home")
                attacker.close()
            }
        },
        // 12,000 a second where 10,000 are accepted, and the system's queue has room for 4,096.
        Mode(name: "resets", newcomersWait: 410) { field in
            await field.again(32) { try await Attacker.open(field.target).reset() }
        },
        Mode(name: "garbage") { field in
            await field.again(16) {
                let attacker = try await Attacker.open(field.target)
                if Bool.random() { try await attacker.greet() }
                attacker.send(ByteBuffer(bytes: (0..<2_000).map { _ in UInt8.random(in: .min ... .max) }), messages: 1)
                try await Task.sleep(for: .milliseconds(5))
                attacker.close()
            }
        },
        Mode(name: "subscribe-and-reset") { field in
            await field.again(40) {
                let attacker = try await Attacker.open(field.target)
                try await attacker.greet()
                await attacker.push((1...64).map { Self.detail($0) })
                attacker.reset()
            }
        },
        // Thousands of screens, which the server remembers for those who come back: 256 MiB of versions, 64 of patches,
        // and 64 of what nobody shows.
        Mode(name: "subscribe-burst-and-reset", growth: 384) { field in
            while !field.isOver {
                let crowd = try await field.open(min(300, field.connections)) { try await $0.greet() }
                for attacker in crowd { attacker.send((1...64).map { Self.detail($0) }) }
                try? await Task.sleep(for: .milliseconds(10))
                for attacker in crowd { attacker.reset() }
                try? await Task.sleep(for: .milliseconds(200))
            }
        },
        Mode(name: "subscribe-unsubscribe") { field in
            try await field.flood(20) { turn in
                (1...32).flatMap { step -> [Message] in
                    let id = UInt32(turn * 32 + step)
                    return [Self.detail(id), .unsubscribe(id)]
                }
            }
        },
        flood("health", .health, []), flood("describe", .describe, CallBodyCodec.encodeDescribeRequest(locale: "en")),
        flood(
            "search", .search, CallBodyCodec.encode(SearchRequest(query: "siege", queryID: 1, page: 1, locale: "en"))),
        flood("get", .getScreen, CallBodyCodec.encode(GetScreenRequest(screen: "large"))),
        Mode(name: "cancels") { field in
            try await field.flood(20) { turn in
                (1...64).flatMap { step -> [Message] in
                    let id = UInt32(turn * 64 + step)
                    return [.request(Request(call: id, method: .health)), .cancel(call: id)]
                }
            }
        },
        Mode(name: "coalesced") { field in
            try await field.flood(1) { turn in
                (1...2_000).map { .request(Request(call: UInt32(turn * 2_000 + $0), method: .health)) }
            }
        },
        Mode(name: "acks") { field in
            try await field.flood(20) { _ in (1...2_000).map { _ in .ack(bytes: 0, cut: nil) } }
        },
        Mode(name: "favorite-toggles") { field in
            try await field.flood(1, user: SiegeCatalogue.collector) { turn in
                (1...16).map { step in
                    let number = UInt64(turn * 16 + step)
                    let body = CollectionRequest(
                        number: 1_000_000 + number, answeredThrough: 1_000_000 + number - 1, subject: "movie/4901",
                        isMember: number % 2 == 0)
                    return .request(
                        Request(call: UInt32(number), method: .collection, body: CallBodyCodec.encode(body)))
                }
            }
        },
        Mode(name: "unfinished-publications") { field in
            try await field.flood(100) { turn in
                turn < 160 ? [Self.part(turn, of: 1, [[UInt8](repeating: 0x20, count: 50_000)])] : []
            }
        },
        Mode(name: "empty-parts") { field in
            try await field.flood(10) { turn in
                turn < 16
                    ? [Self.part(turn, of: 1, (0..<4_095).map { _ in [0x7b, 0x7d] })]
                    : (0..<64).map { Self.part(turn * 64 + $0, index: turn + $0, of: 1, []) }
            }
        },
        Mode(name: "answers-not-read") { field in
            try await field.flood(100, reads: false) { turn in
                turn > 0
                    ? []
                    : (1...16).map {
                        .request(
                            Request(
                                call: UInt32($0), method: .getScreen,
                                body: CallBodyCodec.encode(GetScreenRequest(screen: "large"))))
                    }
            }
        },
        Mode(name: "descriptor-limit", descriptors: 300) { field in
            // They say hello and ping, and show nothing.
            let crowd = await field.tryOpen(field.connections)
            for attacker in crowd { attacker.send(.hello(Attacker.hello())) }
            var nonce: UInt64 = 0
            while !field.isOver {
                nonce += 1
                for attacker in crowd where attacker.isOpen { attacker.send(.ping(nonce: nonce)) }
                try? await Task.sleep(for: .seconds(1))
            }
            for attacker in crowd { attacker.close() }
        },
    ]

    static func detail(_ number: UInt32) -> Message {
        .subscribe(
            Subscribe(
                subscription: number, screen: "detail/\(UInt64.random(in: 1...SiegeCatalogue.movies))"))
    }

    private static func part(_ call: Int, index: Int? = nil, of number: UInt64, _ changes: [[UInt8]]) -> Message {
        let body = PublishRequest(
            number: number, answeredThrough: 0, key: nil, index: UInt32(index ?? call), last: false, changes: changes)
        return .request(Request(call: UInt32(call + 1), method: .publish, body: CallBodyCodec.encode(body)))
    }

    private static func flood(_ name: String, _ method: MarqueeWire.Method, _ body: [UInt8]) -> Mode {
        Mode(name: "flood-\(name)") { field in
            try await field.flood(20) { turn in
                (1...16).map { .request(Request(call: UInt32(turn * 16 + $0), method: method, body: body)) }
            }
        }
    }
}

extension Attacker {
    func subscribe(_ id: UInt32, _ screen: String) { send(.subscribe(Subscribe(subscription: id, screen: screen))) }
}

extension Mode.Field {
    func wait() async { try? await Task.sleep(until: deadline) }

    /// Opens connections, a few at a time.
    func open(_ count: Int, _ begin: @escaping @Sendable (Attacker) async throws -> Void) async throws -> [Attacker] {
        try await withThrowingTaskGroup(of: [Attacker].self) { group in
            for part in 0..<32 {
                group.addTask {
                    var opened: [Attacker] = []
                    for _ in stride(from: part, to: count, by: 32) where !isOver {
                        let attacker = try await Attacker.open(target)
                        opened.append(attacker)
                        try await begin(attacker)
                    }
                    return opened
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Opens as many as the server lets in.
    func tryOpen(_ count: Int) async -> [Attacker] {
        var opened: [Attacker] = []
        for _ in 0..<count where !isOver {
            if let attacker = try? await Attacker.open(target) { opened.append(attacker) }
        }
        return opened
    }

    /// Many connections that do one thing and stay.
    func crowd(
        _ count: Int? = nil, greets: Bool = true, _ act: @escaping @Sendable (Attacker) async -> Void
    ) async throws {
        let crowd = try await open(count ?? connections) { if greets { try await $0.greet() } }
        await withTaskGroup(of: Void.self) { group in
            for attacker in crowd { group.addTask { await act(attacker) } }
        }
        await wait()
        for attacker in crowd { attacker.close() }
    }

    /// Does something over and over, so many at a time; what fails is part of the pressure.
    func again(_ count: Int, _ act: @escaping @Sendable () async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    while !isOver {
                        try? await act()
                        await Task.yield()
                    }
                }
            }
        }
    }

    /// Connections that send messages as fast as the server takes them.
    func flood(
        _ count: Int, user: String? = nil, reads: Bool = true,
        _ messages: @escaping @Sendable (_ turn: Int) -> [Message]
    ) async throws {
        let crowd = try await open(count) { try await $0.greet(user: user) }
        await withTaskGroup(of: Void.self) { group in
            for attacker in crowd {
                group.addTask {
                    if !reads { attacker.stopReading() }
                    var turn = 0
                    while !isOver, attacker.isOpen {
                        let messages = messages(turn)
                        if messages.isEmpty { break }
                        await attacker.push(messages)
                        turn += 1
                    }
                }
            }
        }
        await wait()
        for attacker in crowd { attacker.close() }
    }
}
