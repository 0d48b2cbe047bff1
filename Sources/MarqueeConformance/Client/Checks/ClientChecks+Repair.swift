import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ClientChecks {
    /// Chapter 14.
    static let repair: [ClientCheck] = [
        ClientCheck("nack", .repair, "A wrong cut is answered by a nack that says what is held and what failed.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.wrongCut(world)
            try await talk.expectNack(1, refusing: [2], holding: world)
            // The refused section is sent whole; the others join as they are held.
            world["cards"] = World.cards(20...25)
            await talk.stage(world["cards"], 2)
            await talk.repair(1, world)
            try await talk.progress(world)
            try await talk.expectHeld(world)
        },
        ClientCheck("waits-for-repair", .repair, "Cuts are dropped until the repair arrives; their bytes count.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.wrongCut(world)
            try await talk.expectNack(1, refusing: [2], holding: world)
            let before = world
            await talk.move("unknown", to: World.cards(1...2), in: &world)
            await talk.cut([.repair(number: 9), talk.join(world)])
            try await talk.expectAlive()
            try await talk.expectHeld(before)
            await talk.repair(1, before)
            try await talk.progress(before)
            try await talk.expectHeld(before)
        },
        ClientCheck(
            "progress-while-waiting", .repair,
            "While a repair is awaited, progress is acknowledged but doesn't move the position."
        ) {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.wrongCut(world)
            try await talk.expectNack(1, refusing: [2], holding: world)
            var later = world.position
            later.catalogueRevision += 500
            try await talk.progress(to: CutChange(later))
            await talk.breakOff()
            try await stage.accept().expectSeen(world.position)
        },
        ClientCheck("staged-while-waiting", .repair, "While a repair is awaited, staged parts are kept.") { stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.wrongCut(world)
            try await talk.expectNack(1, refusing: [2], holding: world)
            world["unknown"] = World.cards(31...35)
            await talk.stage(world["unknown"], 3)
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "staged-is-named", .repair, "A nack names the complete staged versions, except the refused one."
        ) {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let staged = World.cards(31...35)
            await talk.stage(staged, 3)
            await talk.stage(World.cards(41...45), 2)
            await talk.wrongCut(world)
            let nack = try await talk.expectNack(1, refusing: [2], holding: world)
            guard nack.staged.map(\.handle) == [3], nack.staged[0].sum == staged.sum else {
                throw talk.failure("handle 3 alone in staged", "\(nack.staged.map(\.handle))")
            }
            world["unknown"] = staged
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "join-refused-keeps-staged", .repair,
            "A staged version named by a join in a refused cut is kept for the repair."
        ) {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let staged = World.cards(31...35)
            await talk.stage(staged, 3)
            await talk.cut([talk.join(world, naming: ["unknown": staged.sum, "cards": 5])])
            let nack = try await talk.expectNack(1, refusing: [2], holding: world)
            guard nack.staged.map(\.handle) == [3] else {
                throw talk.failure("handle 3 in staged", "\(nack.staged.map(\.handle))")
            }
            world["unknown"] = staged
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
        ClientCheck("first-cut-refused", .repair, "A view whose first cut is refused gets a second one.") { stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.accept()
            await talk.welcome(world)
            try await talk.subscribed()
            for (handle, version) in world.versions where handle != 2 { await talk.stage(version, handle) }
            await talk.cut([talk.join(world)])
            let nack = try await talk.until("nack {1} that refuses 2") { message -> Nack? in
                if case .nack(let nack) = message { return nack }
                return nil
            }
            guard let refused = nack.held.first(where: { $0.handle == 2 }), refused.refused, refused.sum == nil else {
                throw talk.failure("handle 2 refused, without a sum", FrameText.describe(.nack(nack)))
            }
            await talk.stage(world["cards"], 2)
            for held in world.versions
            where held.handle != 2 && !nack.staged.contains(where: { $0.handle == held.handle }) {
                await talk.stage(held.version, held.handle)
            }
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
        ClientCheck("nack-after-nack", .repair, "A repair that fails is refused under the next number.") { stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.wrongCut(world)
            try await talk.expectNack(1, refusing: [2], holding: world)
            await talk.repair(1, world, naming: ["cards": 77])
            try await talk.expectNack(2, refusing: [2], holding: world)
            await talk.repair(2, world, naming: ["cards": 78])
            try await talk.expectNack(3, refusing: [2], holding: world)
            // The third repair delivers the view without the section, which keeps its content.
            await talk.repair(3, world, naming: ["cards": nil])
            try await talk.expectHeld(world)
            await talk.move("unknown", to: World.cards(1...2), in: &world)
            try await talk.expectHeld(world)
        },
        ClientCheck("no-fourth-nack", .repair, "After three nacks without a good cut the client closes.") { stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.wrongCut(world)
            for number: UInt32 in 1...3 {
                try await talk.expectNack(number, refusing: [2], holding: world)
                await talk.repair(number, world, naming: ["cards": 70 + UInt64(number)])
            }
            try await talk.expectEnd("CUT_REFUSED")
        },
        ClientCheck("good-cut-resets", .repair, "A good cut in between resets the count of nacks; numbers go on.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            for number: UInt32 in 1...5 {
                await talk.wrongCut(world)
                try await talk.expectNack(number, refusing: [2], holding: world)
                await talk.repair(number, world)
                await talk.move("unknown", to: World.cards(1...Int(number)), in: &world)
                try await talk.expectHeld(world)
            }
        },
    ]

    /// Chapter 15.
    static let rebase: [ClientCheck] = [
        ClientCheck("describes", .rebase, "Each section asked for is described, in order: sum, head and hashes.") {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let wanted = world.sections.reversed().map { ($0.id, $0.handle, $0.version) }
            try await talk.expectHeld(wanted + [("", World.viewHandle, world.own)])
        },
        ClientCheck(
            "describes-nothing", .rebase, "A section that isn't held is described by the empty version's manifest."
        ) {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            try await talk.expectHeld([
                ("cards", 2, world["cards"]), ("no-such", 77, .empty), ("empty", 4, world["empty"]),
            ])
        },
        ClientCheck("describes-of-ended", .rebase, "An ended subscription is described by empty manifests.") {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.send(
                .rebase(
                    Rebase(subscription: 9_999, sections: [RebaseSection(section: "cards", handle: 91)])))
            guard try await talk.manifest(91) == ContentManifest(.empty) else {
                throw talk.failure("the empty version's manifest", "another one")
            }
        },
        ClientCheck(
            "describes-before-join", .rebase,
            "Before a view has joined, it is described as it was offered, or as empty."
        ) {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.accept()
            await talk.welcome(world)
            try await talk.subscribed()
            try await talk.expectHeld([("cards", 2, .empty), ("", World.viewHandle, .empty)])
            await talk.stage(world)
            await talk.cut([talk.join(world)])
            try await talk.progress(world)
            await talk.breakOff()
            let (again, _) = try await stage.resumed(world)
            try await again.expectHeld(world)
        },
        ClientCheck("patch-from-manifest", .rebase, "A staged patch from a manifest is applied to what was described.")
        {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            try await talk.expectHeld([("cards", 2, world["cards"]), ("", World.viewHandle, world.own)])
            let target = World.cards([9, 3, 1, 2], title: "Patched", head: "rank")
            try await talk.stagePatch(from: ContentManifest(world["cards"]), to: target, 2)
            world["cards"] = target
            await talk.cut([talk.join(world)])
            try await talk.expectHeld(world)
        },
        ClientCheck("patch-from-undescribed", .rebase, "A staged patch from a version never described is dropped.") {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let other = World.cards(1...3)
            let target = World.cards(1...4)
            try await talk.stagePatch(from: ContentManifest(other), to: target, 2)
            await talk.cut([talk.join(world, naming: ["cards": target.sum])])
            try await talk.expectNack(1, refusing: [2], holding: world)
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
    ]
}

extension ClientTalk {
    /// Sends a cut with a patch of the cards that doesn't build the version it names.
    func wrongCut(_ world: World) async {
        let change = CutChange(catalogueRevision: world.position.catalogueRevision + 1)
        var part = parts(from: world["cards"], to: World.cards([4, 2]), 2, cut: change)[0]
        part.target ^= 1
        await cut([.data(part)])
    }
}
