/// One thing that happens to the servers while everybody goes on.
struct Phase: Sendable {
    /// From the beginning of a phase until it happens, and until what was ended is started again.
    static let lead = Duration.seconds(2)
    static let away = Duration.seconds(3)

    let name: String
    let summary: String
    /// - Parameter newer: the program that nodes are restarted to.
    let act: @Sendable (_ cluster: Cluster, _ newer: String) async throws -> Void

    static let all = [
        Phase(name: "quiet", summary: "nothing") { _, _ in },
        Phase(name: "node", summary: "kill -9 of a node, back after 3 s") { cluster, _ in
            try await kill(cluster.nodes[1])
        },
        Phase(name: "upstream", summary: "kill -9 of the node before the relays, back after 3 s") { cluster, _ in
            try await kill(cluster.nodes[0])
        },
        Phase(name: "relay", summary: "kill -9 of the relay before the other one, back after 3 s") { cluster, _ in
            try await kill(cluster.relays[0])
        },
        Phase(name: "postgresql", summary: "kill -9 of all of PostgreSQL's processes, back after 3 s") { cluster, _ in
            try cluster.database.crash()
            try await Task.sleep(for: away)
            try cluster.database.resume()
        },
        Phase(name: "drain", summary: "SIGTERM to a node, started again when it has ended") { cluster, _ in
            try await cluster.nodes[2].drain()
            try await cluster.nodes[2].start()
        },
        Phase(name: "rolling", summary: "SIGTERM to one node after the other, each started again as the newer version")
        {
            cluster, newer in
            try await cluster.roll(to: newer)
        },
    ]

    private static func kill(_ server: ServerProcess) async throws {
        try await server.kill()
        try await Task.sleep(for: away)
        try await server.start()
    }
}
