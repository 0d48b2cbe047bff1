import Foundation
import MarqueeCatalogue
@_spi(Admin) import MarqueeClient
import MarqueeImport
import MarqueeLayout
import MarqueeModel
import MarqueePresetRecords
import MarqueeServer
import MarqueeStore
import PresetSupport
import Testing

/// A property list's content, read by the test itself.
private struct PlistSection {
    var type: String
    var name: String
    var items: [(image: String, description: String)]

    static func all() throws -> [PlistSection] {
        let data = try Data(contentsOf: URL(filePath: SampleName.streaming.file("Content.plist")))
        let root = try #require(
            try PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [[String: Any]])
        return try root.map { section in
            let items = try #require(section["contentItem"] as? [[String: Any]])
            return PlistSection(
                type: section["sectionType"] as? String ?? "", name: section["sectionName"] as? String ?? "",
                items: items.map { ($0["imageName"] as? String ?? "", $0["description"] as? String ?? "") })
        }
    }
}

@Suite("A. Netflix-style home", .timeLimit(.minutes(10)))
struct AppATests {
    @Test
    func `sections: those of a Content.plist in its order, with stray keys, empty names and repeats`() async throws {
        let plist = try PlistSection.all()
        #expect(Set(plist.map(\.type)) == ["main", "basic", "rank", "large"])
        #expect(plist.contains { $0.name.isEmpty && $0.type != "main" })
        try await withApp(.streaming) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            let home = try await updates.live().screen
            #expect(home.sections.map(\.kind.name) == plist.map(\.type))
            for (section, expected) in zip(home.sections, plist) where expected.type != "main" {
                #expect(section.banners.map { $0.image?.name ?? "" } == expected.items.map(\.image))
                #expect(section.banners.map { $0.description ?? "" } == expected.items.map(\.description))
                #expect(Set(section.ids).count == section.ids.count)
            }
            // One image with two descriptions is two items with different subjects.
            let same = home.sections.dropFirst().flatMap(\.items).filter { item in
                if case .banner(let banner) = item.content.preset { banner.image?.name == "550-poster" } else { false }
            }
            #expect(same.count == 2)
            #expect(Set(same.map(\.subject)).count == 2)

            // The same file in a different order and with a different text: ids are derived and don't change.
            let data = try Data(contentsOf: URL(filePath: SampleName.streaming.file("Content.plist")))
            var root = try #require(
                try PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [[String: Any]])
            root.swapAt(2, 3)
            var items = try #require(root[1]["contentItem"] as? [[String: Any]])
            items[0]["description"] = "Another text"
            root[1]["contentItem"] = items
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).plist")
            defer { try? FileManager.default.removeItem(at: file) }
            try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0).write(to: file)
            _ = try Importer(store: app.store).plist(file: file.path, page: "home")
            let second = try await updates.live { $0.screen.sections[1].banners[0].description == "Another text" }
            #expect(second.screen.sections.map(\.id) == [0, 1, 3, 2, 4, 5, 6, 7, 8].map { home.sections[$0].id })
            #expect(second.changes.insertedItems + second.changes.deletedItems + second.changes.movedItems == 0)
            #expect(second.changes.reconfiguredItems == [ItemPosition(section: 1, item: 0)])

            // A file with nothing to show is an error that names the section and item, never an empty home.
            let bad: [[String: Any]] = [
                ["sectionType": "rank", "sectionName": "Bad", "contentItem": [["description": 5]]]
            ]
            try PropertyListSerialization.data(fromPropertyList: bad, format: .binary, options: 0).write(to: file)
            let error = #expect(throws: ImportError.self) {
                try Importer(store: app.store).plist(file: file.path, page: "home")
            }
            #expect(error?.message.contains("section 1 'Bad', item 1: 'imageName' is missing") == true)
            #expect(try await client.fetchScreen(.home).sections.map(\.sum) == second.screen.sections.map(\.sum))
        }
    }

    @Test
    func `main: one item of the first section, the same for all until rotated, with menu and actions`() async throws {
        let pool = try PlistSection.all()[0].items
        try await withApp(.streaming) { app, client in
            let other = try app.client()
            var one = client.screen(.home).makeAsyncIterator()
            var two = other.screen(.home).makeAsyncIterator()
            let first = try await one.live().screen.sections[0]
            let same = try await two.live().screen.sections[0]
            #expect(first.items.count == 1)
            #expect(first.items == same.items)
            #expect(
                pool.contains {
                    $0.image == first.banners[0].image?.name && $0.description == first.banners[0].description
                })
            #expect(
                first.head.header?.actions.map(\.id) == ["menu", "menu", "menu", "favorite", "play", "info"])

            var seen: Set<String> = [first.items[0].id]
            for _ in 0..<6 {
                let before = seen.count
                _ = try await app.hub.rotate("main")
                let mine = try await one.live { !$0.changes.isEmpty }
                let theirs = try await two.live { !$0.changes.isEmpty }
                #expect(mine.screen.sections[0].items == theirs.screen.sections[0].items, "the same for everyone")
                #expect(mine.screen.sections[0].items.count == 1)
                #expect(mine.screen.sections.dropFirst().map(\.sum) == theirs.screen.sections.dropFirst().map(\.sum))
                seen.formUnion(mine.screen.sections[0].ids)
                if before == 1 { #expect(seen.count == 2, "a different one than before") }
            }
            // A choice with a given key is made once, whoever repeats it.
            _ = try await app.hub.rotate("main", key: "minute 1")
            let chosen = try await one.live { !$0.changes.isEmpty }.screen.sections[0].ids
            guard case .chosenBefore = try await app.hub.rotate("main", key: "minute 1") else {
                Issue.record("a choice with one key is made once")
                return
            }
            #expect(try await client.fetchScreen(.home).sections[0].ids == chosen)
            // Later clients see the same; looking doesn't trigger a new choice.
            let late = try await other.fetchScreen(.home).sections[0]
            #expect(late.items.map(\.id) == (try await client.fetchScreen(.home).sections[0].items.map(\.id)))

            let frames = try first.frames
            #expect(first.head.layout?.scrolling == LayoutScrolling.none)
            #expect(frames.supplementaryFrames.isEmpty, "no header")
            expect(frames.frame(ofItem: 0), is: rect(0, 0, 390, 450))
            expect(frames.contentSize.height, is: 470)
            await other.close()
        }
    }

    @Test func `basic: rows of three without a header`() async throws {
        try await withApp(.streaming) { _, client in
            let section = try #require(try await client.shown(.home).sections.first { $0.kind == .basic })
            #expect(section.head.header == nil)
            let frames = try section.frames
            #expect(frames.scrolling == .continuous)
            #expect(frames.supplementaryFrames.isEmpty)
            // container 390 − 5 − 5 = 380, group 0.9 × 380 = 342 by 200, slot 342 / 3 = 114 by 0.75 × 200 = 150
            expect(frames.frame(ofItem: 0), is: rect(10, 10, 104, 140))
            expect(frames.frame(ofItem: 1), is: rect(124, 10, 104, 140))
            expect(frames.frame(ofItem: 3), is: rect(352, 10, 104, 140))
        }
    }

    @Test func `large: rows of two, twice as high, with a header`() async throws {
        try await withApp(.streaming) { _, client in
            let section = try #require(try await client.shown(.home).sections.first { $0.kind == .large })
            let frames = try section.frames
            #expect(frames.scrolling == .continuous)
            // slot 342 / 2 = 171 by 0.75 × 400 = 300, below the header of 30
            expect(try section.supplementary("header"), is: rect(5, 0, 380, 30))
            expect(frames.frame(ofItem: 0), is: rect(10, 40, 161, 290))
        }
    }

    @Test func `rank: the order is the rank; moving one item renumbers others without resending them`() async throws {
        try await withApp(.streaming) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            let home = try await updates.live().screen
            let index = try #require(home.sections.firstIndex { $0.kind == .rank })
            let section = home.sections[index]
            #expect(section.items.count == 10)
            let frames = try section.frames
            #expect(frames.scrolling == .continuous)
            expect(try section.supplementary("header"), is: rect(5, 0, 380, 30))
            expect(frames.frame(ofItem: 0), is: rect(10, 40, 161, 170))

            let name = try #require(section.items[0].subject?.name)
            // `banner/<shelf>/<item>`
            var moved = try #require(try app.store.shelf("shelf/\(name.split(separator: "/")[1])"))
            moved.items.insert(moved.items.removeLast(), at: 0)
            try await app.commit(moved.changes)
            let update = try await updates.live { !$0.changes.isEmpty }
            #expect(update.screen.sections[index].ids == moved.items.map(\.id))
            #expect(update.changes.movedItems == 1)
            #expect(update.changes.insertedItems + update.changes.deletedItems == 0)
            #expect(update.changes.reconfiguredItems.isEmpty, "the rank isn't part of an item")
        }
    }

    @Test func `header: each section's own name`() async throws {
        let plist = try PlistSection.all()
        try await withApp(.streaming) { _, client in
            let home = try await client.shown(.home)
            for (section, expected) in zip(home.sections, plist) where ["large", "rank"].contains(expected.type) {
                #expect(section.head.header?.title == expected.name)
                expect(try section.supplementary("header"), is: rect(5, 0, 380, 30), section.id)
            }
            let titles = home.sections.compactMap(\.head.header?.title)
            #expect(Set(titles).count == titles.count)
        }
    }

    @Test func `detail: a tap leads to that item with its image and description`() async throws {
        try await withApp(.streaming, user: "mina") { _, client in
            let home = try await client.shown(.home)
            let offer = try await client.describe()
            for item in [home.sections[1].items[2], home.sections[4].items[3]] {
                let subject = try #require(item.subject)
                let screen = try #require(offer.screen(of: subject))
                let detail = try await client.shown(screen).section("item")
                #expect(detail.items.count == 1)
                #expect(detail.items[0].content == item.content)
                #expect(detail.items[0].subject == subject)
                #expect(detail.banners[0].image != nil)
                #expect(detail.banners[0].description?.isEmpty == false)
            }
            // The main item's heart works for items in lists too, and appears wherever the item is shown.
            let subject = try #require(home.sections[1].items[2].subject)
            try await client.setFavorite(true, for: subject)
            #expect(try await client.waitForConfirmation(within: .seconds(30)))
            var favorites = client.screen(.favorites).makeAsyncIterator()
            let list = try await favorites.live { $0.screen.sections.first?.items.isEmpty == false }
            #expect(list.screen.sections[0].items.map(\.subject) == [subject])
            #expect(list.screen.sections[0].items[0].favorite == .yes)
            #expect(try await client.shown(.home).sections[1].items[2].favorite == .yes)
            let missing = ScreenID("detail/home.nothing/there")
            let error = await #expect(throws: ClientError.self) { _ = try await client.shown(missing) }
            #expect(error?.status?.reason == "UNKNOWN_RECORD")
        }
    }
}
