import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeClient

@Suite("What an engine shows")
struct EngineShownTests {
    @Test func `Items of every kind are shown as they came, with or without a schema for them here`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        let items = [ItemKind.movie, .card, .other, ItemKind(rawValue: 77), ItemKind(rawValue: 1_000)].map {
            Item(id: "\($0.rawValue)", kind: $0, body: [0x08, 1])
        }
        test.join(
            TestEngine.home, [("rank", Version(head: [0x08, 1], items: items))], at: TestEngine.cut(10, 3))
        #expect(watcher.last?.sections.map { Array($0.shown.items) } == [items])
        test.world.end()
    }

    @Test func `Every screen that shows a changed member is told`() throws {
        let test = try TestEngine()
        let screens = ["chart", "home", "new"].map { ViewID(screen: $0, locale: "en") }
        let watchers = screens.map { test.watch($0) }
        test.connect()
        for screen in screens { test.join(screen, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3)) }
        try test.favorite(1)
        #expect(watchers.map { $0.mark(1) } == [.pendingYes, .pendingYes, .pendingYes])
        test.world.end()
    }
}
