import MarqueeDiff
package import MarqueeModel
import MarqueeScreens
package import MarqueeStore

/// Commits with so many changes that the hub would keep everybody waiting while it applies them: another thread applies
/// them to a copy of its screens.
///
/// Unchecked because it is passed on from thread to thread and never used by two at once.
package final class Advance: @unchecked Sendable {
    fileprivate let commits: [CatalogueCommit]
    /// The position of the hub when it gave the commits away.
    fileprivate let base: LogHead
    private var screens: Screens?
    fileprivate private(set) var effects: [CommitEffect] = []
    fileprivate private(set) var renewed: [UInt64: Version] = [:]

    fileprivate init(_ commits: [CatalogueCommit], to screens: Screens) {
        self.commits = commits
        base = screens.head
        self.screens = screens
    }

    /// Applies the commits. Blocks.
    /// - Throws: `failedPrecondition` if a commit is missing in between.
    package func run() throws(Status) {
        effects = try screens?.apply(commits) ?? []
        renewed = screens?.renew() ?? [:]
    }

    /// Exchanges the screens with the hub's, so that each has one owner: what a second one held would be copied when
    /// it changes.
    /// - Returns: whether there were any, which is so the first time.
    fileprivate func exchange(with hubs: inout Screens) -> Bool {
        guard var own = screens else { return false }
        screens = nil
        swap(&own, &hubs)
        screens = own
        return true
    }
}

extension Hub {
    /// The most changes that the hub applies itself. One takes about ten microseconds.
    package static let changesAtOnce = 1_024

    /// Gives commits away if they have too many changes, or may have many records read. Until `finish` the hub serves
    /// the state it has; users' changes and views come and go as always, and other commits have to wait.
    /// - Parameters:
    ///   - commits: consecutive ones from the catalogue's log.
    ///   - changesAtOnce: the most changes that aren't given away.
    package func begin(_ commits: [CatalogueCommit], changesAtOnce: Int = Hub.changesAtOnce) -> Advance? {
        var records = commits.contains(where: \.mayReadAllRecords) ? screens.recordCount : 0
        for case .time(let moment) in commits.lazy.flatMap(\.changes) {
            records += screens.countCrossing(until: moment)
        }
        guard commits.reduce(records, { $0 + $1.changes.count }) > changesAtOnce else { return nil }
        return Advance(commits, to: screens.copy())
    }

    /// Continues with the screens that commits have been applied to, and publishes the changes. What others changed
    /// meanwhile is done again. Nothing happens if the hub has moved on by itself.
    ///
    /// The advance keeps the screens before. Release it on another thread: with a large catalogue that takes long.
    package func finish(_ advance: Advance) {
        let changed = screens.takeChangesSinceCopy()
        guard advance.base == screens.head, advance.exchange(with: &screens) else { return }
        var renewed = advance.renewed
        for number in changed.sorted() {
            screens.unwatch(number)
            renewed[number] = nil
            guard let content = table.contents[number], content.shown > 0 else {
                lose(number)
                continue
            }
            renewed[number] = watchAgain(number, content.key)
        }
        announce(advance.commits, advance.effects, renewed: renewed)
    }
}

extension CatalogueCommit {
    /// Whether orders may have to be made of records that haven't changed.
    fileprivate var mayReadAllRecords: Bool {
        changes.contains { change in
            switch change {
            case .types, .programme: true
            default: false
            }
        }
    }
}
