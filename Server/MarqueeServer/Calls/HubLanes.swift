import Dispatch
import MarqueeModel
import NIOCore

/// The lanes on which connections' requests to a `HubSource` wait, and the thread that follows the catalogue's log.
struct HubLanes: Sendable {
    /// How long the hub leaves its processor to others when it rests.
    private static let rest = TimeAmount.microseconds(150)

    /// Connections' requests to the hub. While other threads want its processor, the hub rests between them: the kernel
    /// would let it go on for milliseconds while a session with little to do waits.
    let asking: WorkLane
    /// Variants for the hub to release, a bounded number at a time, so that a crowd of departing connections delays
    /// nobody.
    let releasing: WorkLane
    /// Looks up each client's starting position in the store, so that a welcome never waits for evaluation.
    let welcoming = WorkLane.onDedicatedThread("marquee.welcomes")
    /// Reads users' logs for the hub, so that a slow store delays only those who need them.
    let collections = WorkLane.onDedicatedThread("marquee.collections")
    /// Runs searches and encodes answers.
    let answering = WorkLane.onDedicatedThread("marquee.answers")
    /// Parses publications: megabytes of JSON would block all other connections of an event loop.
    let reading = WorkLane.onDedicatedThread("marquee.publications")
    /// Evaluates screens as they would be after a publication, one at a time, because each holds a copy of the hub's
    /// screens.
    let previewing = WorkLane.onDedicatedThread("marquee.previews")
    /// Reads and decodes the catalogue's log, and the whole catalogue where the log doesn't reach back far enough.
    let following = DispatchQueue(label: "marquee.log")

    /// - Parameter hubLoop: the hub's thread.
    init(hubLoop: any EventLoop) {
        let contention = ProcessorContention()
        let rest = WorkLane.Rest(
            isNeeded: { contention.isPresent },
            pause: { work in hubLoop.scheduleTask(in: Self.rest) { work() } })
        asking = WorkLane(rest: rest) { hubLoop.execute($0) }
        releasing = WorkLane { hubLoop.execute($0) }
    }

    /// How many requests to open a view a connection may have waiting now.
    var openAllowance: Int { min(asking.allowance, collections.allowance) }

    /// Drops the waiting requests of a connection that has closed.
    func drop(_ connection: ConnectionID) {
        for lane in [asking, welcoming, collections, answering, reading, previewing] { lane.drop(connection) }
    }

    /// Returns once nothing is waiting that may write or answer. Publications are parsed first.
    func finish() async { for lane in [reading, answering, previewing, collections] { await lane.flush() } }

    var figures: [LaneFigures] {
        [
            ("hub", asking), ("releases", releasing), ("welcomes", welcoming), ("collections", collections),
            ("answers", answering), ("publications", reading), ("previews", previewing),
        ].map { name, lane in
            let counters = lane.counters
            return LaneFigures(name: name, waiting: lane.waiting, done: counters.done, dropped: counters.dropped)
        }
    }
}
