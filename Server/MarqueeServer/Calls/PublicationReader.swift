import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes

/// Reads the documents of a publication, a bounded number at a time, so that other publications get their turn in
/// between.
struct PublicationReader {
    /// The most documents read at once: about ten milliseconds' worth.
    static let documentsAtOnce = 256

    private let documents: ArraySlice<[UInt8]>
    private let identity: Identity
    private var judge: ProgrammeValidator
    /// The changes read so far.
    private(set) var changes: [Change] = []
    private(set) var record = PublicationRecord()

    /// - Parameters:
    ///   - documents: JSON, one change each.
    ///   - skipping: how many at the beginning are no changes.
    ///   - identity: the publisher's.
    ///   - types: the current ones.
    init(_ documents: [[UInt8]], skipping: Int = 0, by identity: Identity, types: TypeSet?) {
        self.documents = documents.dropFirst(skipping)
        self.identity = identity
        judge = ProgrammeValidator(types: types)
        changes.reserveCapacity(documents.count)
    }

    /// The changes of a publication, all read at once.
    /// - Throws: the status that refuses the whole publication.
    static func changes(
        of documents: [[UInt8]], skipping: Int = 0, by identity: Identity, types: TypeSet?
    ) throws(Status) -> [Change] {
        var reader = PublicationReader(documents, skipping: skipping, by: identity, types: types)
        try reader.read(atMost: documents.count)
        return reader.changes
    }

    var isDone: Bool { changes.count == documents.count }

    /// Reads the next documents.
    /// - Throws: the status that refuses the whole publication.
    mutating func read(atMost count: Int = documentsAtOnce) throws(Status) {
        for (index, document) in zip(documents.indices, documents).dropFirst(changes.count).prefix(count) {
            do {
                let change = try Change(document: document)
                let subject = change.subjectOfPublishing
                if let refusal = Authoriser.refusal(of: .publish(subject), to: identity) { throw refusal }
                try judge.check(change)
                record.add(subject)
                changes.append(change)
            } catch let refusal as Status {
                throw refusal
            } catch {
                throw .changeInvalid(index, "\(error)")
            }
        }
    }
}
