import MarqueeServer
import MarqueeWire

/// One event loop of a node: its sessions, and what other threads passed to it, in order.
final class NodeLoop {
    let sessions: LoopSessions
    private var events: [(order: Order, run: (_ now: UInt64) -> Void)] = []
    /// The hub's publications, each with the number of events that were passed on before it: those come first, and
    /// later ones may overtake it.
    private var publications: [(publication: Publication, after: Int)] = []
    /// Whether something that was published isn't delivered to everybody.
    private var isDelivering = false
    private let judge: Judge
    private var counted = LoopSessions.Counters()

    init(library: VersionLibrary, settings: SessionSettings, judge: Judge) {
        self.judge = judge
        sessions = LoopSessions(library: library, settings: settings)
    }

    /// Which publications older than an event are delivered no later than it.
    enum Order {
        case none
        /// All of them, before an event that tells somebody a position, if the end of a publication is among them.
        case afterEnd
        /// All are delivered with it, before the session writes, as with the hub's answers.
        case withPublications
    }

    func post(_ order: Order, _ event: @escaping (_ now: UInt64) -> Void) { events.append((order, event)) }

    func publish(_ publication: Publication) { publications.append((publication, after: events.count)) }

    /// The process is gone. What waits refers to sessions, and they to their loop.
    func end() {
        events.removeAll()
        publications.removeAll()
    }

    var hasEvents: Bool { isDelivering || !events.isEmpty || !publications.isEmpty }

    /// Goes on delivering, or does what comes next.
    /// - Parameters:
    ///   - members: how many members of cohorts are served before the loop does something else.
    ///   - overtakes: whether events come before publications that are older.
    func runEvent(now: UInt64, members: Int, overtakes: Bool) {
        if !events.isEmpty, overtakes || !isDelivering && publications.first?.after != 0 {
            runFirstEvent(now: now)
        } else if isDelivering {
            deliver(members: members)
        } else if publications.first?.after == 0 {
            sessions.published(publications.removeFirst().publication)
            isDelivering = true
        }
    }

    private func runFirstEvent(now: UInt64) {
        let event = events.removeFirst()
        let earlier = publications.prefix { $0.after == 0 }
        for index in publications.indices { publications[index].after = max(0, publications[index].after - 1) }
        func deliverEarlier() {
            for next in earlier { sessions.published(next.publication) }
            publications.removeFirst(earlier.count)
            deliver(members: .max)
        }
        switch event.order {
        case .none: event.run(now)
        case .afterEnd:
            if sessions.hasEnd || earlier.contains(where: { $0.publication.end != nil }) { deliverEarlier() }
            event.run(now)
        case .withPublications:
            event.run(now)
            deliverEarlier()
        }
    }

    private func deliver(members: Int) {
        var rest = members
        isDelivering = !sessions.deliver {
            rest -= 1
            return rest > 0
        }
        if !isDelivering { count() }
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
