import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

/// The bytes that a client accepts in one cut.
@Suite struct CutBytesTests {
    /// A session whose client takes so many bytes, on a server with parts of 4 KiB.
    private func live(_ bytes: UInt64) -> TestSession {
        var parts = WireLimits.client
        parts.partBytes = 4 << 10
        var session = TestSession(library: VersionLibrary(limits: parts)) { $0.requiredLimits.cutBytes = 1 }
        var hello = TestSession.hello()
        hello.limits.cutBytes = bytes
        _ = session.receive(.hello(hello))
        session.authenticate(.success(Identity(user: "ana", scopes: .everything)))
        _ = session.frames()
        return session
    }

    /// Items of 100 bytes.
    private func items(_ ids: ClosedRange<Int>, _ letter: String = "x") -> [Item] {
        ids.map { Item(id: "\($0)", kind: .movie, body: text(String(repeating: letter, count: 100))) }
    }

    @Test(arguments: [(4 << 20, true), (4 << 20 - 1, false), (64 << 20, true)] as [(UInt64, Bool)])
    func `A client may take 4 MiB in a cut, and no less`(bytes: UInt64, isWelcome: Bool) {
        var session = TestSession()
        var hello = TestSession.hello()
        hello.limits.cutBytes = bytes
        #expect(session.receive(.hello(hello)) == [isWelcome ? "authenticate nobody" : "close"])
        #expect(session.frames() == (isWelcome ? [] : ["close LIMITS_TOO_LOW"]))
    }

    /// A version of 60 items, about 7,000 bytes, of which the first differ from those of others.
    private func version(_ name: String, other: Int, in session: inout TestSession) {
        let items = Array(items(1...60, "y").prefix(other)) + items(1...60).dropFirst(other)
        _ = session.version(name, items: items)
    }

    @Test func `A section that the client has no room for fails alone`() {
        var session = live(6_000)
        version("r1", other: 0, in: &session)
        session.subscribe(1, "home")
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1"), ("basic", 3, "b1")])
        #expect(
            session.frames() == [
                "stage 1 h1", "stage 3 b1", "error 1 rank gen 0 SECTION_TOO_LARGE",
                "join FL 1 gen 0: 1 h1, 2 as it is, 3 b1 (10,3)",
            ])
    }

    @Test func `Sections are staged for one view after the other if there is no room for both`() {
        var session = live(12_000)
        version("r1", other: 0, in: &session)
        version("w1", other: 60, in: &session)
        session.subscribe(1, "home")
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1")])
        while !session.frames().isEmpty { session.acknowledge() }
        // The client refuses a cut, and describes what it holds of its section a little later.
        let status = Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: "")
        let held = [
            HeldVersion(handle: 1, sum: session.sum("h1")),
            HeldVersion(handle: 2, sum: session.sum("r1"), refused: true),
        ]
        session.receive(.nack(Nack(number: 1, good: session.cut(10, 3), held: held, status: status)))
        #expect(session.frames() == ["rebase 1: 2 'rank'"])
        session.subscribe(2, "other")
        session.hubOpens("other", [("", 4, "h1"), ("rank", 5, "w1")])
        // No cut can begin before the first view has everything again.
        #expect(session.frames() == ["stage 4 h1", "stage 5 w1 …", "stage … 5 w1"])
        session.describe(2, ContentManifest(sum: 1, headHash: 1, pairs: []))
        #expect(
            session.frames() == [
                "stage 2 r1 …", "stage … 2 r1", "repair F 1", "join L 1 gen 0: 1 h1, 2 r1 (10,3)",
                "stage 4 h1", "stage 5 w1 …", "stage … 5 w1", "join FL 2 gen 0: 4 h1, 5 w1 (10,3)",
            ])
    }
}
