import MarqueeImport

/// Reads an SQLite file whenever it has changed.
final class SQLiteReading: FeedReading {
    private let feed: SQLiteFeed
    /// Between two looks, in milliseconds.
    private let interval: UInt64
    private var due: UInt64 = 0
    private var failure: String?

    let name: String

    init(_ path: String, every interval: UInt64) {
        (feed, name, self.interval) = (SQLiteFeed(path: path), path, interval)
    }

    func next() -> FeedEvent {
        guard Follower.now >= due else { return .wait(until: due) }
        due = Follower.now + interval
        do throws(ImportError) {
            let pages = try feed.look()
            failure = nil
            return pages.map { .rows($0, FeedValidators()) } ?? .wait(until: due)
        } catch {
            guard failure != error.message else { return .wait(until: due) }
            failure = error.message
            return .failed(FeedFailure(kind: .missing, reason: error.message))
        }
    }

    func isWhole() -> Bool { true }

    func compared() {}

    /// It is read again once it has changed.
    func drop() {}
}
