import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Mapping a subscriber's request to the variants shown.
@Suite struct PlanTests {
    private let screens: Screens

    init() throws {
        screens = try Screens(presets: Presets.changes)
    }

    private func plan(
        _ screen: String, locale: String? = nil, _ parameters: [SectionParameters] = [], user: String? = nil
    ) throws -> ViewPlan {
        try screens.plan(screen: screen, locale: locale, parameters: parameters, user: user)
    }

    private func failure(
        _ screen: String, _ parameters: [SectionParameters] = [], user: String? = nil
    ) -> Status? {
        do {
            _ = try screens.plan(screen: screen, locale: nil, parameters: parameters, user: user)
            return nil
        } catch {
            return error
        }
    }

    @Test func `Without parameters every section has its defaults`() throws {
        let plan = try plan("home")
        #expect(plan.view == ViewKey(screen: "home", locale: "en"))
        #expect(plan.sections.map(\.id).prefix(3) == ["main", "rank", "chart"])
        #expect(plan.sections[1].variant.sort == "popularity")
        #expect(plan.sections.last?.variant.window == 6)
        #expect(plan.sections.allSatisfy { $0.variant.user == nil })
    }

    @Test(arguments: [(0, 6), (1, 6), (6, 6), (7, 12), (12, 12), (99, 12)] as [(UInt32, UInt32)])
    func `A window is mapped to the smallest step that shows at least as much`(asked: UInt32, served: UInt32) throws {
        let plan = try plan("home", [SectionParameters(section: "genres", window: asked)])
        #expect(plan.sections.last?.variant.window == served)
    }

    @Test(
        arguments: [
            (nil, "en"), ("en", "en"), ("ko", "ko"), ("ko-KR", "ko"), ("KO_kr", "ko"), ("fr", "en"), ("", "en"),
        ] as [(String?, String)])
    func `A locale is mapped to one that is served`(requested: String?, served: String) throws {
        let plan = try plan("home", locale: requested)
        #expect(plan.view.locale == served)
        #expect(plan.sections.allSatisfy { $0.variant.locale == served })
    }

    @Test func `A sort on offer is accepted`() throws {
        let plan = try plan("home", [SectionParameters(section: "rank", sort: "release-date")])
        #expect(plan.sections[1].variant.sort == "release-date")
    }

    @Test func `An unknown screen is not found`() {
        for screen in [
            "nowhere", "home/1", "detail", "detail/", "detail/999", "detail/027205", "detail/x", "genre/5", "",
        ] {
            #expect(failure(screen)?.code == .notFound, "\(screen)")
        }
        #expect(failure("detail/999")?.reason == "UNKNOWN_RECORD")
        #expect(failure("detail/27205") == nil)
        #expect(failure("genre/28") == nil)
    }

    @Test func `Unknown sections and sorts are invalid`() {
        #expect(failure("home", [SectionParameters(section: "x")])?.reason == "UNKNOWN_SECTION")
        #expect(failure("home", [SectionParameters(section: "rank", sort: "x")])?.reason == "UNKNOWN_SORT")
        #expect(failure("home", [SectionParameters(section: "main", sort: "title")])?.reason == "UNKNOWN_SORT")
        // A section without windows shows all its items; a window of 0 is the default and requests nothing.
        #expect(failure("home", [SectionParameters(section: "main", window: 5)])?.reason == "UNKNOWN_WINDOW")
        #expect(failure("home", [SectionParameters(section: "main", window: 0)]) == nil)
        let twice = [SectionParameters(section: "rank"), SectionParameters(section: "rank")]
        #expect(failure("home", twice)?.code == .invalidArgument)
    }

    @Test func `Private screens need a user, and only their variants name one`() throws {
        for screen in ["favorites", "user-collections"] {
            #expect(failure(screen)?.code == .unauthenticated)
            #expect(failure(screen, user: "")?.code == .unauthenticated)
            #expect(try plan(screen, user: "ann").sections.map(\.variant.user) == ["ann"])
        }
        #expect(try plan("home", user: "ann").sections.allSatisfy { $0.variant.user == nil })
    }

    @Test func `Describe names screens that exist`() {
        let answer = screens.describe(locale: "ko-KR")
        #expect(answer.locales == ["en", "ko"])
        #expect(answer.screens.map(\.title) == ["홈", "detail", "genre", "즐겨찾기"])
        #expect(answer.screens.map(\.pattern) == ["home", "detail/<movie>", "genre/<genre>", "favorites"])
        for screen in answer.screens {
            #expect(failure(screen.example ?? "none", user: "ann") == nil, "\(screen)")
        }
        let rank = answer.screens[0].sections[1]
        #expect(
            rank.sorts == [SortOption(id: "popularity", title: "인기순"), SortOption(id: "release-date", title: "개봉일순")])
    }
}
