/// Decides what TMDB is asked next, and when: a value, (answer, now) -> what became of it.
///
/// A reading is the configuration, the genres, the pages of all lists, and then the details of the movies in them. Each
/// part has a `FeedCourse` of its own that remembers what the server called it last, and asks for it again when there
/// was no whole answer. What was read stays when a reading is given up: the next one goes on at little cost.
package struct TMDBCourse {
    package enum Step: Hashable, Sendable {
        case wait(until: UInt64)
        case ask(FeedCourse.Request)
        /// Everything is there.
        case compare
    }

    package enum Outcome: Hashable, Sendable {
        case goOn
        /// It is asked again later.
        case again(reason: String)
        /// The reading is given up.
        case failed(FeedFailure)
    }

    /// The most movies of a reading whose details a server may owe, besides those that it doesn't have.
    static let owed = 3

    /// A part that was read.
    private struct Known {
        var course: FeedCourse
        var answer: TMDBAnswer
    }

    /// A part that is being asked for.
    private struct Current {
        var part: TMDBPart
        var course: FeedCourse
    }

    private struct Reading {
        /// Parts to ask for, the next one last.
        var left: [TMDBPart]
        var visited: Set<TMDBPart> = []
        var current: Current?
        /// The movies of the lists, once all lists have been read.
        var movies: [UInt64]?
        /// Movies whose details couldn't be read, and why.
        var missing: [UInt64: String] = [:]
        var owed = 0
        var isChanged = false
    }

    private let feed: TMDBFeed
    private var known: [TMDBPart: Known] = [:]
    private var reading: Reading?
    private var isCompared = false
    private var due: UInt64
    private var failures = 0

    /// - Parameter now: milliseconds of a steady clock.
    package init(_ feed: TMDBFeed, now: UInt64) { (self.feed, due) = (feed, now) }

    // MARK: - Requests

    package mutating func next(now: UInt64) -> Step {
        guard now >= due else { return .wait(until: due) }
        var reading = self.reading ?? begin()
        defer { self.reading = reading }
        if reading.current == nil, reading.left.isEmpty, reading.movies == nil { turnToMovies(&reading) }
        if reading.current == nil, let part = reading.left.popLast() {
            reading.visited.insert(part)
            reading.current = Current(part: part, course: course(of: part, now: now))
        }
        guard var current = reading.current else { return .compare }
        let step = current.course.next(now: now)
        reading.current = current
        switch step {
        case .wait(let time): return .wait(until: time)
        case .ask(let request): return .ask(request)
        case .compare: preconditionFailure("a part that was read is no longer asked for")
        }
    }

    private func begin() -> Reading {
        let parts =
            [.configuration] + feed.locales.map { .genres(locale: $0) }
            + feed.lists.map { TMDBPart.list($0, page: 1) }
        return Reading(left: parts.reversed())
    }

    private func course(of part: TMDBPart, now: UInt64) -> FeedCourse {
        if let known = known[part] { return known.course }
        // An address of ours with digits and names in it is one.
        var own = HTTPFeed((try? part.address(in: feed)) ?? feed.address)
        own.interval = 0
        return FeedCourse(own, now: now)
    }

    private func turnToMovies(_ reading: inout Reading) {
        var seen: Set<UInt64> = []
        var movies: [UInt64] = []
        for list in feed.lists {
            for page in 1...feed.pages {
                let part = TMDBPart.list(list, page: page)
                guard reading.visited.contains(part), case .page(let found, _)? = known[part]?.answer else { continue }
                movies += found.map(\.id).filter { seen.insert($0).inserted }
            }
        }
        reading.movies = movies
        reading.left = movies.flatMap { id in feed.locales.map { .movie(id, locale: $0) } }.reversed()
    }

    // MARK: - Answers

    /// - Parameters:
    ///   - body: of an answer 200.
    ///   - fraction: a random number, uniform in 0..<1.
    package mutating func take(
        _ answer: FeedCourse.Answer, body: [UInt8], now: UInt64, fraction: Double
    ) -> Outcome {
        guard var current = reading?.current else { return .goOn }
        var content: TMDBAnswer?
        if answer.status == 200 {
            do throws(BadRow) { content = try TMDBAnswer(body, to: current.part) } catch {
                let address = (try? current.part.address(in: feed)) ?? feed.address
                return miss("\(address): \(error.reason)", now: now, fraction: fraction)
            }
        }
        let outcome = current.course.take(answer, now: now, fraction: fraction)
        switch outcome {
        case .page:
            _ = current.course.keep(now: now, fraction: fraction)
            current.course.compared(now: now, fraction: fraction)
            reading?.current = current
            finish(content)
            return .goOn
        case .unchanged:
            reading?.current = current
            finish(nil)
            return .goOn
        case .goOn, .startOver:
            reading?.current = current
            return .goOn
        case .again(let reason):
            reading?.current = current
            return .again(reason: reason)
        case .failed(let failure):
            return fail(failure, current, status: answer.status, now: now, fraction: fraction)
        }
    }

    /// There was no whole answer.
    package mutating func miss(_ reason: String, now: UInt64, fraction: Double) -> Outcome {
        guard var current = reading?.current else { return .goOn }
        switch current.course.miss(reason, now: now, fraction: fraction) {
        case .again(let reason):
            reading?.current = current
            return .again(reason: reason)
        case .failed(let failure): return fail(failure, current, status: nil, now: now, fraction: fraction)
        default: return .goOn
        }
    }

    /// - Parameter answer: `nil` if nothing has changed.
    private mutating func finish(_ answer: TMDBAnswer?) {
        guard var reading, let current = reading.current else { return }
        let old = known[current.part]?.answer
        guard let new = answer ?? old else { return }
        if new != old { reading.isChanged = true }
        known[current.part] = Known(course: current.course, answer: new)
        reading.current = nil
        if case .list(let list, let page) = current.part, case .page(let movies, let total) = new,
            page < min(total, feed.pages), !movies.isEmpty
        {
            reading.left.append(.list(list, page: page + 1))
        }
        self.reading = reading
    }

    private mutating func fail(
        _ failure: FeedFailure, _ current: Current, status: Int?, now: UInt64, fraction: Double
    ) -> Outcome {
        if case .movie(let id, _) = current.part, failure.kind == .away, status != 429,
            status == 404 || reading?.owed ?? 0 < Self.owed
        {
            if status != 404 { reading?.owed += 1 }
            // A redirect's own words may have the key in them.
            let isRedirect = status.map { (300..<400).contains($0) } ?? false
            reading?.missing[id] = isRedirect ? "they are elsewhere" : failure.reason
            reading?.current = nil
            // The details that were read before stay in use.
            return .goOn
        }
        var course = current.course
        drop(now: now, fraction: fraction)
        // The server may have asked for a longer pause.
        if case .wait(let time) = course.next(now: now) { due = max(due, time) }
        guard failure.kind == .denied else { return .failed(failure) }
        return .failed(
            FeedFailure(kind: .denied, reason: "\(feed.address) refuses the key in \(feed.keyFile)"))
    }

    // MARK: - The end of a reading

    /// Whether the rows may differ from those that were compared last.
    package var isNews: Bool { !isCompared || reading?.isChanged ?? true }

    /// The rows of everything that was read.
    package var pages: FeedPages {
        guard let reading else { return FeedPages(tables: [:]) }
        let answers = known.filter { reading.visited.contains($0.key) }.mapValues(\.answer)
        let rows = TMDBRows(feed, answers, movies: reading.movies ?? [], missing: reading.missing)
        var tables: [String: any RecordRows] = [:]
        for table in TMDBFeed.Table.allCases {
            tables[table.rawValue] = HeldRows(name: "tmdb: \(table.rawValue)", rows: rows.rows(of: table))
        }
        return FeedPages(tables: tables)
    }

    /// The catalogue has what was read.
    package mutating func compared(now: UInt64, fraction: Double) {
        if let reading { known = known.filter { reading.visited.contains($0.key) } }
        (reading, failures, isCompared) = (nil, 0, true)
        due = now + UInt64(Double(feed.interval) * (0.9 + 0.2 * fraction))
    }

    /// The reading can't be used.
    package mutating func drop(now: UInt64, fraction: Double) {
        // Changes that it had would be none in the next one.
        (reading, isCompared) = (nil, false)
        failures += 1
        due = now + FeedCourse.pause(failures, fraction)
    }
}
