import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ClientChecks {
    /// Chapter 9.
    static let subscriptions: [ClientCheck] = [
        ClientCheck("subscribes", .subscriptions, "The client subscribes to its screen: generation 0, nothing offered.")
        {
            stage in
            let talk = try await stage.accept()
            await talk.welcome(World(screen: stage.screen))
            let subscribe = try await talk.subscribed()
            guard subscribe.subscription >= 1, subscribe.generation == 0, subscribe.resume == nil else {
                throw talk.failure("a new subscription without a resume", FrameText.describe(.subscribe(subscribe)))
            }
        },
        ClientCheck(
            "ids-not-reused", .subscriptions, "After an error with remedy 1 it subscribes again, with a higher id."
        ) {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let first = talk.subscription
            let status = Status(
                .unavailable, reason: "STORE_UNAVAILABLE", remedy: .retrySame, message: "not now",
                retryAfterMilliseconds: 1)
            await talk.send(.subscriptionError(SubscriptionError(subscription: first, generation: 0, status: status)))
            try await talk.subscribed()
            guard talk.subscription > first else {
                throw talk.failure("an id above \(first)", "\(talk.subscription)")
            }
            await talk.stage(world)
            await talk.cut([talk.join(world)])
            try await talk.expectHeld(world)
        },
        ClientCheck("section-error", .subscriptions, "An error of a section leaves the view live and as it was.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let status = Status(.dataLoss, reason: "SECTION_REFUSED", remedy: .retrySame, message: "on purpose")
            await talk.send(
                .subscriptionError(
                    SubscriptionError(
                        subscription: talk.subscription, generation: 0, status: status, section: "cards")))
            await talk.cut([talk.join(world, naming: ["cards": nil])])
            try await talk.expectHeld(world)
            await talk.move("unknown", to: World.cards(1...2), in: &world)
            try await talk.expectHeld(world)
        },
        ClientCheck("failed-change", .subscriptions, "An error of a higher generation leaves the view live as it was.")
        {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let status = Status(.invalidArgument, reason: "UNKNOWN_SORT", remedy: .fatal, message: "on purpose")
            await talk.send(
                .subscriptionError(
                    SubscriptionError(subscription: talk.subscription, generation: 7, status: status)))
            await talk.move("cards", to: World.cards(1...2), in: &world)
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "unbound-handle", .subscriptions, "Data of a handle that isn't bound is skipped; its bytes and cut count."
        ) {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            world.position.catalogueRevision += 1
            let change = CutChange(catalogueRevision: world.position.catalogueRevision)
            let part = Part(handle: 99, base: 5, target: 6, script: [0x02], count: 7, cut: change)
            await talk.cut([.data(part)])
            try await talk.expectAlive()
            await talk.breakOff()
            try await stage.accept().expectSeen(world.position)
        },
        ClientCheck(
            "never-opened", .subscriptions, "A join of a subscription that was never opened is skipped; its cut counts."
        ) {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            world.position.catalogueRevision += 1
            let other = Join(
                subscription: talk.subscription + 50, generation: 0, viewHandle: 90, viewSum: 5,
                sections: [Binding(section: "cards", handle: 91, sum: 6)], cut: CutChange(world.position),
                screen: world.screen, locale: world.locale)
            await talk.cut([.join(other)])
            try await talk.expectAlive()
            try await talk.expectHeld(world)
            await talk.breakOff()
            try await stage.accept().expectSeen(world.position)
        },
        ClientCheck(
            "unknown-generation", .subscriptions,
            "A join of a generation that was never sent is refused: the view's own list has failed."
        ) {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            await talk.cut([talk.join(world, generation: 9)])
            try await talk.expectNack(1, refusing: [World.viewHandle], holding: world)
            await talk.repair(1, world)
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "bound-twice", .subscriptions, "If a handle or a section is bound twice, the second handle is refused."
        ) {
            stage in
            let world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            guard case .join(var join) = talk.join(world) else { return }
            join.sections[1].handle = 2
            await talk.cut([.join(join)])
            try await talk.expectNack(1, refusing: [2], holding: world)
            await talk.repair(1, world)
            guard case .join(var second) = talk.join(world) else { return }
            second.sections.append(Binding(section: "cards", handle: 92, sum: world["cards"].sum))
            await talk.cut([.join(second)])
            try await talk.expectNack(2, refusing: [92], holding: world)
            await talk.repair(2, world)
            try await talk.expectHeld(world)
        },
        ClientCheck(
            "rebinding", .subscriptions, "A join may bind new handles to what is held, and patches follow in its cut."
        ) {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            for index in world.sections.indices { world.sections[index].handle += 40 }
            world.position.catalogueRevision += 1
            let target = World.cards([3, 2, 1])
            let parts = talk.parts(from: world["cards"], to: target, 42, cut: CutChange(world.position))
            await talk.cut([talk.join(world)] + parts.map { .data($0) })
            world["cards"] = target
            try await talk.expectHeld(world)
        },
        ClientCheck("sections-change", .subscriptions, "A view may lose, gain and reorder sections in one cut.") {
            stage in
            var world = World(screen: stage.screen)
            let talk = try await stage.live(world)
            let added = World.Section(id: "added", handle: 9, version: World.cards(5...6))
            await talk.stage(added.version, 9)
            var next = world
            next.sections = [added, world.sections[2], world.sections[0]]
            next.own = World.list(of: next.sections.map(\.id))
            next.position.catalogueRevision += 1
            let parts = talk.parts(from: world.own, to: next.own, World.viewHandle, cut: CutChange(next.position))
            await talk.cut([talk.join(next, naming: ["": world.own.sum])] + parts.map { .data($0) })
            world = next
            try await talk.expectHeld(world)
        },
    ]
}
