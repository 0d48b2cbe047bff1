/// Decides how a source begins.
package enum FollowStart: Hashable, Sendable {
    /// Goes on from where it is.
    case follow(FollowedPosition)
    /// Compares all rows with what the catalogue has.
    case compare(reason: String, slot: Slot)

    package enum Slot: Hashable, Sendable {
        case make
        /// It is of no more use.
        case remake
        /// It leads on from there.
        case use(LogLocation)
    }

    /// The state of the slot, by which the database keeps its log for us.
    package enum SlotState: Hashable, Sendable {
        case absent
        case lost
        /// Its log begins before the publication was made, and so can't be told.
        case older
        case there(confirmed: LogLocation)
    }

    /// - Parameters:
    ///   - stored: where the catalogue says that the source is.
    ///   - system: the database's own identifier.
    ///   - shape: of the mapping, see `FollowedPosition`.
    ///   - newest: the end of its log.
    package init(
        stored: String?, system: String, timeline: UInt32, shape: String, newest: LogLocation, slot: SlotState
    ) {
        let use: Slot
        switch slot {
        case .absent: use = .make
        case .lost, .older: use = .remake
        case .there(let confirmed): use = .use(confirmed)
        }
        guard let stored else {
            self = .compare(reason: "nothing was copied yet", slot: use)
            return
        }
        guard let position = FollowedPosition(stored) else {
            self = .compare(reason: "its position '\(Field.shown(stored))' is of another kind", slot: use)
            return
        }
        let reason: String
        switch slot {
        case _ where position.system != system: reason = "the database is another one"
        case _ where position.timeline != timeline:
            reason =
                "the database was restored, or another server took over (timeline \(timeline), not \(position.timeline))"
        case _ where position.end > newest: reason = "the database has lost what came after \(newest)"
        case .absent: reason = "the slot is gone"
        case .lost: reason = "the slot has lost log that was still needed"
        case .older: reason = "the publication was made anew"
        case .there(let confirmed) where confirmed > position.end: reason = "the slot is past \(position.end)"
        case .there where position.shape != shape: reason = "the mapping, the types or a mapped column has changed"
        case .there where position.isIncomplete: reason = "a table had stopped"
        case .there:
            self = .follow(position)
            return
        }
        self = .compare(reason: reason, slot: use)
    }
}
