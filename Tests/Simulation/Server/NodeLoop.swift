import MarqueeServer
import MarqueeWire

/// One event loop of a node: its sessions, and what other threads passed to it, in order.
final class NodeLoop {
    let sessions: LoopSessions
    private var events: [(_ now: UInt64) -> Void] = []
    /// Whether something that was published isn't delivered to everybody.
    private var isDelivering = false
    private let judge: Judge
    private var counted = LoopSessions.Counters()

    init(library: VersionLibrary, settings: SessionSettings, judge: Judge) {
        self.judge = judge
        sessions = LoopSessions(library: library, settings: settings)
    }

    func post(_ event: @escaping (_ now: UInt64) -> Void) { events.append(event) }

    func publish(_ publication: Publication) {
        post { [unowned self] _ in
            sessions.published(publication)
            isDelivering = true
        }
    }

    var hasEvents: Bool { isDelivering || !events.isEmpty }

    /// Goes on delivering, or does what comes next.
    /// - Parameter members: of cohorts that are sent something before the loop does something else.
    func runEvent(now: UInt64, members: Int) {
        var rest = members
        if isDelivering {
            isDelivering = !sessions.deliver {
                rest -= 1
                return rest > 0
            }
            if !isDelivering { count() }
        } else if !events.isEmpty {
            events.removeFirst()(now)
        }
    }

    private func count() {
        let counters = sessions.counters
        let (cuts, layouts) = (counters.cuts - counted.cuts, counters.layouts - counted.layouts)
        if cuts > 0 { judge.count(.cohortCut) }
        if cuts > layouts { judge.count(.cohortShared) }
        if counters.left > counted.left { judge.count(.cohortLeft) }
        counted = counters
    }
}
