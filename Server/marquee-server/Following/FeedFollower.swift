import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeTypes
import MarqueeWire

/// Follows a source that is read as a whole, such as an address or files, and publishes what differs from what the
/// server has, until it is stopped. One thread does everything.
final class FeedFollower {
    struct Options {
        /// Whether one reading is all.
        var isOnce = false
        /// Whether the first reading may have less than half of the records that the server has.
        var acceptsFewer = false
    }

    /// The longest pause that a reading waits for, if one reading is all.
    private static let onceMilliseconds: UInt64 = 300_000

    private let source: SourceFile
    private let types: TypeSet
    private let tables: [FeedTable]
    /// `nil` to look at the source alone.
    private let target: SourceTarget?
    private var options: Options
    private let shouldContinue: () -> Bool
    private let voice: SourceReporter
    private let shape: String
    /// Of the session.
    private var publisher: SourcePublisher?
    private var isFirst = true

    /// - Parameter shouldContinue: polled while waiting.
    /// - Throws: when the source file doesn't fit the types.
    init(
        _ source: SourceFile, types: TypeSet, to target: SourceTarget?, options: Options = Options(),
        shouldContinue: @escaping () -> Bool
    ) throws {
        (self.source, self.types, self.target, self.options) = (source, types, target, options)
        self.shouldContinue = shouldContinue
        try source.checkTypes()
        tables = try source.tables.map { try FeedTable($0, types) }
        voice = SourceReporter(name: source.name)
        shape = source.feedShape(types)
    }

    // MARK: - Following

    /// Follows until it is stopped, or has read everything once. Whatever passes is waited for, with growing pauses.
    /// - Throws: what a person has to mend.
    func run() throws {
        let isDone = try FollowSessions(shouldContinue: shouldContinue).run {
            try session()
            return options.isOnce && shouldContinue()
        } failed: { error in
            guard let error = error as? PublisherError, error.code != .denied, error.code != .refused,
                !options.isOnce || error.code == .elsewhere
            else { throw error }
            let isElsewhere = error.code == .elsewhere
            voice.fail(isElsewhere ? "another process has published for this source" : error.message, isRetried: true)
        }
        if isDone { return }
        if options.isOnce { throw Interruption.Ended() }
        voice.say("stopped")
    }

    private func session() throws {
        let publisher = try connection()
        self.publisher = publisher
        defer {
            self.publisher = nil
            publisher.close()
        }
        try publisher.ask()
        let stored = publisher.position.flatMap { FeedPosition($0) }
        let isKnown = stored?.shape == shape
        let reading = try reading(validators: isKnown ? stored?.validators ?? FeedValidators() : FeedValidators())
        voice.say("follows \(reading.name)")
        while shouldContinue() {
            let isDone = try turn(reading, publisher)
            if isDone, options.isOnce { return }
        }
    }

    private func connection() throws -> SourcePublisher {
        guard let target else { throw CommandFailure(.usage, "--to names the server") }
        return SourcePublisher(
            source: source.name, types: types, server: target.server, tls: target.tls, token: target.token,
            shouldContinue: shouldContinue)
    }

    private func reading(validators: FeedValidators) throws -> any FeedReading {
        switch source.origin {
        case .http(let feed):
            return HTTPReading(feed, validators: validators, shouldContinue: { [unowned self] in isStillWanted() })
        case .tmdb(let feed): return TMDBReading(feed, shouldContinue: { [unowned self] in isStillWanted() })
        case .files(let feed): return FileReading(feed)
        case .file(let file) where file.path != "-": return FileReading(FileFeed(file))
        case .database(.sqlite(let path)): return SQLiteReading(path, every: source.interval)
        case .file, .lines, .database(.postgres), .outbox:
            throw CommandFailure(
                .badData,
                "\(source.name) can't be followed: its file has none of 'postgres', 'sqlite', 'http', 'tmdb', 'files' and "
                    + "'stdin'"
            )
        }
    }

    /// Does what is next.
    /// - Returns: whether the catalogue has everything now.
    private func turn(_ reading: any FeedReading, _ publisher: SourcePublisher) throws -> Bool {
        let event = reading.next()
        guard shouldContinue() else { return false }
        switch event {
        case .goOn: return false
        case .wait(let time):
            if options.isOnce, time > Follower.now + Self.onceMilliseconds {
                throw CommandFailure(.temporary, "\(reading.name) asks for a pause of more than five minutes")
            }
            rest(until: min(time, Follower.now + 1_000))
            return false
        case .again(let reason):
            voice.fail(reason, isRetried: true)
            return false
        case .failed(let failure):
            try fail(failure)
            return false
        case .unchanged:
            voice.works()
            if isFirst { voice.say("nothing has changed") }
            isFirst = false
            return true
        case .rows(let pages, let validators):
            do {
                guard try compare(pages, validators, reading, publisher) else { return false }
            } catch let error as ImportError where shouldContinue() {
                reading.drop()
                try fail(FeedFailure(kind: error.code == .noInput ? .missing : .content, reason: error.message))
                return false
            } catch let failure as FeedFailure {
                reading.drop()
                try fail(failure)
                return false
            }
            reading.compared()
            voice.works()
            voice.report(publisher, "follows")
            return true
        }
    }

    /// - Throws: if one reading is all, as it is none.
    private func fail(_ failure: FeedFailure) throws {
        if options.isOnce { throw CommandFailure(failure) }
        voice.fail(failure.reason, isRetried: true)
        if let publisher { voice.report(publisher, "waits") }
    }

    /// Called often while this waits for something else: the server hears from us meanwhile.
    private func isStillWanted() -> Bool {
        if let publisher, voice.isDue { voice.report(publisher, "follows") }
        return shouldContinue()
    }

    private func rest(until time: UInt64) {
        while isStillWanted(), Follower.now < time { Thread.sleep(forTimeInterval: FollowSessions.poll) }
    }

    // MARK: - Comparing

    /// A table's rows beside the catalogue.
    private struct Compared {
        var table: FeedTable
        var rows: Int
        var bad: Int
        var badReason: String?
        var notes: [String]
        var differences: FeedComparison.Differences
    }

    /// Publishes what differs between the rows and the catalogue, and then where the source is.
    /// - Returns: `false` if the rows have changed while they were read.
    private func compare(
        _ pages: FeedPages, _ validators: FeedValidators, _ reading: any FeedReading, _ publisher: SourcePublisher
    ) throws -> Bool {
        let stored = publisher.position.flatMap { FeedPosition($0) }
        let found = try tables.map { try compared($0, pages, publisher) }
        guard reading.isWhole() else { return false }
        for compared in found where compared.differences.isSuspicious && !options.acceptsFewer {
            let (held, gone) = (compared.differences.held, compared.differences.gone.count)
            throw FeedFailure(
                kind: .content,
                reason: "only \(held - gone) of \(counted(held, "record")) of \(compared.table.type) still have a row, "
                    + "so nothing was published; if that is meant, run this once with --once --accept-fewer")
        }
        var position = stored ?? FeedPosition(shape: shape)
        let isNew = publisher.position != position.description || position.shape != shape
        position.shape = shape
        voice.forgetRows()
        for compared in found { tell(compared) }
        if isNew || found.contains(where: { !$0.differences.isEmpty }) {
            try publish(found, pages, validators, from: position, publisher)
        }
        options.acceptsFewer = false
        isFirst = false
        return true
    }

    private func compared(
        _ table: FeedTable, _ pages: FeedPages, _ publisher: SourcePublisher
    ) throws -> Compared {
        var comparison = FeedComparison()
        try publisher.records(ofType: table.type) { try comparison.hold($0, $1) }
        let notes = try table.each(of: pages, shouldContinue: shouldContinue) { (row) throws(ImportError) in
            try comparison.meet(row)
        }
        return Compared(
            table: table, rows: comparison.rows, bad: comparison.bad, badReason: comparison.badReason, notes: notes,
            differences: comparison.differences())
    }

    /// Says what was found, unless it is as before.
    private func tell(_ compared: Compared) {
        let (name, differences) = (compared.table.name, compared.differences)
        if isFirst || !differences.isEmpty || compared.bad > 0 {
            voice.say(
                "\(name): \(counted(compared.rows, "row")), \(differences.same) unchanged, "
                    + "\(differences.changed) changed, \(differences.new) new, \(differences.gone.count) gone, "
                    + "\(compared.bad) bad")
        }
        if isFirst { for note in compared.notes { voice.say("\(name): \(note)") } }
        if let reason = compared.badReason { voice.note(bad: "\(name): \(reason)", count: compared.bad) }
    }

    /// Publishes by a second look at the rows: as one commit if they fit, else in pieces.
    private func publish(
        _ found: [Compared], _ pages: FeedPages, _ validators: FeedValidators,
        from start: FeedPosition, _ publisher: SourcePublisher
    ) throws {
        var position = start
        var changes = FollowedChanges()
        func add(_ id: RecordID, _ bytes: [UInt8]?) throws {
            switch FollowedChanges.entry(id, bytes) {
            case .failure(let refusal): voice.note(bad: "\(id.subject): \(refusal.reason)")
            case .success(let entry):
                if changes.add([entry]) { return }
                // The catalogue isn't what validators name, neither the new ones nor those before.
                position = position.next()
                try publisher.publish(changes.documents, movingTo: position.description)
                changes = FollowedChanges()
                _ = changes.add([entry])
            }
        }
        for compared in found { try each(compared, pages) { try add($0, $1) } }
        try publisher.publish(changes.documents, movingTo: position.next(validators).description)
        if let (count, reason) = publisher.takeRefused() { voice.note(bad: reason, count: count) }
    }

    /// Hands out each record to put, or to remove.
    private func each(
        _ compared: Compared, _ pages: FeedPages, _ body: (RecordID, [UInt8]?) throws -> Void
    ) throws {
        let type = compared.table.type
        var left = compared.differences
        var failure: (any Error)?
        if !left.puts.isEmpty {
            do {
                _ = try compared.table.each(of: pages, shouldContinue: shouldContinue) { (row) throws(ImportError) in
                    guard case .record(let id, let bytes) = row, left.take(id: id, bytes) else { return }
                    do { try body(RecordID(type: type, id: id), bytes) } catch {
                        failure = error
                        throw ImportError(.cancelled, "not published")
                    }
                }
            } catch {
                throw failure ?? error
            }
        }
        for id in left.gone { try body(RecordID(type: type, id: id), nil) }
    }

    // MARK: - Looking

    /// One that only looks.
    /// - Parameter target: `nil` to look at the source alone.
    static func looking(
        _ source: SourceFile, _ types: TypeSet, at target: SourceTarget? = nil
    ) throws -> FeedFollower {
        if case .lines = source.origin {
            throw CommandFailure(.badData, "\(source.name) is of lines that have yet to come; 'follow' reads them")
        }
        if case .outbox = source.origin {
            throw CommandFailure(.badData, "\(source.name) is an outbox, which has changes and no rows to compare")
        }
        let interruption = Interruption()
        return try FeedFollower(source, types: types, to: target, shouldContinue: { interruption.isAbsent })
    }

    /// Reads everything once, and compares nothing.
    /// - Throws: when it can't be followed so.
    func check() throws {
        let pages = try whole()
        var bad = 0
        for table in tables {
            var comparison = FeedComparison()
            let notes = try table.each(of: pages, shouldContinue: shouldContinue) { (row) throws(ImportError) in
                try comparison.meet(row)
            }
            Console.say("\(table.name): \(counted(comparison.rows, "row")), \(comparison.bad) bad")
            if let reason = comparison.badReason { Console.complain("\(table.name): \(reason)") }
            for note in notes { Console.complain("\(table.name): \(note)", .notice) }
            bad += comparison.bad
        }
        guard bad == 0 else { throw CommandFailure(.badData, "\(counted(bad, "row")) of \(source.name) can't be used") }
        Console.say("\(source.name) can be followed")
    }

    /// Compares everything once.
    /// - Parameter differs: receives each record to put, or to remove.
    func verify(differs: (RecordID, [UInt8]?) throws -> Void) throws {
        let pages = try whole()
        let publisher = try connection()
        defer { publisher.close() }
        for table in tables {
            let compared = try compared(table, pages, publisher)
            tell(compared)
            try each(compared, pages, differs)
        }
    }

    private func whole() throws -> FeedPages {
        let reading = try reading(validators: FeedValidators())
        while shouldContinue() {
            switch reading.next() {
            case .goOn, .unchanged: continue
            case .wait(let time): rest(until: min(time, Follower.now + 1_000))
            case .again(let reason): voice.fail(reason, isRetried: true)
            case .failed(let failure): throw CommandFailure(failure)
            case .rows(let pages, _): return pages
            }
        }
        throw Interruption.Ended()
    }
}

extension CommandFailure {
    /// Why rows can't be read.
    init(_ failure: FeedFailure) {
        let code: Code =
            switch failure.kind {
            case .away: .unavailable
            case .denied: .noPermission
            case .missing: .noInput
            case .content: .badData
            }
        self.init(code, failure.reason)
    }
}
