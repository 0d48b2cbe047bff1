/// Decides what an address is asked next, and when: a value, (answer, now) -> what became of it.
///
/// A reading is all pages, one after the other. Each is asked for with what its server called it last; while all answer
/// that nothing has changed, nothing has. At the first one that has, the reading begins again without conditions,
/// unless that is the first page. A page that isn't answered is asked for again, up to a bound, and then the reading is
/// given up: what is published is always of one whole reading.
package struct FeedCourse: Sendable {
    package struct Request: Hashable, Sendable {
        package var address: FeedAddress
        package var validators = FeedValidators()
        /// Whether the headers that come from files may be sent there.
        package var isTrusted = true
    }

    /// The head of an answer, as far as it counts.
    package struct Answer: Hashable, Sendable {
        package var status: Int
        package var validators = FeedValidators()
        package var location: String?
        package var links: [String] = []
        /// In milliseconds.
        package var retryAfter: UInt64?

        package init(status: Int) { self.status = status }
    }

    package enum Step: Hashable, Sendable {
        case wait(until: UInt64)
        case ask(Request)
        /// All pages are there.
        case compare
    }

    /// The outcome of an answer.
    package enum Outcome: Hashable, Sendable {
        /// Its body is the next page: `keep` comes next.
        case page
        /// The reading goes on; there is nothing to keep.
        case goOn
        /// Nothing has changed, and the reading is over.
        case unchanged
        /// The pages kept so far are of no more use.
        case startOver
        /// It is asked again later.
        case again(reason: String)
        /// The reading is given up, and its pages with it.
        case failed(FeedFailure)
    }

    /// The pauses before something is asked again, in milliseconds.
    static let pauses: ClosedRange<UInt64> = 1_000...300_000
    /// The longest that a server is believed that asks for a pause.
    static let longestAsked: UInt64 = 86_400_000
    /// How often a page is asked for in a reading.
    static let attempts = 5

    private struct Page {
        var address: FeedAddress
        var validators: FeedValidators
        var next: FeedAddress?
    }

    /// The reading that is under way.
    private struct Reading {
        var request: Request
        /// The page that is asked for, whose redirects `request` has followed.
        var address: FeedAddress
        var pages: [Page] = []
        /// The next page, as the last answer's header has it.
        var link: String?
        var visited: Set<FeedAddress>
        var redirects = 0
        var attempts = 0
        var isConditional: Bool
        var isComplete = false
    }

    private let feed: HTTPFeed
    /// The pages of the last reading that was compared.
    private var known: [Page] = []
    private var reading: Reading?
    private var due: UInt64
    private var failures = 0

    /// - Parameters:
    ///   - validators: those of the reading that was published last.
    ///   - now: milliseconds of a steady clock.
    package init(_ feed: HTTPFeed, validators: FeedValidators = FeedValidators(), now: UInt64) {
        (self.feed, due) = (feed, now)
        if !validators.isEmpty { known = [Page(address: feed.address, validators: validators, next: nil)] }
    }

    /// Those of all that was read, if one page is all; with more, they name the first one alone.
    package var validators: FeedValidators {
        guard case .single = feed.paging, let page = reading?.pages.first else { return FeedValidators() }
        return page.validators
    }

    package mutating func next(now: UInt64) -> Step {
        guard now >= due else { return .wait(until: due) }
        guard let reading else {
            let isConditional = !known.isEmpty
            let new = begin(isConditional: isConditional)
            self.reading = new
            return .ask(new.request)
        }
        return reading.isComplete ? .compare : .ask(reading.request)
    }

    private func begin(isConditional: Bool) -> Reading {
        let request = Request(
            address: feed.address,
            validators: isConditional ? known.first?.validators ?? FeedValidators() : FeedValidators())
        return Reading(
            request: request, address: feed.address, visited: [feed.address], isConditional: isConditional)
    }

    // MARK: - Answers

    /// - Parameter fraction: a random number, uniform in 0..<1.
    package mutating func take(_ answer: Answer, now: UInt64, fraction: Double) -> Outcome {
        guard var reading else { return .goOn }
        let address = reading.request.address
        switch answer.status {
        case 200:
            if reading.isConditional, !reading.pages.isEmpty {
                self.reading = begin(isConditional: false)
                return .startOver
            }
            reading.isConditional = false
            reading.attempts = 0
            reading.link = HTTPHeaderText.next(answer.links)
            reading.pages.append(Page(address: reading.address, validators: answer.validators, next: nil))
            self.reading = reading
            return .page
        case 304 where reading.isConditional && !reading.request.validators.isEmpty:
            return unchanged(answer, now: now, fraction: fraction)
        case 301, 302, 303, 307, 308:
            return redirected(to: answer.location, now: now, fraction: fraction)
        case 408, 425, 429, 500...599:
            return again("\(address) answers \(answer.status)", asked: answer.retryAfter, now: now, fraction: fraction)
        case 401, 403:
            return failed(
                .denied,
                "\(address) answers \(answer.status): it needs a credential, which 'headers' sends, such as "
                    + "headers: {Authorization: {file: token.txt}}", now: now, fraction: fraction)
        default:
            return failed(.away, "\(address) answers \(answer.status)", now: now, fraction: fraction)
        }
    }

    /// There was no whole answer.
    package mutating func miss(_ reason: String, now: UInt64, fraction: Double) -> Outcome {
        again(reason, asked: nil, now: now, fraction: fraction)
    }

    /// The body of the last answer is kept.
    /// - Parameter cursor: the one in the body, if the feed is paged by one.
    package mutating func keep(cursor: String? = nil, now: UInt64, fraction: Double) -> Outcome {
        guard let reading else { return .goOn }
        let next: FeedAddress?
        do throws(FeedAddress.Mistake) {
            switch feed.paging {
            case .single: next = nil
            case .links:
                next = try reading.link.map { (link) throws(FeedAddress.Mistake) in
                    try reading.request.address.following(link)
                }
            case .cursor(_, let parameter?):
                next = try cursor.map { (value) throws(FeedAddress.Mistake) in
                    try feed.address.with(parameter, value)
                }
            case .cursor(_, nil):
                next = try cursor.map { (link) throws(FeedAddress.Mistake) in
                    try reading.request.address.following(link)
                }
            }
        } catch {
            return failed(
                .content, "\(reading.address) leads to a next page, but \(error.reason)", now: now, fraction: fraction)
        }
        return turn(to: next, now: now, fraction: fraction)
    }

    /// Goes on to the next page, if there is one.
    private mutating func turn(to next: FeedAddress?, now: UInt64, fraction: Double) -> Outcome {
        guard var reading else { return .goOn }
        reading.pages[reading.pages.count - 1].next = next
        guard let next else {
            reading.isComplete = true
            self.reading = reading
            return .goOn
        }
        guard reading.visited.insert(next).inserted else {
            return failed(
                .content, "the pages of \(feed.address) lead back to one that was read", now: now, fraction: fraction)
        }
        guard reading.pages.count < feed.pages else {
            return failed(
                .content, "\(feed.address) has more than \(feed.pages) pages; allow more by 'pages' in the source file",
                now: now, fraction: fraction)
        }
        var validators = FeedValidators()
        if reading.isConditional, reading.pages.count < known.count, known[reading.pages.count].address == next {
            validators = known[reading.pages.count].validators
        }
        (reading.address, reading.redirects, reading.attempts) = (next, 0, 0)
        reading.request = Request(address: next, validators: validators, isTrusted: next.isBeside(feed.address))
        self.reading = reading
        return .goOn
    }

    private mutating func unchanged(_ answer: Answer, now: UInt64, fraction: Double) -> Outcome {
        guard var reading, reading.pages.count < known.count else {
            return failed(.away, "\(feed.address) answers 304 to what wasn't asked", now: now, fraction: fraction)
        }
        let page = known[reading.pages.count]
        reading.pages.append(page)
        self.reading = reading
        // An answer without a body may have links all the same.
        var next = page.next
        if case .links = feed.paging, let link = HTTPHeaderText.next(answer.links) {
            next = (try? reading.request.address.following(link)) ?? next
        }
        let outcome = turn(to: next, now: now, fraction: fraction)
        guard self.reading?.isComplete == true else { return outcome }
        finish(now: now, fraction: fraction)
        return .unchanged
    }

    private mutating func redirected(to location: String?, now: UInt64, fraction: Double) -> Outcome {
        guard var reading else { return .goOn }
        let address = reading.request.address
        guard let location else {
            return failed(.away, "\(address) answers with a redirect to nowhere", now: now, fraction: fraction)
        }
        reading.redirects += 1
        guard reading.redirects <= HTTPFeed.redirects else {
            return failed(
                .away, "\(reading.address) redirects more than \(HTTPFeed.redirects) times", now: now,
                fraction: fraction)
        }
        do throws(FeedAddress.Mistake) {
            reading.request.address = try address.following(location)
        } catch {
            return failed(.away, "\(address) redirects, but \(error.reason)", now: now, fraction: fraction)
        }
        reading.request.isTrusted = reading.request.address.isBeside(feed.address)
        self.reading = reading
        return .goOn
    }

    // MARK: - The end of a reading

    private mutating func again(_ reason: String, asked: UInt64?, now: UInt64, fraction: Double) -> Outcome {
        guard var reading else { return .goOn }
        reading.attempts += 1
        guard reading.attempts < Self.attempts else {
            return failed(.away, reason, asked: asked, now: now, fraction: fraction)
        }
        // A redirect may lead elsewhere the next time.
        (reading.request.address, reading.redirects) = (reading.address, 0)
        reading.request.isTrusted = reading.address.isBeside(feed.address)
        due = now + max(Self.pause(reading.attempts, fraction), min(asked ?? 0, Self.longestAsked))
        self.reading = reading
        return .again(reason: reason)
    }

    private mutating func failed(
        _ kind: FeedFailure.Kind, _ reason: String, asked: UInt64? = nil, now: UInt64, fraction: Double
    ) -> Outcome {
        drop(asked: asked, now: now, fraction: fraction)
        return .failed(FeedFailure(kind: kind, reason: reason))
    }

    /// The reading can't be used.
    package mutating func drop(asked: UInt64? = nil, now: UInt64, fraction: Double) {
        reading = nil
        failures += 1
        let pause = min(Self.pause(failures, fraction), max(feed.interval, Self.pauses.lowerBound))
        due = now + max(pause, min(asked ?? 0, Self.longestAsked))
    }

    /// The catalogue has what was read.
    package mutating func compared(now: UInt64, fraction: Double) { finish(now: now, fraction: fraction) }

    private mutating func finish(now: UInt64, fraction: Double) {
        if let reading { known = reading.pages.contains { $0.validators.isEmpty } ? [] : reading.pages }
        (reading, failures) = (nil, 0)
        due = now + UInt64(Double(feed.interval) * (0.9 + 0.2 * fraction))
    }

    /// The pause after some attempts, of which a random part is left out.
    static func pause(_ attempts: Int, _ fraction: Double) -> UInt64 {
        let longest = min(pauses.upperBound, pauses.lowerBound << UInt64(min(max(attempts - 1, 0), 16)))
        return UInt64(Double(longest) * (0.5 + fraction / 2))
    }
}

/// Why rows can't be read at present.
package struct FeedFailure: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Nobody answers, or with something that passes.
        case away
        case denied
        /// There is no such file.
        case missing
        /// An answer that can't be used.
        case content
    }

    package var kind: Kind
    package var reason: String

    package init(kind: Kind, reason: String) { (self.kind, self.reason) = (kind, reason) }
}
