import Foundation
import MarqueeHTTP
import MarqueeImport
import MarqueeServer
import MarqueeTLS
import NIOCore
import NIOHTTP1
import Synchronization

/// An outcome of a step in reading a source as a whole.
enum FeedEvent {
    case wait(until: UInt64)
    case goOn
    /// It is as it was.
    case unchanged
    /// All rows, to be compared.
    case rows(FeedPages, FeedValidators)
    /// A part is asked for again soon.
    case again(String)
    case failed(FeedFailure)
}

/// Reads a source as a whole, each time that may have changed.
protocol FeedReading: AnyObject {
    /// For messages.
    var name: String { get }
    /// Does what is next. Blocks as long as one answer takes.
    func next() -> FeedEvent
    /// Whether the rows that were handed out are still of whole files.
    func isWhole() -> Bool
    /// The catalogue has them now.
    func compared()
    /// They can't be used.
    func drop()
}

extension FeedReading {
    /// Of a pause, so that not all readers ask at once.
    var fraction: Double { .random(in: 0..<1) }

    func fail(_ kind: FeedFailure.Kind, _ reason: String) -> FeedEvent {
        drop()
        return .failed(FeedFailure(kind: kind, reason: reason))
    }
}

// MARK: - Addresses

/// There was no whole answer.
struct FeedMiss: Error {
    var reason: String
}

/// Reads an address, by the steps of a `FeedCourse`.
final class HTTPReading: FeedReading {
    /// Of a head and its framing, besides the body.
    private static let frameBytes = 64 << 10
    /// Between two looks at whether the work is still wanted.
    private static let pause = DispatchTimeInterval.milliseconds(50)
    private static let accepted =
        "application/json, application/x-ndjson, text/csv, text/tab-separated-values, application/rss+xml, "
        + "application/atom+xml, */*;q=0.5"

    private let feed: HTTPFeed
    private let shouldContinue: () -> Bool
    private var course: FeedCourse
    private var pages: FeedPages
    /// The sum of the pages that were compared last.
    private var sum: UInt64?

    init(_ feed: HTTPFeed, validators: FeedValidators, shouldContinue: @escaping () -> Bool) {
        (self.feed, self.shouldContinue) = (feed, shouldContinue)
        course = FeedCourse(feed, validators: validators, now: Follower.now)
        pages = FeedPages(feed.file)
    }

    var name: String { feed.address.description }

    func next() -> FeedEvent {
        switch course.next(now: Follower.now) {
        case .wait(let time): return .wait(until: time)
        case .compare:
            guard pages.sum != sum else {
                compared()
                return .unchanged
            }
            return .rows(pages, course.validators)
        case .ask(let request):
            do {
                let answer = try send(request)
                let outcome = course.take(Self.head(of: answer), now: Follower.now, fraction: fraction)
                guard case .page = outcome else { return event(outcome) }
                return try keep(answer)
            } catch let error as FeedMiss {
                return event(course.miss(error.reason, now: Follower.now, fraction: fraction))
            } catch let failure as FeedFailure {
                return fail(failure.kind, failure.reason)
            } catch let error as SecretFileProblem {
                return fail(.denied, error.description)
            } catch let error as ImportError {
                return fail(error.code == .unreadable ? .away : .content, error.message)
            } catch {
                return fail(.away, "\(error)")
            }
        }
    }

    private func event(_ outcome: FeedCourse.Outcome) -> FeedEvent {
        switch outcome {
        case .page, .goOn: return .goOn
        case .unchanged: return .unchanged
        case .startOver:
            pages = FeedPages(feed.file)
            return .goOn
        case .again(let reason): return .again(reason)
        case .failed(let failure):
            pages = FeedPages(feed.file)
            return .failed(failure)
        }
    }

    private func keep(_ answer: HTTPClient.Answer) throws -> FeedEvent {
        try pages.append(Array(answer.body.readableBytesView))
        let cursor: String? =
            if case .cursor(let path, _) = feed.paging { try pages.cursor(at: path) } else { nil }
        return event(course.keep(cursor: cursor, now: Follower.now, fraction: fraction))
    }

    func isWhole() -> Bool { true }

    func compared() {
        sum = pages.sum
        pages = FeedPages(feed.file)
        course.compared(now: Follower.now, fraction: fraction)
    }

    func drop() {
        pages = FeedPages(feed.file)
        course.drop(now: Follower.now, fraction: fraction)
    }

    // MARK: - Requests

    private func send(_ request: FeedCourse.Request) throws -> HTTPClient.Answer {
        let client = HTTPClient(
            maximumBytes: feed.bytes + Self.frameBytes,
            timeout: .milliseconds(Int64(clamping: feed.timeout)))
        return try Self.answer(of: client, request.address, try headers(of: request), shouldContinue)
    }

    private final class Box: Sendable {
        let result = Mutex<Result<HTTPClient.Answer, HTTPProblem>?>(nil)
    }

    /// Waits for an answer on this thread.
    /// - Throws: `FeedMiss` without the address's query, in which there may be a key.
    static func answer(
        of client: HTTPClient, _ place: FeedAddress, _ headers: HTTPHeaders, _ shouldContinue: () -> Bool
    ) throws -> HTTPClient.Answer {
        do {
            return try exchange(client, try HTTPAddress(place.text), headers, shouldContinue)
        } catch let error as HTTPProblem {
            throw FeedMiss(reason: error.description.replacing(place.text, with: place.description))
        }
    }

    private static func exchange(
        _ client: HTTPClient, _ address: HTTPAddress, _ headers: HTTPHeaders, _ shouldContinue: () -> Bool
    ) throws -> HTTPClient.Answer {
        let box = Box()
        let isDone = DispatchSemaphore(value: 0)
        let task = Task.detached {
            let result: Result<HTTPClient.Answer, HTTPProblem>
            do throws(HTTPProblem) {
                result = .success(try await client.send(.GET, address, headers: headers))
            } catch {
                result = .failure(error)
            }
            box.result.withLock { $0 = result }
            isDone.signal()
        }
        while isDone.wait(timeout: .now() + pause) == .timedOut {
            if !shouldContinue() { task.cancel() }
        }
        guard let result = box.result.withLock({ $0 }) else { throw Interruption.Ended() }
        return try result.get()
    }

    private func headers(of request: FeedCourse.Request) throws -> HTTPHeaders {
        var headers = Self.plainHeaders(of: request)
        for header in feed.headers {
            switch header.value {
            case .text(let text): headers.replaceOrAdd(name: header.name, value: text)
            case .file(let path):
                guard request.isTrusted else { continue }
                let text = try SecretFile.read(path)
                guard HTTPFeed.isHeaderValue(text) else {
                    throw FeedFailure(
                        kind: .denied,
                        reason: "the first line of \(path) can't be sent as a header: it isn't visible ASCII")
                }
                headers.replaceOrAdd(name: header.name, value: text)
            }
        }
        return headers
    }

    /// Those that follow from the request itself.
    static func plainHeaders(of request: FeedCourse.Request) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Accept": accepted, "Accept-Encoding": "gzip",
            "User-Agent": "\(MarqueeServerCommand.name)/\(MarqueeServer.version)",
        ]
        if let etag = request.validators.etag { headers.replaceOrAdd(name: "If-None-Match", value: etag) }
        if let time = request.validators.modified { headers.replaceOrAdd(name: "If-Modified-Since", value: time) }
        return headers
    }

    static func head(of answer: HTTPClient.Answer) -> FeedCourse.Answer {
        var head = FeedCourse.Answer(status: Int(answer.status.code))
        let now = Date().timeIntervalSince1970
        let modified = answer.headers.first(name: "Last-Modified").flatMap {
            HTTPHeaderText.isSettled($0, date: answer.headers.first(name: "Date"), now: now) ? $0 : nil
        }
        head.validators = FeedValidators(etag: answer.headers.first(name: "ETag"), modified: modified)
        head.location = answer.headers.first(name: "Location")
        head.links = answer.headers["Link"]
        head.retryAfter = answer.headers.first(name: "Retry-After").flatMap {
            HTTPHeaderText.retryAfter($0, now: now)
        }
        return head
    }
}

// MARK: - Files

/// Reads files, when a `FileCourse` says so.
final class FileReading: FeedReading {
    private let feed: FileFeed
    private var course: FileCourse
    private var failure: String?

    init(_ feed: FileFeed) {
        self.feed = feed
        course = FileCourse(quiet: feed.quiet)
    }

    var name: String { feed.path }

    func next() -> FeedEvent {
        let found: [String: FileCourse.Stamp]
        do throws(ImportError) { found = try feed.found() } catch {
            guard failure != error.message else { return .wait(until: Follower.now + FileCourse.pause) }
            failure = error.message
            return .failed(FeedFailure(kind: .missing, reason: error.message))
        }
        failure = nil
        guard course.look(found, now: Follower.now) else { return .wait(until: Follower.now + FileCourse.pause) }
        return .rows(feed.pages(found.keys), FeedValidators())
    }

    func isWhole() -> Bool {
        guard let found = try? feed.found() else { return false }
        return course.isSame(found, now: Follower.now)
    }

    func compared() { course.compared() }

    /// They are read again once they have changed.
    func drop() { course.compared() }
}
