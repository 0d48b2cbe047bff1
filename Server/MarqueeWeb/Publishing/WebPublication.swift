import Foundation
import MarqueeModel
import MarqueeScreenJSON
import MarqueeServer
import MarqueeTypes
import MarqueeWire
import NIOCore
import NIOHTTP1

/// The changes that a request publishes, and their places in the body.
struct WebPublication: Sendable {
    private static let json = "application/json"
    private static let lines: Set<String> = ["application/x-ndjson", "application/ndjson", "application/jsonl"]
    private static let mergePatch = "application/merge-patch+json"

    /// The most changes of a publication.
    static let maximumChanges = DoorConnection.publicationChanges

    /// The changes, each as JSON.
    private(set) var documents: [[UInt8]] = []
    /// The line at which each begins; empty if they aren't lines.
    private(set) var places: [Int] = []
    /// `nil` for a publication to commit.
    private(set) var dryRun: WebSubject.DryRun?
    /// The key by which it takes effect once.
    private(set) var key: String?
    /// Whether it is about one record, so that its mistakes name no change.
    private let isRecord: Bool

    /// - Throws: the problem to answer with.
    init(_ subject: WebSubject, _ headers: HTTPHeaders, _ body: [UInt8]) throws(WebProblem) {
        key = try Self.key(headers)
        switch subject {
        case .changes(let dryRun):
            self.dryRun = dryRun
            isRecord = false
            let text = Self.withoutMark(body)
            if try Self.areLines(headers) { readLines(text) } else { try readDocument(text) }
            guard !documents.isEmpty else { throw .bodyEmpty }
            guard documents.count <= Self.maximumChanges,
                documents.reduce(0, { $0 + $1.count }) <= DoorConnection.publicationBytes
            else { throw .tooManyChanges }
        case .lines, .member, .seen: isRecord = false
        case .record(let type, let id, let method):
            isRecord = true
            documents = [try Self.change(type, id, method, headers, body)]
        case .delivery(let hook):
            isRecord = false
            if let signature = try hook.signature?.check(headers, body, now: Int64(Date().timeIntervalSince1970)) {
                key = hook.key(signature)
            }
            documents = try hook.changes(headers, try Self.parsed(body))
        }
    }

    /// The publication of one line: a change, or a list of them.
    /// - Parameter key: that of the stream, from which the line's own is made.
    /// - Throws: the problem to answer with.
    init(_ line: WebStream.Line, key: String?) throws(WebProblem) {
        self.key = key.map { "\($0)/\(line.number)" }
        isRecord = false
        if line.bytes.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "[") {
            try readDocument(line.bytes)
        } else {
            documents = [line.bytes]
        }
        guard !documents.isEmpty else { throw .bodyEmpty }
    }

    /// The key of a request; `nil` without one.
    /// - Throws: the problem to answer with.
    static func key(_ headers: HTTPHeaders) throws(WebProblem) -> String? {
        let keys = headers["idempotency-key"]
        guard let key = keys.first else { return nil }
        guard keys.count == 1, CatalogueKey.isValid(key) else { throw .keyRefused }
        return key
    }

    private static func mediaType(_ headers: HTTPHeaders) -> String? {
        let types = headers["content-type"]
        // Of two types, an intermediary may read the other one.
        guard types.count == 1 else { return nil }
        return types[0].split(separator: ";").first?.filter { !$0.isWhitespace }.lowercased()
    }

    /// - Throws: the problem to answer with, unless each line is a document.
    static func checkLines(_ headers: HTTPHeaders) throws(WebProblem) {
        guard try areLines(headers), !headers.contains(name: "content-encoding") else { throw .linesExpected }
    }

    private static func areLines(_ headers: HTTPHeaders) throws(WebProblem) -> Bool {
        guard let type = mediaType(headers), type == json || lines.contains(type) else { throw .mediaTypeUnknown }
        return lines.contains(type)
    }

    private mutating func readLines(_ body: [UInt8]) {
        for (index, line) in body.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let text = line.last == 0x0D ? line.dropLast() : line
            guard text.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            documents.append(Array(text))
            places.append(index + 1)
        }
    }

    /// Some programs put a byte order mark before UTF-8, which readers of JSON may leave out (RFC 8259 section 8.1).
    private static func withoutMark(_ body: [UInt8]) -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return body.starts(with: mark) ? Array(body.dropFirst(mark.count)) : body
    }

    /// Reads one change, or a list of them.
    private mutating func readDocument(_ body: [UInt8]) throws(WebProblem) {
        guard body.contains(where: { !" \t\r\n".utf8.contains($0) }) else { throw .bodyEmpty }
        switch try Self.parsed(body) {
        case .list(let changes): documents = changes.map { Array($0.sortedText.utf8) }
        default: documents = [body]
        }
    }

    private static func parsed(_ body: [UInt8]) throws(WebProblem) -> JSONValue {
        do throws(RecordError) {
            return try JSONValue(parsing: withoutMark(body), atMost: WebBounds.bodyBytes)
        } catch {
            throw .notJSON("\(error)")
        }
    }

    /// The JSON of a body that says it is JSON.
    /// - Throws: the problem to answer with.
    static func document(_ headers: HTTPHeaders, _ body: [UInt8]) throws(WebProblem) -> JSONValue {
        guard mediaType(headers) == json else { throw .mediaTypeUnknown }
        return try parsed(body)
    }

    private static func change(
        _ type: String, _ id: String, _ method: WebSubject.RecordMethod, _ headers: HTTPHeaders, _ body: [UInt8]
    ) throws(WebProblem) -> [UInt8] {
        var members: [String: JSONValue] = ["type": .text(type), "id": .text(id)]
        let name: String
        switch method {
        case .delete:
            guard body.isEmpty else { throw .bodyUnexpected }
            name = "remove"
        case .put, .patch:
            guard let media = mediaType(headers), media == json || (method == .patch && media == mergePatch) else {
                throw .mediaTypeUnknown
            }
            var record = try parsed(body)
            if media == mergePatch, let removed = try record.takeNulls(of: type), !removed.isEmpty {
                members["clear"] = .list(removed.map { .text($0) })
            }
            members["record"] = record
            if method == .patch { members["create"] = .bool(false) }
            name = method == .put ? "put" : "merge"
        }
        return Array(JSONValue.object([name: .object(members)]).sortedText.utf8)
    }

    // MARK: - Answers

    /// The outcome of a publication that was committed, or would be.
    /// - Parameter line: the line of a stream that it came in.
    /// - Parameter preview: the effect on a screen that the client asked for.
    func document(_ result: MutationAnswer?, line: Int? = nil, preview: PublicationPreview? = nil) -> JSONDocument {
        .object([
            "revision": result?.cut.catalogueRevision.map { .unsigned($0) },
            "changed": result.map { .bool($0.changed) }, "changes": .integer(documents.count - ordersOfDrafts),
            "dryRun": result == nil ? .bool(true) : nil, "line": line.map { .integer($0) },
            "preview": preview.map(WebText.preview),
        ])
    }

    /// The most bytes of a document that is about a draft.
    private static let maximumOrder = 512

    /// How many documents, none or the first, are about a draft instead of changes.
    private var ordersOfDrafts: Int {
        guard let first = documents.first, first.count <= Self.maximumOrder else { return 0 }
        return name(of: first) == "draft" ? 1 : 0
    }

    /// The answer to a publication that was committed, or would be.
    func done(_ result: MutationAnswer?, preview: PublicationPreview? = nil) -> WebAnswer {
        let text = document(result, preview: preview).line() + "\n"
        return WebAnswer(.ok, ["Content-Type": Self.json], body: ByteBuffer(string: text))
    }

    /// The problem of a publication with mistakes.
    /// - Parameter status: the reason why it was refused; `nil` if it hasn't been tried.
    func problem(_ mistakes: [PublicationMistake], _ status: Status?) -> WebProblem {
        guard !mistakes.isEmpty else { return problem(status ?? .unknownMistake) }
        let onlyScopes = mistakes.allSatisfy { $0.reason == Status.Reason.scopeTooSmall }
        var problem = WebProblem(
            status: onlyScopes ? 403 : 422,
            reason: onlyScopes ? Status.Reason.scopeTooSmall : "PUBLICATION_INVALID",
            detail: mistakes.count == 1
                ? "nothing was changed: there is a mistake"
                : "nothing was changed: there are \(mistakes.count) mistakes"
                    + (mistakes.count == PublicationMistake.maximum ? " or more" : ""))
        problem.mistakes = mistakes.map(document)
        return problem
    }

    /// The problem of a refused publication without other mistakes: its only one is the change that the commit names.
    /// - Parameter status: the commit's.
    func problem(_ status: Status) -> WebProblem {
        var problem = WebProblem(publishing: status)
        if let refused = RefusedChange(status.message), documents.indices.contains(refused.index) {
            let mistake = PublicationMistake(
                change: refused.index, path: name(of: documents[refused.index]), reason: status.reason,
                detail: refused.reason)
            problem.mistakes = [document(mistake)]
        }
        return problem
    }

    /// A mistake in an answer. Each has a path, even one of a change as a whole.
    private func document(_ mistake: PublicationMistake) -> JSONDocument {
        .object([
            "change": isRecord ? nil : .integer(mistake.change + 1),
            "line": places.indices.contains(mistake.change) ? .integer(places[mistake.change]) : nil,
            "path": .string(mistake.path), "reason": .string(mistake.reason), "detail": .string(mistake.detail),
        ])
    }

    /// The name of a change, such as `merge`; empty if it has none.
    private func name(of document: [UInt8]) -> String {
        guard case .object(let members)? = try? JSONValue(parsing: document, atMost: WebBounds.bodyBytes) else {
            return ""
        }
        return members.first?.name ?? ""
    }
}

extension JSONValue {
    /// Takes out the members of an object that are null, which a merge patch removes (RFC 7396).
    /// - Parameter type: the record's.
    /// - Returns: their names; `nil` if the value isn't an object.
    /// - Throws: a problem if objects inside have some.
    fileprivate mutating func takeNulls(of type: String) throws(WebProblem) -> [String]? {
        guard case .object(let members) = self else { return nil }
        let others = members.filter { $0.value != .null }
        if let path = JSONValue.object(others).pathOfNull { throw .nullInside("\(type).\(path)") }
        self = .object(others)
        return members.filter { $0.value == .null }.map(\.name)
    }

    /// The path of a member of an object that is null. A list is put whole, so what is in it removes nothing.
    private var pathOfNull: String? {
        guard case .object(let members) = self else { return nil }
        for member in members {
            if member.value == .null { return member.name }
            if let path = member.value.pathOfNull { return "\(member.name).\(path)" }
        }
        return nil
    }
}

/// The keys by which commits are made once.
private enum CatalogueKey {
    static func isValid(_ key: String) -> Bool {
        (1...256).contains(key.utf8.count) && key.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    }
}

extension Status {
    fileprivate static let unknownMistake = Status(
        .invalidArgument, reason: "PUBLICATION_INVALID", remedy: .fatal, message: "the publication has a mistake")
}

extension WebProblem {
    /// The problem of a publication: an invalid argument is a mistake in the body, which HTTP answers with 422.
    init(publishing status: Status) {
        self.init(status)
        if self.status == 400 { self.status = 422 }
    }

    fileprivate static let tooManyChanges = WebProblem(
        status: 413, reason: "PUBLICATION_TOO_LARGE",
        detail: "a publication has at most \(WebPublication.maximumChanges) changes in "
            + "\(DoorConnection.publicationBytes) bytes; send several")

    static let bodyEmpty = WebProblem(
        status: 400, reason: "BODY_EMPTY", detail: "there is no change in the body; Docs/publishing.md shows some")

    fileprivate static func nullInside(_ path: String) -> WebProblem {
        let detail =
            "null removes a field of the record, not one inside of it; publish a 'merge' that names it in 'clear'"
        return WebProblem(
            status: 422, reason: "PUBLICATION_INVALID", detail: detail,
            mistakes: [
                .object(["path": .string(path), "reason": .string("RECORD_INVALID"), "detail": .string(detail)])
            ])
    }

    static let keyRefused = WebProblem(
        status: 400, reason: "KEY_INVALID",
        detail: "an Idempotency-Key is given once, with 1 to 256 visible characters of ASCII")

    static let mediaTypeUnknown = WebProblem(
        status: 415, reason: "MEDIA_TYPE_UNKNOWN",
        detail:
            "say what the body is: Content-Type: application/json, or application/x-ndjson for a change on each line")

    static let linesExpected = WebProblem(
        status: 415, reason: "MEDIA_TYPE_UNKNOWN",
        detail: "a stream has a document on each line, not packed: Content-Type: application/x-ndjson")

    static func notJSON(_ why: String) -> WebProblem {
        WebProblem(status: 422, reason: "NOT_JSON", detail: why)
    }
}
