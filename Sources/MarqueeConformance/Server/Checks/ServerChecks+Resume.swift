import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// Chapter 13.
    static let resume: [ServerCheck] = [
        ServerCheck("tier-0", .resume, "Unchanged content isn't sent again: the whole answer is one join.") { stage in
            try await retry(stage) { talk, held, join in
                let wanted = held.sections.map { held.contents[$0]?.sum }
                guard join.sections.map(\.sum) == wanted, join.viewSum == held.own.sum else { return false }
                guard talk.stagedFrames + talk.dataFrames == 0 else {
                    throw talk.failure(
                        "one join alone", "\(talk.stagedFrames) stage and \(talk.dataFrames) data frames")
                }
                return true
            }
        },
        ServerCheck("section-missing", .resume, "Only a section that isn't offered is sent.") { stage in
            let section = try await stage.largestSection()
            try await retry(stage) { held in
                held.contents[section] = nil
            } judge: { talk, held, join in
                let handle = try talk.view(join.subscription).handles[section] ?? 0
                let isAlone = talk.stagedHandles == [handle] && talk.dataFrames == 0
                if isAlone || talk.stagedHandles.isEmpty && talk.dataFrames > 0 { return true }
                // Others may have changed meanwhile.
                let others = zip(held.sections, join.sections).filter { $0.0 != section }
                guard others.allSatisfy({ held.contents[$0]?.sum == $1.sum }) else { return false }
                throw talk.failure("'\(section)' alone", "staged: handles \(talk.stagedHandles.sorted())")
            }
        },
        ServerCheck("unknown-version", .resume, "An unknown version leads to the newest one, by a manifest or whole.") {
            stage in
            let section = try await stage.largestSection()
            try await retry(stage) { held in
                if let version = held.contents[section] { held.contents[section] = version.withoutFirstItem }
            } judge: { _, _, _ in
                true
            }
        },
        ServerCheck("nothing-known", .resume, "A mirror with unknown versions gets the screen, whatever its epoch.") {
            stage in
            let talk = try await stage.greeted()
            let sections = try await talk.describedSections()
            let offer = Resume(
                cut: Cut(catalogueEpoch: 77, catalogueRevision: 1 << 40), viewSum: 1,
                sections: sections.map { HeldSection(section: $0.id, sum: 1) })
            let id = await talk.subscribe(offering: offer)
            try await talk.untilJoined(id)
        },
        ServerCheck("section-gone", .resume, "A section that the view doesn't have isn't bound.") { stage in
            let first = try await stage.greeted()
            let held = try first.view(try await first.joined())
            let talk = try await stage.greeted()
            var offer = held.resume(cut: first.position)
            offer.sections.append(HeldSection(section: "conformance-gone", sum: 5))
            let id = await talk.subscribe(holding: held, offering: offer)
            try await talk.untilJoined(id)
            if try talk.view(id).handles["conformance-gone"] != nil {
                throw talk.failure("the view's own sections", "'conformance-gone' is bound")
            }
        },
        ServerCheck("tier-1", .resume, "Changes missed during a break arrive as patches of what is held.") { stage in
            let (first, one) = try await stage.collections()
            let held = try first.view(one)
            await first.line.close()
            let (writer, two) = try await stage.collections()
            let subject = try await stage.someSubject()
            try await writer.changeFavorite(subject, of: two)
            let talk = try await stage.greetedAsUser()
            let id = try await talk.joined(ScreenID.collectionSet.name, holding: held)
            try await talk.untilFavorite(subject, try writer.isFavorite(subject, of: two), of: id)
        },
    ]

    /// Joins the screen, and again on a new connection that offers what the first one held; repeats this until `judge`
    /// returns `true`, which means that the screen didn't change in between.
    /// - Parameter change: changes the held view before it is offered.
    private static func retry(
        _ stage: ServerStage, changing change: (inout VerifiedViews.View) -> Void = { _ in },
        judge: (ServerTalk, VerifiedViews.View, Join) throws -> Bool
    ) async throws {
        for _ in 0..<attempts {
            let first = try await stage.greeted()
            var held = try first.view(try await first.joined())
            await first.line.close()
            change(&held)
            let talk = try await stage.greeted()
            let offer = held.resume(cut: first.position, leavingOut: { held.contents[$0] == nil })
            let id = await talk.subscribe(holding: held, offering: offer)
            let join = try await talk.joinAnsweringRebases(of: id)
            if try judge(talk, held, join) { return }
        }
        throw NotApplicable("the screen changes all the time")
    }
}

extension ServerTalk {
    /// Waits until a subscription has joined, and returns its last join; answers rebases meanwhile.
    func joinAnsweringRebases(of subscription: UInt32) async throws -> Join {
        var join: Join?
        while views.views[subscription]?.isJoined != true {
            let awaited = "the join of subscription \(subscription)"
            switch try await next(awaited) {
            case .join(let one) where one.subscription == subscription: join = one
            case .rebase(let rebase): try await answer(rebase)
            case .subscriptionError(let error): throw failure(awaited, FrameText.describe(.subscriptionError(error)))
            case .close(let status): throw failure(awaited, "close \(FrameText.status(status))")
            default: break
            }
        }
        guard let join else { throw failure("a join", "none") }
        return join
    }
}

extension ServerStage {
    /// The section of the screen with the most bytes.
    func largestSection() async throws -> String {
        let talk = try await greeted()
        let view = try talk.view(try await talk.joined())
        await talk.line.close()
        let sizes = view.sections.map { ($0, view.contents[$0]?.items.encodedSize ?? 0) }
        guard let largest = sizes.max(by: { $0.1 < $1.1 }), largest.1 > 0 else {
            throw NotApplicable("the screen has no item")
        }
        return largest.0
    }
}

extension VerifiedViews.View {
    /// Returns the offer to resume this view, without some of its sections.
    func resume(cut: Cut, leavingOut isLeftOut: (String) -> Bool) -> Resume {
        var offer = resume(cut: cut)
        offer.sections.removeAll { isLeftOut($0.section) }
        return offer
    }
}

extension Version {
    /// This version without its first item: a version that the server never had.
    var withoutFirstItem: Version { Version(head: head, items: Array(items.dropFirst())) }
}
