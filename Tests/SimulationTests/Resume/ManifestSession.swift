import MarqueeDiff
import MarqueeModel
import MarqueeWire

@testable import MarqueeServer

/// A session that has requested a manifest, and a client that doesn't send it.
struct ManifestSession: ~Copyable {
    let settings = SessionSettings(cluster: "c", node: "n", agent: "server", locales: ["en"])
    private var core: SessionCore
    private var now: UInt64 = 0

    init() {
        core = SessionCore(library: VersionLibrary(), settings: settings, now: 0)
        var hello = Hello()
        hello.clientID = [UInt8](repeating: 1, count: Hello.clientIDBytes)
        _ = core.received(.hello(hello), now: 0)
        _ = core.authenticated(
            .success(Identity(user: nil, scopes: .readOnly)), newest: Cut(), lastMutation: nil, now: 0)
        let resume = Resume(cut: Cut(), viewSum: 5, sections: [])
        _ = core.received(.subscribe(Subscribe(subscription: 1, screen: "home", resume: resume)), now: 0)
        let list = CurrentVersion(version: .list(50), since: CutChange(), content: 1)
        _ = core.opened(
            ticket: 1,
            .success(
                OpenedView(
                    screen: "home", locale: "en",
                    list: OpenedView.Variant(section: "", handle: 1, current: list), sections: [], cut: Cut())))
        _ = core.nextDataFrame(now: 0)
    }

    /// Time passes for a client that sends something occasionally, but not what was requested.
    /// - Returns: the reason the session closes with.
    mutating func waits(_ milliseconds: UInt64) -> String? {
        for _ in 0..<milliseconds / 1_000 {
            now += 1_000
            core.heard(now: now)
            _ = core.tick(now: now)
            _ = core.nextDataFrame(now: now)
            for frame in core.takeControlFrames() {
                if case .close(let status)? = CorePair.decode(frame)?.0 { return status.reason }
            }
        }
        return nil
    }
}
