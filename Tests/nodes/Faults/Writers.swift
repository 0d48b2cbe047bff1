@_spi(Admin) import MarqueeClient
import SeededRandom
import Synchronization

/// Publishes at one server, one commit after the other: each gives one movie the key of the commit.
final class KeyWriter: Sendable {
    let name: String
    private let server: String
    private let client: MarqueeClient
    private let movies: [String]
    private let recorder: Recorder
    private let dice: Dice

    init(
        at server: ServerProcess, _ configuration: ClientConfiguration, movies: [String], recorder: Recorder, dice: Dice
    ) {
        name = "publisher@\(server.name)"
        self.server = server.name
        var configuration = configuration
        configuration.callTimeout = Bounds.call
        client = MarqueeClient(configuration, sharing: Observer.threads.next())
        self.movies = movies
        self.recorder = recorder
        self.dice = dice
    }

    /// - Parameter mayGoOn: whether another one is to begin.
    func write(while mayGoOn: @Sendable () -> Bool) async {
        var number = 0
        while mayGoOn(), !Task.isCancelled {
            number += 1
            await write("\(Checker.keyPrefix)\(server)/\(number)", movies[dice.next(movies.count)])
            try? await Task.sleep(for: .milliseconds(100 + dice.next(200)))
        }
        await client.close()
    }

    /// Asks again until it is confirmed.
    private func write(_ key: String, _ movie: String) async {
        let write = Write.mark(movie: movie, key: key)
        let id = movie.split(separator: "/").last ?? ""
        let change = """
            {"merge": {"type": "movie", "id": "\(id)", "record": {"overview": \
            "\(Observer.opening)\(key)\(Observer.closing)"}}}
            """
        recorder.record(.asked(writer: name, write))
        let deadline = ContinuousClock.now + Bounds.settling
        while ContinuousClock.now < deadline, !Task.isCancelled {
            do {
                let receipt = try await client.publish([change], key: key)
                // An earlier change is answered by the newest revision, which has it.
                let revision = receipt.changed ? receipt.revision : nil
                return recorder.record(.confirmed(writer: name, write, revision: revision))
            } catch {
                try? await Task.sleep(for: Bounds.look)
            }
        }
    }
}

/// Two devices of one user, which change favorites and a counter in turn, each after the other one's change was
/// confirmed.
final class Twins: Sendable {
    let user: String
    let devices: [MarqueeClient]
    private let subjects: [String]
    private let recorder: Recorder
    private let dice: Dice

    init(_ user: String, _ configurations: [ClientConfiguration], subjects: [String], recorder: Recorder, dice: Dice) {
        self.user = user
        devices = configurations.map { MarqueeClient($0, sharing: Observer.threads.next()) }
        self.subjects = subjects
        self.recorder = recorder
        self.dice = dice
    }

    /// - Parameter mayGoOn: whether another change is to begin.
    func write(while mayGoOn: @escaping @Sendable () -> Bool) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.count(while: mayGoOn) }
            for subject in subjects { group.addTask { await self.mark(subject, while: mayGoOn) } }
        }
        for device in devices { await device.close() }
    }

    private func count(while mayGoOn: @Sendable () -> Bool) async {
        guard let subject = subjects.first else { return }
        var value = 0
        while mayGoOn(), !Task.isCancelled {
            value += 1
            let number = value
            await change(.count(user: user, value: number), by: value) {
                try await $0.set(
                    Subject(subject), in: CollectionName(Stored.counter), value: CollectionValue(number))
            }
            try? await Task.sleep(for: .milliseconds(dice.next(400)))
        }
    }

    private func mark(_ subject: String, while mayGoOn: @Sendable () -> Bool) async {
        var (number, isSet) = (dice.next(devices.count), false)
        while mayGoOn(), !Task.isCancelled {
            number += 1
            isSet.toggle()
            let wanted = isSet
            let isConfirmed = await change(.favorite(user: user, subject: subject, isSet: wanted), by: number) {
                try await $0.setFavorite(wanted, for: Subject(subject))
            }
            if isConfirmed { await readBack(subject, at: number) }
            try? await Task.sleep(for: .milliseconds(dice.next(800)))
        }
    }

    /// - Returns: whether it was confirmed.
    @discardableResult
    private func change(
        _ write: Write, by number: Int, _ body: (MarqueeClient) async throws -> SubmittedChange
    ) async -> Bool {
        let (device, writer) = (devices[number % devices.count], "\(user)-\(number % devices.count)")
        recorder.record(.asked(writer: writer, write))
        do {
            switch try await device.result(of: try await body(device), within: Bounds.settling) {
            case .confirmed:
                recorder.record(.confirmed(writer: writer, write, revision: nil))
                return true
            case .rejected(let error): recorder.record(.refused(writer: writer, write, reason: "\(error)"))
            case .replaced: recorder.record(.refused(writer: writer, write, reason: "replaced"))
            }
        } catch {
            // Changes undecided in the end are found by the history.
        }
        return false
    }

    private func readBack(_ subject: String, at number: Int) async {
        let device = devices[number % devices.count]
        guard let favorites = try? await device.favorites() else { return }
        let isSet = favorites.contains { $0.subject.name == subject && $0.mark.isFavorite }
        recorder.record(
            .readBack(device: "\(user)-\(number % devices.count)", user: user, subject: subject, isSet: isSet))
    }
}

/// Random numbers of one seed, for several tasks.
final class Dice: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    /// A number below `bound`.
    func next(_ bound: Int) -> Int { generator.withLock { $0.int(0...max(0, bound - 1)) } }
}
