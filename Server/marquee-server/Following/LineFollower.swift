import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeTypes
import MarqueeWire

/// Publishes the rows of lines as they arrive on standard input, until it ends. One thread does everything.
final class LineFollower {
    private static let waitMilliseconds: Int32 = 200
    private static let readBytes = 64 << 10
    /// Lines that wait for their publication.
    private static let lines = 10_000
    /// While lines change nothing, the position moves after this time.
    private static let idleMilliseconds: UInt64 = 60_000

    private let source: SourceFile
    private let feed: LineFeed
    private let types: TypeSet
    private let target: SourceTarget
    private let shouldContinue: () -> Bool
    private let voice: SourceReporter
    private var splitter = LineSplitter()
    /// Lines that aren't published yet.
    private var pending: [LineSplitter.Line] = []
    private var isAtEnd = false
    private var moved = Follower.now

    /// - Parameter shouldContinue: polled while waiting.
    init(
        _ source: SourceFile, _ feed: LineFeed, types: TypeSet, to target: SourceTarget,
        shouldContinue: @escaping () -> Bool
    ) throws {
        (self.source, self.feed, self.types, self.target) = (source, feed, types, target)
        self.shouldContinue = shouldContinue
        voice = SourceReporter(name: source.name)
        try source.checkTypes()
        _ = try LineRows(feed, source.tables, types, from: LinePosition(shape: ""))
    }

    /// Follows until the input ends, or it is stopped. Whatever passes is waited for, with growing pauses.
    /// - Throws: what a person has to mend.
    func run() throws {
        try FollowSessions(shouldContinue: shouldContinue).run {
            try session()
            return isAtEnd
        } failed: { error in
            guard let error = error as? PublisherError, error.code != .denied, error.code != .refused else {
                throw error
            }
            voice.fail(error.message, isRetried: true)
        }
        voice.say(isAtEnd ? "the input has ended" : "stopped")
    }

    private func session() throws {
        let publisher = SourcePublisher(
            source: source.name, types: types, server: target.server, tls: target.tls, token: target.token,
            shouldContinue: shouldContinue)
        defer { publisher.close() }
        try publisher.ask()
        let shape = source.feedShape(types)
        var start = publisher.position.flatMap { LinePosition($0) } ?? LinePosition(shape: shape)
        start.shape = shape
        var rows = try LineRows(feed, source.tables, types, from: start)
        for table in source.tables {
            try publisher.records(ofType: table.type) { try rows.hold($0, $1, ofType: table.type) }
        }
        voice.works()
        voice.say("follows standard input")
        voice.report(publisher, "follows")
        try publish(pending, &rows, publisher)
        pending = []
        while shouldContinue(), !isAtEnd {
            pending = try next()
            try publish(pending, &rows, publisher)
            pending = []
            if voice.isDue { voice.report(publisher, "follows") }
        }
    }

    // MARK: - Lines

    /// The lines that are there: those that arrive together are published together.
    private func next() throws -> [LineSplitter.Line] {
        var lines: [LineSplitter.Line] = []
        var wait = Self.waitMilliseconds
        while shouldContinue(), lines.count < Self.lines {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, wait) > 0 else { break }
            var bytes = [UInt8](repeating: 0, count: Self.readBytes)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else {
                if count < 0 { voice.say("standard input can't be read: \(String(cString: strerror(errno)))") }
                isAtEnd = true
                if let last = splitter.end() { lines.append(last) }
                break
            }
            lines += splitter.take(bytes[..<count])
            if !lines.isEmpty { wait = 0 }
        }
        return lines
    }

    private func publish(_ lines: [LineSplitter.Line], _ rows: inout LineRows, _ publisher: SourcePublisher) throws {
        var changes = FollowedChanges()
        func commit(at position: LinePosition) throws {
            try publisher.publish(changes.documents, movingTo: position.next.description)
            rows.published()
            (changes, moved) = (FollowedChanges(), Follower.now)
            if let (count, reason) = publisher.takeRefused() { voice.note(bad: reason, count: count) }
        }
        for line in lines {
            var before = rows.position
            let entries = rows.read(line).compactMap { entry($0) }
            if changes.add(entries) { continue }
            for entry in entries where !changes.add([entry]) {
                // The line isn't published as a whole yet.
                try commit(at: before)
                before = before.next
                _ = changes.add([entry])
            }
        }
        let hasMoved = publisher.position != rows.position.description
        let isIdle = Follower.now >= moved + Self.idleMilliseconds
        if !changes.isEmpty || hasMoved && (isAtEnd || isIdle || publisher.position == nil) {
            try commit(at: rows.position)
        }
    }

    /// The change that a step amounts to.
    private func entry(_ step: LineRows.Step) -> FollowedChanges.Entry? {
        let made =
            switch step {
            case .put(let id, let bytes): FollowedChanges.entry(id, bytes)
            case .remove(let id): FollowedChanges.entry(id, nil)
            case .bad(let reason): Result<FollowedChanges.Entry, FollowedChanges.Refusal>.failure(.init(reason: reason))
            }
        switch made {
        case .success(let entry): return entry
        case .failure(let refusal):
            voice.note(bad: refusal.reason)
            return nil
        }
    }
}
