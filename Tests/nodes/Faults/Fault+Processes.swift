import Foundation

extension Fault {
    /// Processes that are killed, stopped and restarted.
    static let processes: [Fault] = [
        Fault(
            name: "server-kill", summary: "kill -9 of a server, twice, back after 2 s", promise: "the others go on",
            patience: othersWait
        ) { scene in
            for _ in 0..<2 {
                try await scene.victim.kill()
                try await Task.sleep(for: .seconds(2))
                try await scene.victim.start()
                try await Task.sleep(for: .seconds(1))
            }
        },
        Fault(
            name: "relay-kill", summary: "kill -9 of either relay, back after 2 s",
            promise: "those behind it show an older position meanwhile, never a wrong one", patience: othersWait
        ) { scene in
            for relay in scene.arena.relays {
                try await relay.kill()
                try await Task.sleep(for: .seconds(2))
                try await relay.start()
            }
        },
        Fault(
            name: "server-stop", summary: "SIGSTOP of a server for 6 s, then SIGCONT", promise: "the others go on",
            patience: othersWait
        ) { scene in
            try await scene.stop(scene.victim, for: .seconds(6))
        },
        Fault(
            name: "relay-stop", summary: "SIGSTOP of the relay before the other one for 6 s, then SIGCONT",
            promise: "those behind it show an older position meanwhile, never a wrong one", patience: othersWait
        ) { scene in
            try await scene.stop(scene.arena.relays[0], for: .seconds(6))
        },
        Fault(
            name: "stop-in-transaction",
            summary: "SIGSTOP of a server that holds the lock on the catalogue's head, for 25 s",
            promise: "others publish again within 10 s", patience: othersWait
        ) { scene in
            // Without its answers it can't commit: once it has taken the lock, it keeps it.
            let wire = scene.arena.databaseWires[scene.victimNumber][0]
            wire.hold([.answers])
            try await scene.waitForHeldLock()
            scene.victim.signal(SIGSTOP)
            wire.hold([])
            try await scene.stop(scene.victim, for: .seconds(25))
        },
        Fault(
            name: "rolling-restart", summary: "SIGTERM to each server and relay in turn, each started again",
            promise: "the others go on", patience: othersWait
        ) { scene in
            for server in scene.arena.everything {
                try await server.drain()
                try await server.start()
            }
        },
        Fault(
            name: "clock-jump", summary: "one server's clock goes 8 days ahead, then 200, then back",
            promise: "nothing is forgotten or cut", patience: othersWait, obstacle: FakeTime.obstacle
        ) { scene in
            for offset in ["+8d", "+200d", nil] {
                try await scene.victim.kill()
                scene.victim.replace(variables: offset.map(FakeTime.variables) ?? [])
                try await scene.victim.start()
                try await Task.sleep(for: .seconds(4))
            }
        },
    ]

    /// Networks that pass nothing on, or only in one direction.
    static let cuts: [Fault] = [
        Fault(
            name: "database-cut", summary: "nothing passes between a server and the database for 8 s",
            promise: "the others go on", patience: othersWait
        ) { scene in
            try await scene.cut(Set(Wire.Direction.allCases), for: .seconds(8))
        },
        Fault(
            name: "answers-cut", summary: "the database's answers don't reach a server for 25 s",
            promise: "the others publish again within 10 s", patience: othersWait
        ) { scene in
            try await scene.cut([.answers], for: .seconds(25))
        },
        Fault(
            name: "requests-cut", summary: "what a server says doesn't reach the database for 15 s",
            promise: "the others publish again within 10 s", patience: othersWait
        ) { scene in
            try await scene.cut([.requests], for: .seconds(15))
        },
        Fault(
            name: "upstream-cut",
            summary: "the relays' connections to what is before them are held for 700 ms and broken, 8 times, while "
                + "clients arrive", promise: "no relay shows an older position than before", patience: othersWait
        ) { scene in
            for round in 0..<8 {
                let wires = scene.arena.relayWires[round % 2]
                for wire in wires { wire.hold([.answers]) }
                scene.arrive(4, at: scene.arena.relays[1])
                try await Task.sleep(for: .milliseconds(700))
                for wire in wires {
                    wire.reset()
                    wire.hold([])
                }
                scene.arrive(4, at: scene.arena.relays[1])
                try await Task.sleep(for: .milliseconds(700))
            }
        },
    ]
}
