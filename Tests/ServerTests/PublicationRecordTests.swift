import Logging
import MarqueeModel
import Synchronization
import Testing

@testable import MarqueeServer

@Suite struct PublicationRecordTests {
    private func caller(_ source: Grant.Source, user: String? = nil) -> ContentCaller {
        var caller = ContentCaller(
            identity: Identity(user: user, grant: Grant(.everything, from: source)), clientID: [])
        caller.place = .init(address: "10.0.0.7:5000", agent: "feed/2 " + String(repeating: "x", count: 100))
        return caller
    }

    @Test func `A publication's record has its author, token, origin, subjects and number of changes`() {
        var record = PublicationRecord()
        for name in ["movie", "list/top", "movie"] { record.add(name) }
        let words = record.metadata(
            by: caller(.token("feeds"), user: "ana"), connection: 42, key: "night", revision: 7, changed: true
        ).mapValues { "\($0)" }
        #expect(
            words == [
                "user": "ana", "by": "token feeds", "agent": "feed/2 " + String(repeating: "x", count: 57),
                "peer": "10.0.0.7:5000", "connection": "42", "about": "list/top movie", "changes": "3",
                "revision": "7", "changed": "true", "key": "night",
            ])
    }

    /// The lines of the log, as texts.
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])

        func logger(_ level: Logger.Level) -> Logger {
            Logger(label: "x") { _ in Handler(lines: self, logLevel: level) }
        }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            let text = fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            lines.all.withLock { $0.append("\(event.level) \(event.message): \(text)") }
        }
    }

    @Test func `Each publication, and each refusal, has a line at the level that a server logs by default`() {
        let lines = Lines()
        let audit = PublicationAudit(lines.logger(.notice), clock: { 5_000 })
        let caller = CallRunner.Caller(who: caller(.token("feeds"), user: "ana"), connection: 42)
        var record = PublicationRecord()
        record.add("movie")
        audit.committed(record, by: caller, key: nil, revision: 7, changed: true)
        audit.refused(Status(.permissionDenied, reason: "DENIED", remedy: .fatal, message: "no"), by: caller, key: "k")
        let agent = "agent=feed/2 " + String(repeating: "x", count: 57)
        let said = lines.all.withLock { $0 }
        let committed: String =
            "notice a publication was committed: about=movie \(agent) audit=publication by=token feeds changed=true "
            + "changes=1 connection=42 peer=10.0.0.7:5000 revision=7 user=ana"
        let refused: String =
            "notice a publication was refused: \(agent) audit=publication by=token feeds connection=42 key=k "
            + "peer=10.0.0.7:5000 reason=DENIED user=ana why=no"
        #expect(said == [committed, refused])
    }

    @Test func `Frequent publications are counted by publisher and second, and none goes unreported`() {
        let lines = Lines()
        let now = Mutex<UInt64>(5_000)
        let audit = PublicationAudit(lines.logger(.notice), clock: { now.withLock { $0 } })
        let caller = CallRunner.Caller(who: caller(.token("feeds"), user: "ana"), connection: 42)
        var record = PublicationRecord()
        for _ in 0..<3 { record.add("movie") }
        for revision in UInt64(1)...1_000 {
            // 1,000 in 10 seconds.
            now.withLock { $0 = 5_000 + (revision - 1) * 10 }
            audit.committed(record, by: caller, key: nil, revision: revision, changed: true)
        }
        audit.refused(Status(.aborted, reason: "OTHER", remedy: .fatal, message: "no"), by: caller, key: nil)
        audit.end()
        let all = lines.all.withLock { $0 }
        #expect(all.count { $0.contains("a publication was committed") } == 10 * PublicationTally.linesPerSecond)
        let more = all.filter { $0.contains("more publications") }
        #expect(more.count == 10)
        #expect(
            more.first == "notice more publications in the same second: audit=publication by=token feeds changes=285 "
                + "committed=95 first-revision=6 host=10.0.0.7 last-revision=100 refused=0 user=ana")
        #expect(more.last?.contains("committed=95") == true && more.last?.contains("refused=1") == true)
        #expect(more.last?.contains("last-reason=OTHER") == true)
        audit.end()
        #expect(lines.all.withLock { $0.count } == all.count)
    }

    @Test func `A crowd of publishers is counted together`() {
        var tally = PublicationTally()
        for number in 0..<100 {
            let publisher = PublicationTally.Publisher(user: "u\(number)")
            let (hasLine, due) = tally.add(.committed(changes: 1, revision: UInt64(number)), by: publisher, now: 5_000)
            #expect(hasLine == (number < PublicationTally.maximumPublishers) && due.isEmpty)
        }
        #expect(tally.due(now: 5_999).isEmpty)
        let due = tally.due(now: 6_000)
        #expect(due.map(\.committed) == [100 - PublicationTally.maximumPublishers] && due.first?.publisher == nil)
        #expect(due.first?.revisions == UInt64(PublicationTally.maximumPublishers)...99)
    }

    @Test func `An unauthenticated publisher has no name, and only some subjects are listed`() {
        var record = PublicationRecord()
        for number in 1...100 { record.add("list/\(number)") }
        let words = record.metadata(by: caller(.open), connection: 1, key: nil, revision: 7, changed: false)
        #expect(words["by"] == nil && words["user"] == nil && words["key"] == nil)
        #expect(words["changes"].map { "\($0)" } == "100")
        let about = words["about"].map { "\($0)" }?.split(separator: " ") ?? []
        #expect(about.count == PublicationRecord.maximumNames + 1 && about.last == "…")
    }
}
