import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeScreens

/// Items defined in the programme.
@Suite struct InlineItemTests {
    @Test func `Inline items show the values in the file`() throws {
        let programme = """
            locales: [en, ko]
            screens:
              home:
                title: Home
                sections:
                  - id: a
                    kind: list
                    source:
                      items:
                        - {id: b, banner: {title: {en: Sale, ko: 세일}, caption: Now, image: {name: s, aspect: 1.5, color: "#102030"}, link: "https://a.b", actions: [{id: open, title: Open, target: home}]}}
                        - {id: t, text: {text: See all, highlighted: all, action: {id: more, title: More}}}
                        - {id: c, course: {title: Swift, author: Ann, rating: 4.5, reviews: 10, price: 19.90, currency: EUR, tag: New}}
                        - {id: k, categories: [One, {en: Two, ko: 둘}]}
                        - {id: p, place: {title: Sokcho, distance: 3 hours}}
                        - {id: d, card: {title: {en: Hello, ko: 안녕}}}
            """
        var screens = try Screens([], types: Podcasts.types(), programme: programme)
        let section = try screens.section("a", locale: "ko")
        #expect(section.ids == ["b", "t", "c", "k", "p", "d"])
        #expect(section.items.map(\.kind) == [.banner, .text, .course, .categories, .place, .card])
        #expect(section.items.allSatisfy { $0.subject.isEmpty })
        guard case .banner(let banner) = section.presets[0], case .text(let text) = section.presets[1],
            case .course(let course) = section.presets[2], case .place(let place) = section.presets[4]
        else { throw TestFailure("unexpected kinds") }
        #expect(banner.title == "세일")
        #expect(banner.caption == "Now")
        #expect(banner.image == ImageReference(name: "s", aspect: 1.5, color: "#102030"))
        #expect(banner.actions == [ScreenAction(id: "open", title: "Open", target: "home")])
        #expect(
            text == TextContent(text: "See all", highlighted: "all", action: ScreenAction(id: "more", title: "More")))
        #expect(course.price == "19.90" && course.currency == "EUR")
        #expect(section.presets[3] == .categories(["One", "둘"]))
        #expect(place.distance == "3 hours")
        #expect(section.titles == ["안녕"])
    }
}
