import MarqueeClient
import Synchronization

/// Everybody who takes part in a round of faults: writers, observers, devices that move from server to server, and
/// guests that come and leave.
final class Company: Sendable {
    /// Favorites that each user's devices change.
    private static let favoritesOfUser = 3
    /// Clients that come during a round, at most, and how long each stays.
    private static let arrivals = 200
    private static let stay = Duration.seconds(3)

    let arena: Arena
    let recorder: Recorder
    private let dice: Dice
    private let writers: [KeyWriter]
    private let twins: [Twins]
    private let observers: [Observer]
    /// Those that lead devices from one server to another.
    private let wires: [Wire]
    private let guests = Mutex<[Task<Void, Never>]>([])

    /// The names of the observers that stay throughout.
    var lasting: Set<String> { Set(observers.map(\.name)) }

    init(_ arena: Arena, dice: Dice, recorder: Recorder) async throws {
        self.arena = arena
        self.recorder = recorder
        self.dice = dice
        let publisher = MarqueeClient(try Crowd.publishing(port: arena.servers[0].port, arena.tokens))
        let home = try await publisher.fetchScreen(.home)
        await publisher.close()
        let movies = Set(home.sections.flatMap { $0.items.compactMap(\.subject?.name) }).sorted()
        writers = try arena.servers.map { server in
            KeyWriter(
                at: server, Self.patient(try Crowd.publishing(port: server.port, arena.tokens)), movies: movies,
                recorder: recorder, dice: dice)
        }
        var (wires, twins, observers): ([Wire], [Twins], [Observer]) = ([], [], [])
        func wire() async throws -> Wire {
            let wire = try await Wire(to: .port(arena.everything[dice.next(arena.everything.count)].port))
            wires.append(wire)
            return wire
        }
        for (number, user) in Arena.users.enumerated() {
            let ports = [try await wire().port, try await wire().port, try await wire().port]
            let devices = try ports.map { Self.patient(try Crowd.configuration(port: $0, user: user, arena.tokens)) }
            twins.append(
                Twins(
                    user, Array(devices.dropLast()),
                    subjects: (0..<Self.favoritesOfUser).map { movies[(number + $0) % movies.count] },
                    recorder: recorder, dice: dice))
            observers += devices.suffix(1).map { Observer("\(user)-moving", $0, recorder: recorder) }
        }
        for (number, server) in arena.everything.enumerated() {
            let user = Arena.users[number % Arena.users.count]
            let configuration = Self.patient(try Crowd.configuration(port: server.port, user: user, arena.tokens))
            observers.append(Observer("\(user)@\(server.name)", configuration, recorder: recorder))
        }
        (self.wires, self.twins, self.observers) = (wires, twins, observers)
    }

    /// Tries again soon, however often it has failed.
    private static func patient(_ configuration: ClientConfiguration) -> ClientConfiguration {
        var configuration = configuration
        configuration.backoff = .milliseconds(100)...(.seconds(3))
        return configuration
    }

    /// Observes until it is cancelled.
    func watch() async {
        await withTaskGroup(of: Void.self) { group in
            for observer in observers { group.addTask { await observer.watch() } }
        }
    }

    /// Waits until all of them show their screens.
    func waitUntilShown() async throws {
        let deadline = ContinuousClock.now + Bounds.joining
        while true {
            var shown: Set<String> = []
            for event in recorder.history.events {
                if case .shown(let observer, _, .home, _, _) = event.what { shown.insert(observer) }
            }
            if shown.isSuperset(of: lasting) { return }
            guard ContinuousClock.now < deadline else {
                throw NodesError("\(lasting.subtracting(shown).sorted()) don't show anything")
            }
            try await Task.sleep(for: Bounds.look)
        }
    }

    /// Writes, then waits until all of it is decided.
    func write(while mayGoOn: @escaping @Sendable () -> Bool) async {
        await withTaskGroup(of: Void.self) { group in
            for writer in writers { group.addTask { await writer.write(while: mayGoOn) } }
            for pair in twins { group.addTask { await pair.write(while: mayGoOn) } }
        }
    }

    /// Leads one device after the other to another server, and has new ones come.
    func move(while mayGoOn: @Sendable () -> Bool) async {
        while mayGoOn(), !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(300 + dice.next(700)))
            let server = arena.everything[dice.next(arena.everything.count)]
            wires[dice.next(wires.count)].lead(to: .port(server.port))
            if dice.next(3) == 0 { arrive(1, at: server) }
        }
    }

    /// New clients come to a server, show what it has, and leave.
    func arrive(_ count: Int, at server: ServerProcess) {
        guests.withLock { guests in
            for _ in 0..<min(count, Self.arrivals - guests.count) {
                let number = guests.count + 1
                let user = Arena.users[number % Arena.users.count]
                guard let configuration = try? Crowd.configuration(port: server.port, user: user, arena.tokens) else {
                    return
                }
                let guest = Observer("guest-\(number)@\(server.name)", Self.patient(configuration), recorder: recorder)
                guests.append(
                    Task {
                        await withTaskGroup(of: Void.self) { group in
                            group.addTask { await guest.watch() }
                            try? await Task.sleep(for: Self.stay)
                            group.cancelAll()
                        }
                    })
            }
        }
    }

    /// Waits until all guests have left, and moves no more devices.
    func leave() async {
        let tasks = guests.withLock { $0 }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        for wire in wires { await wire.stop() }
    }
}
