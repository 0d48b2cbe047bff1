import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ClientChecks {
    /// Chapter 13.
    static let resume: [ClientCheck] = [
        ClientCheck(
            "offers-what-it-holds", .resume, "After a break the client offers every section with the sum of its bytes."
        ) {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.move("cards", to: World.cards([5, 3, 9]), in: &world)
            try await talk.progress(world)
            await talk.breakOff()
            let (again, subscribe) = try await stage.resumed(world)
            try again.expectOffer(of: world, in: subscribe)
            guard subscribe.subscription >= 1, subscribe.generation == 0,
                subscribe.resume?.cut.catalogueRevision == world.position.catalogueRevision
            else { throw again.failure("the cut of the stored view", FrameText.describe(.subscribe(subscribe))) }
        },
        ClientCheck("tier-0", .resume, "A join alone makes what was offered live again.") { stage in
            var world = World(screen: stage.screen)
            await (try await stage.live(world)).breakOff()
            let (talk, _) = try await stage.resumed(world)
            await talk.cut([talk.join(world)])
            try await talk.progress(world)
            try await talk.expectHeld(world)
            await talk.move("cards", to: World.cards(4...6), in: &world)
            try await talk.expectHeld(world)
        },
        ClientCheck("tier-1", .resume, "A patch from what was offered comes in the cut of its join.") { stage in
            var world = World(screen: stage.screen)
            await (try await stage.live(world)).breakOff()
            world.position.catalogueRevision += 3
            let (talk, _) = try await stage.resumed(world)
            let target = World.cards([8, 1, 30])
            let parts = talk.parts(from: world["cards"], to: target, 2, cut: CutChange(world.position))
            await talk.cut([talk.join(world)] + parts.map { .data($0) })
            world["cards"] = target
            try await talk.expectHeld(world)
        },
        ClientCheck("tier-2", .resume, "An offered version is described before the join, and patched from there.") {
            stage in
            var world = World(screen: stage.screen)
            await (try await stage.live(world)).breakOff()
            let (talk, _) = try await stage.resumed(world)
            try await talk.expectHeld([("cards", 2, world["cards"])])
            let target = World.cards([8, 1, 30], title: "New")
            try await talk.stagePatch(from: ContentManifest(world["cards"]), to: target, 2)
            world["cards"] = target
            await talk.cut([talk.join(world)])
            try await talk.expectHeld(world)
        },
        ClientCheck("tier-3", .resume, "A snapshot replaces what was offered.") { stage in
            var world = World(screen: stage.screen)
            await (try await stage.live(world)).breakOff()
            let (talk, _) = try await stage.resumed(world)
            world["cards"] = World.cards(60...70)
            await talk.stage(world)
            await talk.cut([talk.join(world)])
            try await talk.expectHeld(world)
        },
        ClientCheck("section-gone", .resume, "An offered section that the join doesn't bind is gone.") { stage in
            var world = World(screen: stage.screen)
            await (try await stage.live(world)).breakOff()
            let (talk, _) = try await stage.resumed(world)
            let own = world.own
            world.sections.removeLast()
            world.own = World.list(of: world.sections.map(\.id))
            let parts = talk.parts(from: own, to: world.own, World.viewHandle, cut: CutChange(world.position))
            await talk.cut([talk.join(world, naming: ["": own.sum])] + parts.map { .data($0) })
            try await talk.expectHeld(world)
        },
        ClientCheck("broken-again", .resume, "A break before the join loses nothing that was held.") { stage in
            let world = World(screen: stage.screen)
            await (try await stage.live(world)).breakOff()
            let (second, _) = try await stage.resumed(world)
            await second.stage(World.cards(60...70), 2)
            try await second.expectAlive()
            await second.breakOff()
            let (third, subscribe) = try await stage.resumed(world)
            try third.expectOffer(of: world, in: subscribe)
        },
        ClientCheck(
            "started-again", .resume, "A client that keeps a mirror offers it after it was killed and started again."
        ) {
            stage in
            guard stage.subject.keepsMirror else { throw NotApplicable("the command has no {mirror}") }
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let first = world
            await talk.move("cards", to: World.cards([5, 3, 9]), in: &world)
            let stored = try await talk.progress(world)
            await stage.kill()
            try await stage.start(keepingMirror: true)
            let (again, subscribe) = try await stage.resumed(world)
            guard again.hello.clientID == talk.hello.clientID, again.hello.cluster == world.cluster else {
                throw again.failure("the client id and the cluster of the mirror", "different ones")
            }
            // A client need not store contents with each cut. Unless its ack says that it has, the state before is
            // right too: that is also a complete one.
            let mayBeOlder = stored.map { first.position.contains($0) } ?? true
            if mayBeOlder, subscribe.resume?.sections.first?.sum == first["cards"].sum { world = first }
            try again.expectOffer(of: world, in: subscribe)
            await again.cut([again.join(world)])
            try await again.expectHeld(world)
        },
    ]
}

extension ClientTalk {
    /// Stages the patch that leads from a manifest to a version.
    func stagePatch(from manifest: ContentManifest, to target: Version, _ handle: UInt64) async throws {
        guard let patch = Differ.patch(from: manifest, to: target) else {
            throw failure("a manifest that a patch can be made from", "one with an id twice")
        }
        await stage(parts(patch, handle, isWhole: false))
    }
}
