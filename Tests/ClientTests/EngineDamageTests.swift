import Foundation
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import Testing

@testable import MarqueeClient

/// Damage found in a mirror's file while it is in use.
@Suite struct EngineDamageTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "damage-\(UUID().uuidString)").path

    /// An engine whose home screen is stored and watched.
    private func showingHome() throws -> (test: TestEngine, mirror: Mirror, watcher: Watcher) {
        let mirror = try Mirror(location: .file(folder + "/m.sqlite")) { [UInt8](repeating: 1, count: 16) }
        let test = try TestEngine(mirror: mirror)
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(10, 3))
        return (test, mirror, watcher)
    }

    /// Damage that leaves nothing of a view.
    private func loseHome(_ mirror: Mirror) throws { try mirror.remove(TestEngine.home) }

    @Test
    func `Damage loses nothing shown or waiting, is reported, and the next progress repairs the file`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (test, mirror, watcher) = try showingHome()
        try test.favorite(1)
        try loseHome(mirror)
        try mirror.recover(because: MirrorError(.corrupt, "damaged"))
        test.advance(0)
        #expect(test.events.contains("recovered"))
        #expect(watcher.last?.screen.sections.first?.items.count == 2)
        #expect(watcher.last?.status.isStored == false)
        #expect(watcher.last?.status.isLive == true)
        #expect(test.mark(1) == .pendingYes)
        #expect(test.outbox == ["1 +movie/1"])
        #expect(try mirror.view(TestEngine.home) == nil)

        test.say(.progress(CutChange(catalogueRevision: 11)))
        #expect(watcher.last?.status.isStored == true)
        #expect(try mirror.view(TestEngine.home)?.sections["rank"]?.items.count == 2)
        #expect(try mirror.verify().isEmpty)
        // The answer to what was on its way counts as before.
        try test.answer(userRevision: 4)
        guard case .answered(let cut)? = try mirror.outbox().first?.state else {
            Issue.record("the answer was not noted")
            return
        }
        #expect(cut.userRevision == 4)
        test.engine.stop()
        test.world.end()
    }

    @Test func `A screen that is intact in the new file counts as stored`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (test, mirror, watcher) = try showingHome()
        try mirror.recover(because: MirrorError(.corrupt, "damaged"))
        test.advance(0)
        #expect(test.events.contains("recovered"))
        #expect(watcher.last?.status.isStored == true)
        #expect(test.engine.unstored.cut == nil)
        test.engine.stop()
        test.world.end()
    }

    @Test func `A screen that is only in memory and no longer watched is compared with the new file too`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (test, mirror, watcher) = try showingHome()
        try loseHome(mirror)
        try mirror.recover(because: MirrorError(.corrupt, "damaged"))
        test.advance(0)
        test.engine.unobserve(TestEngine.home, watcher)
        #expect(test.engine.unstored.views.map(\.id) == [TestEngine.home])
        #expect(test.engine.unstored.views.first?.view.unstored != nil)
        let list = Version(head: [], items: [Item(id: "rank", kind: .section, body: [])])
        try mirror.commit(
            MirrorTransaction(
                cut: TestEngine.cut(10, 3), savedAt: 1,
                views: [
                    ViewWrite(
                        id: TestEngine.home, list: (nil, list), sections: [("rank", nil, TestEngine.movies([1, 2]))])
                ]))
        // Consecutive recoveries keep their distance.
        #expect(throws: MirrorError.self) { try mirror.recover(because: MirrorError(.corrupt, "damaged")) }
        try mirror.recover(because: MirrorError(.corrupt, "damaged"))
        test.advance(0)
        #expect(test.engine.unstored.views.first?.view.unstored == nil)
        test.engine.stop()
        test.world.end()
    }
}
