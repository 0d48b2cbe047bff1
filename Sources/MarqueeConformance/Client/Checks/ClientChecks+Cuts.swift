import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ClientChecks {
    /// Chapter 10.
    static let staging: [ClientCheck] = [
        ClientCheck("invisible-until-join", .staging, "Staged content isn't shown before a join names it.") { stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.stage(World.cards(50...60), 2)
            try await talk.expectHeld(world)
        },
        ClientCheck("stage-within-cut", .staging, "Staged parts may come between the frames of a cut.") { stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let (cards, staged) = (World.cards(2...4), World.cards(70...75))
            let change = CutChange(catalogueRevision: 101)
            await talk.send(.data(talk.parts(from: world["cards"], to: cards, 2, cut: change)[0]), flags: .first)
            await talk.stage(staged, 4)
            await talk.send(.data(talk.parts(from: world["unknown"], to: .empty, 3, cut: change)[0]), flags: .last)
            world["cards"] = cards
            world["unknown"] = .empty
            try await talk.expectHeld(world)
            world["empty"] = staged
            await talk.cut([talk.join(world)])
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "staged-in-parts", .staging, "A staged version in many parts, with other frames between them, joins."
        ) {
            stage in
            var world = World(screen: stage.screen)
            world["cards"] = World.cards(1...40)
            let talk = try await stage.accept()
            await talk.welcome(world)
            try await talk.subscribed()
            var parts: [Part] = []
            let whole = talk.whole(world["cards"], 2)[0]
            for (index, item) in whole.adds.enumerated() {
                var part = whole
                (part.adds, part.more) = ([item], index < whole.adds.count - 1)
                if index > 0 { (part.script, part.head) = ([], nil) }
                parts.append(part)
            }
            for (index, part) in parts.enumerated() {
                await talk.send(.stage(part), flags: index == 0 ? .first : [])
                if index % 10 == 5 { try await talk.expectAlive() }
            }
            for section in world.sections.dropFirst() { await talk.stage(section.version, section.handle) }
            await talk.stage(world.own, World.viewHandle)
            await talk.cut([talk.join(world)])
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "given-up", .staging, "A new staged patch discards an incomplete one; the rest of that is dropped."
        ) {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            var begun = talk.whole(World.cards(50...60), 2)[0]
            begun.more = true
            await talk.send(.stage(begun), flags: .first)
            let target = World.cards(70...75)
            await talk.stage(target, 4)
            // This part belongs to the discarded patch.
            await talk.send(.stage(begun))
            world["empty"] = target
            await talk.cut([talk.join(world)])
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "later-staged-counts", .staging, "Another complete version for a handle replaces the one staged before."
        ) {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.stage(World.cards(50...60), 4)
            world["empty"] = World.cards(70...75)
            await talk.stage(world["empty"], 4)
            await talk.cut([talk.join(world)])
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "staged-sum-wrong", .staging, "A staged version that doesn't match its sum is dropped; its join is refused."
        ) {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let target = World.cards(50...60)
            var part = talk.whole(target, 4)[0]
            part.adds[0].body[2] ^= 1
            await talk.stage([part])
            try await talk.expectAlive()
            await talk.cut([talk.join(world, naming: ["empty": target.sum])])
            try await talk.expectNack(1, refusing: [4], holding: world)
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
        ClientCheck("empty-version", .staging, "A join may name the empty version, which was never sent.") { stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            world["cards"] = .empty
            await talk.cut([talk.join(world)])
            try await talk.expectHeld(world)
        },
        ClientCheck("missing-version", .staging, "A join of a version that was never sent is refused.") { stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.cut([talk.join(world, naming: ["cards": 12345])])
            try await talk.expectNack(1, refusing: [2], holding: world)
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
    ]

    /// Chapter 11.
    static let cuts: [ClientCheck] = [
        ClientCheck("whole-or-nothing", .cuts, "Nothing is kept of a cut without its last frame.") { stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let part = talk.parts(
                from: world["cards"], to: World.cards(2...3), 2, cut: CutChange(catalogueRevision: 101))
            await talk.send(.data(part[0]), flags: .first)
            try await talk.expectHeld(world)
            await talk.breakOff()
            let (again, subscribe) = try await stage.resumed(world)
            try again.expectSeen(world.position)
            try again.expectOffer(of: world, in: subscribe)
        },
        ClientCheck("one-wrong-part", .cuts, "If one patch of a cut is wrong, none of it is applied.") { stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let change = CutChange(catalogueRevision: 101)
            let good = talk.parts(from: world["cards"], to: World.cards(2...3), 2, cut: change)[0]
            var wrong = talk.parts(from: world["empty"], to: World.cards(1...1), 4, cut: change)[0]
            wrong.target ^= 1
            await talk.cut([.data(good), .data(wrong)])
            try await talk.expectNack(1, refusing: [4], holding: world)
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
        ClientCheck("data-before-join", .cuts, "Data of a handle may come before the join of its cut that binds it.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            world.sections[0].handle = 42
            let target = World.cards([3, 2, 1])
            let part = talk.parts(from: world["cards"], to: target, 42, cut: CutChange(catalogueRevision: 101))[0]
            await talk.cut([.data(part), talk.join(world)])
            world["cards"] = target
            try await talk.expectHeld(world)
        },
        ClientCheck("whole-in-a-cut", .cuts, "A whole patch within a cut replaces a section.") { stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            world["cards"] = World.cards(30...33, title: "Whole")
            let parts = talk.whole(world["cards"], 2, cut: CutChange(catalogueRevision: 101))
            await talk.cut(parts.map { .data($0) })
            try await talk.expectHeld(world)
        },
        ClientCheck("two-patches", .cuts, "A cut with two patches for one handle is refused.") { stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let change = CutChange(catalogueRevision: 101)
            let first = talk.parts(from: world["cards"], to: World.cards(2...3), 2, cut: change)[0]
            let second = talk.parts(from: World.cards(2...3), to: World.cards(4...5), 2, cut: change)[0]
            await talk.cut([.data(first), .data(second)])
            try await talk.expectNack(1, refusing: [2], holding: world)
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
        ClientCheck("other-sections", .cuts, "A cut after which the list and the bound sections differ is refused.") {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let part = talk.parts(
                from: world.own, to: World.list(of: ["cards", "unknown"]), World.viewHandle,
                cut: CutChange(catalogueRevision: 101))[0]
            await talk.cut([.data(part)])
            try await talk.expectNack(1, refusing: [World.viewHandle], holding: world)
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
        ClientCheck("cut-order", .cuts, "Frames of a cut in the wrong order end the connection.") { stage in
            let scripts: [[(Bool, FrameFlags)]] = [
                // For each frame: whether it is progress instead of data, and the flags of data.
                [(false, .first), (false, .first)], [(false, [])], [(false, .last)], [(false, .first), (true, [])],
            ]
            for script in scripts {
                try await stage.start()
                let world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                let part = talk.parts(
                    from: world["cards"], to: World.cards(2...3), 2, cut: CutChange(catalogueRevision: 101))[0]
                for (isProgress, flags) in script {
                    await talk.send(isProgress ? .progress(CutChange(world.position)) : .data(part), flags: flags)
                }
                try await talk.probeThenExpectEnd("CUT_ORDER")
                await stage.kill()
            }
        },
        ClientCheck("other-epoch", .cuts, "A cut or progress that names another epoch ends the connection.") { stage in
            for isCut in [true, false] {
                try await stage.start()
                let world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                var other = world.position
                other.catalogueEpoch ^= 1
                if isCut {
                    await talk.cut([talk.join(world, cut: other)])
                } else {
                    await talk.send(.progress(CutChange(other)))
                }
                try await talk.probeThenExpectEnd("CUT_ORDER")
                await stage.kill()
            }
        },
    ]

    /// Chapter 12.
    static let positions: [ClientCheck] = [
        ClientCheck("progress-acknowledged", .positions, "Progress is answered by an ack.") { stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            for _ in 0..<3 {
                world.position.catalogueRevision += 1
                try await talk.progress(world)
            }
        },
        ClientCheck("position-of-cuts", .positions, "The position is the highest that cuts and progress named.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.move("cards", to: World.cards(2...3), in: &world)
            world.position.catalogueRevision += 10
            try await talk.progress(world)
            // A part may name a position that the client has already passed.
            let older = CutChange(catalogueRevision: world.position.catalogueRevision - 8)
            let parts = talk.parts(from: world["cards"], to: World.cards(4...5), 2, cut: older)
            world["cards"] = World.cards(4...5)
            await talk.cut(parts.map { .data($0) })
            try await talk.expectHeld(world)
            await talk.breakOff()
            let (again, subscribe) = try await stage.resumed(world)
            try again.expectSeen(world.position)
            try again.expectOffer(of: world, in: subscribe)
        },
        ClientCheck("ack-is-no-promise", .positions, "An ack names no position that the client doesn't have.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            for number in 1...5 {
                await talk.move("cards", to: World.cards(number...9), in: &world)
                let cut = try await talk.progress(world)
                guard cut.map({ $0.catalogueRevision <= world.position.catalogueRevision }) ?? true else {
                    throw talk.failure("a position up to \(FrameText.cut(world.position))", "\(cut ?? Cut())")
                }
            }
        },
    ]
}
