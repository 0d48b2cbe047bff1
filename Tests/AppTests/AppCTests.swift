import MarqueeCatalogue
import MarqueeClient
import MarqueeLayout
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import Testing

@Suite("C. Layout study", .timeLimit(.minutes(10)))
struct AppCTests {
    @Test func `grid: thirds in section 0, fifths and pages elsewhere: a layout for each section index`() async throws {
        try await withApp(.layoutStudy) { _, client in
            let sections = try await client.shown("grid").sections
            #expect(sections.count == 3)
            let thirds = try sections[0].frames
            #expect(thirds.scrolling == LayoutScrolling.none)
            // insets 2.5: container 385, group 385 by 844 / 4 = 211, slot 128.33
            expect(thirds.frame(ofItem: 0), is: rect(5, 5, 123.33, 206))
            expect(thirds.frame(ofItem: 2), is: rect(261.67, 5, 123.33, 206))
            expect(thirds.frame(ofItem: 3), is: rect(5, 216, 123.33, 206))
            for section in sections.dropFirst() {
                let fifths = try section.frames
                #expect(fifths.scrolling == .paging)
                // slot 385 / 5 = 77
                expect(fifths.frame(ofItem: 0), is: rect(5, 5, 72, 206))
                expect(fifths.frame(ofItem: 4), is: rect(313, 5, 72, 206))
            }
            // The sixth item starts the second group, beside the first.
            expect(try sections[1].frames.frame(ofItem: 5), is: rect(390, 5, 72, 206))
        }
    }

    @Test
    func `supplementaries: header, footer and one on the left, each of a kind invented by the app`() async throws {
        try await withApp(.layoutStudy) { _, client in
            let section = try await client.shown("supplementaries").section("framed")
            let layout = try #require(section.head.layout)
            #expect(layout.supplementaries.map(\.kind) == ["season-banner", "map-strip", "letter-index"])
            #expect(layout.supplementaries.map(\.edges) == [.top, .bottom, .leading])
            #expect(
                layout.supplementaries.map(\.width) == [
                    .fractionalWidth(1), .fractionalWidth(1), .fractionalWidth(0.1),
                ])
            #expect(layout.supplementaries.map(\.height) == [.absolute(100), .absolute(100), .absolute(700)])
            #expect(section.head.header?.title == "This season")
            #expect(section.head.footer?.title == "On the map")
            #expect(section.head.supplements["letter-index"]?.title == "A–Z")
            let frames = try section.frames
            let top = try #require(try section.supplementary("season-banner"))
            let bottom = try #require(try section.supplementary("map-strip"))
            let left = try #require(try section.supplementary("letter-index"))
            expect(top, is: rect(2.5, 0, 385, 100))
            expect(bottom.height, is: 100)
            expect(bottom.maxY, is: frames.contentSize.height)
            expect(left.width, is: 38.5)
            expect(left.height, is: 700)
            let last = try #require(frames.frame(ofItem: section.items.count - 1))
            #expect(top.maxY <= (frames.frame(ofItem: 0)?.y ?? 0))
            #expect(last.maxY <= bottom.y)
        }
    }

    @Test func `room: what is left of a row is shared out, and the header stays in view and in front`() async throws {
        try await withApp(.layoutStudy) { _, client in
            let screen = try await client.shown("room")
            let (spread, apart) = (try screen.section("spread"), try screen.section("apart"))
            // Within margins of 16: 358 − 3 × 104 = 46, half of it between two cards. Header 30, inset 10.
            for (item, x) in [16.0, 143, 270].enumerated() {
                expect(try spread.frames.frame(ofItem: item), is: rect(x, 40, 104, 130))
            }
            // Header 30, banner 24, inset 10; the cards are at the two edges, and the strip between them begins beside.
            expect(try apart.frames.frame(ofItem: 0), is: rect(16, 64, 140, 130))
            expect(try apart.frames.frame(ofItem: 1), is: rect(234, 64, 140, 130))
            expect(try apart.supplementary("letter-index"), is: rect(150, 64, 80, 272))
            let layout = try #require(apart.head.layout)
            #expect(layout.decoration?.insets == LayoutInsets(leading: 6, bottom: 8, trailing: 6))
            let strip = try #require(layout.supplementaries.first { $0.kind == "letter-index" })
            let header = try #require(layout.supplementaries.first { $0.kind == "header" })
            #expect(header.isPinned)
            #expect(LayoutDepth.of(strip) < LayoutDepth.item && LayoutDepth.of(header) > LayoutDepth.item)
            #expect(apart.head.supplements["letter-index"]?.title == "A–Z")
            #expect(apart.head.supplements["season-banner"]?.title.isEmpty == false)
        }
    }

    @Test func `scrolling: the six behaviours, each with its stops`() async throws {
        try await withApp(.layoutStudy) { _, client in
            let sections = try await client.shown("scrolling").sections
            #expect(
                sections.compactMap(\.head.layout?.scrolling) == [
                    .none, .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
                ])
            // insets 10: container 370, groups of 0.8 × 370 = 296 with 10 between them
            for section in sections.dropFirst() {
                let frames = try section.frames
                expect(frames.frame(ofItem: 0), is: rect(10, 30, 296, 120), section.id)
                expect(frames.frame(ofItem: 1), is: rect(316, 30, 296, 120), section.id)
            }
            expect(try sections[0].frames.frame(ofItem: 1), is: rect(10, 160, 296, 120))
            func stops(_ index: Int) throws -> [Double] { Array(try sections[index].frames.pageStops.prefix(3)) }
            #expect(try stops(1).count <= 1, "continuous stops anywhere")
            #expect(try stops(2) == [0, 306, 612])
            #expect(try stops(3) == [0, 390, 780])
            #expect(try stops(4) == [0, 306, 612])
            // The middle of a group, 10 + 148, in the middle of 390: 158 − 195 = −37, then 306 more each.
            #expect(try stops(5) == [-37, 269, 575])
        }
    }

    @Test func `visible items: those at an offset, with frames; a client scales the one on the left`() async throws {
        try await withApp(.layoutStudy) { _, client in
            let section = try await client.shown("grid").section("fifths")
            let frames = try section.frames
            #expect(section.items.count == 20)
            for (offset, visible) in [(0.0, 0..<5), (100, 1..<7), (390, 5..<11), (770, 10..<15)] {
                let shown = frames.items(in: rect(offset, 0, 390, 844))
                #expect(shown == Array(visible), "at \(offset)")
                // The point (offset + 10 + width / 2, 20) lies in one of them.
                let scales = shown.compactMap { index in
                    frames.frame(ofItem: index).map {
                        $0.contains(x: offset + 10 + $0.width / 2, y: 20) ? 1.0 : 0.9
                    }
                }
                #expect(scales.filter { $0 == 1 }.count <= 1)
            }
            let first = frames.items(in: rect(0, 0, 390, 844)).first { index in
                frames.frame(ofItem: index).map { $0.contains(x: 10 + $0.width / 2, y: 20) } == true
            }
            #expect(first == 0)
        }
    }

    @Test(arguments: ["en", "ko"])
    func `home: hero, twenty places nearby in columns of two, five themes`(locale: String) async throws {
        try await withApp(.layoutStudy, locale: locale) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            let home = try await updates.live().screen
            #expect(home.sections.map(\.id) == ["hero", "nearby", "themes"])
            #expect(home.sections.map(\.items.count) == [1, 20, 5])

            let hero = home.sections[0].banners[0]
            #expect(hero.image?.aspect == 0.92)
            #expect(hero.title == (locale == "ko" ? "길 끝에서 만나는 바다" : "Where the road ends at the sea"))
            #expect(hero.description?.isEmpty == false)
            #expect(hero.actions.map(\.title) == [locale == "ko" ? "둘러보기" : "Look around"])
            let heroFrames = try home.sections[0].frames
            expect(heroFrames.frame(ofItem: 0), is: rect(0, 0, 390, 422))
            expect(heroFrames.contentSize.height, is: 462)

            let nearby = home.sections[1]
            #expect(
                nearby.places.allSatisfy {
                    $0.image != nil && !$0.title.isEmpty && $0.distance?.hasSuffix(" km") == true
                })
            #expect(nearby.places.first?.title == (locale == "ko" ? "수원" : "Suwon (수원)"))
            #expect(home.sections[2].places.allSatisfy { $0.title.utf8.allSatisfy { $0 < 0x80 } == (locale == "en") })
            let nearbyFrames = try nearby.frames
            expect(try nearby.supplementary("header"), is: rect(0, 0, 390, 50))
            // group 0.75 × 390 = 292.5 by 200, stacked in twos
            expect(nearbyFrames.frame(ofItem: 0), is: rect(0, 50, 292.5, 100))
            expect(nearbyFrames.frame(ofItem: 1), is: rect(0, 150, 292.5, 100))
            expect(nearbyFrames.frame(ofItem: 2), is: rect(292.5, 50, 292.5, 100))

            let themes = home.sections[2]
            #expect(themes.places.allSatisfy { $0.distance == nil })
            expect(try themes.supplementary("header"), is: rect(0, 0, 390, 50))
            expect(try themes.frames.frame(ofItem: 0), is: rect(0, 50, 335, 420))
            expect(try themes.frames.frame(ofItem: 1), is: rect(335, 50, 335, 420))

            // The user travels: one place changes in place.
            try await app.commit(Change("merge", "town", "nearby/\(nearby.items[4].id)", ["distance": "3 km"]))
            let update = try await updates.live { !$0.changes.isEmpty }
            #expect(update.changes.isInPlace)
            #expect(update.changes.reconfiguredItems == [ItemPosition(section: 1, item: 4)])
            #expect(update.screen.sections[1].places[4].distance == "3 km")
        }
    }
}
