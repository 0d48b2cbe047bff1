import MarqueeDiff
package import MarqueeModel
import MarqueeScreens
package import MarqueeStore

/// Commits with so many changes that applying them would occupy the hub for too long: another thread applies them to a
/// copy of its screens.
///
/// Unchecked because it is passed from thread to thread and never used by two at once.
package final class Advance: @unchecked Sendable {
    fileprivate let commits: [CatalogueCommit]
    /// The hub's position when it handed the commits over.
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
    /// - Throws: `failedPrecondition` if a commit in between is missing.
    package func run() throws(Status) {
        effects = try screens?.apply(commits) ?? []
        renewed = screens?.renew() ?? [:]
    }

    /// Exchanges the screens with the hub's, so that each has one owner: with a second owner, a change would copy them.
    /// - Returns: `false` if this object holds no screens.
    fileprivate func exchange(with hubs: inout Screens) -> Bool {
        guard var own = screens else { return false }
        screens = nil
        swap(&own, &hubs)
        screens = own
        return true
    }
}

extension Hub {
    /// The most changes that the hub applies itself. A change takes about ten microseconds.
    package static let changesAtOnce = 1_024

    /// Hands commits over if they have too many changes, or may require reading many records. Until `finish` the hub
    /// serves the state it has: it still handles users' changes and views, but other commits have to wait.
    /// - Parameters:
    ///   - commits: consecutive ones from the catalogue's log.
    ///   - changesAtOnce: the most changes that aren't handed over.
    package func begin(_ commits: [CatalogueCommit], changesAtOnce: Int = Hub.changesAtOnce) -> Advance? {
        var records = commits.contains(where: \.mayReadAllRecords) ? screens.recordCount : 0
        for case .time(let moment) in commits.lazy.flatMap(\.changes) {
            records += screens.countCrossing(until: moment)
        }
        guard commits.reduce(records, { $0 + $1.changes.count }) > changesAtOnce else { return nil }
        return Advance(commits, to: screens.copy())
    }

    /// Continues with the screens to which the commits were applied, and publishes the changes. Contents that changed
    /// in the hub meanwhile are evaluated again. Does nothing if the hub has moved on by itself.
    ///
    /// The advance keeps the previous screens. Release it on another thread: with a large catalogue that takes long.
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
    /// Whether orders may have to be built from records that haven't changed.
    fileprivate var mayReadAllRecords: Bool {
        changes.contains { change in
            switch change {
            case .types, .programme: true
            default: false
            }
        }
    }
}
