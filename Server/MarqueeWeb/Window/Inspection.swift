import MarqueeModel
import MarqueeScreenJSON
import MarqueeServer
import NIOCore
import NIOHTTP1

/// A question about the server's content or clients, besides its screens.
enum Inspection: Hashable, Sendable {
    case document(StoredDocument)
    /// The newest commits.
    case commits
    /// The state of the clients.
    case clients
    /// All drafts, or one and what it changes.
    case drafts(String?)

    /// The most clients of an answer, those furthest behind first; the rest is counted.
    static let maximumClients = 100
}

extension WebText {
    /// - Parameter documents: as the call *drafts* answers them.
    static func drafts(_ documents: [[UInt8]], of name: String?) -> JSONDocument {
        let all = documents.map { JSONDocument.written(String(decoding: $0, as: UTF8.self)) }
        guard name != nil else { return .object(["type": .string("drafts"), "drafts": .array(all)]) }
        return .object([
            "type": .string("draft"), "draft": all.first, "differences": .array(Array(all.dropFirst())),
        ])
    }

    static func commit(_ commit: CommitHistory.Commit) -> JSONDocument {
        .object([
            "revision": .unsigned(commit.revision), "time": .unsigned(commit.time),
            "publisher": commit.publisher.map(publisher), "key": commit.key.map { .string($0) },
            "changes": .array(commit.changes.map(change)), "count": .integer(commit.count),
        ])
    }

    private static func publisher(_ publisher: CommitHistory.Publisher) -> JSONDocument {
        .object([
            "user": publisher.user.map { .string($0) }, "by": publisher.by.map { .string($0) },
            "agent": publisher.agent.map { .string($0) }, "address": publisher.address.map { .string($0) },
        ])
    }

    private static func change(_ change: CommitHistory.Named) -> JSONDocument {
        .object([
            "change": .string(change.change), "type": change.type.map { .string($0) },
            "id": change.id.map { .string($0) },
        ])
    }

    /// The programme as it was published.
    static func programme(_ text: String) -> JSONDocument {
        .object(["type": .string("programme"), "programme": .string(text)])
    }

    /// All commits that are remembered, the newest first.
    static func commits(_ commits: [CommitHistory.Commit]) -> JSONDocument {
        .object([
            "type": .string("commits"),
            "commits": .array(commits.sorted { $0.revision > $1.revision }.map(commit)),
        ])
    }

    static func clients(_ reports: [SessionReport]) -> JSONDocument {
        let slowest = reports.sorted {
            ($0.lag, $0.unacknowledged, $1.connection) > ($1.lag, $1.unacknowledged, $0.connection)
        }
        return .object([
            "type": .string("clients"), "total": .integer(reports.count),
            "clients": .array(slowest.prefix(Inspection.maximumClients).map(client)),
        ])
    }

    private static func client(_ report: SessionReport) -> JSONDocument {
        .object([
            "connection": .unsigned(report.connection), "state": .string(report.state.rawValue),
            "user": report.user.map { .string($0) }, "address": .string(report.address),
            "ageMilliseconds": .unsigned(report.age), "screens": .strings(report.screens),
            "subscriptions": .integer(report.subscriptions), "revision": report.revision.map { .unsigned($0) },
            "lagMilliseconds": .unsigned(report.lag), "sectionsBehind": .integer(report.load.variantsBehind),
            "bufferedBytes": .integer(report.load.bufferedBytes + report.load.waitingBytes),
            "unacknowledgedBytes": .unsigned(report.unacknowledged), "sentBytes": .unsigned(report.load.sentBytes),
        ])
    }
}

extension SessionReport {
    fileprivate var unacknowledged: UInt64 { load.sentBytes - min(load.sentBytes, load.acknowledgedBytes) }
}

extension WebAnswer {
    /// An answer for nobody but the client that asked.
    static func inspected(_ text: String) -> WebAnswer {
        WebAnswer(
            .ok, ["Content-Type": "application/json", "Cache-Control": "private, no-store"],
            body: ByteBuffer(string: text + "\n"))
    }
}

extension WebProblem {
    static func notStored(_ document: StoredDocument) -> WebProblem {
        switch document {
        case .record(let type, let id):
            WebProblem(
                status: 404, reason: "UNKNOWN_RECORD",
                detail: "there is no record '\(id.prefix(64))' of the type '\(type.prefix(64))'")
        case .types: WebProblem(status: 404, reason: "NO_TYPES", detail: "no types were published")
        case .programme:
            WebProblem(
                status: 404, reason: "NO_PROGRAMME", detail: "no programme was published; the default one is in force")
        }
    }
}
