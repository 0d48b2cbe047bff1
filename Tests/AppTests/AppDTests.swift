import Foundation
import MarqueeCatalogue
import MarqueeClient
import MarqueeImport
import MarqueeLayout
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeStore
import PresetSupport
import Testing

@Suite("D. Course home", .timeLimit(.minutes(10)))
struct AppDTests {
    /// The section with this id in the payload's layout.
    private func section(_ id: String, _ client: MarqueeClient) async throws -> ScreenSection {
        try await client.shown(.home).section(id)
    }

    @Test func `payload: sections in its order; section and item ids are separate namespaces`() async throws {
        try await withApp(.courses) { _, client in
            let home = try await client.shown(.home)
            #expect(
                home.sections.map(\.id) == [
                    "s-banner", "s-new", "c-101", "s-topics", "s-categories", "s-countdown", "s-because", "s-code",
                    "s-year",
                    "s-featured", "s-business",
                ])
            let same = try home.section("c-101")
            #expect(same.items[0].id == "c-101", "a section and its item with the same id")
            #expect(home.sections.allSatisfy { $0.head.error == nil && !$0.items.isEmpty })
        }
    }

    @Test func `mainBanner: image, title and caption; as wide as the screen and 220 high`() async throws {
        try await withApp(.courses) { _, client in
            let section = try await section("s-banner", client)
            #expect(section.kind == .banner)
            let banner = section.banners[0]
            #expect(banner.image?.name == "banner-autumn")
            #expect(banner.title == "An hour a day goes a long way")
            #expect(banner.caption == "Courses by people who do it for a living, to be taken at your own pace.")
            expect(try section.frames.frame(ofItem: 0), is: rect(0, 0, 390, 220))
        }
    }

    @Test func `textHeader: a measured height; the highlighted range is an action`() async throws {
        try await withApp(.courses) { _, client in
            let section = try await section("s-new", client)
            guard case .text(let text) = section.items[0].content.preset else {
                Issue.record("a text header is a text")
                return
            }
            #expect(text.text == "New in Arts and Crafts")
            let highlighted = try #require(text.highlighted)
            #expect(text.text.hasSuffix(highlighted))
            let target = "courses/home.c-101"
            #expect(text.action == ScreenAction(id: "open", title: "Arts and Crafts", target: target))
            let courses = try await client.shown(ScreenID(target)).section("courses")
            #expect(courses.items.map(\.id) == (try await self.section("c-101", client)).items.map(\.id))
            guard case .text(let plain) = try await self.section("s-topics", client).items[0].content.preset else {
                Issue.record("a text header is a text")
                return
            }
            #expect(plain == TextContent(text: "Topics"))
            let layout = try #require(section.head.layout)
            #expect(layout.insets == LayoutInsets(top: 0, leading: 20, bottom: 8, trailing: 20))
            // Before and after it is measured.
            expect(SectionFrames(layout: layout, container: phone, itemCount: 1).contentSize.height, is: 58)
            let measured = SectionFrames(
                layout: layout, container: phone, itemCount: 1, measured: [0: LayoutSize(width: 350, height: 73.5)])
            expect(measured.frame(ofItem: 0), is: rect(20, 0, 350, 73.5))
            expect(measured.contentSize.height, is: 81.5)
        }
    }

    @Test func `courseSwimlane: courses with every field, prices as decimals, side by side`() async throws {
        try await withApp(.courses) { _, client in
            let section = try await section("c-101", client)
            #expect(section.kind == .courses)
            var first = CourseContent(title: "Drawing With Ink and a Brush")
            first.author = "Mina Seo"
            first.rating = 4.7
            first.reviews = 1284
            (first.price, first.currency) = ("24.99", "USD")
            first.tag = "Bestseller"
            first.image = ImageReference(name: "c-101-cover")
            #expect(section.courses[0] == first)
            #expect(section.courses.map(\.price) == ["24.99", "19.99", "14.99", "17.5", "12.99", "9.99"])
            #expect(section.courses.compactMap { $0.price.flatMap { Decimal(string: $0) } }.count == 6)
            #expect(section.courses[3].tag == nil)
            let frames = try section.frames
            #expect(frames.scrolling == .continuous)
            expect(frames.frame(ofItem: 0), is: rect(20, 0, 160, 200))
            expect(frames.frame(ofItem: 1), is: rect(190, 0, 160, 200))
            expect(frames.contentSize.height, is: 220)
        }
    }

    @Test func `categories: one item of titles in two rows, split in the middle`() async throws {
        try await withApp(.courses) { _, client in
            let section = try await section("s-categories", client)
            #expect(section.items.count == 1)
            let rows = try #require(section.items[0].content.preset?.categoryRows)
            #expect(rows.above == ["Drawing", "Photography", "Cooking", "Writing", "Gardening", "Chess"])
            #expect(rows.below == ["Programming", "Databases", "Design", "Music", "Languages"])
            let frames = try section.frames
            expect(frames.frame(ofItem: 0), is: rect(0, 0, 390, 88))
            expect(frames.contentSize.height, is: 108)
        }
    }

    @Test func `featuredCourse: a course without a tag`() async throws {
        try await withApp(.courses) { _, client in
            let section = try await section("s-featured", client)
            #expect(section.courses.map(\.title) == ["The Quiet Craft of Testing"])
            #expect(section.courses[0].tag == nil)
            #expect(section.courses[0].price == "49.99")
            expect(try section.frames.frame(ofItem: 0), is: rect(20, 0, 350, 230))
            expect(try section.frames.contentSize.height, is: 250)
        }
    }

    @Test func `udemyBusinessBanner: opens a link`() async throws {
        try await withApp(.courses) { _, client in
            let section = try await section("s-business", client)
            #expect(section.banners.map(\.link) == ["https://example.com/teams"])
            expect(try section.frames.frame(ofItem: 0), is: rect(0, 0, 390, 160))
            #expect(section.head.layout?.group != nil)
        }
    }

    @Test func `unknown type: kept with its bytes, without a layout, and everything else continues`() async throws {
        try await withApp(.courses) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            let section = try await updates.live().screen.section("s-countdown")
            #expect(section.kind == .other)
            #expect(section.head.layout == nil, "no layout to display it with")
            #expect(section.items.map(\.id) == ["i-countdown"])
            #expect(section.items.map(\.kind) == [.other])
            guard case .encoded(.other, let bytes) = section.items[0].content else {
                Issue.record("this client doesn't know it")
                return
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("countdown"))
            #expect(text.contains(#""discount":0.15"#), "kept as received")
            // It stays live: a new value is a reconfigured item, like any other.
            let value = ShelfItem.Content.other(type: "countdown", value: #"{"days":3}"#)
            try await app.commit(
                ShelfItem(id: "i-countdown", content: value).changes(on: "home.s-countdown"))
            let update = try await updates.live { !$0.changes.isEmpty }
            #expect(update.changes.reconfiguredItems == [ItemPosition(section: 5, item: 0)])
        }
    }

    @Test func `updates: new fields for the same id reach the cell, and say whether to animate`() async throws {
        try await withApp(.courses) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            let first = try await updates.live()
            #expect(!first.animatesDifferences)
            let course = Self.cheaper(try first.screen.section("c-101").courses[0])
            let replaced = ShelfItem(id: "c-101", content: .course(course)).changes(on: "home.c-101")
            try await app.commit(replaced)
            let second = try await updates.live { !$0.changes.isEmpty }
            #expect(second.changes.isInPlace)
            #expect(second.changes.reconfiguredItems == [ItemPosition(section: 2, item: 0)])
            #expect(try second.screen.section("c-101").courses[0] == course)
            #expect(!second.animatesDifferences, "new content in place is shown immediately")
        }
    }

    @Test func `updates: a course added at the front is animated`() async throws {
        try await withApp(.courses) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            _ = try await updates.live()
            let longer = try app.longer(
                "shelf/home.c-101", by: ShelfItem(id: "c-107", content: .course(CourseContent(title: "New"))))
            try await app.commit(longer)
            let third = try await updates.live { !$0.changes.isEmpty }
            #expect(third.changes.insertedItems == 1)
            #expect(third.changes.reconfiguredItems.isEmpty)
            #expect(third.animatesDifferences)
        }
    }

    private static func cheaper(_ course: CourseContent) -> CourseContent {
        var course = course
        course.price = "19.99"
        course.rating = 4.8
        return course
    }

    @Test(
        .enabled(
            if: AppData.isPresent, AppData.howToSet))
    func aRealPayloadArrivesWhole() async throws {
        let folder = try #require(AppData.folder)
        try await withApp(.courses) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            _ = try await updates.live()
            let report = try Importer(store: app.store).courses(
                file: "\(folder)/sections/udemy_home_payload.json", page: "home")
            #expect(report.problems == [])
            let real = try await updates.live { $0.screen.sections.count == 10 }.screen
            #expect(
                real.sections.map(\.kind) == [
                    .banner, .text, .courses, .text, .categories, .text, .courses, .text, .courses, .banner,
                ])
            #expect(real.sections.map(\.items.count) == [1, 1, 6, 1, 1, 1, 3, 1, 1, 1])
        }
    }
}

extension SampleApp {
    /// A shelf with one more item, at the front.
    fileprivate func longer(_ name: String, by item: ShelfItem) throws -> [Change] {
        var shelf = try #require(try store.shelf(name))
        shelf.items.insert(item, at: 0)
        return shelf.changes
    }
}
