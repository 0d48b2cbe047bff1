import MarqueeCatalogue
import MarqueeMirror
import MarqueeModel
import SeededRandom
import Testing

@testable import Simulation

/// The simulation without randomness: a test decides what happens. The guarantees are still checked.
final class Laboratory {
    let schedule: Schedule
    private(set) var random: SeededGenerator

    /// - Parameter users: one device per user.
    init(users: [String?] = ["ana"], seed: UInt64 = 1, adjust: (inout Plan) -> Void = { _ in }) throws {
        var plan = Plan(quietFor: users)
        adjust(&plan)
        schedule = try Schedule(seed: seed, plan: plan)
        random = SeededGenerator(seed: seed)
        // One node is enough, and fixes which one a device connects to.
        schedule.nodes[1].crash()
        schedule.isCalm = true
    }

    var device: Device { schedule.devices[0] }
    var node: Node { schedule.nodes[0] }

    /// Everyone does all pending work and waits until everything is delivered.
    func settle(sourceLocation: SourceLocation = #_sourceLocation) {
        // Two rounds a second: a frame that is never completed is given up after a minute, and then pauses grow.
        for _ in 0..<400 {
            schedule.settle()
            if schedule.judge.violation != nil || schedule.isQuiet { break }
            schedule.waitForNextTimer()
        }
        #expect(schedule.judge.violation == nil, sourceLocation: sourceLocation)
        #expect(schedule.isQuiet, sourceLocation: sourceLocation)
    }

    func commit(_ changes: [Change]) { schedule.commit(changes) }

    /// Commits a random change.
    func commitSomething() { schedule.commit(RandomChanges.commit(&random)) }

    /// A view as stored in a device's mirror, as bytes.
    func stored(_ id: ViewID = Schedule.home, on device: Device? = nil) throws -> Stored {
        let view = try #require(try (device ?? self.device).mirror?.view(id))
        return Stored(view)
    }

    /// Bytes of data written to clients so far.
    var dataBytes: UInt64 { schedule.judge.dataBytes }
}

/// A stored view by its bytes.
struct Stored: Equatable {
    struct List: Equatable {
        var head: [UInt8]
        var items: [Item]
    }

    var list: List
    var sections: [String: List]

    init(_ view: StoredView) {
        list = List(head: view.list.head, items: Array(view.list.items))
        sections = view.sections.mapValues { List(head: $0.head, items: Array($0.items)) }
    }
}
