import MarqueeHTTP
import MarqueeImport
import MarqueeTLS
import NIOCore

/// Reads TMDB, by the steps of a `TMDBCourse`.
final class TMDBReading: FeedReading {
    private let feed: TMDBFeed
    private let shouldContinue: () -> Bool
    private var course: TMDBCourse
    /// As it was sent last.
    private var key: String?

    init(_ feed: TMDBFeed, shouldContinue: @escaping () -> Bool) {
        (self.feed, self.shouldContinue) = (feed, shouldContinue)
        course = TMDBCourse(feed, now: Follower.now)
    }

    var name: String { feed.address.description }

    func next() -> FeedEvent {
        switch course.next(now: Follower.now) {
        case .wait(let time): return .wait(until: time)
        case .compare:
            guard course.isNews else {
                compared()
                return .unchanged
            }
            return .rows(course.pages, FeedValidators())
        case .ask(let request):
            do {
                let answer = try send(request)
                return event(
                    course.take(
                        HTTPReading.head(of: answer), body: Array(answer.body.readableBytesView), now: Follower.now,
                        fraction: fraction))
            } catch let error as FeedMiss {
                return event(course.miss(error.reason, now: Follower.now, fraction: fraction))
            } catch let failure as FeedFailure {
                return fail(failure.kind, failure.reason)
            } catch let error as SecretFileProblem {
                return fail(.denied, error.description)
            } catch {
                return fail(.away, "\(request.address) can't be read")
            }
        }
    }

    private func event(_ outcome: TMDBCourse.Outcome) -> FeedEvent {
        switch outcome {
        case .goOn: .goOn
        case .again(let reason): .again(withoutKey(reason))
        case .failed(let failure): .failed(FeedFailure(kind: failure.kind, reason: withoutKey(failure.reason)))
        }
    }

    /// An answer may contain the key.
    private func withoutKey(_ reason: String) -> String { key.map { reason.replacing($0, with: "…") } ?? reason }

    func isWhole() -> Bool { true }
    func compared() { course.compared(now: Follower.now, fraction: fraction) }
    func drop() { course.drop(now: Follower.now, fraction: fraction) }

    /// Reads the key for each request, so that a new one counts at once.
    private func send(_ request: FeedCourse.Request) throws -> HTTPClient.Answer {
        var headers = HTTPReading.plainHeaders(of: request)
        var address = request.address
        if request.isTrusted {
            let key = try SecretFile.read(feed.keyFile)
            self.key = key
            guard HTTPFeed.isHeaderValue(key) else {
                throw FeedFailure(kind: .denied, reason: "the first line of \(feed.keyFile) isn't a key")
            }
            switch TMDBFeed.Credential(key: key) {
            case .header(let name, let value): headers.replaceOrAdd(name: name, value: value)
            case .parameter(let name, let value): address = try address.with(name, value)
            }
        }
        let client = HTTPClient(
            maximumBytes: TMDBFeed.answerBytes, timeout: .milliseconds(Int64(clamping: feed.timeout)))
        return try HTTPReading.answer(of: client, address, headers, shouldContinue)
    }
}
