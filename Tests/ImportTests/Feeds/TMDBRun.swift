import PresetSupport

@testable import MarqueeImport

/// Runs a course against answers, by a clock that jumps.
struct TMDBRun {
    var course: TMDBCourse
    var server: FakeTMDB
    var now: UInt64 = 1_000
    private(set) var requests: [String] = []
    private(set) var conditional = 0
    /// Answers 304 to what hasn't changed.
    var hasNames = true

    static let root = "https://tmdb.example/3"

    init(_ server: FakeTMDB, _ settings: String = "", lists: String = "popular") throws {
        let source = try SourceFile(yaml: Self.source(settings, lists: lists), file: "source.yaml")
        guard case .tmdb(let feed) = source.origin else { throw ImportError(.malformed, "not TMDB") }
        (course, self.server) = (TMDBCourse(feed, now: 1_000), server)
    }

    static func source(_ settings: String, lists: String) -> String {
        "source: films\ntmdb: {key-file: tmdb.key, address: '\(root)/', locales: [en-US, ko-KR], lists: [\(lists)]\(settings)}\n"
    }

    enum End: Hashable {
        case whole, failed(FeedFailure), stuck
    }

    /// Goes on until all is read, or the reading is given up.
    mutating func run() -> (end: End, again: [String]) {
        var again: [String] = []
        requests = []
        conditional = 0
        for _ in 0..<10_000 {
            switch course.next(now: now) {
            case .wait(let time): now = time
            case .compare: return (.whole, again)
            case .ask(let request):
                let path = String(request.address.text.dropFirst(Self.root.count))
                requests.append(path)
                let (status, body) = server.answer(path)
                let etag = "\"\(body.utf8.reduce(UInt64(5_381)) { $0 &* 33 &+ UInt64($1) })\""
                var answer = FeedCourse.Answer(status: status)
                if hasNames, status == 200 {
                    answer.validators = FeedValidators(etag: etag)
                    if request.validators.etag == etag {
                        answer.status = 304
                        conditional += 1
                    }
                }
                switch course.take(answer, body: Array(body.utf8), now: now, fraction: 0.5) {
                case .goOn: break
                case .again(let reason): again.append(reason)
                case .failed(let failure): return (.failed(failure), again)
                }
            }
        }
        return (.stuck, again)
    }

    mutating func compared() { course.compared(now: now, fraction: 0.5) }
}
