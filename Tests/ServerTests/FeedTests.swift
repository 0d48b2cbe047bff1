import MarqueeDiff
import MarqueeModel
import NIOCore
import Testing

@testable import MarqueeServer

@Suite("Readers that follow a screen by a door")
struct FeedTests {
    fileprivate static let home = OpenRequest(screen: "home", locale: nil, parameters: [], user: nil)

    /// A reader that notes the texts it is sent.
    private final class Output: FeedOutput {
        var texts: [String] = []
        var reopened = 0
        var ends: [String] = []
        var takesMore = true

        func send(_ text: ByteBuffer) -> Bool {
            texts.append(String(buffer: text))
            return takesMore
        }

        func reopen() { reopened += 1 }
        func end(_ status: Status) { ends.append(status.reason) }
    }

    /// Feeds whose texts name the revisions that they lead from and to, and are made when the test says so.
    private final class World {
        private(set) var feeds: LoopFeeds!
        private(set) var made: [String] = []
        private(set) var released: [[UInt64]] = []
        private var jobs: [() -> Void] = []
        /// How many readers are served at a time.
        var servedAtOnce = Int.max
        let library = VersionLibrary()

        init() {
            feeds = LoopFeeds(
                library: library,
                work: { [unowned self] body, then in
                    jobs.append { [unowned self] in
                        let text = body()
                        made.append(String(buffer: text))
                        then(text)
                    }
                }, onRound: { [unowned self] in deliver() },
                onRelease: { [unowned self] in released.append($0) })
        }

        func deliver() {
            var served = 0
            _ = feeds.deliver {
                served += 1
                return served < servedAtOnce
            }
        }

        func finish() {
            while !jobs.isEmpty { jobs.removeFirst()() }
        }

        static func version(_ body: UInt8) -> Version {
            Version(head: [], items: [Item(id: "a", kind: .other, subject: "", body: [body])])
        }

        private static let list = Version(head: [], items: [Item(id: "s", kind: .section, subject: "", body: [])])

        func view(at revision: UInt64, user: String? = nil) -> OpenedView {
            func variant(_ section: String, _ handle: UInt64, _ version: Version) -> OpenedView.Variant {
                let since = CutChange(Cut(catalogueEpoch: 1, catalogueRevision: revision))
                let current = CurrentVersion(version: version, since: since, content: handle)
                return OpenedView.Variant(section: section, handle: handle, current: current)
            }
            return OpenedView(
                screen: "home", locale: "en", list: variant("", 1, Self.list),
                sections: [variant("s", 2, Self.version(UInt8(revision)))],
                cut: Cut(catalogueEpoch: 1, catalogueRevision: revision))
        }

        func add(_ output: Output, at revision: UInt64, seen: SeenScreen? = nil) -> FeedReader {
            let reader = FeedReader(output, identity: Identity(user: nil, scopes: .readOnly), seen: seen)
            feeds.add(
                reader, FeedTests.home, view(at: revision),
                making: { base, target in
                    let from = base.map { "\($0.cut.catalogueRevision)" } ?? "nothing"
                    return ByteBuffer(string: "\(from)-\(target.cut.catalogueRevision)")
                }, deadline: 1_000)
            return reader
        }

        func publish(_ revision: UInt64, changes: Bool = true) {
            let since = CutChange(Cut(catalogueEpoch: 1, catalogueRevision: revision))
            let current = CurrentVersion(version: Self.version(UInt8(revision)), since: since, content: 2)
            feeds.published(Publication(catalogueRevision: revision, changes: changes ? [2: current] : [:]))
        }
    }

    @Test func `A text is made once for all readers at the same version`() {
        let world = World()
        let outputs = (0..<100).map { _ in Output() }
        let readers = outputs.map { world.add($0, at: 1) }
        world.finish()
        world.publish(2)
        world.finish()
        #expect(world.made == ["nothing-1", "1-2"])
        #expect(outputs.allSatisfy { $0.texts == ["nothing-1", "1-2"] })
        // One opened view is enough for all.
        #expect(world.released.count == 99)
        for reader in readers { world.feeds.remove(reader) }
        #expect(world.released.count == 100)
        #expect(world.feeds.readerCount == 0)
    }

    @Test func `A reader joins others of the same request until their plan changes or they leave`() {
        let world = World()
        let (first, second) = (Output(), Output())
        func reader(_ output: Output, seen: SeenScreen? = nil) -> FeedReader {
            FeedReader(output, identity: Identity(user: nil, scopes: .readOnly), seen: seen)
        }
        let joining = reader(second)
        #expect(!world.feeds.canJoin(joining, Self.home))
        let opened = world.add(first, at: 1)
        world.finish()
        #expect(world.feeds.canJoin(joining, Self.home))
        var others = Self.home
        others.user = "mia"
        #expect(!world.feeds.canJoin(joining, others))
        let ahead = SeenScreen(cut: Cut(catalogueEpoch: 1, catalogueRevision: 2), list: 1, sections: [1])
        #expect(!world.feeds.canJoin(reader(Output(), seen: ahead), Self.home))
        world.feeds.join(joining, Self.home)
        #expect(second.texts == ["nothing-1"])
        #expect(world.made == ["nothing-1"])
        world.feeds.remove(opened)
        #expect(world.feeds.canJoin(reader(Output()), Self.home))
        var publication = Publication(catalogueRevision: 2, changes: [:])
        publication.gone = [1]
        world.feeds.published(publication)
        #expect(second.reopened == 1)
        #expect(!world.feeds.canJoin(joining, Self.home))
        let last = world.add(first, at: 2)
        world.feeds.remove(last)
        #expect(!world.feeds.canJoin(joining, Self.home))
        #expect(world.feeds.readerCount == 0)
    }

    @Test func `However many readers wait for a text, the event loop has turns in between`() {
        let world = World()
        let outputs = (0..<10).map { _ in Output() }
        let readers = outputs.map { world.add($0, at: 1) }
        world.servedAtOnce = 4
        func served() -> Int { outputs.count { !$0.texts.isEmpty } }
        world.finish()
        #expect(served() == 4)
        // Publications made meanwhile come after the text that readers wait for.
        world.publish(2)
        while served() < outputs.count { world.deliver() }
        world.servedAtOnce = .max
        world.deliver()
        world.finish()
        #expect(outputs.allSatisfy { $0.texts == ["nothing-1", "1-2"] })
        for reader in readers { world.feeds.remove(reader) }
    }

    @Test func `A commit that the screen doesn't show is no event`() {
        let world = World()
        let output = Output()
        let reader = world.add(output, at: 1)
        world.finish()
        world.publish(2, changes: false)
        world.publish(3)
        world.finish()
        #expect(output.texts == ["nothing-1", "1-3"])
        world.feeds.remove(reader)
    }

    @Test func `A slow reader is sent one text from its own version to the others'`() {
        let world = World()
        let (slow, fast) = (Output(), Output())
        let readers = [world.add(slow, at: 1), world.add(fast, at: 1)]
        world.finish()
        slow.takesMore = false
        for revision in UInt64(2)...5 {
            world.publish(revision)
            world.finish()
        }
        #expect(fast.texts == ["nothing-1", "1-2", "2-3", "3-4", "4-5"])
        #expect(slow.texts == ["nothing-1", "1-2"])
        slow.takesMore = true
        readers[0].isReady()
        world.finish()
        #expect(slow.texts == ["nothing-1", "1-2", "2-5"])
        for reader in readers { world.feeds.remove(reader) }
    }

    @Test func `What is published while a text is made waits for it, and comes as one`() {
        let world = World()
        let output = Output()
        let reader = world.add(output, at: 1)
        for revision in UInt64(2)...4 { world.publish(revision) }
        world.finish()
        #expect(output.texts == ["nothing-1", "1-4"])
        world.feeds.remove(reader)
    }

    @Test func `A returning reader continues from what it has seen, and never goes back`() throws {
        let world = World()
        world.library.record(World.version(1), of: 2)
        let output = Output()
        var seen = SeenScreen(
            cut: Cut(catalogueEpoch: 1, catalogueRevision: 1), list: world.view(at: 1).list.current.version.sum,
            sections: [World.version(1).sum])
        let reader = world.add(output, at: 3, seen: seen)
        world.finish()
        #expect(output.texts == ["1-3"])
        seen.cut.catalogueRevision = 4
        let (early, late) = (Output(), Output())
        let waiting = [world.add(early, at: 3, seen: seen)]
        world.finish()
        #expect(early.texts == [])
        world.publish(4)
        world.finish()
        #expect(early.texts.count == 1)
        seen.cut.catalogueRevision = 9
        _ = world.add(late, at: 4, seen: seen)
        world.feeds.tick(now: 999, ending: nil)
        #expect(late.ends == [])
        world.feeds.tick(now: 1_000, ending: nil)
        #expect(late.ends == ["NODE_BEHIND"])
        for reader in waiting + [reader] { world.feeds.remove(reader) }
        #expect(world.feeds.readerCount == 0)
    }

    @Test func `A reader that leaves while others are served is sent nothing more`() {
        let world = World()
        let outputs = (0..<5).map { _ in Output() }
        let readers = outputs.map { world.add($0, at: 1) }
        world.finish()
        world.publish(2)
        world.feeds.remove(readers[1])
        world.finish()
        #expect(outputs[1].texts == ["nothing-1"])
        #expect([0, 2, 3, 4].allSatisfy { outputs[$0].texts == ["nothing-1", "1-2"] })
        world.publish(3)
        world.finish()
        #expect([0, 2, 3, 4].allSatisfy { outputs[$0].texts.last == "2-3" })
        for reader in readers { world.feeds.remove(reader) }
    }

    @Test func `A new plan makes readers ask for the screen again, and an end of the logs ends all readers`() {
        let world = World()
        let output = Output()
        _ = world.add(output, at: 1)
        world.finish()
        var publication = Publication(catalogueRevision: 2, changes: [:])
        publication.gone = [1]
        world.feeds.published(publication)
        #expect(output.reopened == 1)
        #expect(world.feeds.readerCount == 0)
        _ = world.add(output, at: 2)
        world.feeds.published(Publication(end: .nodeBehind))
        #expect(output.ends == ["NODE_BEHIND"])
        #expect(world.feeds.readerCount == 0)
    }

    @Test func `An identity that has ended is told why`() {
        let world = World()
        let output = Output()
        _ = world.add(output, at: 1)
        world.finish()
        world.feeds.tick(now: 1) { _ in .tokenEnded }
        #expect(output.ends == [Status.tokenEnded.reason])
        #expect(world.feeds.readerCount == 0)
    }
}
