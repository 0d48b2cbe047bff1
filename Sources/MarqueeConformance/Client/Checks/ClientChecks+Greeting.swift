import MarqueeModel
import MarqueeWire

extension ClientChecks {
    /// Chapter 5.
    static let greeting: [ClientCheck] = [
        ClientCheck("hello", .greeting, "Hello comes first, with version 1 and a client id, and nothing until welcome.")
        {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.accept()
            guard talk.hello.protocolMinimum <= 1, talk.hello.protocolMaximum >= 1 else {
                throw talk.failure(
                    "a range with protocol 1", "\(talk.hello.protocolMinimum) to \(talk.hello.protocolMaximum)")
            }
            guard Set(talk.hello.clientID).count > 1 else {
                throw talk.failure("a random client id", "one byte repeated")
            }
            guard talk.hello.cluster == nil, talk.hello.seen == nil else {
                throw talk.failure("no cluster and no position of a new mirror", FrameText.describe(.hello(talk.hello)))
            }
            try await talk.expectNothing()
            await talk.welcome(world)
            try await talk.subscribed()
        },
        ClientCheck("hello-again", .greeting, "A later hello has the same client id, the cluster and what was seen.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.move("cards", to: World.cards(1...3), in: &world)
            world.position.catalogueRevision += 5
            try await talk.progress(world)
            await talk.breakOff()
            let again = try await stage.accept()
            guard again.hello.clientID == talk.hello.clientID else {
                throw again.failure("the same client id", "a different one")
            }
            guard again.hello.cluster == world.cluster else {
                throw again.failure("cluster \(world.cluster)", again.hello.cluster ?? "none")
            }
            try again.expectSeen(world.position)
        },
        ClientCheck("own-client-id", .greeting, "Two mirrors have different client ids.") { stage in
            let first = try await stage.accept().hello.clientID
            await stage.kill()
            try await stage.start()
            guard try await stage.accept().hello.clientID != first else {
                throw Deviation(expected: "a different client id for a different mirror", actual: "the same one")
            }
        },
        ClientCheck("welcome-first", .greeting, "Anything but welcome as the first message ends the connection.") {
            stage in
            let world = World(screen: stage.screen)
            for message in [Message.progress(CutChange(world.position)), .ping(nonce: 1), .answer(Answer(call: 1))] {
                try await stage.start()
                let talk = try await stage.accept()
                await talk.line.send(message)
                try await talk.expectEnd("WRONG_DIRECTION")
                await stage.kill()
            }
        },
        ClientCheck("welcome-once", .greeting, "A second welcome ends the connection.") { stage in
            let talk = try await stage.live(World(screen: stage.screen))
            await talk.line.send(.welcome(talk.welcome))
            try await talk.probeThenExpectEnd("WRONG_DIRECTION")
        },
        ClientCheck("welcome-limits", .greeting, "A welcome with a limit below its minimum ends the connection.") {
            stage in
            let talk = try await stage.accept()
            await talk.welcome(World(screen: stage.screen)) { $0.limits.frameBytes = 100 }
            try await talk.expectEnd("OUT_OF_RANGE")
        },
        ClientCheck("node-behind", .greeting, "A node behind what was seen is left; nothing from it is shown.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.move("cards", to: World.cards(1...3), in: &world)
            try await talk.progress(world)
            await talk.breakOff()
            var older = world
            older.position.catalogueRevision -= 50
            let behind = try await stage.accept()
            await behind.welcome(older)
            try await behind.expectEnd("NODE_BEHIND")
            let (again, subscribe) = try await stage.resumed(world)
            try again.expectSeen(world.position)
            try again.expectOffer(of: world, in: subscribe)
        },
        ClientCheck("unknown-epoch", .greeting, "A node of another epoch is accepted; what is held is offered.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.breakOff()
            world.position = Cut(catalogueEpoch: world.position.catalogueEpoch ^ 0x77, catalogueRevision: 3)
            let (again, subscribe) = try await stage.resumed(world)
            try again.expectOffer(of: world, in: subscribe)
            await again.cut([again.join(world)])
            try await again.progress(world)
            try await again.expectHeld(world)
        },
        ClientCheck("other-cluster", .greeting, "A server of another cluster is left, and offered nothing.") {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.breakOff()
            let other = try await stage.accept()
            await other.welcome(World(screen: stage.screen))
            try await other.expectEnd()
        },
        ClientCheck("close-as-answer", .greeting, "A close instead of welcome is obeyed: remedy 1 means a retry.") {
            stage in
            let talk = try await stage.accept()
            await talk.send(
                .close(Status(.unavailable, reason: "STORE_UNAVAILABLE", remedy: .retrySame, message: "not now")))
            await talk.breakOff()
            let world = World(screen: stage.screen)
            try await stage.live(world).expectHeld(world)
        },
    ]
}
