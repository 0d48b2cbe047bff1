import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// Chapter 9.
    static let subscriptions: [ServerCheck] = [
        ServerCheck("joins", .subscriptions, "A subscribe is answered by a join of that screen.") { stage in
            let talk = try await stage.greeted()
            let subscription = await talk.subscribe()
            let join = try await talk.firstJoin(of: subscription)
            guard join.screen == stage.screen, join.generation == 0 else {
                throw talk.failure("a join of '\(stage.screen)', generation 0", FrameText.describe(.join(join)))
            }
            guard talk.welcome.locales.isEmpty || talk.welcome.locales.contains(join.locale) else {
                throw talk.failure("one of welcome's locales", join.locale)
            }
        },
        ServerCheck("locale-mapped", .subscriptions, "An unknown locale is mapped to the first one.") { stage in
            let talk = try await stage.greeted()
            guard let first = talk.welcome.locales.first else { throw NotApplicable("welcome lists no locales") }
            let view = try talk.view(try await talk.joined(locale: "xx-Conform"))
            guard view.locale == first else { throw talk.failure("locale \(first)", view.locale) }
        },
        ServerCheck("language-mapped", .subscriptions, "A locale is mapped to another one of its language.") { stage in
            let talk = try await stage.greeted()
            guard let last = talk.welcome.locales.last, !last.contains("-"), !last.contains("_") else {
                throw NotApplicable("welcome's last locale isn't a language alone")
            }
            let view = try talk.view(try await talk.joined(locale: "\(last)-ZZ"))
            guard view.locale == last else { throw talk.failure("locale \(last)", view.locale) }
        },
        ServerCheck("unknown-screen", .subscriptions, "A screen that doesn't exist fails alone.") { stage in
            let talk = try await stage.greeted()
            try await talk.expectRefused(await talk.subscribe("conformance-unknown"), "UNKNOWN_SCREEN", generation: 0)
            try await talk.joined()
        },
        ServerCheck(
            "id-not-reused", .subscriptions, "Ids rise: a lower one, or one with another screen, ends the connection."
        ) {
            stage in
            let messages: [[Subscribe]] = [
                [Subscribe(subscription: 5, screen: stage.screen), Subscribe(subscription: 4, screen: stage.screen)],
                [
                    Subscribe(subscription: 5, screen: stage.screen),
                    Subscribe(subscription: 5, generation: 1, screen: stage.screen + "x"),
                ],
            ]
            for subscribes in messages {
                let talk = try await stage.greeted()
                talk.forgetViews()
                for subscribe in subscribes { await talk.send(.subscribe(subscribe)) }
                try await talk.expectClose("SUBSCRIPTION_REUSED")
            }
        },
        ServerCheck(
            "id-keeps-locale", .subscriptions, "A change of parameters with another locale ends the connection."
        ) {
            stage in
            let talk = try await stage.greeted()
            talk.forgetViews()
            await talk.send(.subscribe(Subscribe(subscription: 1, screen: stage.screen, locale: "en")))
            await talk.send(.subscribe(Subscribe(subscription: 1, generation: 1, screen: stage.screen, locale: "ko")))
            try await talk.expectClose("SUBSCRIPTION_REUSED")
        },
        ServerCheck("generation-rises", .subscriptions, "A generation that doesn't rise ends the connection.") {
            stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            await talk.send(.subscribe(Subscribe(subscription: id, generation: 3, screen: stage.screen)))
            try await talk.untilJoined(id, generation: 3)
            await talk.send(.subscribe(Subscribe(subscription: id, generation: 3, screen: stage.screen)))
            try await talk.expectClose("GENERATION_INVALID")
        },
        ServerCheck(
            "generation-joins", .subscriptions, "A change of parameters is answered by a join of its generation."
        ) {
            stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            let before = try talk.view(id)
            let parameters = try await talk.otherParameters()
            await talk.send(
                .subscribe(Subscribe(subscription: id, generation: 1, screen: stage.screen, sections: parameters)))
            try await talk.untilJoined(id, generation: 1)
            for parameter in parameters
            where try talk.view(id).handles[parameter.section] == before.handles[parameter.section] {
                throw talk.failure("another variant of '\(parameter.section)'", "the same handle")
            }
            await talk.send(.subscribe(Subscribe(subscription: id, generation: 2, screen: stage.screen)))
            try await talk.untilJoined(id, generation: 2)
            guard try talk.view(id).sections == before.sections else {
                throw talk.failure("the sections as before", "other ones")
            }
        },
        ServerCheck(
            "bad-change-refused", .subscriptions, "A wrong change of parameters fails alone; the view stays live."
        ) {
            stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            await talk.send(
                .subscribe(
                    Subscribe(
                        subscription: id, generation: 1, screen: stage.screen,
                        sections: [SectionParameters(section: "conformance-unknown")])))
            try await talk.expectRefused(id, "UNKNOWN_SECTION", generation: 1)
            await talk.send(.subscribe(Subscribe(subscription: id, generation: 2, screen: stage.screen)))
            try await talk.untilJoined(id, generation: 2)
        },
        ServerCheck("already-subscribed", .subscriptions, "A second subscription of the same screen is refused.") {
            stage in
            let talk = try await stage.greeted()
            try await talk.joined()
            try await talk.expectRefused(await talk.subscribe(), "ALREADY_SUBSCRIBED")
        },
        ServerCheck("subscribed-again", .subscriptions, "After an unsubscribe the screen can be subscribed to again.") {
            stage in
            let talk = try await stage.greeted()
            let first = try await talk.joined()
            talk.views.views[first] = nil
            await talk.send(.unsubscribe(first))
            await talk.send(.unsubscribe(first))
            try await talk.joined()
        },
        ServerCheck(
            "unsubscribe-unknown", .subscriptions, "An unsubscribe of a subscription never opened ends the connection."
        ) {
            stage in
            let talk = try await stage.greeted()
            await talk.send(.unsubscribe(9))
            try await talk.expectClose("SUBSCRIPTION_UNKNOWN")
        },
        ServerCheck("ended-subscription", .subscriptions, "A change to an ended subscription is refused.") {
            stage in
            let talk = try await stage.greeted()
            let id = await talk.subscribe("conformance-unknown")
            try await talk.expectRefused(id, "UNKNOWN_SCREEN")
            await talk.send(.subscribe(Subscribe(subscription: id, generation: 1, screen: "conformance-unknown")))
            try await talk.expectRefused(id, "SUBSCRIPTION_ENDED", generation: 1)
        },
        ServerCheck("unknown-section", .subscriptions, "Parameters of a section that doesn't exist are refused.") {
            stage in
            let talk = try await stage.greeted()
            let id = await talk.subscribe(sections: [SectionParameters(section: "conformance-unknown")])
            try await talk.expectRefused(id, "UNKNOWN_SECTION")
        },
        ServerCheck("unknown-sort", .subscriptions, "A sort that a section doesn't have is refused.") { stage in
            let talk = try await stage.greeted()
            let section = try await talk.someSection { _ in true }
            let id = await talk.subscribe(sections: [SectionParameters(section: section, sort: "conformance-unknown")])
            try await talk.expectRefused(id, "UNKNOWN_SORT")
        },
        ServerCheck("unknown-window", .subscriptions, "A window of a section without steps is refused.") { stage in
            let talk = try await stage.greeted()
            let section = try await talk.someSection { $0.windows.isEmpty }
            let id = await talk.subscribe(sections: [SectionParameters(section: section, window: 7)])
            try await talk.expectRefused(id, "UNKNOWN_WINDOW")
        },
        ServerCheck(
            "window-steps", .subscriptions, "A window is the smallest step that is large enough, or the largest."
        ) {
            stage in
            let talk = try await stage.greeted()
            let sections = try await talk.describedSections()
            guard let section = sections.first(where: { $0.windows.count > 1 }) else {
                throw NotApplicable("no section of the screen has steps")
            }
            let steps = section.windows.sorted()
            let wanted = [
                (steps[0] - (steps[0] > 1 ? 1 : 0), steps[0]), (steps[0] + 1, steps[1]), (.max, steps[steps.count - 1]),
            ]
            for (window, step) in wanted {
                let id = try await talk.joined(sections: [SectionParameters(section: section.id, window: window)])
                let version = try talk.view(id).contents[section.id]
                let head = version.flatMap { BodyCodec.decodeSectionHead($0.head) }
                guard let count = version?.items.count, count <= step, head?.window == nil || head?.window == step
                else {
                    throw talk.failure(
                        "window \(step) of '\(section.id)' for \(window)",
                        "\(head?.window ?? 0), \(version?.items.count ?? 0) items")
                }
                talk.views.views[id] = nil
                await talk.send(.unsubscribe(id))
            }
        },
        ServerCheck(
            "windows-anywhere", .subscriptions, "A window anywhere has the rows around its anchor, and their place."
        ) {
            stage in
            let talk = try await stage.greeted()
            let (screen, section, _) = try await talk.someLongSection()
            func shown(_ place: WindowPlace) async throws -> (head: SectionHead, items: [String]) {
                let id = try await talk.joined(screen, sections: [SectionParameters(section: section, place: place)])
                let version = try talk.view(id).contents[section] ?? .empty
                talk.views.views[id] = nil
                await talk.send(.unsubscribe(id))
                let head = BodyCodec.decodeSectionHead(version.head) ?? SectionHead(kind: .main)
                return (head, version.items.map(\.id))
            }
            let end = try await shown(WindowPlace(isEnd: true, before: 1))
            guard end.head.total > 0 else { throw NotApplicable("'\(section)' has no rows") }
            guard (1...2).contains(end.items.count), Int(end.head.first) + end.items.count == Int(end.head.total),
                let last = end.items.last, let first = end.items.first
            else {
                throw talk.failure(
                    "the last two rows of '\(section)'",
                    "\(end.items.count) rows, the first one \(end.head.first) of "
                        + "\(end.head.total)")
            }
            let item = WindowPlace(item: first, cursor: end.head.cursor, after: 1)
            let place = WindowPlace(cursor: end.head.cursor)
            for (place, rows) in [(item, end.items), (place, [last])] {
                let found = try await shown(place)
                guard found.items == rows, Int(found.head.first) == Int(end.head.total) - rows.count else {
                    throw talk.failure("\(rows) at the end of '\(section)'", "\(found.items), \(found.head.first)")
                }
            }
        },
        ServerCheck(
            "unknown-anchor", .subscriptions, "A cursor not issued by the server, or a window too large, is refused."
        ) {
            stage in
            let talk = try await stage.greeted()
            let (screen, section, rows) = try await talk.someLongSection()
            let cursor = WindowPlace(cursor: Array("conformance-unknown".utf8))
            let wrong = await talk.subscribe(screen, sections: [SectionParameters(section: section, place: cursor)])
            try await talk.expectRefused(wrong, "UNKNOWN_ANCHOR")
            let large = WindowPlace(after: rows)
            let tooLarge = await talk.subscribe(screen, sections: [SectionParameters(section: section, place: large)])
            try await talk.expectRefused(tooLarge, "UNKNOWN_WINDOW")
        },
        ServerCheck("section-twice", .subscriptions, "Parameters, or an offer, that name a section twice are refused.")
        {
            stage in
            let talk = try await stage.greeted()
            let section = try await talk.someSection { _ in true }
            let twice = [SectionParameters(section: section), SectionParameters(section: section)]
            try await talk.expectRefused(await talk.subscribe(sections: twice), "REPEATED_SECTION")
            let held = HeldSection(section: section, sum: 1)
            let id = await talk.subscribe(
                offering: Resume(cut: talk.welcome.cut, viewSum: 1, sections: [held, held]))
            try await talk.expectRefused(id, "REPEATED_SECTION")
        },
    ]
}

extension ServerTalk {
    /// Forgets the views, for a script that chooses subscription ids itself.
    func forgetViews() { views.views = [:] }

    func firstJoin(of subscription: UInt32) async throws -> Join {
        try await until("the join of subscription \(subscription)") { message in
            if case .join(let join) = message, join.subscription == subscription { return join }
            return nil
        }
    }

    /// Returns the descriptions of the screen's sections.
    func describedSections() async throws -> [SectionDescription] {
        let screens = try await describe().screens
        let family = subject.screen.split(separator: "/")[0]
        guard
            let screen = screens.first(where: { $0.pattern == subject.screen || $0.example == subject.screen })
                ?? screens.first(where: { $0.pattern.hasPrefix("\(family)/") })
        else { throw failure("the screen '\(subject.screen)' in describe", "\(screens.map(\.pattern))") }
        return screen.sections
    }

    /// A section that allows windows anywhere, with its screen and the most rows of such a window.
    func someLongSection() async throws -> (screen: String, section: String, rows: UInt32) {
        for screen in try await describe().screens {
            // A user's own section may be empty.
            let section = screen.sections.first { $0.anywhere > 1 && $0.kind != .favorites }
            guard let name = screen.example, let section else { continue }
            return (name, section.id, section.anywhere)
        }
        throw NotApplicable("no section has windows anywhere")
    }

    func someSection(where isWanted: (SectionDescription) -> Bool) async throws -> String {
        guard let section = try await describedSections().first(where: isWanted) else {
            throw NotApplicable("the screen has no such section")
        }
        return section.id
    }

    /// Parameters that differ from the defaults, for one section with sorts and one with steps, as far as there are
    /// any.
    func otherParameters() async throws -> [SectionParameters] {
        let sections = try await describedSections()
        let sorted = sections.first { $0.sorts.count > 1 }.map {
            SectionParameters(section: $0.id, sort: $0.sorts[$0.sorts.count - 1].id)
        }
        let windowed = sections.first { $0.windows.count > 1 && $0.id != sorted?.section }.map {
            SectionParameters(section: $0.id, window: $0.windows.max())
        }
        guard sorted != nil || windowed != nil else {
            throw NotApplicable("no section of the screen has sorts or steps")
        }
        return [sorted, windowed].compactMap { $0 }
    }
}
