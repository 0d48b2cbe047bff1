import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite struct SyncRepairTests {
    @Test func aWrongResultIsRefusedWithWhatIsHeld() {
        var sync = TestSync.showingHome()
        #expect(sync.failingCut() == ["nack 1 good (10,3) held 1 h1, 2 –, 3 b1"])
        #expect(sync.shown() == ["h1", "r1", "b1"])
        #expect(sync.core.position == sync.cut(10, 3))
    }

    @Test func aPatchFromAnotherBaseIsRefused() {
        var sync = TestSync.showingHome()
        #expect(
            sync.cut([sync.data(2, "r5", "r6", CutChange())]) == ["nack 1 good (10,3) held 1 h1, 2 –, 3 b1"])
    }

    @Test func aJoinWithAVersionThatIsNotHeldIsRefused() {
        var sync = TestSync.showingHome()
        #expect(sync.cut([.join(sync.homeJoin(rank: "r7"))]) == ["nack 1 good (10,3) held 1 h1, 2 –, 3 b1"])
    }

    @Test func ofACutThatFailsNothingIsTaken() {
        var sync = TestSync.showingHome()
        let good = sync.data(3, "b1", "b2", CutChange(catalogueRevision: 11))
        #expect(sync.cut([good, sync.wrong()]).count == 1)
        #expect(sync.shown() == ["h1", "r1", "b1"])
    }

    @Test func cutsAreDroppedUntilTheRepairAndCount() {
        var sync = TestSync.showingHome(credit: 1_000)
        _ = sync.failingCut()
        #expect(
            sync.cut([sync.data(3, "b1", "b2", CutChange(catalogueRevision: 12))], bytes: 401) == ["ack 501 (10,3)"])
        #expect(sync.cut([.repair(number: 7), .join(sync.homeJoin())]) == [], "another repair")
        #expect(sync.receive(.progress(CutChange(sync.cut(12, 3)))) == ["ack 501 (10,3)"])
        #expect(sync.core.position == sync.cut(10, 3))
    }

    @Test func theRepairBringsBackWhatFailed() {
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

    @Test func whatWasStagedBeforeTheNackIsForgotten() {
        var sync = TestSync.showingHome()
        _ = sync.receive(.stage(sync.whole(2, "r2")))
        _ = sync.failingCut()
        #expect(
            sync.cut([.repair(number: 1), .join(sync.homeJoin(rank: "r2"))]) == [
                "nack 2 good (10,3) held 1 h1, 2 –, 3 b1"
            ])
    }

    @Test func afterThreeNacksTheClientBeginsAnewWithNothing() {
        var sync = TestSync.showingHome()
        #expect(sync.failingCut().first?.prefix(6) == "nack 1")
        for number in 1...2 as ClosedRange<UInt32> {
            #expect(sync.cut([.repair(number: number), sync.wrong()]).first?.prefix(6) == "nack \(number + 1)")
        }
        #expect(sync.cut([.repair(number: 3), sync.wrong()]) == ["close CUT_REFUSED", "try again"])
        sync.disconnect()
        #expect(sync.connect().last == "subscribe 1 gen 0 home", "no resume")
    }

    @Test func aGoodCutForgivesEarlierNacks() {
        var sync = TestSync.showingHome()
        for number in stride(from: 1 as UInt32, through: 9, by: 1) {
            #expect(sync.failingCut().first?.prefix(6) == "nack \(number)")
            #expect(sync.cut([.repair(number: number), .join(sync.homeJoin())]) == ["apply (10,3)"])
        }
    }

    @Test func aRebaseIsAnsweredWithManifests() {
        var sync = TestSync.showingHome()
        #expect(sync.receive(.rebase(handles: [3, 99, 1])) == ["manifest 3 b1 3 items", "manifest 1 h1 2 items"])
    }
}

extension TestSync {
    /// A patch of `rank` whose result is another one than it says.
    fileprivate mutating func wrong() -> Message {
        guard case .data(var part) = data(2, "r1", "r2", CutChange(catalogueRevision: 11)) else {
            return .pong(nonce: 0)
        }
        part.target &+= 1
        return .data(part)
    }

    fileprivate mutating func failingCut() -> [String] { cut([wrong()]) }
}
