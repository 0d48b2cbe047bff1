import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes

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
            check(documents[next])
            next += 1
        }
    }

    private mutating func note(_ reason: String, _ detail: String, path: String = "") {
        mistakes.append(PublicationMistake(change: next, path: path, reason: reason, detail: detail))
    }

    private mutating func check(_ document: [UInt8]) {
        let change: Change
        do throws(RecordError) { change = try Change(document: document) } catch {
            return note("CHANGE_INVALID", error.reason, path: error.path)
        }
        do {
            try check(change)
        } catch let refusal as Status {
            note(refusal.reason, refusal.message)
        } catch let error as RecordError {
            note("RECORD_INVALID", error.reason, path: error.path)
        } catch {
            note("CHANGE_INVALID", "\(error)")
        }
    }

    private mutating func check(_ change: Change) throws {
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
