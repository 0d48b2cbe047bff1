import GRDB
package import MarqueeModel

/// An observation, with its screen and section.
package struct ObservationEntry: Hashable, Sendable {
    package var screen: String
    package var section: String
    package var observation: ItemEvent

    package init(screen: String, section: String, observation: ItemEvent) {
        self.screen = screen
        self.section = section
        self.observation = observation
    }
}

/// A report that may have been sent. It is frozen: it may only be sent again unchanged.
package struct FrozenReport: Hashable, Sendable {
    package var number: UInt64
    package var screen: String
    package var section: String
    package var observations: [ItemEvent]
    /// Whether no server can have seen the report before.
    package var isNew: Bool
}

extension Mirror {
    /// Stores observations until a server has confirmed them. They survive the process; a power cut may lose the last
    /// ones.
    /// - Returns: the number of older ones dropped to stay within `MirrorLimit.observations`.
    package func add(_ entries: [ObservationEntry]) throws(MirrorError) -> Int {
        try write(.later) { db in
            for entry in entries { try ObservationTable.add(entry, db) }
            return try ObservationTable.drop(beyond: MirrorLimit.observations, db)
        }
    }

    /// Whether any observation is waiting, and the number of the oldest frozen report.
    package func waitingReports() throws(MirrorError) -> (any: Bool, first: UInt64?) {
        try read { db in (try ObservationTable.any(db), try ObservationTable.firstNumber(db)) }
    }

    /// The report to send next: a frozen one that isn't answered, otherwise a new one, which gets its number now. The
    /// report is durable when this returns.
    /// - Returns: `nil` if nothing is waiting.
    package func freezeReport() throws(MirrorError) -> FrozenReport? {
        try write(.now) { db in
            if let number = try ObservationTable.firstNumber(db) {
                return FrozenReport(number, try ObservationTable.report(number, db), isNew: false)
            }
            let next = try ObservationTable.nextReport(db)
            guard !next.isEmpty else { return nil }
            var row = try MirrorRow.load(db)
            let number = try row.takeNumber()
            try row.store(db)
            for var observation in next {
                observation.number = number
                try ObservationTable.insert(observation, db)
            }
            return FrozenReport(number, next, isNew: true)
        }
    }

    /// Stores the server's answer to a report.
    /// - Parameter kept: whether the server has kept the observations; otherwise they wait for another report.
    package func reportAnswered(number: UInt64, kept: Bool) throws(MirrorError) {
        try write(.now) { db in
            if kept {
                _ = try ObservationTable.remove(number, db)
            } else {
                try ObservationTable.release(number, db)
            }
            var row = try MirrorRow.load(db)
            row.lastAnswered = max(row.lastAnswered, number)
            try row.store(db)
        }
    }

    /// Removes the observations of a report that the server refuses, or that it may or may not have.
    /// - Returns: the number removed.
    package func dropReport(number: UInt64) throws(MirrorError) -> Int {
        try write(.now) { try ObservationTable.remove(number, $0) }
    }

    /// Renumbers reports along with the outbox; see `renumber`.
    static func renumberReports(_ scope: RenumberScope, _ db: Database) throws -> Int {
        var dropped = 0
        for number in try ObservationTable.numbers(db) {
            switch scope {
            case .unsentOnly: dropped += try ObservationTable.remove(number, db)
            case .afterSent: break
            case .all: try ObservationTable.release(number, db)
            }
        }
        return dropped
    }
}

extension FrozenReport {
    fileprivate init?(_ number: UInt64, _ rows: [ObservationTable.StoredRow], isNew: Bool) {
        guard let first = rows.first?.entry else { return nil }
        self.init(
            number: number, screen: first.screen, section: first.section,
            observations: rows.map(\.entry.observation), isNew: isNew)
    }
}
