import PostgresSupport

extension Fault {
    /// Another database takes the place of the one that everybody knows.
    static let failovers: [Fault] = [
        Fault(
            name: "promotion", summary: "kill -9 of the primary, and promotion of a standby that has everything",
            promise: "nothing is lost", mayRefuse: false
        ) { scene in
            try scene.arena.primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try scene.arena.primary.run("SELECT pg_reload_conf()")
            try await Task.sleep(for: .seconds(3))
            try scene.arena.primary.crash()
            try await Task.sleep(for: .seconds(1))
            try scene.promote()
        },
        Fault(
            name: "promotion-with-loss",
            summary: "a standby that lacks 2 s of commits is promoted while writers wait; after 8 s, the servers are "
                + "stopped, `epoch new`, and started",
            promise: "only those commits are lost, and nobody is shown others in their place", mayRefuse: true
        ) { scene in
            try await scene.promoteWithLoss()
            try await Task.sleep(for: .seconds(8))
            try await scene.startAnew()
        },
        Fault(
            name: "old-primary",
            summary: "after a promotion with loss and `epoch new`, the old primary is started again, first in every "
                + "server's list, and the connections to the new one end",
            promise: "nothing is confirmed that the new primary doesn't have", mayRefuse: true
        ) { scene in
            try await scene.promoteWithLoss()
            try await scene.startAnew()
            try await Task.sleep(for: .seconds(2))
            try scene.arena.primary.resume()
            for _ in 0..<4 {
                try scene.terminate(at: scene.arena.standby)
                try await Task.sleep(for: .seconds(2))
            }
            try scene.arena.primary.crash()
            // Servers that refused to go on are started as an operator would.
            try await scene.startWhatEnded()
        },
    ]

    /// Steps of an operator.
    static let operations: [Fault] = [
        Fault(
            name: "restore", summary: "the servers are stopped, and an older backup is restored",
            promise: "only what came after the backup is lost", mayRefuse: true
        ) { scene in
            let file = scene.arena.folder.appending(path: "older.backup").path
            scene.mayLose(true)
            try await scene.arena.run(["backup", file, "--store", scene.database.url()])
            try await Task.sleep(for: .seconds(3))
            try await scene.stopServers()
            scene.mayLose(false)
            try await scene.arena.run(["restore", "--force", file, "--store", scene.database.url()])
            for server in scene.arena.servers { try await server.start() }
        },
        Fault(
            name: "epoch-new", summary: "`epoch new` while everybody goes on; servers that end are started again",
            promise: "nothing that was confirmed is lost", mayRefuse: true
        ) { scene in
            try await scene.arena.run(["epoch", "new", "--force", "--store", scene.database.url()])
            try await Task.sleep(for: .seconds(3))
            try await scene.startWhatEnded()
        },
    ]
}
