import HubSupport
import MarqueeDiff
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeServer

/// Sections that show the same on many screens share one content, however many variants there are.
@Suite struct SharedContentTests {
    /// - Parameter more: further declarations of the section below each movie's details.
    private static func programme(_ more: String = "") -> String {
        """
        locales: [en, ko]
        screens:
          home:
            title: Home
            sections: [{id: more, kind: basic, source: {records: {type: movie, sort: title, limit: 5}}}]
          detail/$id:
            title: $title
            sections:
              - {id: detail, kind: detail, source: {record: {type: movie, id: $id}}}
              - {id: more, kind: basic, \(more)source: {records: {type: movie, sort: title, limit: 5}}}
        """
    }

    private static func world(movies: Int = 9, store: MemoryStore? = nil) throws -> HubWorld {
        guard let store else { return try HubWorld(movies: movies, programme: programme()) }
        return try HubWorld(store: store, programme: programme())
    }

    private static func more(_ view: OpenedView) throws -> OpenedView.Variant {
        try #require(view.sections.first { $0.section == "more" })
    }

    @Test(arguments: [2, 500])
    func `A commit costs one evaluation, however many variants share the content`(screens: UInt64) throws {
        let world = try Self.world(movies: 600)
        for id in 1...screens { _ = try world.view("detail/\(id + 50)") }
        let before = world.hub.counters
        try world.commit(world.movie(1, genre: 1, title: "AAA"))
        #expect(world.last?.changes.count == 1)
        let after = world.hub.counters
        #expect(after.renewals - before.renewals == 1)
        #expect(after.members - before.members == 5)
        #expect(after.items - before.items == 1)
        #expect(after.heads == before.heads)
    }

    @Test func `Variants that share a content keep their own handles`() throws {
        let world = try Self.world()
        let views = try (1...4).map { try world.view("detail/\($0)") }
        let more = try views.map(Self.more)
        #expect(Set(more.map(\.handle)).count == 4)
        #expect(Set(more.map(\.current.content)).count == 1)
        #expect(Set(views.map(\.sections[0].current.content)).count == 4, "each movie has its own details")
    }

    @Test func `Only screens of one family and locale share a content`() throws {
        let world = try Self.world()
        let home = try world.view("home").sections[0]
        let english = try Self.more(try world.view("detail/1"))
        let korean = try Self.more(
            try world.hub.open(OpenRequest(screen: "detail/1", locale: "ko", parameters: [], user: nil)).get())
        #expect(Set([home, english, korean].map(\.current.content)).count == 3)
    }

    @Test func `Versions are compared once for all variants`() throws {
        let world = try Self.world(movies: 80)
        let more = try (1...64).map { try Self.more(try world.view("detail/\($0 + 10)")) }
        try world.commit(world.movie(1, genre: 1, title: "AAA"))
        let current = try #require(world.last?.changes[more[0].current.content])
        let before = world.library.counters
        for variant in more {
            let base = (variant.current.version.sum, variant.current.content)
            let route = world.library.route(
                to: current.version, of: variant.handle, from: base, since: current.since)
            guard case .patch = route else {
                Issue.record("a patch was expected, not \(route)")
                continue
            }
        }
        let after = world.library.counters
        #expect(after.comparisons - before.comparisons == 1)
        #expect(after.encodes - before.encodes == 64, "frames name the variant's handle")
        for variant in more { _ = world.library.whole(current.version, of: variant.handle, since: current.since) }
        #expect(world.library.counters.comparisons - after.comparisons == 1)
    }

    @Test func `A content is kept current while any of its variants is shown`() throws {
        let world = try Self.world()
        let views = try (5...7).map { try world.view("detail/\($0)") }
        let content = try Self.more(views[0]).current.content
        // The one that came first goes first.
        world.hub.release(views[0].handles)
        world.hub.release(views[1].handles)
        try world.commit(world.movie(1, genre: 1, title: "AAA"))
        #expect(world.last?.changes.keys.sorted() == [content])
        world.hub.release(views[2].handles)
        try world.commit(world.movie(1, genre: 1, title: "AAB"))
        #expect(world.last?.changes.isEmpty == true)
        // A subscriber that returns sees the changes made meanwhile.
        let again = try Self.more(try world.view("detail/6"))
        #expect(again.current.content == content)
        #expect(again.current.since.catalogueRevision == world.hub.catalogueRevision)
        let fresh = try Self.more(try Self.world(store: world.store).view("detail/6"))
        #expect(again.current.version.sum == fresh.current.version.sum)
    }

    @Test func `A content is forgotten with the last of its variants`() throws {
        let world = try Self.world()
        let (first, second) = (try world.view("detail/5"), try world.view("detail/6"))
        let current = try Self.more(first).current
        func isRemembered() -> Bool { world.library.version(current.version.sum, of: current.content) != nil }
        world.hub.release(first.handles)
        world.hub.tick(now: Hub.IdleBounds().milliseconds)
        #expect(isRemembered())
        // The variant comes back, and shares it with the one that stayed.
        let third = try Self.more(try world.view("detail/5"))
        #expect(third.current.content == current.content)
        #expect(first.handles.contains(third.handle) && !second.handles.contains(third.handle))
        world.hub.release(second.handles)
        world.hub.release(try world.view("detail/5").handles)
        world.hub.release(try world.view("detail/5").handles)
        #expect(isRemembered())
        world.hub.release([third.handle])
        world.hub.tick(now: 2 * Hub.IdleBounds().milliseconds)
        #expect(!isRemembered())
    }

    @Test func `Variants stop sharing a content when the programme makes them differ`() throws {
        let world = try Self.world()
        let views = try (5...6).map { try world.view("detail/\($0)") }
        #expect(try Self.more(views[0]).current.content == Self.more(views[1]).current.content)
        try world.commit(.programme(Self.programme("header: $title, ")))
        #expect(world.last?.replans == .families(["detail"]))
        let again = try (5...6).map { try Self.more(try world.view("detail/\($0)")) }
        #expect(Set(again.map(\.current.content)).count == 2)
        #expect(again.map(\.handle) == (try views.map(Self.more).map(\.handle)))
        for (movie, variant) in zip(5...6, again) {
            let head = BodyCodec.decodeSectionHead(variant.current.version.head)
            #expect(head?.header?.title == "Movie \(movie)")
        }
        // Each follows its own screen from now on.
        try world.commit(world.movie(6, genre: 3, title: "Other"))
        #expect(world.last?.changes[again[1].current.content] != nil)
        #expect(world.last?.changes[again[0].current.content] == nil)
    }

    /// Each variant's last published version equals the one that a newly started hub shows.
    @Test(arguments: 1...Extent.of(4, full: 12) as ClosedRange<UInt64>)
    func `Whatever happens, each variant shows what its screen shows`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let programmes = [
            Self.programme(), Self.programme("header: $title, "), Self.programme("windows: [2, 4], "),
            Self.programme().replacing("id: more", with: "id: other"),
        ]
        var limits = StoreLimits()
        limits.historyCommits = 3
        var idle = Hub.IdleBounds()
        idle.variants = 6
        let world = try HubWorld(movies: 9, programme: programmes[0], limits: limits, idleBounds: idle)
        // As sessions do: each view's variants with their last published versions.
        var shown: [String: OpenedView] = [:]
        var heard = world.publications.count
        func plan(_ screen: String) throws {
            let before = shown[screen]
            shown[screen] = try world.view(screen)
            if let before { world.hub.release(before.handles) }
        }
        func listen() throws {
            for publication in world.publications[heard...] {
                for screen in shown.keys.sorted() {
                    for index in shown[screen]?.sections.indices ?? 0..<0 {
                        guard let content = shown[screen]?.sections[index].current.content,
                            let current = publication.changes[content]
                        else { continue }
                        shown[screen]?.sections[index].current = current
                    }
                }
            }
            let replans = world.publications[heard...].map(\.replans)
            heard = world.publications.count
            for screen in shown.keys.sorted() where replans.contains(where: { $0.contains(screen) }) {
                try plan(screen)
            }
        }
        for _ in 0..<60 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3:
                try plan("detail/\(Int.random(in: 1...9, using: &random))")
            case 3..<5:
                if let screen = shown.keys.sorted().randomElement(using: &random) {
                    world.hub.release(shown.removeValue(forKey: screen)?.handles ?? [])
                }
            case 5..<9:
                // Now and then several at once, so that history is cut and the catalogue reread.
                for _ in 0...Int.random(in: 0...4, using: &random) {
                    let id = UInt64.random(in: 1...9, using: &random)
                    let title = "\(["A", "B", "Movie"].randomElement(using: &random) ?? "") \(id)"
                    try world.write(world.movie(id, genre: 1, title: title))
                }
                try world.hub.catchUp(from: world.reads)
            default:
                try world.commit(.programme(programmes.randomElement(using: &random) ?? ""))
            }
            try listen()
            let fresh = try Self.world(store: world.store)
            for (screen, view) in shown.sorted(by: { $0.key < $1.key }) {
                let now = try fresh.view(screen)
                #expect(view.sections.map(\.section) == now.sections.map(\.section))
                #expect(
                    view.sections.map(\.current.version.sum) == now.sections.map(\.current.version.sum),
                    "\(screen) after \(world.publications.count) publications")
            }
        }
    }
}
