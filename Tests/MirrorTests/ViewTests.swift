import GRDB
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

@Suite("Stored views")
struct ViewTests {
    @Test func `A view comes back as it was stored, in memory and from a reopened file`() throws {
        let folder = try TemporaryFolder()
        for location in [MirrorLocation.memory, .file(folder.mirror)] {
            var mirror = try openMirror(location)
            let rank = version([item(3), item(1), item(2)])
            let tiles = version([], head: "")
            let parameters = [
                StoredParameters(section: "rank", sort: "popularity", window: 10), StoredParameters(section: "tiles"),
            ]
            try mirror.commit(
                MirrorTransaction(
                    cut: cut(UInt64.max, user: 3), savedAt: 12.5,
                    views: [
                        ViewWrite(
                            id: home, parameters: parameters, list: (nil, list("rank", "tiles")),
                            sections: [("rank", nil, rank), ("tiles", nil, tiles)])
                    ]))
            if location != .memory {
                mirror.close()
                mirror = try openMirror(location)
            }
            let view = try #require(try mirror.view(home))
            #expect(view.id == home)
            #expect(view.parameters == parameters)
            #expect(view.cut == cut(UInt64.max, user: 3))
            #expect(view.savedAt == 12.5)
            #expect(view.damaged.isEmpty)
            #expect(view.sections.count == 2)
            #expect(hasSameContent(view.list, list("rank", "tiles")))
            #expect(hasSameContent(view.sections["rank"], rank))
            #expect(hasSameContent(view.sections["tiles"], tiles))
            #expect(mirror.seen == cut(UInt64.max, user: 3))
            #expect(try mirror.view(ViewID(screen: "home", locale: "ko")) == nil)
        }
    }

    @Test func `Items of unknown kinds and empty bodies survive byte for byte (G10)`() throws {
        let mirror = try openMirror()
        let strange = version([
            Item(id: "1", kind: ItemKind(rawValue: .max), subject: "", body: Array(0...255)),
            Item(id: "2", kind: ItemKind(rawValue: 4_000), subject: "planet/é", body: []),
            Item(id: "3", kind: ItemKind(rawValue: 0), subject: "", body: [0]),
        ])
        try mirror.commitRank(base: nil, target: strange)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], strange))
    }

    @Test func `Two spellings of one text are two ids, and a subject's new spelling is stored`() throws {
        let mirror = try openMirror()
        let composed = Item(id: "\u{e9}", kind: .movie, subject: "\u{e9}", body: [1])
        let decomposed = Item(id: "e\u{301}", kind: .movie, subject: "\u{e9}", body: [2])
        let first = version([composed, decomposed])
        try mirror.commitRank(base: nil, target: first)
        var respelled = composed
        respelled.subject = "e\u{301}"
        let second = version([decomposed, respelled])
        try mirror.commitRank(base: first, target: second, at: 2)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], second))
    }

    @Test func `A removed section, and a removed view with all its rows, are gone`() throws {
        let mirror = try openMirror()
        try mirror.commitRank(base: nil, target: version([item(1)]))
        try mirror.commit(
            MirrorTransaction(
                cut: cut(2), savedAt: 2,
                views: [ViewWrite(id: home, list: (list("rank"), list()), removedSections: ["rank"])]))
        let view = try #require(try mirror.view(home))
        #expect(view.sections.isEmpty)
        #expect(view.list.items.isEmpty)
        try mirror.remove(home)
        #expect(try mirror.view(home) == nil)
        #expect(try mirror.opened().read { try $0.count(of: "section") + $0.count(of: "item") } == 0)
    }

    @Test func `The summary counts sections, items and bytes`() throws {
        let mirror = try openMirror()
        let rank = version([item(1), item(2)])
        try mirror.commitRank(base: nil, target: rank)
        #expect(
            try mirror.views() == [
                ViewSummary(
                    id: home, cut: cut(1), savedAt: 1, sections: 1, items: 2,
                    bytes: "view".count + "head".count + "body 1".count + "body 2".count)
            ])
    }

    @Test func `A subject's best body has the lowest kind, is from the last saved view, and is intact`() throws {
        let mirror = try openMirror()
        for (revision, screen) in [(1, "genre/28"), (2, "genre/16")] {
            let write = ViewWrite(
                id: ViewID(screen: screen, locale: "en"), list: (nil, list("list")),
                sections: [
                    (
                        "list", nil,
                        version([
                            item(4, kind: .detail, subject: "movie/5"), item(5, body: screen),
                            item(6, kind: .detail, subject: "movie/7"), item(7, kind: .other, subject: "movie/8"),
                        ])
                    )
                ])
            try mirror.commit(
                MirrorTransaction(cut: cut(UInt64(revision)), savedAt: Double(revision), views: [write]))
        }
        #expect(try mirror.bestBody(of: "movie/5") == item(5, body: "genre/16"))
        #expect(try mirror.bestBody(of: "movie/7") == item(6, kind: .detail, subject: "movie/7"))
        #expect(try mirror.bestBody(of: "movie/8") == nil)
        #expect(try mirror.bestBody(of: "") == nil)
        try mirror.opened().write {
            try $0.execute(sql: "UPDATE item SET body = x'00' WHERE body = CAST('genre/16 5' AS BLOB)")
        }
        #expect(try mirror.bestBody(of: "movie/5") == item(5, body: "genre/28"))
    }

    @Test func `Looking up a subject uses its index`() throws {
        let plan = try openMirror().opened().read {
            try String.fetchAll(
                $0,
                sql: "EXPLAIN QUERY PLAN SELECT body FROM item WHERE subject = ? AND subject <> ''",
                arguments: ["movie/1"], adapter: SuffixRowAdapter(fromIndex: 3))
        }
        #expect(plan.contains { $0.contains("item_subject") })
    }

    @Test func `Beyond the bound, the views saved longest ago are removed, but never a live one`() throws {
        let mirror = try openMirror()
        func detail(_ number: Int) -> ViewID { ViewID(screen: "detail/\(number)", locale: "en") }
        let writes = (0..<MirrorLimit.views).map { ViewWrite(id: detail($0), list: (nil, list())) }
        try mirror.commit(MirrorTransaction(cut: cut(1), savedAt: 1, views: writes))
        #expect(try mirror.views().count == MirrorLimit.views)
        try mirror.commit(
            MirrorTransaction(
                cut: cut(2), savedAt: 2, views: [ViewWrite(id: home, list: (nil, list()))],
                currentViews: [home, detail(0)]))
        #expect(try mirror.views().count == MirrorLimit.views)
        #expect(try mirror.view(home) != nil)
        #expect(try mirror.view(detail(0)) != nil)
    }
}
