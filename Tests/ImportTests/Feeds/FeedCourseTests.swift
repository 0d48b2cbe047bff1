import Testing

@testable import MarqueeImport

/// The requests to an address, and their times.
@Suite final class FeedCourseTests {
    private static let first = "https://api.example/rows"

    private var course: FeedCourse
    private var now: UInt64 = 1_000

    init() throws { course = try Self.course() }

    private static func course(_ paging: HTTPFeed.Paging = .single, pages: Int = 1_000) throws -> FeedCourse {
        var feed = HTTPFeed(try FeedAddress(first))
        (feed.paging, feed.pages) = (paging, pages)
        return FeedCourse(feed, now: 1_000)
    }

    private static func answer(
        _ status: Int, etag: String? = nil, link: String? = nil, to location: String? = nil, retryAfter: UInt64? = nil
    ) -> FeedCourse.Answer {
        var answer = FeedCourse.Answer(status: status)
        answer.validators = FeedValidators(etag: etag)
        answer.links = link.map { [#"<\#($0)>; rel="next""#] } ?? []
        (answer.location, answer.retryAfter) = (location, retryAfter)
        return answer
    }

    private func request(
        _ address: String, etag: String? = nil, isTrusted: Bool = true
    ) throws -> FeedCourse.Step {
        .ask(
            FeedCourse.Request(
                address: try FeedAddress(address), validators: FeedValidators(etag: etag), isTrusted: isTrusted))
    }

    private func take(_ answer: FeedCourse.Answer) -> FeedCourse.Outcome {
        course.take(answer, now: now, fraction: 0.5)
    }

    /// Answers one page after the other, each of which is kept.
    private func read(_ answers: [FeedCourse.Answer], cursors: [String?] = []) {
        for (index, answer) in answers.enumerated() {
            _ = course.next(now: now)
            #expect(take(answer) == .page)
            let cursor = cursors.indices.contains(index) ? cursors[index] : nil
            #expect(course.keep(cursor: cursor, now: now, fraction: 0.5) == .goOn)
        }
    }

    private func compared() {
        #expect(course.next(now: now) == .compare)
        course.compared(now: now, fraction: 0.5)
        now += 60_000
    }

    @Test func `An address is asked again after its interval, by the name of what it gave`() throws {
        #expect(course.next(now: now) == (try request(Self.first)))
        #expect(take(Self.answer(200, etag: "\"1\"")) == .page)
        #expect(course.keep(now: now, fraction: 0.5) == .goOn)
        #expect(course.validators == FeedValidators(etag: "\"1\""))
        #expect(course.next(now: now) == .compare)
        course.compared(now: now, fraction: 0)
        #expect(course.next(now: now) == .wait(until: now + 54_000), "a tenth of the interval is random")
        now += 54_000
        #expect(course.next(now: now) == (try request(Self.first, etag: "\"1\"")))
        #expect(take(Self.answer(304)) == .unchanged)
        #expect(course.next(now: now) == .wait(until: now + 60_000))
    }

    @Test func `A restart goes on by what was published last`() throws {
        let feed = HTTPFeed(try FeedAddress(Self.first))
        course = FeedCourse(feed, validators: FeedValidators(etag: "\"7\""), now: now)
        #expect(course.next(now: now) == (try request(Self.first, etag: "\"7\"")))
        #expect(take(Self.answer(304)) == .unchanged)
    }

    @Test func `A page is asked for again, later each time, and not before the server wants it`() throws {
        _ = course.next(now: now)
        #expect(take(Self.answer(500)) == .again(reason: "\(Self.first) answers 500"))
        #expect(course.next(now: now) == .wait(until: now + 750))
        now += 750
        #expect(course.next(now: now) == (try request(Self.first)))
        _ = take(Self.answer(429, retryAfter: 30_000))
        #expect(course.next(now: now) == .wait(until: now + 30_000))
        now += 30_000
        #expect(course.miss("cut", now: now, fraction: 0) == .again(reason: "cut"))
        #expect(course.next(now: now) == .wait(until: now + 2_000))
        _ = take(Self.answer(503, retryAfter: .max))
        #expect(course.next(now: now) == .wait(until: now + FeedCourse.longestAsked))
        #expect(take(Self.answer(500)) == .failed(FeedFailure(kind: .away, reason: "\(Self.first) answers 500")))
        now += FeedCourse.longestAsked
        #expect(course.next(now: now) == (try request(Self.first)), "a reading that was given up begins again")
    }

    @Test func `An answer that no pause mends ends the reading`() throws {
        for (status, kind) in [
            (404, FeedFailure.Kind.away), (401, .denied), (403, .denied), (206, .away), (304, .away),
        ] {
            now += 1_000_000
            _ = course.next(now: now)
            guard case .failed(let failure) = take(Self.answer(status)) else {
                Issue.record("\(status)")
                continue
            }
            #expect(failure.kind == kind && failure.reason.contains("answers \(status)"))
        }
    }

    // MARK: - Pages

    @Test func `Pages are followed by their links`() throws {
        course = try Self.course(.links)
        read([Self.answer(200, link: "/rows?page=2"), Self.answer(200, link: "?page=3")])
        #expect(course.next(now: now) == (try request("https://api.example/rows?page=3")))
        read([Self.answer(200)])
        compared()
    }

    @Test func `Pages are followed by a cursor, as a parameter or as an address`() throws {
        course = try Self.course(.cursor(path: ["next"], parameter: "after"))
        read([Self.answer(200)], cursors: ["a/b=="])
        #expect(course.next(now: now) == (try request(Self.first + "?after=a%2Fb%3D%3D")))
        read([Self.answer(200)])
        compared()
        course = try Self.course(.cursor(path: ["next"], parameter: nil))
        read([Self.answer(200)], cursors: ["https://other.example/2"])
        #expect(course.next(now: now) == (try request("https://other.example/2", isTrusted: false)))
    }

    @Test func `Pages that don't end, or lead nowhere, end the reading`() throws {
        course = try Self.course(.links, pages: 2)
        read([Self.answer(200, link: "?page=2")])
        _ = course.next(now: now)
        _ = take(Self.answer(200, link: "?page=3"))
        guard case .failed(let endless) = course.keep(now: now, fraction: 0) else { throw Missing() }
        #expect(endless.reason.contains("more than 2 pages"))
        for (link, reason) in [("?", "lead back"), ("/rows", "lead back"), ("http://api.example/", "not encrypted")] {
            course = try Self.course(.links)
            _ = course.next(now: now)
            _ = take(Self.answer(200, link: link == "?" ? Self.first : link))
            guard case .failed(let failure) = course.keep(now: now, fraction: 0) else { throw Missing() }
            #expect(failure.kind == .content && failure.reason.contains(reason), "\(failure.reason)")
        }
    }

    private struct Missing: Error {}

    @Test func `Nothing has changed if no page has, else all pages are read again`() throws {
        course = try Self.course(.links)
        let second = "https://api.example/rows?page=2"
        read([Self.answer(200, etag: "a", link: "?page=2"), Self.answer(200, etag: "b")])
        #expect(course.validators == FeedValidators(), "the first page's says nothing of the second")
        compared()
        #expect(course.next(now: now) == (try request(Self.first, etag: "a")))
        #expect(take(Self.answer(304)) == .goOn)
        #expect(course.next(now: now) == (try request(second, etag: "b")))
        #expect(take(Self.answer(304)) == .unchanged)
        now += 60_000
        _ = course.next(now: now)
        _ = take(Self.answer(304))
        #expect(take(Self.answer(200, etag: "c")) == .startOver)
        #expect(course.next(now: now) == (try request(Self.first)))
        read([Self.answer(200, etag: "a", link: "?page=2"), Self.answer(200, etag: "c")])
        compared()
        _ = course.next(now: now)
        _ = take(Self.answer(304, link: "?page=2"))
        #expect(course.next(now: now) == (try request(second, etag: "c")))
        #expect(course.miss("cut", now: now, fraction: 0) == .again(reason: "cut"))
        now += 1_000
        #expect(
            course.next(now: now) == (try request(second, etag: "c")), "pages that are there aren't asked for again")
    }

    // MARK: - Redirects

    @Test func `Redirects are followed, and no secret with them`() throws {
        _ = course.next(now: now)
        #expect(take(Self.answer(307, to: "/other")) == .goOn)
        #expect(course.next(now: now) == (try request("https://api.example/other")))
        #expect(take(Self.answer(302, to: "https://else.example/x")) == .goOn)
        #expect(course.next(now: now) == (try request("https://else.example/x", isTrusted: false)))
        #expect(take(Self.answer(503)) == .again(reason: "https://else.example/x answers 503"))
        now += 10_000
        #expect(course.next(now: now) == (try request(Self.first)))
        for _ in 0..<HTTPFeed.redirects { #expect(take(Self.answer(301, to: "/again")) == .goOn) }
        guard case .failed = take(Self.answer(301, to: "/again")) else { throw Missing() }
        _ = course.next(now: now + 10_000)
        guard case .failed(let failure) = take(Self.answer(301, to: "http://api.example/")) else { throw Missing() }
        #expect(failure.reason.contains("not encrypted"))
    }

    // MARK: - Headers

    @Test(arguments: [
        (#"<https://a.example/?b=1,2>; rel="next""#, "https://a.example/?b=1,2"),
        (#"</p/1>; rel=prev, </p/3>; title="a, b"; rel=next"#, "/p/3"), (#"</x>; rel="last next""#, "/x"),
        (#"</x>; rel="prev""#, nil), ("</x; rel=next", nil), ("", nil),
    ])
    func `Links have a next page`(text: String, next: String?) {
        #expect(HTTPHeaderText.next([text]) == next)
    }

    @Test func `Pauses and times are read`() {
        #expect(HTTPHeaderText.retryAfter("120", now: 0) == 120_000)
        #expect(HTTPHeaderText.retryAfter("99999999999999999999", now: 0) == nil)
        #expect(HTTPHeaderText.retryAfter("Thu, 01 Jan 1970 00:01:00 GMT", now: 30) == 30_000)
        #expect(HTTPHeaderText.retryAfter("Thu, 01 Jan 1970 00:01:00 GMT", now: 90) == 0)
        #expect(HTTPHeaderText.retryAfter("soon", now: 0) == nil)
        let time = "Thu, 01 Jan 1970 00:01:00 GMT"
        #expect(!HTTPHeaderText.isSettled(time, date: nil, now: 61), "the content may change again within the second")
        #expect(HTTPHeaderText.isSettled(time, date: nil, now: 62))
        #expect(!HTTPHeaderText.isSettled(time, date: time, now: 99))
    }

    @Test func `A position is read as it is written`() throws {
        var position = FeedPosition(shape: "5f")
        for validators in [
            FeedValidators(), FeedValidators(etag: "W/\"a=b\""),
            FeedValidators(modified: "Sun, 06 Nov 1994 08:49:37 GMT"),
            FeedValidators(etag: "x", modified: "Sun, 06 Nov 1994 08:49:37 GMT"),
        ] {
            position = position.next(validators)
            #expect(FeedPosition(position.description) == position)
            #expect(position.description.utf8.count <= 256)
        }
        #expect(position.number == 4 && position.next().validators == FeedValidators())
        let long = FeedValidators(etag: String(repeating: "e", count: 97), modified: "a\nb")
        #expect(long == FeedValidators(), "what can't be kept isn't")
        #expect(FeedPosition("pg1 7 1 5f 0/0") == nil)
        #expect(FeedPosition("feed1 5f x") == nil)
    }
}
