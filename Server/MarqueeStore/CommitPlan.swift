import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Works out what a list of changes does to the catalogue, before anything is written.
///
/// So a bad change in the middle of a commit needs no undoing, and a change means the same to every engine. A change
/// touches only the record that its key names: removing a record leaves whatever refers to it, such as lists and
/// favorites, as it is. There is one exception: a list stops showing an edition that is removed.
package struct CommitPlan {
    /// Why a change is refused.
    struct Refusal: Error {
        var reason: String

        init(reason: String) { self.reason = reason }

        init(_ error: RecordError) {
            // The reason contains the name already.
            reason = NamingMember(rawValue: error.path) == nil ? "\(error)" : error.reason
        }
    }

    /// A source isn't at the position that its publication expects: another process publishes for it.
    struct SourceElsewhere: Error {
        var source: String
        var stored: String?
        var expected: String?
    }

    /// Facts about a stored list, kept so that its entries aren't counted again for each of many edits that change
    /// nothing.
    struct StoredLook {
        /// The most ranks that are looked up one by one.
        static let placesOneByOne = 8

        var count: Int?
        /// How many ranks have been looked up.
        var places = 0
        /// All keys in order, once more than `placesOneByOne` ranks have been looked up.
        var keys: [String]?
    }

    /// Why a change to records or lists is refused if there are no types.
    package static let noTypes = "there are no types yet; put 'types' first"

    /// The changes so far that have an effect, in order, with those to a record that a later one replaces.
    var made: [Change] = []
    /// The indices in `made` of changes that a later one replaces.
    private var replaced: Set<Int> = []
    /// Bytes of records that merges have read after this commit had written them: a measure of work.
    private(set) var bytesReadAgain = 0
    /// The records to write, except lists; each of an operator's type has its place in `made`.
    var records = PlannedRecords()
    var planned = PlannedLists()
    /// Answers about stored lists that no change has touched yet.
    var looks: [ListName: StoredLook] = [:]
    private let library: TypeLibrary
    /// The last programme among the changes; types changed before it are checked against it too.
    private let programme: String?
    /// The types in force after the changes so far; `nil` until a change asks for them.
    private(set) var types: TypeSet?

    /// The changes that take effect, in order: one for each record, however many there were.
    var changes: [Change] {
        replaced.isEmpty ? made : made.indices.filter { !replaced.contains($0) }.map { made[$0] }
    }

    /// - Parameters:
    ///   - changes: those that will be added.
    ///   - library: reads types.
    init(of changes: [Change], library: TypeLibrary) {
        self.library = library
        programme = changes.lazy.reversed().compactMap { if case .programme(let text) = $0 { text } else { nil } }.first
        made.reserveCapacity(changes.count)
        records.reserveCapacity(changes.count)
    }

    /// Adds the effect of one change.
    /// - Parameters:
    ///   - stored: reads the record stored under a name.
    ///   - hasRecords: says whether records of a type are stored.
    ///   - hasMembers: says whether any user has a member in a collection.
    ///   - lists: the stored lists.
    /// - Throws: `Refusal`, or what the functions and `lists` throw.
    mutating func add(
        _ change: Change, stored: (RecordName) throws -> CatalogueRecord?,
        hasRecords: (String) throws -> Bool, hasMembers: (CollectionName) throws -> Bool,
        lists: any StoredLists
    ) throws {
        if let reason = CatalogueBounds.refusal(of: change) { throw Refusal(reason: reason) }
        func current(_ name: RecordName) throws -> CatalogueRecord? {
            if let planned = records[name] { return planned.record }
            return try stored(name)
        }

        let name: RecordName
        let record: CatalogueRecord?
        /// The current record, if the change had to look at it.
        var before: CatalogueRecord??
        var change = change
        switch change {
        case .chooseEntry(let pool, let entry):
            (name, record) = (.choice(pool: pool), .chosenEntry(pool: pool, entry: entry))
        case .chooseRecord(let pool, let id):
            let known = try neededTypes(current)
            if types == nil { types = known }
            _ = try Self.refusing { known.declared(id.type, as: .record, noting: &$0) }
            (name, record) = (.choice(pool: pool), .chosenRecord(pool: pool, record: id))
        case .removeChoice(let pool): (name, record) = (.choice(pool: pool), nil)
        case .page(let page): (name, record) = (.page(page.id), .page(page))
        case .removePage(let id): (name, record) = (.page(id), nil)
        case .programme(let text): (name, record) = (.programme, .programme(text))
        case .time(let moment):
            // Time only moves forward: several servers commit it, each by its own clock.
            if case .time(let now)? = try current(.time), moment <= now { return }
            (name, record) = (.time, .time(moment))
        case .source(let move):
            var stored: String?
            if case .source(let position)? = try current(.source(move.source)) { stored = position.position }
            guard stored == move.expected else {
                throw SourceElsewhere(source: move.source, stored: stored, expected: move.expected)
            }
            guard let position = move.position, position != stored else { return }
            let moved = SourcePosition(move.source, at: position, moved: move.moved)
            // The log holds the new position, without `expected`.
            change = .source(moved)
            (name, record) = (.source(move.source), .source(moved))
        case .types(let document):
            let new = try read(document)
            let old = try typesInForce(current)
            var reasons: [String] = []
            if let old {
                let used = try old.types.map(\.alias).filter { try isUsed($0, hasRecords) }
                let collections = try old.collections.map(\.name).filter { try hasMembers(CollectionName($0)) }
                let stored = try old.lists.map(\.name).filter { try isStored(listsDeclaredAs: $0, lists) }
                let inUse = TypesInUse(records: Set(used), collections: Set(collections), lists: Set(stored))
                reasons = old.changes(to: new, inUse: inUse).incompatible
            }
            if let text = try programme ?? programmeInForce(current) {
                reasons += library.mistakes(of: text, shownBy: old, with: new).map { "the programme needs more: \($0)" }
            }
            if !reasons.isEmpty { throw Refusal(reason: reasons.joined(separator: "\n")) }
            types = new
            (name, record) = (.types, .types(document))
        case .put(let id, let content):
            let known = try neededTypes(current)
            if types == nil { types = known }
            let whole = try Self.refusing { known.record(id, content, noting: &$0) }
            (name, record) = (.typed(id), .typed(id, whole))
        case .merge(let id, let content, let clear, let creates):
            let known = try neededTypes(current)
            if types == nil { types = known }
            let existing = try current(.typed(id))
            var old: [UInt8]?
            if case .typed(_, let bytes)? = existing { old = bytes }
            if let old, records[.typed(id)]?.place != nil { try noteReadAgain(old.count) }
            if old == nil, !creates {
                throw Refusal(reason: "there is no \(id.subject), and this change doesn't create it")
            }
            let merged = try Self.refusing { known.merged(id, content, clear: clear, into: old, noting: &$0) }
            (name, record, before) = (.typed(id), .typed(id, merged), existing)
        case .remove(let id):
            let known = try neededTypes(current)
            if types == nil { types = known }
            _ = try Self.refusing { known.declared(id.type, noting: &$0) }
            (name, record) = (.typed(id), nil)
        case .list, .listItem, .show, .removeList:
            let known = try neededTypes(current)
            if types == nil { types = known }
            return try add(change, of: lists, by: known, stored)
        }
        let earlier = records[name]
        guard try before ?? earlier.map(\.record) ?? stored(name) != record else { return }
        if let place = earlier?.place {
            replaced.insert(place)
            // A record created and removed by the same commit leaves no trace.
            if record == nil, try stored(name) == nil { return records.forget(name) }
        }
        // The log must be readable without the types, so it holds whole records as bytes.
        if case .typed? = record, let whole = record?.change { change = whole }
        let isTyped = if case .typed = name { true } else { false }
        records.put(record, under: name, place: isTyped ? made.count : nil)
        made.append(change)
    }

    /// Bounds the work of many merges into one record, each of which reads and writes all of it.
    private mutating func noteReadAgain(_ count: Int) throws {
        bytesReadAgain += count
        guard bytesReadAgain > CatalogueBounds.bytesReadAgain else { return }
        throw Refusal(
            reason: "the merges of this commit read more than \(CatalogueBounds.bytesReadAgain) bytes of records that "
                + "it has written itself; combine the merges of each record, or make several commits")
    }

    // MARK: - Types

    private func typesInForce(_ current: (RecordName) throws -> CatalogueRecord?) throws -> TypeSet? {
        if let types { return types }
        guard case .types(let document)? = try current(.types) else { return nil }
        return try read(document)
    }

    private func read(_ document: TypesDocument) throws -> TypeSet {
        do throws(FileMistakes) {
            return try library.types(of: document)
        } catch {
            throw Refusal(reason: "\(error)")
        }
    }

    private func programmeInForce(_ current: (RecordName) throws -> CatalogueRecord?) throws -> String? {
        guard case .programme(let text)? = try current(.programme) else { return nil }
        return text
    }

    private func neededTypes(_ current: (RecordName) throws -> CatalogueRecord?) throws -> TypeSet {
        if let types = try typesInForce(current) { return types }
        throw Refusal(reason: Self.noTypes)
    }

    private func isUsed(_ alias: String, _ hasRecords: (String) throws -> Bool) throws -> Bool {
        let isPut = records.puts { if case .typed(let id) = $0 { id.type == alias } else { false } }
        if isPut { return true }
        // Records that this commit removes still count; the type can be removed in a later commit.
        return try hasRecords(alias)
    }

    /// Applies a rule of the types to a change.
    /// - Throws: `Refusal` for the first mistake that it notes.
    static func refusing<Value>(_ rule: (inout RecordMistakes) -> Value?) throws -> Value {
        do throws(RecordError) {
            return try RecordMistakes.refusing(rule)
        } catch {
            throw Refusal(error)
        }
    }
}
