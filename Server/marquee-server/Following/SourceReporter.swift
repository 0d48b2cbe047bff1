import MarqueePublisher
import MarqueeWire

/// How a source that is followed is doing: what is said of it here, and what the server is told.
final class SourceReporter {
    private let name: String
    /// Rows that make no record, and why the first doesn't, since everything was well.
    private var bad: (count: Int, reason: String)?
    private var failure: String?
    private var reported: UInt64 = 0

    init(name: String) { self.name = name }

    func say(_ line: String) { Console.say("\(name): \(line)") }

    /// A row makes no record, or the server refuses it.
    func note(bad reason: String, count: Int = 1) {
        if bad?.reason != reason { say(reason) }
        bad = ((bad?.count ?? 0) + count, reason)
    }

    /// Rows can't be read or published at present. Said once.
    func fail(_ reason: String, isRetried: Bool) {
        if failure != reason { say(isRetried ? "tries again: \(reason)" : reason) }
        failure = reason
    }

    /// Everything could be read and published, bad rows aside.
    func works() { failure = nil }

    /// The rows are read from the first one on.
    func forgetRows() { bad = nil }

    var isDue: Bool { Follower.now >= reported + Follower.reportMilliseconds }

    /// Tells the server how the source is doing. If it doesn't listen, the next publication finds out.
    func report(_ publisher: SourcePublisher, _ state: String) {
        reported = Follower.now
        let error = failure ?? bad.map { "\($0.reason) (\(counted($0.count, "row")))" }
        try? publisher.report(
            SourceReport(state: Follower.cut(state), error: error.map(Follower.cut), lagMilliseconds: nil))
    }
}
