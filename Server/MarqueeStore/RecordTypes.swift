package import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
package import MarqueeTypes
import Synchronization

/// Checks a programme against a set of types, for a store that knows nothing about screens.
///
/// - Parameters:
///   - text: the programme's text.
///   - types: `nil` if there are none.
/// - Returns: its mistakes; empty if it can be shown.
package typealias ProgrammeCheck = @Sendable (_ text: String, _ types: TypeSet?) -> [FileMistake]

/// The types of the last document asked for, and the record that holds it: reading and parsing one costs more than most
/// commits. Thread safe.
final class TypeLibrary: Sendable {
    private let stored = Mutex<(total: TableTotal, record: CatalogueRecord?, reads: Int)?>(nil)
    private let newest = Mutex<(document: TypesDocument, types: TypeSet)?>(nil)
    private let programmeCheck: ProgrammeCheck?

    /// - Parameter programmeCheck: `nil` if the catalogue isn't shown.
    init(programmeCheck: ProgrammeCheck? = nil) { self.programmeCheck = programmeCheck }

    /// How often the record was read: a measure of work.
    var reads: Int { stored.withLock { $0?.reads ?? 0 } }

    /// The record with the types.
    ///
    /// - Parameters:
    ///   - total: differs whenever the record does: the total of its table, which holds nothing else, or a version.
    ///   - read: called if `total` has changed since the last call.
    func record(_ total: TableTotal, _ read: () throws -> CatalogueRecord?) rethrows -> CatalogueRecord? {
        let known = stored.withLock { $0 }
        if let known, known.total == total { return known.record }
        var record = try read()
        // Sharing storage with the document that was parsed makes comparing the two free.
        if case .types(let document)? = record, let known = newest.withLock({ $0?.document }), known == document {
            record = .types(known)
        }
        stored.withLock { $0 = (total, record, ($0?.reads ?? 0) + 1) }
        return record
    }

    /// - Throws: every mistake in the document.
    func types(of document: TypesDocument) throws(FileMistakes) -> TypeSet {
        if let known = newest.withLock({ $0 }), known.document == document { return known.types }
        let types = try TypeSet(document, file: "types")
        newest.withLock { $0 = (document, types) }
        return types
    }

    /// The mistakes of a programme with new types; none if it had mistakes with the old ones already.
    func mistakes(of programme: String, shownBy old: TypeSet?, with new: TypeSet) -> [FileMistake] {
        guard let programmeCheck, programmeCheck(programme, old).isEmpty else { return [] }
        return programmeCheck(programme, new)
    }
}

extension TypeSet {
    /// - Parameter file: the name of the declaration in messages.
    /// - Throws: every mistake in the document.
    package init(_ document: TypesDocument, file: String) throws(FileMistakes) {
        try self.init(
            document.declarations, file: file, descriptors: document.descriptors,
            builtIn: PresetSchema.recordKinds)
    }

    /// The types in the form in which the log stores them.
    package var document: TypesDocument { TypesDocument(declarations: declaration, descriptors: descriptors) }
}

/// The rules that the types in force set for changes to records. Each notes the mistakes in a change. A result that
/// comes with mistakes is good only for finding more of them.
extension TypeSet {
    /// The canonical bytes of a whole record.
    func record(_ id: RecordID, _ content: RecordContent, noting mistakes: inout RecordMistakes) -> [UInt8]? {
        guard let type = declared(id.type, noting: &mistakes) else { return nil }
        let read: [UInt8]? =
            switch content {
            case .json(let value): type.coder.record(json: value, noting: &mistakes)
            case .bytes(let bytes): type.coder.record(bytes: bytes, noting: &mistakes)
            }
        guard let record = read else { return nil }
        type.noteDates(in: record, noting: &mistakes)
        type.noteID(in: record, otherThan: id.id, noting: &mistakes)
        return record
    }

    /// Why a record can't be put; `nil` if it can.
    package func fault(of id: RecordID, _ content: RecordContent) -> String? {
        var mistakes = RecordMistakes(limit: 1)
        _ = record(id, content, noting: &mistakes)
        return mistakes.all.first.map { CommitPlan.Refusal($0).reason }
    }

    /// The canonical bytes of a record after some of its fields have changed.
    /// - Parameters:
    ///   - record: the canonical bytes before; `nil` if there is no such record.
    ///   - isKnown: whether `record` is what the catalogue has. If not, nothing that depends on it is refused.
    func merged(
        _ id: RecordID, _ content: RecordContent, clear: [String], into record: [UInt8]?, isKnown: Bool = true,
        noting mistakes: inout RecordMistakes
    ) -> [UInt8]? {
        guard let type = declared(id.type, noting: &mistakes) else { return nil }
        let read: RecordPatch? =
            switch content {
            case .json(let value): type.coder.patch(json: value, clear: clear, noting: &mistakes)
            case .bytes(let bytes): type.coder.patch(bytes: bytes, clear: clear, noting: &mistakes)
            }
        guard let patch = read else { return nil }
        // Not in the whole record, which may be older than the declaration of a date.
        type.noteDates(in: patch.record, noting: &mistakes)
        do throws(RecordError) {
            let before: [UInt8]
            if let record { before = record } else { before = try type.record(named: id.id) }
            let after = try type.coder.merge(patch, into: before, isWhole: isKnown)
            type.noteID(in: after, otherThan: id.id, noting: &mistakes)
            return after
        } catch {
            mistakes.note(error)
            return nil
        }
    }

    /// The declaration of a type.
    /// - Parameter member: the member of the change that names the type.
    func declared(
        _ alias: String, as member: NamingMember = .type, noting mistakes: inout RecordMistakes
    ) -> TypeDeclaration? {
        if let type = type(alias) { return type }
        let known = types.map(\.alias).sorted()
        let hint = NearestName.hint(for: alias, among: known)
        let all = hint.isEmpty ? "; the declared types are \(known.joined(separator: ", "))" : hint
        mistakes.note(RecordError(path: member.rawValue, "there is no type '\(alias)'\(all)"))
        return nil
    }
}
