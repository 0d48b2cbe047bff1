import Foundation
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueePresets
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite("Favorites of an engine")
struct EngineFavoriteTests {
    /// A folder that is removed when the test ends.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("engine-\(UUID().uuidString)").path
        deinit { try? FileManager.default.removeItem(atPath: path) }
        func mirror() throws -> Mirror {
            try Mirror(location: .file(path + "/m.sqlite")) { [UInt8](repeating: 1, count: 16) }
        }
    }

    @Test func `A star shows at once and never flickers until it is confirmed (G6)`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(10, 3))
        try test.favorite(1)
        #expect(watcher.mark(1) == .pendingYes)
        let told = watcher.all.count
        try test.answer(userRevision: 4)
        // Answered is not confirmed: the set that contains it has not arrived yet.
        #expect(watcher.mark(1) == .pendingYes)
        #expect(watcher.all.count == told)
        test.patch(
            TestEngine.set, from: TestEngine.favorites([]), to: TestEngine.favorites([1]), at: TestEngine.cut(10, 4))
        #expect(watcher.mark(1) == .yes)
        #expect(test.outbox.isEmpty)
        #expect(!watcher.all.dropFirst(told - 1).contains { !$0.favorites.mark(of: "movie/1").isFavorite })
        test.world.end()
    }

    /// Found by the simulation: the set joined without its section, and favorites it didn't contain left the outbox.
    @Test func `A confirmed favorite stays pending while the server can't update its set (G6)`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(10, 3))
        try test.favorite(1)
        try test.answer(userRevision: 4)
        test.join(
            TestEngine.set, [("favorites", TestEngine.favorites([]))], leaving: ["favorites"], at: TestEngine.cut(10, 4)
        )
        test.say(.progress(CutChange(TestEngine.cut(11, 4))))
        #expect(watcher.mark(1) == .pendingYes)
        #expect(test.outbox == ["1 +movie/1"])
        test.join(TestEngine.set, [("favorites", TestEngine.favorites([1]))], at: TestEngine.cut(11, 4))
        #expect(watcher.mark(1) == .yes)
        #expect(test.outbox.isEmpty)
        test.world.end()
    }

    @Test func `A server that refuses the mirror as another cluster's ends the attempts; nothing is dropped`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(10, 3))
        try test.favorite(1)
        test.world.connections[0].reader.closed("the connection was closed")
        test.advance(10)
        test.accept()
        test.say(
            .close(Status(.failedPrecondition, reason: "OTHER_CLUSTER", remedy: .fatal, message: "another cluster's")))
        #expect(watcher.isFinished)
        #expect(test.outbox == ["1 +movie/1"])
        #expect(test.mark(1) == .pendingYes)
        #expect(try test.engine.mirror.views().map(\.id).contains(TestEngine.home))
        test.world.end()
    }

    @Test func `A section that the server can't update shows its error until it can`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        let status = Status(.dataLoss, reason: "SECTION_REFUSED", remedy: .retrySame, message: "no")
        test.say(
            .subscriptionError(
                SubscriptionError(
                    subscription: try #require(test.subscription(to: TestEngine.home)), generation: 0, status: status,
                    section: "rank")))
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], leaving: ["rank"], at: TestEngine.cut(11, 3))
        #expect(watcher.last?.sectionErrors["rank"]?.status?.reason == "SECTION_REFUSED")
        test.join(TestEngine.home, [("rank", TestEngine.movies([2]))], at: TestEngine.cut(12, 3))
        #expect(watcher.last?.sectionErrors.isEmpty == true)
        test.world.end()
    }

    @Test func `Favorites changed offline for days are folded while unsent, then sent once, in order`() throws {
        let folder = Folder()
        for day in 0..<3 {
            let test = try TestEngine(mirror: folder.mirror())
            try test.favorite(1, day != 1)
            try test.favorite(UInt64(10 + day))
            try test.favorite(2)
            try test.favorite(2, false)
            #expect(test.mark(1) == (day == 1 ? .no : .pendingYes))
            test.engine.stop()
            test.world.end()
        }
        let test = try TestEngine(mirror: folder.mirror())
        #expect(
            test.engine.overlay.favorites.pending.map(\.subject) == [
                "movie/10", "movie/11", "movie/1", "movie/12", "movie/2",
            ])
        _ = test.watch()
        test.connect()
        for revision in 4...8 as ClosedRange<UInt64> { try test.answer(userRevision: revision) }
        let sent = test.sentChanges.map { $0.split(separator: " ")[1] }
        #expect(sent == ["+movie/10", "+movie/11", "+movie/1", "+movie/12", "-movie/2"])
        test.say(.progress(CutChange(TestEngine.cut(10, 8))))
        #expect(test.outbox.isEmpty)
        test.engine.stop()
        test.world.end()
    }

    @Test func `A sent change is frozen: it is sent again unchanged, with a newer one behind it (G7)`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        try test.favorite(1)
        try test.favorite(1, false)
        test.world.connections.last?.reader.closed("cut")
        test.advance(2)
        test.connect(last: nil)
        #expect(test.sentChanges == ["1 +movie/1", "1 +movie/1"])
        try test.answer(userRevision: 4)
        #expect(test.sentChanges.last == "2 -movie/1")
        test.world.end()
    }

    @Test func `A refused favorite rolls back on every screen, with a reason that stays until it changes`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(10, 3))
        try test.favorite(1)
        try test.refuse("REFUSED", message: "at most 10 favorites")
        #expect(watcher.mark(1) == .no)
        #expect(watcher.last?.screen.sections[0].items[0].favoriteError?.message == "at most 10 favorites")
        #expect(test.events.contains("rejected movie/1: at most 10 favorites"))
        let status = try test.engine.outboxStatus()
        #expect(status.rejected.map(\.error.message) == ["at most 10 favorites"])
        #expect(status.pending == 0)
        try test.favorite(1)
        #expect(watcher.last?.screen.sections[0].items[0].favoriteError == nil)
        #expect(try test.engine.outboxStatus().rejected.isEmpty)
        test.world.end()
    }

    @Test func `A rolled back favorite is still reported after a restart, until the user has seen it`() throws {
        let folder = Folder()
        var test = try TestEngine(mirror: folder.mirror())
        _ = test.watch()
        test.connect()
        try test.favorite(1)
        try test.refuse("REFUSED")
        test.engine.stop()
        test.world.end()
        test = try TestEngine(mirror: folder.mirror())
        #expect(try test.engine.outboxStatus().rejected.map(\.subject) == [.movie(1)])
        #expect(test.engine.overlay.favorites.rejected["movie/1"]?.message == "no")
        try test.engine.forgetRejections()
        #expect(try test.engine.outboxStatus().rejected.isEmpty)
        #expect(test.engine.overlay.favorites.rejected.isEmpty)
        test.engine.stop()
    }

    @Test func `A favorite stored by an earlier start is sent although nothing is shown`() throws {
        let folder = Folder()
        var test = try TestEngine(mirror: folder.mirror())
        try test.favorite(1)
        test.engine.stop()
        test.world.end()
        test = try TestEngine(mirror: folder.mirror())
        #expect(test.world.attempts == 1)
        test.connect()
        #expect(test.sentChanges.count == 1)
        test.engine.stop()
        test.world.end()
        // Nothing waits.
        test = try TestEngine()
        #expect(test.world.attempts == 0)
        test.engine.stop()
    }

    @Test func `The pauses before a postponed favorite is sent again grow`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        try test.favorite(1)
        var pauses: [Double] = []
        for _ in 0..<4 {
            try test.refuse("TOO_MANY_WRITES", .retrySame)
            let sent = test.sentChanges.count
            var waited = 0.0
            while test.sentChanges.count == sent, waited < 30 {
                test.advance(0.1)
                waited += 0.1
                test.say(.pong(nonce: 0))
            }
            pauses.append(waited)
        }
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 * 1.5 < $1 }, "\(pauses)")
        test.world.end()
    }

    @Test func `A copied mirror takes a new id and continues its unanswered changes under it`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        try test.favorite(1)
        try test.favorite(2)
        try test.refuse("CLIENT_CLONED", .resync)
        test.advance(2)
        test.connect()
        let ids = test.world.everSent.compactMap { message -> UInt8? in
            if case .hello(let hello) = message { hello.clientID.first } else { nil }
        }
        #expect(ids == [1, 101])
        try test.answer(userRevision: 4)
        #expect(test.sentChanges == ["1 +movie/1", "3 +movie/1", "4 +movie/2"])
        #expect(test.mark(1).isFavorite && test.mark(2).isFavorite)
        #expect(test.events.allSatisfy { !$0.hasPrefix("rejected") })
        test.world.end()
    }

    @Test func `A number the server has passed costs nothing if no server can have seen the favorite`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        try test.favorite(1)
        try test.refuse("MUTATION_FORGOTTEN", .resync)
        test.advance(2)
        test.connect()
        #expect(test.sentChanges == ["1 +movie/1", "2 +movie/1"])
        #expect(test.mark(1) == .pendingYes)
        test.world.end()
    }

    @Test func `What may have been sent and is no longer known is rolled back; the rest continues`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        try test.favorite(1)
        try test.favorite(2)
        test.world.connections.last?.reader.closed("cut")
        test.advance(2)
        test.connect()
        try test.refuse("MUTATION_FORGOTTEN", .resync)
        #expect(test.mark(1) == .no)
        #expect(test.events.contains { $0.hasPrefix("rejected movie/1") })
        test.advance(4)
        test.connect()
        #expect(test.sentChanges.last?.hasSuffix("+movie/2") == true)
        test.world.end()
    }

    @Test func `A client the server forgot takes a new id: unsent changes continue, sent ones roll back`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        try test.favorite(1)
        try test.answer(userRevision: 4)
        test.say(.progress(CutChange(TestEngine.cut(10, 4))))
        try test.favorite(2)
        try test.favorite(3)
        test.world.connections.last?.reader.closed("cut")
        test.advance(2)
        test.accept()
        // Restored from a backup: another epoch, and no such client.
        test.welcome(at: TestEngine.cut(10, 1, userEpoch: 9), last: nil)
        #expect(test.events.contains { $0.hasPrefix("rejected movie/2") })
        test.advance(4)
        test.connect(at: TestEngine.cut(10, 1, userEpoch: 9))
        #expect(test.sentChanges.last == "4 +movie/3")
        #expect(test.mark(2) == .no)
        let hellos = test.world.everSent.compactMap { message -> UInt8? in
            if case .hello(let hello) = message { hello.clientID.first } else { nil }
        }
        #expect(hellos == [1, 1, 101])
        test.world.end()
    }

    @Test func `A mirror restored from an older copy never reuses a number the server has seen`() throws {
        let test = try TestEngine()
        _ = test.watch()
        try test.favorite(1)
        test.connect(last: 40)
        #expect(test.sentChanges == ["41 +movie/1"])
        test.world.end()
    }

    @Test func `A server that takes the client for someone else is refused; the mirror keeps its user`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        try test.favorite(1)
        test.accept()
        test.welcome(user: nil)
        // It may have been damaged in transit: only a repeated claim is believed.
        #expect(!watcher.isFinished)
        test.advance(2)
        test.accept()
        test.welcome(user: nil)
        #expect(test.events.contains("failed: OTHER_USER"))
        #expect(watcher.isFinished)
        #expect(test.engine.mirror.identity.user == nil && test.engine.mirror.identity.cluster == nil)
        #expect(test.mark(1) == .pendingYes)
        test.world.end()
    }

    @Test func `On a full disk nothing unstored is shown as pending, and the error says so`() throws {
        let disk = FullDisk(try Mirror(location: .memory) { [UInt8](repeating: 1, count: 16) })
        let test = try TestEngine(mirror: disk)
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(10, 3))
        try test.favorite(1)
        try test.answer(userRevision: 4)
        disk.isFull = true
        let error = #expect(throws: ClientError.self) { try test.favorite(2) }
        #expect(error?.code == .diskFull)
        #expect(watcher.mark(2) == .no)
        #expect(test.outbox == ["1 +movie/1"])
        // The cut can't be stored either: it is shown and reported as not stored. The row that it confirms stays in the
        // outbox.
        test.patch(
            TestEngine.set, from: TestEngine.favorites([]), to: TestEngine.favorites([1]), at: TestEngine.cut(10, 4))
        #expect(watcher.mark(1) == .yes)
        #expect(test.outbox == ["1 +movie/1"])
        #expect(test.events.contains("mirror: full"))
        #expect(watcher.last?.lastError?.code == .diskFull)
        #expect(watcher.last?.status.isStored == false)
        disk.isFull = false
        test.say(.progress(CutChange(TestEngine.cut(10, 4))))
        #expect(test.outbox.isEmpty)
        #expect(watcher.mark(1) == .yes)
        #expect(watcher.last?.status.isStored == true)
        #expect(test.engine.status(of: TestEngine.home)?.lastError == nil)
        test.world.end()
    }

    @Test func `An answered favorite stays laid over a list of favorites that isn't up to date yet`() throws {
        let test = try TestEngine()
        let list = ViewID(screen: ScreenID.favorites.name, locale: "en")
        let watcher = test.watch(list)
        test.connect()
        test.join(list, [("favorites", TestEngine.movies([], head: [0x08, 17]))], at: TestEngine.cut(10, 3))
        test.world.connections.last?.reader.closed("cut")
        try test.favorite(5)
        #expect(watcher.mark(5) == .pendingYes)
        test.advance(2)
        test.connect()
        try test.answer(userRevision: 4)
        test.patch(
            TestEngine.set, from: TestEngine.favorites([]), to: TestEngine.favorites([5]), at: TestEngine.cut(10, 4))
        #expect(watcher.mark(5) == .yes)
        #expect(test.outbox == ["1 +movie/5"])
        test.join(list, [("favorites", TestEngine.movies([5], head: [0x08, 17]))], at: TestEngine.cut(10, 4))
        #expect(watcher.mark(5) == .yes)
        #expect(test.outbox.isEmpty)
        test.world.end()
    }

    @Test func `With thousands of favorites waiting, a cut costs what it changes: the outbox isn't reread`() throws {
        let mirror = CountingMirror(try Mirror(location: .memory) { [UInt8](repeating: 1, count: 16) })
        for movie in 1...3_000 { _ = try mirror.setFavorite(subject: "movie/\(movie)", on: true, at: 1) }
        let test = try TestEngine(mirror: mirror)
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(10, 3))
        let lookups = mirror.lookups
        #expect(mirror.wholeReads == 1)
        for revision in 4..<504 as Range<UInt64> {
            try test.answer(userRevision: revision)
            test.say(.progress(CutChange(TestEngine.cut(10, revision))))
        }
        #expect(test.engine.overlay.favorites.pending.count == 2_500)
        #expect(mirror.wholeReads == 1)
        #expect(mirror.lookups == lookups)
        #expect(watcher.last?.favorites.pending.count ?? 0 >= 2_500)
        test.world.end()
    }
}
