import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Types whose records are messages that every client knows, and pages and pools of lists of such records.
@Suite struct BuiltInTypeTests {
    private static let declarations = """
        descriptors: presets.desc
        types:
          banner: {message: marquee.v1.BannerBody}
          course: {message: marquee.v1.CourseBody}
          note: {message: marquee.v1.OtherBody}
          notice: {message: marquee.v1.TextBody}
        lists:
          shelf: {of: [banner, course, note, notice]}
        """

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: list, kind: list, source: {list: shelf/row}}
              - {id: pool, kind: main, source: {pool: {name: pool, list: shelf/row}}}
              - page: home
                types:
                  main: {kind: main, pool: main, header: $name}
                  cards: {kind: list, body: {course: {card: {title: $title, subtitle: "$price EUR"}}}}
        """

    private let types: RecordTypes
    private let changes: [Change]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "TypesTests/Fixtures/presets.desc")
        types = try RecordTypes(Self.declarations, descriptors: [UInt8](try Data(contentsOf: file)))
        let subjects = ["banner/a", "course/b", "note/c", "notice/d"]
        changes = [
            try types.put(
                "banner", "a",
                """
                {"title": "", "image": {"name": "a.jpg", "role": "image", "aspect": 1.5, "color": "#ffffff"},
                 "actions": [{"id": "open", "title": "Open", "target": "home"}]}
                """),
            try types.put("course", "b", #"{"title": "Ink", "rating": 4.5, "reviews": 0, "price": "19.99"}"#),
            try types.put("note", "c", #"{"type": "quiz", "value": "{\"a\":1}"}"#),
            try types.put("notice", "d", #"{"text": "Hi"}"#),
            .list(
                RecordList(
                    ListName("shelf/row"),
                    entries: subjects.compactMap { subject in
                        Subject(subject).record.map { ListEntry(key: subject, record: $0) }
                    })),
            .page(
                Page(
                    id: "home",
                    sections: [
                        Page.Section(id: "m", type: "main", title: "Now", list: "shelf/row"),
                        Page.Section(id: "c", type: "cards", title: "", list: "shelf/row"),
                        Page.Section(id: "x", type: "unheard", title: "", list: "shelf/row"),
                    ])),
        ]
    }

    @Test func `A record of a message that clients know is an item of that kind`() throws {
        var screens = try Screens(changes, types: types, programme: Self.programme)
        var banner = BannerContent(title: "")
        banner.image = ImageReference(name: "a.jpg", aspect: 1.5, color: "#ffffff")
        banner.actions = [ScreenAction(id: "open", title: "Open", target: "home")]
        var course = CourseContent(title: "Ink")
        (course.rating, course.reviews, course.price) = (4.5, 0, "19.99")
        let list = try screens.section("list", of: "home")
        #expect(list.items.map(\.kind) == [.banner, .course, .other, .text])
        #expect(
            list.items.map(\.body) == [
                PresetContent.banner(banner).encoded(), PresetContent.course(course).encoded(),
                BodyCodec.encodeOther(type: "quiz", value: #"{"a":1}"#),
                PresetContent.text(TextContent(text: "Hi")).encoded(),
            ])
        #expect(list.items.map(\.subject) == ["banner/a", "course/b", "note/c", "notice/d"])
    }

    @Test func `A pool of a list shows the chosen entry while it is there, else the first`() throws {
        var screens = try Screens(changes, types: types, programme: Self.programme)
        let watched = VariantKey(screen: "home", section: "pool", locale: "en")
        _ = try screens.watch(.section(watched), as: 1, members: [])
        func shown() throws -> [String] {
            let renewed = screens.renew()[1]
            let now = try screens.section("pool", of: "home").ids
            if let renewed { #expect(renewed.items.map(\.id) == now) }
            return now
        }
        #expect(try shown() == ["banner/a"])
        let choices = screens.choices(of: "pool")
        let keys = ["banner/a", "course/b", "note/c", "notice/d"]
        #expect(choices == keys.map { .chooseEntry(pool: "pool", entry: $0) })
        try screens.commit([choices[2]])
        #expect(screens.choice(of: "pool") == choices[2])
        #expect(try shown() == ["note/c"])
        try screens.commit([.remove("note", "c")])
        #expect(try shown() == ["banner/a"])
        try screens.commit([.remove("banner", "a")])
        #expect(try shown() == ["course/b"])
        #expect(screens.choices(of: "pool").count == 2)
        try screens.commit([try types.put("note", "c", #"{"type": "quiz"}"#)])
        #expect(try shown() == ["note/c"])
        try screens.commit([.removeList(ListName("shelf/row"))])
        #expect(try shown() == [])
    }

    @Test func `A page shows lists, with a body for each type`() throws {
        var screens = try Screens(changes, types: types, programme: Self.programme)
        let plan = try screens.plan(screen: "home", locale: nil, parameters: [], user: nil)
        #expect(plan.sections.map(\.id) == ["list", "pool", "m", "c", "x"])
        let main = try screens.section("m", of: "home")
        #expect(main.ids == ["banner/a"] && main.head.header?.title == "Now")
        let cards = try screens.section("c", of: "home")
        #expect(cards.items.map(\.kind) == [.banner, .card, .other, .text])
        #expect(cards.cards.map(\.subtitle) == ["19.99 EUR"])
        #expect(try screens.section("x", of: "home").ids == ["banner/a", "course/b", "note/c", "notice/d"])
        try screens.commit([.chooseEntry(pool: "main", entry: "notice/d")])
        #expect(try screens.section("m", of: "home").ids == ["notice/d"])
    }
}
