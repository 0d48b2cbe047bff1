import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite struct SyncRepairTests {
    @Test func `A wrong result is refused, naming the versions held`() {
        var sync = TestSync.showingHome()
        #expect(sync.failingCut() == ["nack 1 good (10,3) held 1 h1, 2 r1 refused, 3 b1"])
        #expect(sync.shown() == ["h1", "r1", "b1"])
        #expect(sync.core.position == sync.cut(10, 3))
    }

    @Test func `A patch from another base is refused`() {
        var sync = TestSync.showingHome()
        #expect(
            sync.cut([sync.data(2, "r5", "r6", CutChange())]) == ["nack 1 good (10,3) held 1 h1, 2 r1 refused, 3 b1"])
    }

    @Test func `A join with a version that is not held is refused`() {
        var sync = TestSync.showingHome()
        #expect(sync.cut([.join(sync.homeJoin(rank: "r7"))]) == ["nack 1 good (10,3) held 1 h1, 2 r1 refused, 3 b1"])
    }

    @Test func `Nothing of a failed cut is applied`() {
        var sync = TestSync.showingHome()
        let good = sync.data(3, "b1", "b2", CutChange(catalogueRevision: 11))
        #expect(sync.cut([good, sync.wrong()]).count == 1)
        #expect(sync.shown() == ["h1", "r1", "b1"])
    }

    @Test func `Cuts before the repair are dropped, and count`() {
        var sync = TestSync.showingHome(credit: 1_000)
        _ = sync.failingCut()
        #expect(
            sync.cut([sync.data(3, "b1", "b2", CutChange(catalogueRevision: 12))], bytes: 401) == ["ack 501 (10,3)"])
        #expect(sync.cut([.repair(number: 7), .join(sync.homeJoin())]) == [], "another repair")
        #expect(sync.receive(.progress(CutChange(sync.cut(12, 3)))) == ["ack 501 (10,3)"])
        #expect(sync.core.position == sync.cut(10, 3))
    }

    @Test func `The repair brings back what failed`() {
        var sync = TestSync.showingHome()
        _ = sync.failingCut()
        #expect(sync.receive(.stage(sync.whole(2, "r2"))) == [])
        let join = sync.homeJoin(rank: "r2", at: sync.cut(12, 3))
        #expect(
            sync.cut([
                .repair(number: 1), .join(join), sync.data(3, "b1", "b2", CutChange(catalogueRevision: 12)),
            ]) == ["apply (12,3)"])
        #expect(sync.shown() == ["h1", "r2", "b2"])
        #expect(sync.cut([sync.data(2, "r2", "r3", CutChange(catalogueRevision: 13))]) == ["apply (13,3)"])
    }

    @Test func `Staged versions are kept and named, except refused ones`() {
        var sync = TestSync.showingHome()
        _ = sync.receive(.stage(sync.whole(2, "r2")))
        _ = sync.receive(.stage(sync.whole(3, "b2")))
        #expect(sync.failingCut() == ["nack 1 good (10,3) held 1 h1, 2 r1 refused, 3 b1 staged 3 b2"])
        #expect(
            sync.cut([.repair(number: 1), .join(sync.homeJoin(rank: "r2"))]) == [
                "nack 2 good (10,3) held 1 h1, 2 r1 refused, 3 b1 staged 3 b2"
            ])
    }

    @Test func `Half a staged patch is dropped with the nack`() {
        var sync = TestSync.showingHome()
        var half = sync.whole(3, "b2")
        half.more = true
        _ = sync.receive(.stage(half))
        _ = sync.failingCut()
        half.head = nil
        half.more = false
        _ = sync.receive(.stage(half), flags: [])
        #expect(sync.core.link.staged.isEmpty)
        #expect(sync.core.link.staged.bytes == 0)
    }

    @Test func `A refused join names the versions held for its sections`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home, stored: sync.content("h1", ["rank": "r1", "basic": "b1"]))
        #expect(
            sync.cut([.join(sync.homeJoin(rank: "r7"))]) == ["nack 1 good (10,3) held 1 h1, 2 r1 refused, 3 b1"])
    }

    @Test func `Refused patches leave evidence`() {
        var sync = TestSync.showingHome()
        _ = sync.failingCut()
        let entry = sync.core.evidence.entries.last
        #expect(entry?.handle == 2)
        #expect(entry?.place == "home rank")
        #expect(entry?.base == sync.version("r1").sum)
        #expect(entry?.target == sync.version("r2").sum &+ 1)
        #expect(entry?.computed == sync.version("r2").sum)
        #expect(entry?.cut == sync.cut(10, 3))
        for _ in 0..<200 { _ = sync.receive(.stage(sync.broken())) }
        #expect(sync.core.evidence.entries.count == EvidenceRing.capacity)
        #expect(sync.core.evidence.total == 201)
    }

    // MARK: - Manifests

    @Test func `A staged patch starts from the described version`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home, stored: sync.content("h1", ["rank": "r1", "basic": "b1"]))
        #expect(sync.receive(.rebase(sync.rebase([("rank", 2)]))) == ["manifest 2 r1 3 items"])
        #expect(sync.receive(.stage(sync.staged(2, "r1", "r2"))) == [])
        #expect(sync.cut([.join(sync.homeJoin(rank: "r2"))]) == ["apply (10,3)"])
        #expect(sync.shown() == ["h1", "r2", "b1"])
    }

    @Test func `A staged patch from an undescribed version is missing at the join`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home, stored: sync.content("h1", ["rank": "r1", "basic": "b1"]))
        #expect(sync.receive(.stage(sync.staged(2, "r1", "r2"))) == [])
        #expect(
            sync.cut([.join(sync.homeJoin(rank: "r2"))]) == ["nack 1 good (10,3) held 1 h1, 2 r1 refused, 3 b1"])
    }

    @Test func `A version described for one handle is not a base for another`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home, stored: sync.content("h1", ["rank": "r1", "basic": "b1"]))
        _ = sync.receive(.rebase(sync.rebase([("rank", 7)])))
        _ = sync.receive(.stage(sync.staged(2, "r1", "r2")))
        #expect(sync.core.link.staged.isEmpty)
    }

    @Test func `Damaged content is a base and never shown`() {
        var sync = TestSync.live()
        var stored = sync.content("h1", ["basic": "b1"])
        stored.damaged["rank"] = sync.version("r5")
        #expect(
            sync.want(TestSync.home, stored: stored) == ["subscribe 1 gen 0 home resume h1 rank r5 basic b1"])
        #expect(sync.shown() == ["h1", "–", "b1"])
        #expect(sync.receive(.rebase(sync.rebase([("rank", 2)]))) == ["manifest 2 r5 3 items"])
        _ = sync.receive(.stage(sync.staged(2, "r5", "r1")))
        #expect(sync.cut([.join(sync.homeJoin())]) == ["apply (10,3)"])
        #expect(sync.shown() == ["h1", "r1", "b1"])
        #expect(sync.result?.views.first?.write.sections.map(\.id) == ["rank"])
    }

    @Test func `A view whose own list is damaged is still offered`() {
        var sync = TestSync.live()
        let stored = SyncCore.ViewContent(
            list: .empty, sections: [:],
            damaged: ["": sync.version("h5"), "rank": sync.version("r1"), "basic": sync.version("b1")])
        #expect(
            sync.want(TestSync.home, stored: stored) == ["subscribe 1 gen 0 home resume h5 basic b1 rank r1"])
        #expect(sync.receive(.rebase(sync.rebase([("", 1)]))) == ["manifest 1 h5 2 items"])
        _ = sync.receive(.stage(sync.staged(1, "h5", "h1")))
        #expect(sync.cut([.join(sync.homeJoin())]) == ["apply (10,3)"])
        #expect(sync.shown() == ["h1", "r1", "b1"])
        #expect(sync.result?.views.first?.write.list?.target.sum == sync.version("h1").sum)
    }

    @Test func `A section the server can't deliver stays as it is`() {
        var sync = TestSync.showingHome()
        var join = sync.homeJoin(at: sync.cut(11, 3))
        join.sections[0].sum = nil
        #expect(sync.cut([.join(join)]) == ["apply (11,3)"])
        #expect(sync.shown() == ["h1", "r1", "b1"])
    }

    @Test func `A section the server could never deliver is empty`() {
        var sync = TestSync.live()
        _ = sync.want(TestSync.home)
        _ = sync.receive(.stage(sync.whole(1, "h1")))
        _ = sync.receive(.stage(sync.whole(3, "b1")))
        var join = sync.homeJoin()
        join.sections[0].sum = nil
        #expect(sync.cut([.join(join)]) == ["apply (10,3)"])
        #expect(sync.shown() == ["h1", "empty", "b1"])
    }

    /// electric#3116, #3625: the same version is offered and refused again and again.
    @Test func `Refetch loops end because less is offered each time`() {
        var sync = TestSync.showingHome()
        for resume in [" resume h1 basic b1", "", ""] {
            #expect(sync.failingCut(after: nil).first?.prefix(6) == "nack 1")
            for number in 1...2 as ClosedRange<UInt32> {
                #expect(sync.failingCut(after: number).first?.prefix(6) == "nack \(number + 1)")
            }
            #expect(sync.failingCut(after: 3) == ["close CUT_REFUSED", "try again"])
            sync.disconnect()
            #expect(sync.connect().last == "subscribe 1 gen 0 home\(resume)")
        }
    }

    @Test func `A good cut forgives setbacks`() {
        var sync = TestSync.showingHome()
        for _ in 0..<3 {
            _ = sync.failingCut(after: nil)
            for number in 1...3 as ClosedRange<UInt32> { _ = sync.failingCut(after: number) }
            sync.disconnect()
            #expect(sync.connect().last == "subscribe 1 gen 0 home resume h1 basic b1")
            _ = sync.receive(.stage(sync.whole(2, "r1")))
            #expect(sync.cut([.join(sync.homeJoin())]) == ["apply (10,3)"])
        }
    }

    @Test func `Another view's good content doesn't forgive a setback`() {
        var sync = TestSync.showingHome()
        _ = sync.want(ViewID(screen: "other", locale: "en"))
        for resume in [" resume h1 basic b1", "", ""] {
            _ = sync.failingCut(after: nil)
            for number in 1...3 as ClosedRange<UInt32> { _ = sync.failingCut(after: number) }
            sync.disconnect()
            #expect(sync.connect().contains("subscribe 1 gen 0 home\(resume)"))
            for (handle, name) in [(5, "h1"), (6, "r1"), (7, "b1")] as [(UInt64, String)] {
                _ = sync.receive(.stage(sync.whole(handle, name)))
            }
            let join = sync.join(2, "other", (5, "h1"), [("rank", 6, "r1"), ("basic", 7, "b1")])
            #expect(sync.cut([.join(join)]) == ["apply (10,3)"])
        }
    }

    @Test func `A server that asks for a resync without saying of what is offered nothing`() {
        var sync = TestSync.showingHome()
        let status = Status(.dataLoss, reason: "X", remedy: .resync, message: "")
        #expect(sync.receive(.close(status)) == ["try again"])
        sync.disconnect()
        #expect(sync.connect().last == "subscribe 1 gen 0 home")
    }

    @Test func `A good cut forgives earlier nacks`() {
        var sync = TestSync.showingHome()
        for number in stride(from: 1 as UInt32, through: 9, by: 1) {
            #expect(sync.failingCut().first?.prefix(6) == "nack \(number)")
            #expect(sync.cut([.repair(number: number), .join(sync.homeJoin())]) == ["apply (10,3)"])
        }
    }

    @Test func `A rebase is answered with manifests`() {
        var sync = TestSync.showingHome()
        #expect(
            sync.receive(.rebase(sync.rebase([("basic", 3), ("nothing", 99), ("", 1)])))
                == ["manifest 3 b1 3 items", "manifest 99 empty 0 items", "manifest 1 h1 2 items"])
    }
}

extension TestSync {
    /// A patch of `rank` whose result differs from what it claims.
    fileprivate mutating func wrong() -> Message {
        guard case .data(var part) = data(2, "r1", "r2", CutChange(catalogueRevision: 11)) else {
            return .pong(nonce: 0)
        }
        part.target &+= 1
        return .data(part)
    }

    fileprivate mutating func failingCut() -> [String] { cut([wrong()]) }

    /// A cut that can't be applied whatever is held, as an answer to a nack if there was one.
    fileprivate mutating func failingCut(after nack: UInt32?) -> [String] {
        let repair = nack.map { [Message.repair(number: $0)] } ?? []
        let join = join(1, "home", (1, "h1"), [("rank", 2, "r9"), ("basic", 3, "b1")])
        return cut(repair + [.join(join)])
    }
}
