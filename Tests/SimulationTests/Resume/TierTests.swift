import MarqueeDiff
import MarqueeModel
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeClient
@testable import MarqueeServer
@testable import Simulation

/// The cost of a resume, and that of repairing a section, with just the two cores.
@Suite struct TierTests {
    // MARK: - Resume

    @Test func `Unchanged content costs nothing`() {
        let pair = CorePair.showingHome()
        for restarts in [false, true] {
            if restarts { pair.restart() }
            let cost = pair.connect()
            #expect(cost.wholes + cost.described + cost.patches + cost.rebases == 0)
            #expect(pair.isShown("home"))
        }
    }

    @Test func `With a known base, a resume costs what changed`() {
        let pair = CorePair.showingHome()
        pair.disconnect()
        pair.set("home", "rank", .list(50, edited: [7]))
        let cost = pair.connect()
        #expect([cost.patches, cost.updates, cost.adds, cost.wholes, cost.rebases] == [1, 1, 0, 0, 0])
        #expect(pair.isShown("home"))
    }

    @Test func `After a restart, a lost base costs a manifest and what changed`() {
        let pair = CorePair.showingHome()
        pair.restart()
        pair.set("home", "rank", .list(50, edited: [7, 8], without: [3]))
        let cost = pair.connect()
        #expect([cost.rebases, cost.described, cost.updates, cost.adds, cost.wholes] == [1, 1, 2, 0, 0])
        #expect(cost.up < 50 * 16 + 400)
        #expect(cost.down < 1_500)
        #expect(pair.isShown("home"))
    }

    /// A restored backup: a new epoch, perhaps a lower revision.
    @Test func `After an epoch change, equal sums cost nothing and the rest costs its manifest`() {
        let pair = CorePair.showingHome()
        pair.restart(epoch: 8, revision: 0)
        pair.set("home", "basic", .list(50, first: 100, edited: [120]))
        let cost = pair.connect()
        #expect([cost.rebases, cost.described, cost.updates, cost.wholes] == [1, 1, 1, 0])
        #expect(pair.isShown("home"))
        #expect(pair.client.position.catalogueEpoch == 8)
        #expect(pair.client.position.catalogueRevision == pair.revision)
    }

    @Test func `No manifest is requested for a small section`() {
        let pair = CorePair()
        pair.set("home", [("rank", .list(3))])
        pair.show("home")
        pair.restart()
        pair.set("home", "rank", .list(3, edited: [1]))
        let cost = pair.connect()
        #expect([cost.rebases, cost.wholes] == [0, 1])
        #expect(pair.isShown("home"))
    }

    @Test func `A section that changed almost entirely is sent whole`() {
        let pair = CorePair.showingHome()
        pair.restart()
        pair.set("home", "rank", .list(50, edited: Array(0..<45)))
        let cost = pair.connect()
        #expect([cost.rebases, cost.described, cost.wholes] == [1, 0, 1])
        #expect(pair.isShown("home"))
    }

    /// istio#41494: items deleted while a client was away stayed.
    @Test func `Deletions missed while offline are applied after a resume`() {
        for restarts in [false, true] {
            let pair = CorePair.showingHome()
            pair.disconnect()
            if restarts { pair.restart() }
            pair.set("home", "rank", .list(50, without: [0, 7, 49]))
            let cost = pair.connect()
            #expect([cost.adds, cost.updates, cost.wholes] == [0, 0, 0])
            #expect(pair.isShown("home"))
        }
    }

    /// powersync-js#954: one mismatch cost the whole bucket.
    @Test func `A mismatch in one section costs that section alone`() {
        let pair = CorePair.showingHome()
        let whole = Version.list(50).wireBytes
        pair.damageOnce { $0.handle == 2 }
        pair.set("home", "rank", .list(50, edited: [7]))
        let cost = pair.talk()
        #expect(cost.nacks == 1)
        #expect(
            [cost.rebases, cost.described, cost.wholes] == [1, 1, 3], "the three come from the first snapshot")
        #expect(pair.isShown("home"))
        #expect(pair.client.evidence.entries.count == 1)
        #expect(whole > 4_000)
    }

    @Test func `A lost base of a live view costs a manifest and what changed`() {
        let pair = CorePair.showingHome()
        let before = pair.cost
        pair.set("home", "rank", .list(50, edited: [7]))
        pair.forgetOldVersions()
        let cost = pair.talk()
        #expect(cost.rebases == 1)
        #expect(cost.described == 1)
        #expect(cost.wholes == before.wholes)
        #expect(cost.down - before.down < 1_000)
        #expect(pair.isShown("home"))
    }

    @Test func `A flipped bit costs less than a snapshot`() throws {
        let pair = CorePair.showingHome()
        let snapshot = pair.cost.down
        pair.disconnect()
        let held = try #require(pair.client.content(of: CorePair.id("home")))
        for place in ["rank", "basic", ""] {
            var stored = held
            var damaged = place.isEmpty ? held.list : try #require(held.sections[place])
            damaged.flipABit(of: damaged.items.count / 2)
            if place.isEmpty {
                stored = SyncCore.ViewContent(
                    list: .empty, sections: [:], damaged: held.sections.merging(["": damaged]) { a, _ in a })
            } else {
                stored.sections[place] = nil
                stored.damaged[place] = damaged
            }
            pair.forgetClient()
            pair.want("home", stored: stored)
            let cost = pair.connect()
            if !place.isEmpty { #expect([cost.rebases, cost.described, cost.updates, cost.adds] == [1, 1, 1, 0]) }
            #expect(cost.nacks == 0)
            #expect(cost.down + cost.up < snapshot / 4, "\(place)")
            #expect(pair.isShown("home"))
        }
    }

    /// A manifest doesn't include kinds and subjects: the sum reveals that one of them changed.
    @Test func `Where a subject changed, the section is sent whole after a nack`() {
        let pair = CorePair.showingHome()
        pair.restart()
        pair.set("home", "rank", .list(50, subject: "other"))
        let cost = pair.connect()
        #expect([cost.described, cost.nacks, cost.wholes] == [1, 1, 1])
        #expect(pair.isShown("home"))
    }

    // MARK: - While a client was away

    /// convex-rs#14: subscriptions changed while disconnected.
    @Test func `Subscriptions changed while disconnected are answered as they are now`() {
        let pair = CorePair.showingHome()
        pair.set("genre/1", [("movies", .list(20))])
        pair.disconnect()
        pair.unwant("home")
        pair.want("genre/1", stored: nil)
        pair.connect()
        #expect(pair.isShown("genre/1"))
        #expect(!pair.client.isLive(CorePair.id("home")))
        pair.disconnect()
        pair.want("home", stored: nil)
        pair.connect()
        #expect(pair.isShown("home"))
        #expect(pair.isShown("genre/1"))
    }

    /// kubernetes#100745, etcd#15271: a client ahead of the node it reaches.
    @Test func `A node that is behind waits, then says so`() {
        let pair = CorePair.showingHome()
        pair.set("home", "rank", .list(50, edited: [1]))
        pair.talk()
        let shown = pair.client.position
        pair.restart(revision: 1)
        pair.connect()
        #expect(!pair.client.isLive, "no welcome yet")
        pair.tick(after: pair.settings.catchUpMilliseconds - 1)
        #expect(pair.ends == [])
        pair.tick(after: 1)
        #expect(!pair.client.isLive)
        #expect(pair.client.content(of: CorePair.id("home")) != nil)
        pair.restart(revision: shown.catalogueRevision)
        pair.connect()
        #expect(pair.isShown("home"))
        #expect(pair.client.position == shown)
    }

    @Test func `A node that catches up in time goes on`() {
        let pair = CorePair.showingHome()
        pair.set("home", "rank", .list(50, edited: [1]))
        pair.talk()
        pair.restart(revision: pair.revision - 2)
        pair.connect()
        #expect(!pair.client.isLive)
        pair.set("home", "rank", .list(50, edited: [1]))
        pair.talk()
        #expect(!pair.client.isLive, "still one behind")
        pair.set("home", "rank", .list(50, edited: [1, 2]))
        pair.talk()
        #expect(pair.client.isLive)
        #expect(pair.isShown("home"))
    }

    // MARK: - Laws

    /// Tiers 1, 2 and 3 agree.
    @Test(arguments: 1...Extent.of(20, full: 60) as ClosedRange<UInt64>)
    func `Whatever the tier, the content is the same`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let sections = (0..<random.int(1...4)).map { "s\($0)" }
        func draw() -> [(section: String, version: Version)] {
            sections.shuffled(using: &random).prefix(random.int(1...4)).map { ($0, .random(&random)) }
        }
        let (first, second) = (draw(), draw())
        for tier in 1...3 {
            let pair = CorePair()
            pair.set("home", first)
            pair.show("home")
            #expect(pair.isShown("home"))
            pair.disconnect()
            if tier == 2 { pair.restart() }
            if tier == 3 {
                pair.forgetClient()
                pair.want("home", stored: nil)
            }
            pair.set("home", second)
            pair.connect()
            #expect(pair.isShown("home"), "tier \(tier)")
            #expect(pair.cost.nacks == 0 || tier == 2, "only a manifest may not suffice")
        }
    }

    /// Whatever a broken disk did to stored content, it is repaired.
    @Test(arguments: 1...Extent.of(20, full: 60) as ClosedRange<UInt64>)
    func `Any damage is repaired`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pair = CorePair()
        pair.set("home", [("a", .random(&random)), ("b", .list(40)), ("c", .random(&random))])
        pair.show("home")
        pair.disconnect()
        var stored = try #require(pair.client.content(of: CorePair.id("home")))
        for section in ["a", "b", "c"] where random.chance(60) {
            guard let version = stored.sections.removeValue(forKey: section) else { continue }
            stored.damaged[section] = version.damaged(&random)
        }
        if random.chance(30) {
            stored.damaged.merge(stored.sections) { a, _ in a }
            stored.damaged[""] = stored.list.damaged(&random)
            (stored.list, stored.sections) = (.empty, [:])
        }
        pair.forgetClient()
        pair.want("home", stored: stored)
        if random.chance(50) { pair.restart() }
        pair.connect()
        #expect(pair.isShown("home"))
        #expect(pair.ends == [])
    }

    // MARK: - Bounds

    @Test func `A manifest that is never sent ends the connection after a while`() {
        var session = ManifestSession()
        #expect(session.waits(session.settings.manifestTimeoutMilliseconds - 1_000) == nil)
        #expect(session.waits(2_000) == "DATA_NOT_TAKEN")
    }
}

extension CorePair {
    /// A client that shows `home`: `rank` and `basic`, of fifty items each.
    static func showingHome() -> CorePair {
        let pair = CorePair()
        pair.set("home", [("rank", .list(50)), ("basic", .list(50, first: 100))])
        pair.show("home")
        return pair
    }

    /// The next matching patch arrives with a wrong body.
    func damageOnce(_ isWanted: @escaping (Part) -> Bool) {
        damage = { [unowned self] message in
            guard case .data(var part) = message, isWanted(part), !part.updates.isEmpty else { return message }
            damage = nil
            part.updates[0].records[part.updates[0].records.count - 1] ^= 1
            return .data(part)
        }
    }

    func unwant(_ screen: String) { _ = client.unwant(Self.id(screen)) }

    /// The app is now a new process that knows only what is in its mirror.
    func forgetClient() {
        disconnect()
        client = SyncCore()
    }
}

extension Version {
    /// Items of about a hundred bytes each, numbered from `first` on.
    static func list(
        _ count: Int, first: Int = 0, edited: [Int] = [], without gone: [Int] = [], subject: String = "movie"
    ) -> Version {
        let items = (first..<first + count).filter { !gone.contains($0) }.map { number in
            let title = "\(number) \(edited.contains(number) ? "other" : "title") " + String(repeating: "-", count: 60)
            return Item(
                id: "\(number)", kind: .card, subject: "\(subject)/\(number)",
                body: [0x08, UInt8(number % 128), 0x12, UInt8(title.utf8.count)] + Array(title.utf8))
        }
        return Version(head: [0x08, 0x02], items: items)
    }

    /// Few ids, so that versions have a lot in common.
    static func random(_ random: inout SeededGenerator) -> Version {
        let items = Array(0..<60).shuffled(using: &random).prefix(random.int(0...50)).map { number in
            let text = Array("\(random.int(0...3))".utf8) + [UInt8](repeating: 0x61, count: 40)
            return Item(
                id: "\(number)", kind: .card, subject: "movie/\(number)", body: [0x12, UInt8(text.count)] + text)
        }
        return Version(head: [0x08, UInt8(random.int(1...3))], items: items)
    }

    mutating func flipABit(of index: Int) {
        var items = Array(items)
        items[index].body[items[index].body.count - 1] ^= 1
        self = Version(head: head, items: items)
    }

    /// Changes one thing; the sum matches the bytes.
    func damaged(_ random: inout SeededGenerator) -> Version {
        var (head, items) = (head, Array(items))
        let index = items.isEmpty ? nil : random.int(0...items.count - 1)
        switch (random.int(0...6), index) {
        case (0, _): head = [0xff, 0x00, 0x17]
        case (1, let index?): items[index].id += "?"
        case (2, let index?): items[index].subject = "?"
        case (3, let index?): items[index].kind = ItemKind(rawValue: 77)
        case (4, let index?): items[index].id = items[0].id
        case (5, let index?): items[index].body = [0xff]
        case (_, let index?): items[index].body[items[index].body.count - 1] ^= 4
        default: head = []
        }
        return Version(head: head, items: items)
    }

    var wireBytes: Int { items.reduce(head.count) { $0 + $1.body.count + $1.id.utf8.count + $1.subject.utf8.count } }
}
