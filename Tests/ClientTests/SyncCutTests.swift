import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite struct SyncCutTests {
    // MARK: - Staged and joined

    @Test func `A staged version is shown when its view joins`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home)
        for (handle, name) in [(1, "h1"), (2, "r1"), (3, "b1")] as [(UInt64, String)] {
            #expect(sync.receive(.stage(sync.whole(handle, name))) == [])
        }
        #expect(sync.shown() == [])
        #expect(sync.cut([.join(sync.homeJoin())]) == ["apply (10,3)"])
        #expect(sync.shown() == ["h1", "r1", "b1"])
        #expect(sync.result?.live == [TestSync.home])
    }

    @Test func `A cut with a second patch for one handle is refused`() {
        var sync = TestSync.showingHome()
        let said = sync.cut([
            sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11)),
            sync.data(2, "r2", "r3", CutChange(catalogueRevision: 12)),
        ])
        #expect(said.count == 1 && said.first?.hasPrefix("nack 1") == true, "\(said)")
        #expect(sync.shown() == ["h1", "r1", "b1"])
    }

    @Test func `Data may precede the join that binds it`() {
        var sync = TestSync.showingHome()
        let data = sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11))
        #expect(sync.cut([data, .join(sync.homeJoin())]) == ["apply (11,3)"])
        #expect(sync.shown() == ["h1", "r2", "b1"])
    }

    @Test func `A cut or progress of another epoch ends the connection`() {
        for change in [CutChange(catalogueEpoch: 8, catalogueRevision: 11), CutChange(userEpoch: 8, userRevision: 4)] {
            var sync = TestSync.showingHome()
            let said = sync.cut([sync.data(2, "r1", "r2", change)])
            #expect(said.contains { $0.contains("CUT_ORDER") }, "\(said)")
            #expect(sync.shown() == ["h1", "r1", "b1"])
            var other = TestSync.showingHome()
            #expect(other.receive(.progress(change)).contains { $0.contains("CUT_ORDER") })
        }
    }

    /// Found by the simulation: the row hit by a flipped bit differed between runs of one seed.
    @Test func `Sections are stored in the same order each time`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home)
        let names = (0...9).map { "section \($0)" }
        let list = Version(head: [], items: names.map { Item(id: $0, kind: .section, body: []) })
        let bindings = names.enumerated().map { index, name in
            Binding(section: name, handle: UInt64(index + 2), sum: Version.empty.sum)
        }
        _ = sync.receive(.stage(sync.whole(1, list)))
        let join = Join(
            subscription: 1, generation: 0, viewHandle: 1, viewSum: list.sum, sections: bindings,
            cut: CutChange(sync.cut(10, 3)), screen: "home", locale: "en")
        #expect(sync.cut([.join(join)]) == ["apply (10,3)"])
        #expect(sync.result?.views.first?.write.sections.map(\.id) == names)
    }

    @Test func `A new staged patch drops the incomplete one`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home)
        _ = sync.receive(.stage(sync.whole(1, "h1")))
        let given = [sync.halves(2, "r1"), sync.halves(3, "b1")]
        _ = sync.receive(.stage(given[0][0]), flags: .first)
        for half in [given[1], given[0]] {
            #expect(sync.receive(.stage(half[0]), flags: .first) == [])
            #expect(sync.receive(.stage(half[1]), flags: []) == [])
        }
        #expect(sync.core.link.staged.bytes == 500)
        #expect(sync.cut([.join(sync.homeJoin())]) == ["apply (10,3)"])
    }

    /// Found by the simulation: the server abandoned a staged patch because of a change of parameters, and began it
    /// again under the same handle, to the same target and with the same head.
    @Test func `A staged patch that begins again drops its first parts`() {
        var sync = TestSync.live()
        let target = sync.version("r1")
        let old = Version(head: target.head, items: Array(sync.version("r5").items))
        var stored = sync.content("h1", ["basic": "b1"])
        stored.sections["rank"] = old
        _ = sync.want(TestSync.home, stored: stored)
        _ = sync.receive(.rebase(sync.rebase([("rank", 2)])))
        let parts = sync.halves(of: sync.staged(2, old, target))
        #expect(parts.allSatisfy { $0.head == nil })
        for index in [0, 0, 1] {
            #expect(sync.receive(.stage(parts[index]), flags: index == 0 ? .first : []) == [])
        }
        #expect(sync.cut([.join(sync.homeJoin())]) == ["apply (10,3)"])
    }

    @Test func `Parts of a patch that never began are dropped`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home)
        for half in sync.halves(2, "r1") { #expect(sync.receive(.stage(half), flags: []) == []) }
        #expect(sync.core.link.staged.isEmpty)
        #expect(sync.core.link.staged.bytes == 0)
    }

    @Test func `A staged version with a wrong sum is missing at the join`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home)
        _ = sync.receive(.stage(sync.whole(1, "h1")))
        _ = sync.receive(.stage(sync.whole(3, "b1")))
        var wrong = sync.whole(2, "r1")
        wrong.adds[0].body[2] ^= 1
        #expect(sync.receive(.stage(wrong)) == [])
        #expect(sync.cut([.join(sync.homeJoin())]) == ["nack 1 good (10,3) held 2 – refused staged 1 h1, 3 b1"])
    }

    @Test func `Abandoned staged versions are dropped when there is too much`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home)
        #expect(sync.receive(.stage(sync.whole(9, "x1")), bytes: 64 << 20).first == "ack 67108864 nothing")
        for (handle, name) in [(1, "h1"), (2, "r1"), (3, "b1")] as [(UInt64, String)] {
            #expect(sync.receive(.stage(sync.whole(handle, name)), bytes: 1) == [])
        }
        #expect(sync.cut([.join(sync.homeJoin())]) == ["apply (10,3)"])
    }

    @Test func `Stale staging never accumulates`() {
        var sync = TestSync.live()
        for round in 0..<1_000 {
            let said = sync.receive(.stage(sync.whole(UInt64(round % 7), "r\(round)")), bytes: 20 << 20)
            #expect(!said.contains { $0.hasPrefix("close") })
        }
    }

    @Test func `An unfinished staged patch is bounded`() {
        var sync = TestSync.live()
        var part = sync.whole(1, "h1")
        part.more = true
        #expect(sync.receive(.stage(part), bytes: 64 << 20).first == "ack 67108864 nothing")
        part.head = nil
        #expect(sync.receive(.stage(part), flags: [], bytes: 1).first == "close CUT_TOO_LARGE")
    }

    @Test func `Another version of a handle replaces the first`() {
        var sync = TestSync.live()
        _ = sync.receive(.stage(sync.whole(1, "h1")), bytes: 60 << 20)
        #expect(sync.receive(.stage(sync.whole(1, "h2")), bytes: 60 << 20).first == "ack 125829120 nothing")
    }

    // MARK: - Cuts

    @Test func `A cut is applied at its last frame`() {
        var sync = TestSync.showingHome()
        let frames = [
            sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11)),
            sync.data(3, "b1", "b2", CutChange(catalogueRevision: 12)),
        ]
        #expect(sync.receive(frames[0], flags: .first) == [])
        #expect(sync.shown() == ["h1", "r1", "b1"])
        #expect(sync.receive(frames[1], flags: .last) == ["apply (12,3)"])
        #expect(sync.shown() == ["h1", "r2", "b2"])
    }

    @Test func `Nothing counts as new before it is stored`() {
        var sync = TestSync.showingHome()
        sync.stores = false
        #expect(sync.cut([sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11))]) == ["apply (11,3)"])
        #expect(sync.shown() == ["h1", "r1", "b1"])
        #expect(sync.core.position == sync.cut(10, 3))
    }

    @Test func `The parts of a patch may be in several frames`() {
        var sync = TestSync.showingHome()
        let halves = sync.halves(2, "r2", from: "r1")
        #expect(sync.cut(halves.map { .data($0) }) == ["apply (10,3)"])
        #expect(sync.shown() == ["h1", "r2", "b1"])
    }

    @Test func `Parts of two patches don't mix`() {
        var sync = TestSync.showingHome()
        let (rank, basic) = (sync.halves(2, "r2", from: "r1"), sync.halves(3, "b2", from: "b1"))
        let said = sync.cut([.data(rank[0]), .data(basic[0]), .data(rank[1]), .data(basic[1])])
        #expect(said.map { $0.prefix(6) } == ["nack 1"])
        #expect(sync.shown() == ["h1", "r1", "b1"])
    }

    @Test func `A cut with a patch that doesn't end is refused`() {
        var sync = TestSync.showingHome()
        #expect(
            sync.cut([.data(sync.halves(2, "r2", from: "r1")[0])]) == [
                "nack 1 good (10,3) held 1 h1, 2 r1 refused, 3 b1"
            ])
    }

    @Test func `A whole section replaces the one held`() {
        var sync = TestSync.showingHome()
        #expect(sync.cut([.data(sync.whole(2, "r9"))]) == ["apply (10,3)"])
        #expect(sync.shown() == ["h1", "r9", "b1"])
    }

    @Test func `Data for an unknown handle is skipped`() {
        var sync = TestSync.showingHome()
        let frames = [
            sync.data(99, "z1", "z2", CutChange(catalogueRevision: 11)),
            sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11)),
        ]
        #expect(sync.cut(frames) == ["apply (11,3)"])
        #expect(sync.shown() == ["h1", "r2", "b1"])
    }

    @Test func `Frames for a view that was left are skipped, and their position counts`() {
        var sync = TestSync.showingHome()
        #expect(sync.unwant(TestSync.home) == ["unsubscribe 1"])
        #expect(
            sync.cut([
                .join(sync.homeJoin(at: sync.cut(11, 3))), sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11)),
            ]) == ["apply (11,3)"])
        #expect(sync.result?.views.isEmpty == true)
    }

    @Test(arguments: [true, false])
    func `The sections of a view are those of its list`(hasMore: Bool) {
        var sync = TestSync.showingHome()
        let sections: [(String, UInt64, String)] = [("rank", 2, "r1"), ("basic", 3, "b1")]
        let join = hasMore ? sync.join(1, "home", (1, "n1"), sections) : sync.join(1, "home", (1, "h1"), [sections[0]])
        _ = sync.receive(.stage(sync.whole(1, "n1")))
        #expect(sync.cut([.join(join)]).first?.prefix(6) == "nack 1")
    }

    @Test func `A view's list is patched like a section`() {
        var sync = TestSync.showingHome()
        let join = sync.join(1, "home", (1, "h1"), [("rank", 2, "r1")], at: sync.cut(11, 3))
        #expect(
            sync.cut([.join(join), sync.data(1, "h1", "n1", CutChange(catalogueRevision: 11))]) == ["apply (11,3)"])
        #expect(sync.shown() == ["n1", "r1"])
    }

    @Test func `Frames of a cut are inside one`() {
        var outside = TestSync.showingHome()
        let data = outside.data(2, "r1", "r2", CutChange())
        #expect(outside.receive(data, flags: .last) == ["close CUT_ORDER", "try again"])
        var within = TestSync.showingHome()
        _ = within.receive(data, flags: .first)
        #expect(within.receive(data, flags: .first) == ["close CUT_ORDER", "try again"])
        var progress = TestSync.showingHome()
        _ = progress.receive(data, flags: .first)
        #expect(progress.receive(.progress(CutChange())) == ["close CUT_ORDER", "try again"])
    }

    @Test func `A cut is bounded`() {
        var sync = TestSync.showingHome()
        let data = sync.data(2, "r1", "r2", CutChange())
        #expect(sync.receive(data, flags: .first, bytes: 64 << 20 + 1).first == "close CUT_TOO_LARGE")
    }

    @Test func `Other frames may come between those of a cut`() {
        var sync = TestSync.showingHome()
        #expect(sync.receive(sync.data(2, "r1", "r2", CutChange(catalogueRevision: 11)), flags: .first) == [])
        #expect(sync.receive(.ping(nonce: 1)) == ["pong 1"])
        #expect(sync.receive(.stage(sync.whole(5, "z1"))) == [])
        #expect(
            sync.receive(sync.data(3, "b1", "b2", CutChange(catalogueRevision: 11)), flags: .last) == ["apply (11,3)"])
    }

    // MARK: - Parameters

    @Test func `A change of parameters has a higher generation`() {
        var sync = TestSync.showingHome()
        #expect(sync.sort("title") == ["subscribe 1 gen 1 home"])
        #expect(sync.sort("title") == [])
        let join = sync.join(1, "home", (1, "h1"), [("rank", 9, "r1"), ("basic", 3, "b1")], generation: 1)
        #expect(sync.cut([.join(join), sync.data(9, "r1", "s1", CutChange())]) == ["apply (10,3)"])
        #expect(sync.shown() == ["h1", "s1", "b1"])
        #expect(sync.result?.views[0].parameters == [SectionParameters(section: "rank", sort: "title")])
    }

    @Test func `A join of an older generation is applied and stored with its parameters`() {
        var sync = TestSync.showingHome()
        _ = sync.sort("title")
        #expect(sync.cut([.join(sync.homeJoin(at: sync.cut(11, 3)))]) == ["apply (11,3)"])
        #expect(sync.result?.views[0].parameters == [])
    }

    @Test func `A generation that was never asked for is refused`() {
        var sync = TestSync.showingHome()
        #expect(
            sync.cut([.join(sync.homeJoin(generation: 5))]) == ["nack 1 good (10,3) held 1 h1 refused, 2 r1, 3 b1"],
            "a nack marks something: the view's own list")
    }

    // MARK: - Bindings

    /// A machine that shows `home` and `detail/1`, whose list is 4 and whose section is 5.
    private func showingTwo() -> TestSync {
        var sync = TestSync.showingHome()
        _ = sync.want(TestSync.detail)
        for (handle, name) in [(4, "d1"), (5, "e1")] as [(UInt64, String)] {
            _ = sync.receive(.stage(sync.whole(handle, name)), bytes: 0)
        }
        _ = sync.cut([.join(sync.join(2, "detail/1", (4, "d1"), [("detail", 5, "e1")]))])
        return sync
    }

    @Test func `A handle that another live view has is bound twice`() {
        for (list, section) in [(1, 5), (4, 2)] as [(UInt64, UInt64)] {
            var sync = showingTwo()
            let said = sync.cut([.join(sync.join(2, "detail/1", (list, "d1"), [("detail", section, "e1")]))])
            #expect(said.first?.hasPrefix("nack 1") == true, "\(said)")
            #expect(sync.shown(TestSync.detail) == ["d1", "e1"] && sync.shown() == ["h1", "r1", "b1"])
        }
    }

    @Test func `Views that join in one cut may exchange their handles`() {
        var sync = showingTwo()
        let joins = [
            sync.join(1, "home", (4, "h1"), [("rank", 5, "r1"), ("basic", 3, "b1")]),
            sync.join(2, "detail/1", (1, "d1"), [("detail", 2, "e1")]),
        ]
        #expect(sync.cut(joins.map { .join($0) }) == ["apply (10,3)"])
        #expect(sync.cut([sync.data(5, "r1", "r2", CutChange(catalogueRevision: 11))]) == ["apply (11,3)"])
        #expect(sync.shown() == ["h1", "r2", "b1"])
    }

    @Test func `A join of a subscription that was never opened is skipped`() {
        var sync = TestSync.showingHome()
        let join = sync.join(77, "home", (8, "h1"), [("rank", 9, "r1")], at: sync.cut(11, 3))
        #expect(sync.cut([.join(join)]) == ["apply (11,3)"])
        #expect(sync.shown() == ["h1", "r1", "b1"])
    }

    @Test func `Frames that are skipped move the position, and prove nothing`() {
        var sync = TestSync.showingHome()
        #expect(sync.cut([sync.data(99, "z1", "z2", CutChange(catalogueRevision: 11))]) == ["apply (11,3)"])
        #expect(sync.result?.proven == CutChange())
        let frames = [
            sync.data(99, "z1", "z2", CutChange(catalogueRevision: 13)),
            sync.data(2, "r1", "r2", CutChange(catalogueRevision: 12)),
        ]
        #expect(sync.cut(frames) == ["apply (13,3)"])
        #expect(sync.result?.proven == CutChange(catalogueRevision: 12))
        #expect(sync.cut([.join(sync.homeJoin(rank: "r2", at: sync.cut(14, 3)))]) == ["apply (14,3)"])
        #expect(sync.result?.proven == CutChange(sync.cut(14, 3)))
    }

    @Test func `Refused parameters are reverted`() {
        var sync = TestSync.showingHome()
        _ = sync.sort("nonsense")
        #expect(sync.receive(error(1, 1, "UNKNOWN_SORT")) == ["home keeps its parameters: UNKNOWN_SORT"])
        #expect(sync.core.isLive(TestSync.home))
        #expect(sync.sort("nonsense") == ["subscribe 1 gen 2 home"], "it is not in force")
    }

    @Test func `Parameters requested before a refused change take effect once they arrive`() {
        var sync = TestSync.showingHome()
        _ = sync.sort("title")
        _ = sync.sort("nonsense")
        #expect(!sync.core.isAnswered(TestSync.home))
        #expect(sync.receive(error(1, 2, "UNKNOWN_SORT")) == ["home keeps its parameters: UNKNOWN_SORT"])
        #expect(sync.core.isAnswered(TestSync.home))
        let join = sync.join(1, "home", (1, "h1"), [("rank", 9, "r1"), ("basic", 3, "b1")], generation: 1)
        #expect(
            sync.cut([.join(join), sync.data(9, "r1", "s1", CutChange())]) == ["apply (10,3)", "home shows title"])
        #expect(sync.sort("title") == [], "it is already in force")
    }

    // MARK: - Errors

    @Test func `A view that fails for good is no longer wanted`() {
        var sync = TestSync.showingHome()
        #expect(sync.receive(error(1, 0, "UNKNOWN_SCREEN")) == ["home failed: UNKNOWN_SCREEN"])
        sync.disconnect()
        #expect(sync.connect() == ["hello", "welcomed"])
    }

    @Test func `A view that fails temporarily is subscribed to on the next connection`() {
        var sync = TestSync.showingHome()
        #expect(sync.receive(error(1, 0, "DRAINING", .retrySame)) == ["home failed: DRAINING"])
        sync.disconnect()
        #expect(sync.connect().last == "subscribe 1 gen 0 home resume h1 rank r1 basic b1")
    }

    @Test func `A view to be synced again offers nothing`() {
        var sync = TestSync.showingHome()
        _ = sync.receive(error(1, 0, "UNKNOWN_VARIANT", .resync))
        sync.disconnect()
        #expect(sync.connect().last == "subscribe 1 gen 0 home")
    }

    @Test func `The handles of a view that failed are free`() {
        var sync = TestSync.showingHome()
        _ = sync.receive(error(1, 0, "ITEM_TOO_LARGE"))
        let stored = sync.content("h1", ["rank": "r1", "basic": "b1"])
        #expect(sync.want(TestSync.home, stored: stored).first?.prefix(11) == "subscribe 2")
        let join = sync.join(2, "home", (1, "h1"), [("rank", 2, "r1"), ("basic", 3, "b1")])
        #expect(sync.cut([.join(join)]) == ["apply (10,3)"])
    }

    @Test func `An error of one section ends nothing`() {
        var sync = TestSync.showingHome()
        var status = SubscriptionError(
            subscription: 1, generation: 0,
            status: Status(.internalError, reason: "X", remedy: .fatal, message: ""))
        status.section = "rank"
        #expect(sync.receive(.subscriptionError(status)) == ["rank of home stays: X"])
        #expect(sync.core.isLive(TestSync.home))
    }

    @Test func `A change that is refused before any join was taken ends the subscription on both sides`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home)
        _ = sync.sort("new")
        // The join of generation 0 was sent, but its cut was refused: only the server counts the view as live.
        #expect(sync.receive(error(1, 1, "TOO_MANY_VARIANTS", .retrySame)).first == "unsubscribe 1")
        #expect(!sync.core.isLive(TestSync.home))
    }

    @Test func `A subscription isn't judged by the join of the one before it`() {
        var sync = TestSync.showingHome()
        _ = sync.receive(error(1, 0, "UPSTREAM_AWAY", .retrySame))
        #expect(sync.subscribeAgain().first?.prefix(11) == "subscribe 2")
        _ = sync.sort("new")
        #expect(sync.receive(error(2, 1, "TOO_MANY_VARIANTS", .retrySame)).first == "unsubscribe 2")
    }

    private func error(
        _ id: UInt32, _ generation: UInt32, _ reason: String, _ remedy: Status.Remedy = .fatal
    ) -> Message {
        .subscriptionError(
            SubscriptionError(
                subscription: id, generation: generation,
                status: Status(.notFound, reason: reason, remedy: remedy, message: "")))
    }
}

extension TestSync {
    /// A patch in two parts; of the empty version if no base is named.
    mutating func halves(_ handle: UInt64, _ target: String, from base: String? = nil) -> [Part] {
        let patch = Differ.patch(from: base.map { version($0) } ?? .empty, to: version(target))
        return halves(of: part(patch, handle, isWhole: base == nil, CutChange()))
    }

    func halves(of part: Part) -> [Part] {
        let middle = part.adds.count / 2
        var (first, second) = (part, part)
        (first.adds, first.updates, first.more) = (Array(part.adds[..<middle]), [], true)
        (second.script, second.adds, second.head) = ([], Array(part.adds[middle...]), nil)
        return [first, second]
    }
}
