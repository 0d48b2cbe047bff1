import Foundation
import PostgresSupport

extension Fault {
    /// A database that crashes, ends connections, or has no room.
    static let databases: [Fault] = [
        Fault(
            name: "primary-kill", summary: "kill -9 of all processes of the primary, back after 3 s",
            promise: "nothing is lost"
        ) { scene in
            try scene.arena.primary.crash()
            try await Task.sleep(for: .seconds(3))
            try scene.arena.primary.resume()
        },
        Fault(
            name: "primary-stop", summary: "SIGSTOP of all processes of the primary for 12 s, then SIGCONT",
            promise: "nothing is lost or doubled"
        ) { scene in
            try scene.arena.primary.signal(SIGSTOP)
            // Also when the run is interrupted: stopped processes don't end.
            defer { try? scene.arena.primary.signal(SIGCONT) }
            try await Task.sleep(for: .seconds(12))
        },
        Fault(
            name: "terminate-storm", summary: "all connections to the primary are ended, 15 times in 5 s",
            promise: "nothing is lost or doubled"
        ) { scene in
            for _ in 0..<15 {
                try scene.terminate(at: scene.arena.primary)
                try await Task.sleep(for: .milliseconds(100 + scene.dice.next(400)))
            }
        },
        Fault(
            name: "table-lock", summary: "an administrator locks the catalogue's head for 12 s",
            promise: "nothing is lost or doubled"
        ) { scene in
            let session = try PostgresSession(at: scene.arena.primary.url())
            try session.run("BEGIN; LOCK TABLE catalogue_head IN ACCESS EXCLUSIVE MODE")
            try await Task.sleep(for: .seconds(12))
            session.close()
        },
        Fault(
            name: "no-connections", summary: "others have all of the primary's connections for 6 s",
            promise: "nothing is lost or doubled"
        ) { scene in
            var sessions: [PostgresSession] = []
            let end = ContinuousClock.now + .seconds(6)
            while ContinuousClock.now < end {
                while sessions.count < Bounds.databaseConnections,
                    let session = try? PostgresSession(
                        at: scene.arena.primary.url() + "&application_name=\(FaultScene.administrator)")
                {
                    sessions.append(session)
                }
                // One of those that are held ends all others.
                try sessions.last?.run(FaultScene.termination(sparing: FaultScene.administrator))
                try await Task.sleep(for: .milliseconds(500))
            }
            for session in sessions { session.close() }
        },
        Fault(
            name: "asynchronous-commit",
            summary: "the primary is set to commit without waiting for the disk, then kill -9, back after 2 s",
            promise: "what was confirmed is kept"
        ) { scene in
            let primary = scene.arena.primary
            for setting in ["synchronous_commit = off", "wal_writer_delay = '10s'", "wal_writer_flush_after = '1GB'"] {
                try primary.run("ALTER SYSTEM SET \(setting)")
            }
            try primary.run("SELECT pg_reload_conf()")
            try await Task.sleep(for: .seconds(4))
            try primary.crash()
            try await Task.sleep(for: .seconds(2))
            try primary.resume()
            try primary.run("ALTER SYSTEM RESET synchronous_commit")
            try primary.run("SELECT pg_reload_conf()")
        },
        Fault(
            name: "disk-full", summary: "the primary's disk has no room for 6 s", promise: "nothing is lost or doubled",
            needsDisk: true, obstacle: SmallDisk.obstacle
        ) { scene in
            guard let disk = scene.arena.disk else { throw NodesError("the primary has no disk of its own") }
            try disk.fill()
            try await Task.sleep(for: .seconds(6))
            disk.empty()
            // After a panic it starts by itself, unless there was no room for that either.
            try? scene.arena.primary.crash()
            try scene.arena.primary.resume()
        },
    ]
}
