import Foundation
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite("An engine whose app is suspended")
struct EngineSuspensionTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "suspended-\(UUID())")
    private var path: String { folder.appending(path: "mirror.sqlite").path }

    private func mirror() throws(MirrorError) -> Mirror {
        try Mirror(location: .file(path)) { [UInt8](repeating: 1, count: 16) }
    }

    private func withMirror(_ body: (Mirror) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(try mirror())
    }

    /// Live at 10/3, with one section.
    private func live(_ test: TestEngine, showing movies: [UInt64]) -> Watcher {
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies(movies))], at: TestEngine.cut(10, 3))
        return watcher
    }

    private func ids(_ watcher: Watcher) -> [String]? { watcher.last?.screen.sections.first?.items.map(\.id) }

    /// Returns the cut that the newest subscription to the home screen resumes from.
    private func resumedCut(_ test: TestEngine) -> Cut? {
        test.world.sent.compactMap { message -> Cut? in
            guard case .subscribe(let subscribe) = message, subscribe.screen == "home" else { return nil }
            return subscribe.resume?.cut
        }.last
    }

    @Test func `Nothing is connected, tried or answered until it resumes`() throws {
        try withMirror { mirror in
            let test = try TestEngine(mirror: mirror)
            let watcher = live(test, showing: [1])
            let call = test.call(.search)
            test.engine.suspend()
            #expect(test.world.connections[0].isClosed)
            #expect(call.error?.code == .suspended)
            #expect(watcher.last?.status.isLive == false)
            #expect(test.call(.search).error?.code == .suspended)
            let refused = #expect(throws: ClientError.self) { try test.favorite(1) }
            #expect(refused?.code == .suspended)
            #expect(throws: ClientError.suspended) { try test.engine.signOut() }
            test.engine.wake()
            test.engine.suspend()
            test.advance(600)
            #expect(test.world.attempts == 1)
            #expect(!watcher.isFinished)
            test.world.end()
        }
    }

    @Test func `It goes on from the mirror, and asks the server for what has changed since`() throws {
        try withMirror { mirror in
            let test = try TestEngine(mirror: mirror)
            let watcher = live(test, showing: [1])
            test.engine.suspend()
            test.advance(60)
            try test.engine.resume()
            #expect(ids(watcher) == ["movie/1"])
            test.connect(at: TestEngine.cut(12, 3))
            #expect(resumedCut(test) == TestEngine.cut(10, 3))
            test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(12, 3))
            #expect(ids(watcher) == ["movie/1", "movie/2"])
            #expect(watcher.last?.status.isLive == true)
            try test.favorite(2)
            #expect(test.outbox == ["1 +movie/2"])
            test.world.end()
        }
    }

    @Test func `What another owner stored meanwhile is shown, and nothing is written over it`() throws {
        try withMirror { mirror in
            let test = try TestEngine(mirror: mirror)
            let watcher = live(test, showing: [1])
            test.engine.suspend()
            let other = try TestEngine(mirror: try self.mirror())
            _ = live(other, showing: [1, 2])
            other.patch(
                TestEngine.home, from: TestEngine.movies([1, 2]), to: TestEngine.movies([2]), at: TestEngine.cut(11, 3))
            try other.favorite(2)
            other.engine.stop()
            other.world.end()
            test.advance(60)
            try test.engine.resume()
            #expect(ids(watcher) == ["movie/2"])
            #expect(watcher.mark(2) == .pendingYes)
            test.connect(at: TestEngine.cut(11, 3))
            #expect(resumedCut(test) == TestEngine.cut(11, 3))
            test.world.end()
        }
    }

    @Test func `While another owner has the mirror it waits, and goes on by itself`() throws {
        try withMirror { mirror in
            let test = try TestEngine(mirror: mirror)
            let watcher = live(test, showing: [1])
            test.engine.suspend()
            let other = try self.mirror()
            let error = #expect(throws: ClientError.self) { try test.engine.resume() }
            #expect(error?.code == .mirrorInUse)
            #expect(test.events.last?.hasPrefix("waiting") == true)
            test.advance(200)
            #expect(test.world.attempts == 1)
            other.close()
            test.advance(200)
            #expect(test.world.attempts == 2)
            #expect(ids(watcher) == ["movie/1"])
            test.world.end()
        }
    }

    @Test func `Suspended again before it could resume, it doesn't come back by itself`() throws {
        try withMirror { mirror in
            let test = try TestEngine(mirror: mirror)
            _ = live(test, showing: [1])
            test.engine.suspend()
            let other = try self.mirror()
            test.engine.enteredForeground()
            test.engine.suspend()
            other.close()
            test.advance(600)
            // Still free for others.
            try self.mirror().close()
            test.world.end()
        }
    }

    @Test func `A reader that comes while it is suspended is served afterwards`() throws {
        try withMirror { mirror in
            let test = try TestEngine(mirror: mirror)
            test.engine.suspend()
            let watcher = test.watch()
            #expect(watcher.all.isEmpty)
            #expect(test.world.attempts == 0)
            try test.engine.resume()
            test.connect()
            test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
            #expect(ids(watcher) == ["movie/1"])
            test.world.end()
        }
    }

    @Test func `What the disk had no room for is still shown, and stored once there is room`() throws {
        try withMirror { mirror in
            let disk = FullDisk(mirror)
            let test = try TestEngine(mirror: disk)
            let watcher = live(test, showing: [1])
            disk.isFull = true
            test.patch(
                TestEngine.home, from: TestEngine.movies([1]), to: TestEngine.movies([1, 2]), at: TestEngine.cut(11, 3))
            test.engine.suspend()
            test.advance(60)
            try test.engine.resume()
            #expect(ids(watcher) == ["movie/1", "movie/2"])
            disk.isFull = false
            test.connect(at: TestEngine.cut(12, 3))
            test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(12, 3))
            #expect(try mirror.view(TestEngine.home)?.sections["rank"]?.items.count == 2)
            #expect(watcher.last?.status.isStored == true)
            test.world.end()
        }
    }

    @Test func `A position that could not be stored still counts, though nothing shows it (G1)`() throws {
        try withMirror { mirror in
            let disk = FullDisk(mirror)
            let test = try TestEngine(user: nil, mirror: disk)
            let watcher = test.watch()
            let cut = { (revision: UInt64) in TestEngine.cut(revision, 0, userEpoch: 0) }
            test.accept()
            test.welcome(at: cut(10), user: nil)
            test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: cut(10))
            test.engine.unobserve(TestEngine.home, watcher)
            disk.isFull = true
            // The app is told of it.
            test.say(.progress(CutChange(cut(11))))
            #expect(test.events.contains("progress 11") && disk.seen == cut(10))
            disk.isFull = false
            test.engine.suspend()
            try test.engine.resume()
            #expect(test.engine.seen == cut(11))
            test.world.end()
        }
    }

    @Test func `What was left while the disk was full still counts, and no server behind it is accepted (G1)`() throws {
        try withMirror { mirror in
            let disk = FullDisk(mirror)
            let test = try TestEngine(mirror: disk)
            let watcher = test.watch()
            // The collections don't come, so that nothing but the screen that is left is at its position.
            test.accept()
            test.welcome(at: TestEngine.cut(10, 3))
            test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
            disk.isFull = true
            test.patch(
                TestEngine.home, from: TestEngine.movies([1]), to: TestEngine.movies([1, 2]), at: TestEngine.cut(11, 3))
            test.engine.unobserve(TestEngine.home, watcher)
            _ = test.watch(ViewID(screen: "detail/1", locale: "en"))
            test.engine.suspend()
            test.advance(60)
            try test.engine.resume()
            test.accept()
            guard case .hello(let hello)? = test.world.sent.first else { throw TestEngine.NothingSent() }
            #expect(hello.seen == TestEngine.cut(11, 3))
            let again = test.watch()
            #expect(ids(again) == ["movie/1", "movie/2"] && again.last?.cut == TestEngine.cut(11, 3))
            test.welcome(at: TestEngine.cut(10, 3))
            let isWelcome = test.engine.core.isLive
            #expect(!isWelcome, "the server is behind what was shown")
            test.world.end()
        }
    }
}
