import Foundation
import MarqueeModel
import MarqueeScreens
import Testing

@Suite struct ChangedScreensTests {
    private func programme(_ edit: (String) -> String = { $0 }) throws -> Programme {
        let text = """
            locales: [en, ko]
            screens:
              home:
                title: Home
                sections: [{id: all, kind: rank, source: {items: [{id: a, text: {text: A}}]}}]
              genre/$id:
                title: Genre
                sections: [{id: all, kind: rank, source: {items: [{id: a, text: {text: A}}]}}]
              detail/$id:
                title: Movie
                sections: [{id: all, kind: detail, source: {items: [{id: a, text: {text: A}}]}}]
            """
        return try Programme.parse(text: edit(text), file: "test.yaml")
    }

    @Test func `The same programme changes nothing`() throws {
        #expect(try programme().changedScreens(since: programme()) == .none)
    }

    @Test func `Only the screens that differ have changed`() throws {
        let changed = try programme { $0.replacing("title: Genre", with: "title: Kind") }
            .changedScreens(since: programme())
        #expect(changed == .families(["genre"]))
        #expect(changed.contains("genre/28"))
        #expect(!changed.contains("home"))
        #expect(!changed.contains("detail/7"))
    }

    @Test func `New and removed screens have changed`() throws {
        let less = try programme { String($0.prefix(upTo: $0.range(of: "  detail/")!.lowerBound)) }
        #expect(try less.changedScreens(since: programme()) == .families(["detail"]))
        #expect(try programme().changedScreens(since: less) == .families(["detail"]))
    }

    @Test func `Other locales change all screens`() throws {
        let other = try programme { $0.replacing("[en, ko]", with: "[en]") }
        #expect(try other.changedScreens(since: programme()) == .all)
    }

    @Test(
        arguments: [
            (.none, .families(["a"]), .families(["a"])), (.families(["a"]), .families(["b"]), .families(["a", "b"])),
            (.all, .families(["a"]), .all), (.none, .none, .none),
        ] as [(ChangedScreens, ChangedScreens, ChangedScreens)])
    func `Two commits change what either one changes`(a: ChangedScreens, b: ChangedScreens, both: ChangedScreens) {
        #expect(a.union(b) == both)
        #expect(b.union(a) == both)
    }
}
