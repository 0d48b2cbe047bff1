import MarqueeClient
import MarqueeModel

/// A device has gone to a new cut: what its app shows of its live views, and to which position that belongs.
struct Move {
    struct Position: Equatable {
        var revision: UInt64
        var userRevision: UInt64
    }

    let device: Int
    let user: String?
    /// What the device says.
    let cut: Cut
    /// Of the live views.
    let states: [ScreenState]
    /// Where it was before, in this epoch.
    let floor: Position
    /// The logs that the cut names; `nil` when there are none.
    let lineage: Lineage?

    /// The first position, from a given one on, at which all of some views are as they are shown.
    ///
    /// - Returns: of both parts the lowest that is possible.
    func position(of states: [ScreenState], from start: Position, _ truth: Truth) -> Position? {
        guard let lineage else { return nil }
        let newest = max(lineage.newest, start.revision)
        let newestOfUser = max(lineage.newest(of: user), start.userRevision)
        var found: Position?
        for revision in start.revision...newest {
            for userRevision in start.userRevision...newestOfUser {
                if let found, userRevision >= found.userRevision { break }
                guard states.allSatisfy({ truth.matches($0, user: user, lineage, revision, userRevision) }) else {
                    continue
                }
                found = Position(revision: found?.revision ?? revision, userRevision: userRevision)
            }
            // Lower than that it can't be.
            if found?.userRevision == start.userRevision { break }
        }
        return found
    }

    /// Not behind what is said, and not behind where it was.
    var start: Position {
        Position(
            revision: max(floor.revision, cut.catalogueRevision),
            userRevision: max(floor.userRevision, cut.userRevision))
    }
}
