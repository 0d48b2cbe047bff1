import MarqueeClient
import MarqueeModel

/// A device's move to a new cut: what its app shows of its live views, and the position that corresponds to.
struct Move {
    struct Position: Equatable {
        var revision: UInt64
        var userRevision: UInt64
    }

    let device: Int
    /// The users, with what their tokens said, that it may have been sent this for: the newest last.
    let readers: [Reader]
    /// The position claimed by the device.
    let cut: Cut
    /// States of the live views.
    let states: [ScreenState]
    /// Its previous position in this epoch.
    let floor: Position
    /// The logs named by the cut; `nil` if there are none.
    let lineage: Lineage?

    var user: String? { readers.last?.user }

    /// The first position, starting at a given one, at which all given views are as shown to one reader.
    ///
    /// - Returns: the lowest possible value of both components.
    func position(of states: [ScreenState], from start: Position, _ truth: Truth) -> Position? {
        let found = readers.compactMap { position(of: states, as: $0, from: start, truth) }
        guard var lowest = found.first else { return nil }
        for other in found {
            lowest.revision = min(lowest.revision, other.revision)
            lowest.userRevision = min(lowest.userRevision, other.userRevision)
        }
        return lowest
    }

    private func position(
        of states: [ScreenState], as reader: Reader, from start: Position, _ truth: Truth
    ) -> Position? {
        guard let lineage else { return nil }
        let newest = max(lineage.newest, start.revision)
        let newestOfUser = max(lineage.newest(of: user), start.userRevision)
        var found: Position?
        for revision in start.revision...newest {
            for userRevision in start.userRevision...newestOfUser {
                if let found, userRevision >= found.userRevision { break }
                guard states.allSatisfy({ truth.matches($0, reader, lineage, revision, userRevision) }) else {
                    continue
                }
                found = Position(revision: found?.revision ?? revision, userRevision: userRevision)
            }
            // It can't be lower than that.
            if found?.userRevision == start.userRevision { break }
        }
        return found
    }

    /// Neither behind the claim nor behind the previous position.
    var start: Position {
        Position(
            revision: max(floor.revision, cut.catalogueRevision),
            userRevision: max(floor.userRevision, cut.userRevision))
    }
}
