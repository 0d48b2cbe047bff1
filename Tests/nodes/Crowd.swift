import MarqueeClient

/// Everybody who is connected: users with several devices each, what they mark, and one who publishes.
struct Crowd: Sendable {
    let devices: [Device]
    let favorites: [Favorite]
    let publisher: Publisher

    /// - Parameters:
    ///   - port: of the balancer.
    ///   - users: each has about as many devices.
    ///   - movies: that are published and marked.
    init(
        port: Int, clients: Int, users: [String], tokens: Tokens, movies: [Subject], timeline: Timeline
    ) throws {
        devices = try (0..<clients).map { number in
            // One after the other, so that the balancer takes them to different servers.
            let user = users[number * users.count / clients]
            return Device(try Self.configuration(port: port, user: user, tokens), timeline: timeline)
        }
        let byUser = Dictionary(grouping: devices, by: \.user)
        favorites = users.enumerated().flatMap { number, user in
            (0..<min(Bounds.favoritesOfUser, movies.count)).map { choice in
                Favorite(
                    user: user, subject: movies[(number + choice) % movies.count], devices: byUser[user] ?? [],
                    first: choice)
            }
        }
        publisher = Publisher(try Self.publishing(port: port, tokens), movies: movies, timeline: timeline)
    }

    /// How a device of a user connects.
    static func configuration(port: Int, user: String, _ tokens: Tokens) throws -> ClientConfiguration {
        try configuration(port: port, user: user, token: tokens.token(of: user))
    }

    /// How the publisher connects.
    static func publishing(port: Int, _ tokens: Tokens) throws -> ClientConfiguration {
        try configuration(port: port, user: nil, token: tokens.token(of: Tokens.publisher))
    }

    private static func configuration(port: Int, user: String?, token: String) -> ClientConfiguration {
        var configuration = ClientConfiguration(host: ServerProcess.host, port: port, user: user, mirror: .memory)
        configuration.token = { token }
        return configuration
    }

    /// Forgets everything that happened before, so that it doesn't count any more.
    func forget() {
        for device in devices { device.forget() }
        for favorite in favorites { favorite.forget() }
        publisher.forget()
    }

    /// Marks, unmarks and publishes until a moment, and returns when all of it is confirmed.
    /// - Parameter rates: how many publications and favorites there are a second.
    func act(until end: ContinuousClock.Instant, rates: (publications: Double, favorites: Double)) async {
        let pause = Duration.seconds(Double(favorites.count) / rates.favorites)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await publisher.publish(until: end, pause: .seconds(1 / rates.publications)) }
            for favorite in favorites { group.addTask { await favorite.change(until: end, pause: pause) } }
        }
    }

    /// The events that should not have happened to anybody.
    var faults: [String] { devices.flatMap(\.faults) + favorites.flatMap(\.faults) + publisher.faults }
}
