import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct CutTests {
    @Test func `A cut of one patch is one frame`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2")])
        #expect(session.frames() == ["data FL 2 r1→r2"])
        #expect(session.core.position == session.cut(11, 3))
    }

    @Test func `All views move together`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1"), ("credits", 5, "c1")])
        _ = session.frames()
        session.publish(11, [(5, "c2"), (2, "r2"), (3, "b2")])
        #expect(session.frames() == ["data F 2 r1→r2", "data 3 b1→b2", "data L 5 c1→c2"])
    }

    @Test func `Changes that nobody shows don't make a cut`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(99, "z1")])
        #expect(session.frames() == [])
        #expect(session.core.position == session.cut(11, 3))
    }

    @Test func `A patch of several parts stays together`() {
        var parts = WireLimits.client
        parts.partBytes = 600
        var session = TestSession.live(library: VersionLibrary(limits: parts))
        session.showHome()
        let items = (1...40).map { Item(id: "\($0)", kind: .movie, body: text(String(repeating: "y", count: 100))) }
        let many = session.version("r2", items: Array(session.version("r1").items) + items.dropFirst(10))
        session.publishVersions(11, [(2, many)])
        session.publish(11, [(3, "b2")])
        let frames = session.frames()
        #expect(
            frames.first == "stage 2 r2 …", "a section that is not worth a patch and too large for a part is staged")
        #expect(frames.suffix(2) == ["join F 1 gen 0: 1 h1, 2 r2, 3 b1 (11,3)", "data L 3 b1→b2"])
    }

    @Test func `A section that is not worth a patch is replaced within the cut`() {
        var session = TestSession.live()
        session.showHome()
        let other = session.version(
            "r2",
            items: (50...60).map { Item(id: "\($0)", kind: .movie, body: text(String(repeating: "z", count: 90))) })
        session.publishVersions(11, [(2, other)])
        #expect(session.frames() == ["data FL 2 →r2"])
    }

    @Test func `Content that reverts before it was sent is not sent`() {
        var session = TestSession.live(credit: 1)
        session.showHome()
        session.publish(11, [(3, "b2")])
        #expect(session.frames() == ["data FL 3 b1→b2"])
        session.publish(12, [(2, "r2")])
        session.publish(13, [(2, "r1")])
        session.acknowledge()
        #expect(session.frames() == [])
        #expect(session.core.position == session.cut(13, 3))
    }

    @Test func `Reused frames are followed by their actual position`() {
        var session = TestSession.live()
        session.showHome()
        for (revision, name) in [(11, "r2"), (12, "r1")] as [(UInt64, String)] {
            session.publish(revision, [(2, name)])
            _ = session.frames()
        }
        session.publish(13, [(2, "r2")])
        #expect(session.frames() == ["data FL 2 r1→r2", "progress (13,3)"], "the frames of revision 11 name 11")
        #expect(session.library.counters.encodes == 3 + 2)
    }

    @Test func `Progress follows when the parts name less than the target`() {
        var session = TestSession.live(credit: 1)
        session.showHome()
        session.publish(11, [(2, "r2")])
        #expect(session.frames() == ["data FL 2 r1→r2"])
        session.publish(12, [(2, "r3")])
        session.publish(13, [(99, "z1")])
        session.acknowledge()
        #expect(session.frames() == ["data FL 2 r2→r3", "progress (13,3)"])
    }

    @Test func `Frames that name a later position are not reused`() {
        let library = VersionLibrary()
        var quick = TestSession.live(library: library)
        var slow = TestSession.live(library: library)
        quick.showHome()
        slow.showHome()
        quick.leaveCohort()
        for (revision, name) in [(11, "r2"), (12, "r1"), (13, "r2")] as [(UInt64, String)] {
            quick.publish(revision, [(2, name)])
        }
        #expect(quick.frames() == ["data FL 2 r1→r2"])
        let encodes = library.counters.encodes
        slow.publish(11, [(2, "r2")])
        #expect(slow.frames() == ["data FL 2 r1→r2"], "and no progress: the frame names 11")
        #expect(library.counters.encodes == encodes + 1)
    }

    @Test func `A join names the whole target`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(99, "z1")])
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1")], at: 11)
        #expect(session.frames() == ["stage 4 d1", "join FL 2 gen 0: 4 d1 (11,3)"])
    }

    @Test func `A target stays once its cut has begun`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(2, "r2"), (3, "b2")])
        #expect(session.frames(1) == ["data F 2 r1→r2"])
        session.publish(12, [(2, "r3")])
        #expect(session.frames() == ["data L 3 b1→b2", "data FL 2 r2→r3"])
    }

    @Test func `Staged content follows in the cut that joins it`() {
        var session = TestSession.live()
        session.subscribe(1, "home")
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1")])
        #expect(session.frames(2) == ["stage 1 h1", "stage 2 r1"])
        session.publish(11, [(2, "r2")])
        #expect(session.frames() == ["join F 1 gen 0: 1 h1, 2 r1 (11,3)", "data L 2 r1→r2"])
    }

    @Test func `A cut passes between staged parts`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1"), ("credits", 5, "c1")])
        #expect(session.frames(1) == ["stage 4 d1"])
        session.publish(11, [(2, "r2")])
        #expect(session.frames(1) == ["data FL 2 r1→r2"])
        #expect(session.frames() == ["stage 5 c1", "join FL 2 gen 0: 4 d1, 5 c1 (11,3)"])
    }

    @Test func `One staged patch ends before another begins`() {
        var parts = WireLimits.client
        parts.partBytes = 600
        var session = TestSession.live(library: VersionLibrary(limits: parts))
        session.subscribe(1, "a")
        session.subscribe(2, "b")
        session.skipTicket()
        session.hubOpens("b", [("", 4, "d1")])
        #expect(session.frames(1) == ["stage 4 d1 …"])
        session.openSkipped("a", [("", 5, "e1")])
        let handles = session.frames().filter { $0.hasPrefix("stage") }
            .compactMap { frame in frame.split(separator: " ").first { Int($0) != nil } }
        #expect(handles == handles.sorted(), "\(handles)")
    }

    @Test func `Unsubscribing lets the current cut end and takes the view out of the next`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1")])
        _ = session.frames()
        session.publish(11, [(2, "r2"), (3, "b2")])
        #expect(session.frames(1) == ["data F 2 r1→r2"])
        #expect(session.receive(.unsubscribe(1)) == ["release [1, 2, 3]"])
        session.publish(12, [(2, "r3"), (4, "d2")])
        #expect(session.frames() == ["data L 3 b1→b2", "data FL 4 d1→d2"])
    }

    @Test func `A new programme holds all cuts until every view is planned again`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1")])
        _ = session.frames()
        #expect(session.publish(11, [(1, "h2")], programme: true) == ["open home", "open detail"])
        session.publish(12, [(4, "d2")])
        #expect(session.frames() == [])
        session.hubOpens("home", [("", 1, "h2"), ("rank", 2, "r1"), ("new", 8, "n1")], at: 12)
        #expect(session.frames() == ["stage 8 n1"], "nothing is shown before all is there")
        session.hubOpens("detail", [("", 4, "d2")], at: 12)
        #expect(
            session.frames() == [
                "join F 1 gen 0: 1 h1, 2 r1, 8 n1 (12,3)", "join 2 gen 0: 4 d1 (12,3)", "data 1 h1→h2",
                "data L 4 d1→d2",
            ])
    }

    @Test func `A view that the new programme lacks ends`() {
        var session = TestSession.live()
        session.showHome()
        session.publish(11, [(1, "h2")], programme: true)
        #expect(session.hubRefuses("UNKNOWN_SCREEN") == ["release [1, 2, 3]"])
        #expect(session.frames() == ["error 1 gen 0 UNKNOWN_SCREEN"])
    }

    /// The hub's answer brings what was published before it, of which the first changes nothing that is shown here.
    @Test func `A view that is newer than what has been published doesn't take the position there`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1")], at: 12)
        session.publish(11, [])
        session.publish(12, [(2, "r2")])
        #expect(session.core.position == session.cut(10, 3), "the client lacks a change of revision 12")
        #expect(session.frames() == ["data FL 2 r1→r2", "stage 4 d1", "join FL 2 gen 0: 4 d1 (12,3)"])
        #expect(session.core.position == session.cut(12, 3))
    }

    @Test func `With nothing else to send, the position is that of the view`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "detail")
        session.hubOpens("detail", [("", 4, "d1")], at: 12)
        session.receive(.unsubscribe(2))
        #expect(session.core.position == session.cut(10, 3))
        #expect(session.frames() == [])
        #expect(session.core.position == session.cut(12, 3))
    }

    @Test func `Another user's log is not part of the position`() {
        var session = TestSession.live(user: "ana")
        session.publishUser("ben", 9)
        #expect(session.core.position == session.cut(10, 3))
        session.publishUser("ana", 9)
        #expect(session.core.position == session.cut(10, 9))
    }
}
