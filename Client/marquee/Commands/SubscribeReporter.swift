import Foundation
import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

/// Writes the values that a subscription delivers, one at a time.
actor SubscribeReporter {
    private let screen: ScreenID
    private let format: OutputFormat
    private let rows: Int
    private let records: RecordReader?
    private var notes: ConnectionNotes
    private var shown: (screen: Screen, origin: ScreenUpdate.Origin)?
    private var status: ScreenStatus?
    private var live = 0
    private let choices: SectionChoices?
    /// The last report about choices that the screen doesn't follow.
    private var reportedUnmet: [String] = []

    /// - Parameters:
    ///   - records: reads the records that items carry.
    ///   - choices: sorts and windows that were asked for.
    init(
        screen: ScreenID, format: OutputFormat, rows: Int, records: RecordReader? = nil, notes: Notes,
        server: ServerAddress,
        choices: SectionChoices? = nil
    ) {
        self.screen = screen
        self.choices = choices
        self.format = format
        self.rows = rows
        self.records = records
        self.notes = ConnectionNotes(notes: notes, server: server)
    }

    /// - Returns: how many live values were written so far.
    func show(_ update: ScreenUpdate) throws -> Int {
        for section in update.damagedSections {
            try problem("the stored section '\(section)' was damaged; it is fetched again", reason: "DAMAGED")
        }
        let before = shown
        let lastError = status?.lastError
        shown = (update.screen, update.origin)
        status = update.status
        var isChanged = true
        if let before {
            let difference = ScreenDifference(from: before.screen, to: update.screen, changes: update.changes)
            // No operation has a screen's title, so a new one comes with the whole screen.
            let isRenamed = before.screen.title != update.screen.title
            isChanged = isRenamed || !difference.operations.isEmpty
            // For people, errors are notes on standard error.
            let isNews = format == .ndjson && lastError != update.status.lastError
            guard isChanged || isNews || before.origin != update.origin else { return live }
            if isRenamed { try write(update) } else { try write(difference, from: before, to: update) }
        } else {
            try write(update)
        }
        if update.origin == .live { try reportUnmetChoices(update.screen) }
        // Reconnecting is not a value of its own.
        if update.origin == .live, isChanged || live == 0 { live += 1 }
        return live
    }

    private func reportUnmetChoices(_ screen: Screen) throws {
        let unmet = choices?.unmet(on: screen) ?? []
        guard unmet != reportedUnmet else { return }
        reportedUnmet = unmet
        for text in unmet { try problem(text, reason: "WINDOW_NOT_OFFERED") }
    }

    func note(_ event: ClientEvent) throws {
        switch event {
        case .state(.idle), .state(.closed): break
        case .state(let state):
            if format == .ndjson {
                try Output.standard.write(NDJSONWriter.state(state, screen: screen, shown: shown?.screen).line())
            } else {
                notes.say(state)
            }
        case .progress(let cut):
            guard format == .ndjson else { return }
            try Output.standard.write(NDJSONWriter.progress(cut, screen: screen, shown: shown?.screen).line())
        case .changeRejected(let collection, let subject, let error):
            try problem(
                "\(subject) in \(collection) was refused and undone: \(error)", reason: "CHANGE_REJECTED")
        // The connection's state reports it too.
        case .tokenRefused: break
        case .optionsRefused(let refused, let error):
            guard refused == screen else { return }
            try problem(error.message, code: error.status?.code.name, reason: error.status?.reason ?? "OPTIONS_REFUSED")
        case .mirrorRecovered(let setAside, let rescued):
            try problem(
                """
                the mirror was unreadable and was moved to \(setAside); \
                \(Words.count(rescued, "pending change")) rescued
                """,
                reason: "MIRROR_RECOVERED")
        case .changesHeldUp(let pending, let error):
            try problem(
                "the server postpones \(Words.count(pending, "change")), which stay stored: \(error.message)",
                reason: "CHANGES_HELD_UP")
        case .changesLost(let count):
            try problem(
                "\(Words.count(count, "pending change")) could not be rescued from the damaged mirror",
                reason: "CHANGES_LOST")
        case .mirrorDamaged(let damage):
            // Damage of this screen is reported with its update.
            for damage in damage where damage.screen != screen {
                try problem("stored bytes were damaged and are being repaired: \(damage)", reason: "DAMAGED")
            }
        case .mirrorProblem(let error):
            try problem(error.message, reason: "MIRROR_PROBLEM")
        }
    }

    /// The subscription ended with an error. People read it in the command's last line.
    func failed(_ error: ClientError) throws {
        guard format == .ndjson else { return }
        try Output.standard.write(
            NDJSONWriter.error(
                error.message, code: error.status?.code.name, reason: error.status?.reason, screen: screen,
                shown: shown?.screen
            ).line())
    }

    // MARK: - Writing

    private func write(_ update: ScreenUpdate) throws {
        switch format {
        case .ndjson:
            try Output.standard.write(
                NDJSONWriter.snapshot(update.screen, status: update.status, records: records).line())
        case .lines:
            let terminal = Terminal.standardOutput()
            let printer = ScreenPrinter(
                columns: terminal.columns, rows: rows, style: terminal.style, records: records)
            try Output.standard.write(printer.lines(of: update.screen, note: note(on: update)))
        }
    }

    private func write(
        _ difference: ScreenDifference, from before: (screen: Screen, origin: ScreenUpdate.Origin),
        to update: ScreenUpdate
    ) throws {
        switch format {
        case .ndjson:
            try Output.standard.write(
                NDJSONWriter.update(difference, to: update.screen, status: update.status, records: records).line())
        case .lines:
            let terminal = Terminal.standardOutput()
            let writer = ChangeWriter(columns: terminal.columns, rows: rows, style: terminal.style)
            let note = before.origin == update.origin ? "" : note(on: update)
            try Output.standard.write(writer.lines(difference, to: update.screen, note: note))
        }
    }

    private func note(on update: ScreenUpdate) -> String {
        guard update.origin == .store else { return "(live)" }
        return
            "(stored, as of \(Words.ago(update.screen.asOf.timeIntervalSince1970, now: Date().timeIntervalSince1970)))"
    }

    private func problem(_ message: String, code: String? = nil, reason: String) throws {
        switch format {
        case .lines: notes.notes.say(message)
        case .ndjson:
            try Output.standard.write(
                NDJSONWriter.error(message, code: code, reason: reason, screen: screen, shown: shown?.screen).line())
        }
    }
}

/// Notes about the connection for a person, each written once.
struct ConnectionNotes {
    var notes: Notes
    var server: ServerAddress
    private var last: String?

    init(notes: Notes, server: ServerAddress) {
        self.notes = notes
        self.server = server
    }

    mutating func say(_ state: ConnectionState) {
        guard let text = words(for: state), text != last else { return }
        last = text
        notes.say(text)
    }

    /// - Returns: `nil` for states not worth a note: each attempt after the first.
    private func words(for state: ConnectionState) -> String? {
        switch state {
        case .idle, .closed: nil
        case .connecting: last == nil ? "connecting to \(server)" : nil
        case .connected: "connected to \(server)"
        case .waiting(let reason, _): server.absence(reason, then: ", trying again")
        // The command ends with it and says why.
        case .failed: nil
        }
    }
}
