import Foundation
import MarqueeMirror
import MarqueeModel
import Synchronization
import Testing

@testable import MarqueeClient

/// An app and its widget: two engines on one mirror, of which one owns it.
@Suite("An engine beside its mirror's owner")
struct EngineCompanionTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("beside-\(UUID().uuidString)").path
        var mirror: String { path + "/m.sqlite" }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private let folder = Folder()

    /// An owner that shows two movies and is connected.
    private func openOwner(confirmed: [UInt64] = [], tokens: TokenSource? = nil) throws -> TestEngine {
        let owner = try TestEngine(
            mirror: Mirror(location: .file(folder.mirror)) { [UInt8](repeating: 1, count: 16) }, tokens: tokens)
        _ = owner.watch()
        owner.connect(confirmed: confirmed)
        owner.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(10, 3))
        return owner
    }

    private func openCompanion(user: String? = "mina") throws -> TestEngine {
        try TestEngine(user: user, mirror: Mirror(besideOwnerAt: folder.mirror))
    }

    /// The result of a change, once it has one.
    private final class Outcome: Sendable {
        private let result = Mutex<ChangeResult?>(nil)
        var value: ChangeResult? { result.withLock { $0 } }
        var error: ClientError? { if case .rejected(let error)? = value { error } else { nil } }
        func take(_ new: ChangeResult?) { result.withLock { $0 = new } }
    }

    private func outcome(of number: UInt64, of subject: Subject, _ test: TestEngine) -> Outcome {
        let outcome = Outcome()
        test.engine.whenSettled(
            .one(SubmittedChange(collection: .favorites, subject: subject, number: number)), within: .seconds(60)
        ) { outcome.take(try? $0.get()) }
        return outcome
    }

    @Test func `It shows what is stored and what the owner stores within a second, and never connects`() throws {
        let owner = try openOwner(confirmed: [2])
        let companion = try openCompanion()
        let watcher = companion.watch()
        #expect(watcher.last?.origin == .store)
        #expect(watcher.last?.screen.sections.map(\.items.count) == [2])
        #expect(watcher.last?.status.asOf != nil)
        #expect(watcher.mark(2) == .yes)
        let states = watcher.all.count
        companion.advance(5)
        #expect(watcher.all.count == states, "nothing has changed")
        owner.patch(
            TestEngine.home, from: TestEngine.movies([1, 2]), to: TestEngine.movies([1, 2, 3]),
            at: TestEngine.cut(11, 3))
        companion.advance(1)
        #expect(watcher.last?.screen.sections.map(\.items.count) == [3])
        #expect(watcher.all.count == states + 1)
        #expect(companion.world.attempts == 0)
        companion.engine.stop()
        owner.engine.stop()
        owner.world.end()
    }

    @Test func `What it sets is pending in both, is sent by the owner, and is then confirmed in both`() throws {
        let owner = try openOwner()
        let ownersHome = owner.watch()
        let companion = try openCompanion()
        let widget = companion.watch()
        let number = try companion.engine.setMember(.movie(1), of: .favorites, true)
        let result = outcome(of: number, of: .movie(1), companion)
        #expect(widget.mark(1) == .pendingYes)
        #expect(owner.sentChanges.isEmpty)
        owner.advance(1)
        #expect(ownersHome.mark(1) == .pendingYes)
        #expect(owner.sentChanges == ["1 +movie/1"])
        companion.advance(1)
        #expect(widget.mark(1) == .pendingYes)
        try owner.answer(userRevision: 4)
        owner.patch(
            TestEngine.set, from: TestEngine.favorites([]), to: TestEngine.favorites([1]), at: TestEngine.cut(10, 4))
        #expect(ownersHome.mark(1) == .yes)
        companion.advance(1)
        #expect(widget.mark(1) == .yes)
        #expect(companion.outbox.isEmpty)
        #expect(result.value == .confirmed)
        companion.engine.stop()
        owner.engine.stop()
        owner.world.end()
    }

    @Test func `A change that the server refuses is rolled back in both, with the reason`() throws {
        let owner = try openOwner()
        let companion = try openCompanion()
        let widget = companion.watch()
        let number = try companion.engine.setMember(.movie(1), of: .favorites, true)
        let result = outcome(of: number, of: .movie(1), companion)
        owner.advance(1)
        try owner.refuse("REFUSED", message: "not that one")
        companion.advance(1)
        #expect(widget.mark(1) == .no && owner.mark(1) == .no)
        #expect(result.error?.message == "not that one")
        #expect(companion.engine.members(of: .favorites).isEmpty)
        #expect(companion.engine.overlay.favorites.rejected["movie/1"]?.message == "not that one")
        try owner.engine.forgetRejections()
        companion.advance(1)
        #expect(companion.engine.overlay.favorites.rejected.isEmpty)
        companion.engine.stop()
        owner.engine.stop()
        owner.world.end()
    }

    @Test func `A later change of the owner replaces what it has set, and both say so`() throws {
        let owner = try openOwner()
        let companion = try openCompanion()
        let number = try companion.engine.setMember(.movie(1), of: .favorites, true)
        try owner.favorite(1, false)
        #expect(owner.outbox == ["1 -movie/1"])
        companion.advance(1)
        #expect(companion.outbox == owner.outbox)
        #expect(companion.mark(1) == .no && owner.mark(1) == .no)
        owner.advance(1)
        #expect(owner.outbox == ["1 -movie/1"], "the replaced one doesn't come back")
        let again = try companion.engine.setMember(.movie(1), of: .favorites, true)
        #expect(companion.engine.ledger.result(of: number) == nil)
        #expect(again > number)
        companion.engine.stop()
        owner.engine.stop()
        owner.world.end()
    }

    @Test func `What is set while no owner runs is sent by the next one`() throws {
        try openOwner().engine.stop()
        let companion = try openCompanion()
        try companion.favorite(1)
        companion.advance(60)
        #expect(companion.mark(1) == .pendingYes)
        companion.engine.stop()
        let next = try TestEngine(
            mirror: Mirror(location: .file(folder.mirror)) { [UInt8](repeating: 1, count: 16) })
        #expect(next.mark(1) == .pendingYes, "from the start")
        _ = next.watch()
        next.connect()
        #expect(next.sentChanges == ["1 +movie/1"])
        next.engine.stop()
        next.world.end()
    }

    @Test func `What needs a connection, or is the owner's to do, is refused at once`() throws {
        let owner = try openOwner()
        let companion = try openCompanion()
        #expect(companion.call(.search).error?.code == .unavailable)
        #expect(throws: ClientError.self) { try companion.engine.signOut() }
        #expect(throws: ClientError.self) { try companion.engine.erase() }
        #expect(throws: ClientError.self) { try companion.engine.forgetRejections() }
        _ = companion.watch()
        let answer = Outcome()
        companion.engine.setOptions([SectionOptions(section: "rank", sort: "date")], on: TestEngine.home) {
            if case .failure(let error) = $0 { answer.take(.rejected(error)) }
        }
        #expect(answer.error?.code == .unavailable)
        #expect(throws: MirrorError.self, "it is another user's") { try openCompanion(user: "jun") }
        companion.engine.stop()
        owner.engine.stop()
        owner.world.end()
    }

    /// Claims may have decided about a section, and no view says so.
    @Test(arguments: [true, false])
    func `A shared screen stays after signing out, but not if its reader had a token`(hasToken: Bool) throws {
        let owner = try openOwner(tokens: hasToken ? TokenSource(ready: { "token" }) : nil)
        try owner.engine.signOut()
        owner.world.end()
        let mirror = try Mirror(location: .file(folder.mirror)) { [UInt8](repeating: 2, count: 16) }
        #expect(try mirror.views().map(\.id) == (hasToken ? [] : [TestEngine.home]))
        mirror.close()
    }

    @Test func `When the user signs out in the app, the widget's loops end and show nothing any more`() throws {
        let owner = try openOwner(confirmed: [2])
        let companion = try openCompanion()
        let widget = companion.watch()
        try companion.favorite(1)
        try owner.engine.signOut()
        companion.advance(1)
        #expect(widget.error?.code == .mirrorOfAnotherUser)
        #expect(companion.engine.favoriteList().isEmpty)
        #expect(companion.engine.storedState(of: TestEngine.home) == nil)
        let error = #expect(throws: ClientError.self) { try companion.favorite(2) }
        #expect(error?.code == .mirrorOfAnotherUser)
        companion.engine.stop()
        owner.world.end()
    }
}
