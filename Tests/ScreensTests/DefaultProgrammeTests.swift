import Foundation
import MarqueeModel
import Testing

@testable import MarqueeScreens

@Suite struct DefaultProgrammeTests {
    @Test func `The default programme is valid and has every screen`() throws {
        let programme = try Programme.parse(text: try Samples.programme(), file: "programme.yaml")
        #expect(programme.screens.map(\.pattern) == ["home", "detail/<movie>", "genre/<genre>", "favorites"])
        #expect(programme.locales == ["en", "ko"])
        #expect(
            programme.screens[0].sections.map(\.id) == [
                "main", "rank", "chart", "action", "comedy", "acclaimed", "drama", "animation", "genres",
            ])
    }
    private func layout(_ section: String, of screen: String = "home") throws -> SectionLayout {
        let programme = try Programme.parse(text: try Samples.programme(), file: "programme.yaml")
        let sections = try #require(programme.screen(named: screen)).screen.sections
        return try #require(sections.first { $0.id == section }?.layout)
    }

    @Test func `Layouts are read as they are written`() throws {
        let rank = SectionLayout(
            group: .group(
                axis: .horizontal, width: .fractionalWidth(0.4), height: .fractionalWidth(0.8), insets: .zero,
                spacing: 0, count: nil,
                children: [
                    .item(
                        width: .fractionalWidth(1), height: .fractionalWidth(1.7),
                        insets: LayoutInsets(top: 10, leading: 10, bottom: 10, trailing: 10), badges: [])
                ]),
            scrolling: .groupPaging,
            supplementaries: [
                LayoutSupplementary(kind: "header", width: .fractionalWidth(1), height: .absolute(44), edges: .top)
            ])
        #expect(try layout("rank") == rank)

        let badge = LayoutSupplementary(
            kind: "minus", width: .absolute(30), height: .absolute(30), edges: [.top, .trailing], offsetX: 0.25,
            offsetY: -0.6, offsetIsFractional: true)
        let favorites = SectionLayout(
            group: .group(
                axis: .horizontal, width: .fractionalWidth(1), height: .fractionalHeight(1 / 3.6), insets: .zero,
                spacing: 0, count: nil,
                children: [
                    .item(
                        width: .fractionalWidth(1 / 3), height: .fractionalHeight(1),
                        insets: LayoutInsets(top: 12, leading: 7, bottom: 5, trailing: 7), badges: [badge])
                ]),
            supplementaries: [
                LayoutSupplementary(kind: "header", width: .fractionalWidth(1), height: .absolute(44), edges: .top)
            ])
        #expect(try layout("favorites", of: "favorites") == favorites)

        let list = try layout("movies", of: "genre/28")
        #expect(list.decoration == "background")
        #expect(list.spacing == 7)
        #expect(list.insets == LayoutInsets(top: 5, leading: 20, bottom: 0, trailing: 20))
        guard case .group(_, _, _, _, _, let count, _) = try layout("action").group else {
            throw TestFailure("no group")
        }
        #expect(count == 3)
    }
}
