import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes

/// Something that is wrong with a publication.
package struct PublicationMistake: Hashable, Sendable {
    /// The most mistakes that are looked for in a publication.
    package static let maximum = 100

    /// The index of the change.
    package var change: Int
    /// The field; empty for the change as a whole.
    package var path: String
    /// For programs.
    package var reason: String
    /// For people: what was expected, and what was found.
    package var detail: String

    package init(change: Int, path: String = "", reason: String, detail: String) {
        self.change = change
        self.path = path
        self.reason = reason
        self.detail = detail
    }
}

/// Finds what is wrong with the documents of a publication, all of it, a bounded number at a time. What depends on what
/// the store holds, such as whether a record is there, only a commit finds.
struct PublicationCheck {
    private let documents: [[UInt8]]
    private let identity: Identity
    private var judge: ProgrammeJudge
    private var types: TypeSet?
    private var next = 0
    private(set) var mistakes: [PublicationMistake] = []

    /// - Parameters:
    ///   - documents: JSON, each of a change.
    ///   - identity: whose publication it is.
    ///   - types: those in force.
    init(_ documents: [[UInt8]], by identity: Identity, types: TypeSet?) {
        self.documents = documents
        self.identity = identity
        self.types = types
        judge = ProgrammeJudge(types: types)
    }

    var isDone: Bool { next == documents.count || mistakes.count == PublicationMistake.maximum }

    /// Reads the next documents.
    mutating func read(atMost count: Int = PublicationReader.documentsAtOnce) {
        let end = min(next + count, documents.count)
        while next < end, !isDone {
            do {
                try check(documents[next])
            } catch let refusal as Status {
                note(refusal.reason, refusal.message)
            } catch let error as DocumentError {
                note("CHANGE_INVALID", error.reason, path: error.path)
            } catch let error as RecordError {
                note("RECORD_INVALID", error.reason, path: error.path)
            } catch {
                note("CHANGE_INVALID", "\(error)")
            }
            next += 1
        }
    }

    private mutating func note(_ reason: String, _ detail: String, path: String = "") {
        mistakes.append(PublicationMistake(change: next, path: path, reason: reason, detail: detail))
    }

    private mutating func check(_ document: [UInt8]) throws {
        let change = try Change(document: Data(document))
        if let refusal = Authoriser.refusal(of: .publish(change.subjectOfPublishing), to: identity) { throw refusal }
        try judge.check(change)
        switch change {
        case .types(let document): types = try TypeSet(document, file: "types")
        case .put(let id, let content):
            switch content {
            case .json(let json): _ = try coder(of: id).record(json: json)
            case .bytes(let bytes): _ = try coder(of: id).record(bytes: bytes)
            }
        case .merge(let id, let content, let clear, _):
            switch content {
            case .json(let json): _ = try coder(of: id).patch(json: json, clear: clear)
            case .bytes(let bytes): _ = try coder(of: id).patch(bytes: bytes, clear: clear)
            }
        default: break
        }
    }

    private func coder(of id: RecordID) throws -> RecordCoder {
        if let type = types?.type(id.type) { return type.coder }
        let hint = NearestName.hint(for: id.type, among: types?.types.map(\.alias) ?? [])
        throw RecordError(path: "type", "there is no type '\(id.type)'\(hint)")
    }
}
