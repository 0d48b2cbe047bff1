import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The members of a user's collection whose records the catalogue has: newest first, then by subject if one revision
/// set several.
struct CollectionItems: SectionQuery {
    private let collection: CollectionName
    /// Maximum number of members shown.
    private let limit: Int
    private let presentation: RecordPresentation
    private var revisions: [String: UInt64] = [:]
    private var values: MemberValues
    private var candidates = CandidateList<MemberKey>()

    /// - Parameter members: of this collection and of the collections whose values the bodies print; others are
    ///   ignored.
    init(_ query: Programme.CollectionQuery, _ members: [StoredMember], presentation: RecordPresentation) {
        collection = query.name
        limit = query.limit ?? .max
        self.presentation = presentation
        values = MemberValues(
            of: presentation.bodies.values.reduce(into: [query.name]) { $0.formUnion($1.collections) })
        for member in members {
            values.keep(member, of: member.name)
            if member.collection == collection { revisions[member.subject] = member.revision }
        }
    }

    /// The record that a subject names; `nil` if the section doesn't show records of its type.
    private func record(_ name: String) -> RecordID? {
        guard !presentation.bodies.isEmpty, let slash = name.firstIndex(of: "/") else { return nil }
        let type = String(name[..<slash])
        return presentation.bodies[type].map { _ in
            RecordID(type: type, id: String(name[name.index(after: slash)...]))
        }
    }

    private func trigger(_ name: String) -> Trigger? { record(name).map { .record(.typed($0)) } }

    var triggers: Set<Trigger> { Set(revisions.keys.compactMap(trigger)) }
    var reloadsTriggers: Bool { false }
    var total: Int { min(candidates.count, limit) }
    var isCapped: Bool { candidates.count > limit }
    var members: [StoredMember] { values.members }

    func key(of name: String) -> MemberKey? { revisions[name].map { MemberKey(revision: $0, subject: name) } }

    /// The members at ranks. The ranks must be within the list.
    func subjects(at ranks: Range<Int>) -> [String] { candidates.keys[ranks].map(\.subject) }

    /// The number of members before a place.
    func rank(of key: MemberKey) -> Int { candidates.keys.partitioningIndex { !($0 < key) } }

    /// The rank of a member; `nil` if it isn't shown.
    func rank(of subject: String) -> Int? {
        guard let key = key(of: subject) else { return nil }
        let rank = rank(of: key)
        return rank < candidates.count && candidates.keys[rank] == key ? rank : nil
    }

    func members(first limit: Int) -> [Member] {
        candidates.keys.prefix(min(limit, self.limit)).map { .text($0.subject) }
    }

    mutating func reload(_ catalogue: inout Catalogue) {
        let present = revisions.keys.filter { exists($0, in: catalogue) }
        candidates = CandidateList(present.compactMap { key(of: $0) })
    }

    private func exists(_ name: String, in catalogue: Catalogue) -> Bool {
        record(name).map(catalogue.records.contains) ?? false
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        guard case .record(let move) = event else { return .none }
        let subject = move.id.subject.name
        guard let key = key(of: subject) else { return .none }
        candidates.replace(move.old.map { _ in key }, by: move.new.map { _ in key }, &work)
        return .item(.text(subject))
    }

    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> MembersReaction {
        var edits: [MemberEdit] = []
        var touched: Set<Member> = []
        var triggers = TriggerChange()
        var isCut = candidates.count > limit
        for move in moves {
            let subject = move.change.subject
            let isWanted = values.keep(move.member, of: move.change.name)
            guard move.change.collection == collection else {
                if isWanted, revisions[subject] != nil { touched.insert(.text(subject)) }
                continue
            }
            let trigger = trigger(subject)
            if let old = key(of: subject) {
                if let trigger { triggers.remove(trigger) }
                revisions[subject] = nil
                if let place = candidates.remove(old, &work) { edits.append(.remove(at: place)) }
            }
            if let member = move.member {
                revisions[subject] = member.revision
                if let trigger { triggers.add(trigger) }
                if exists(subject, in: catalogue), let key = key(of: subject) {
                    edits.append(.insert(.text(subject), at: candidates.insert(key, &work)))
                }
            }
            isCut = isCut || candidates.count > limit
        }
        // If not all candidates are shown, an insertion evicts the last one and a removal promotes the next.
        guard isCut || !touched.isEmpty else { return MembersReaction(reaction: .edits(edits), triggers: triggers) }
        for case .insert(let member, _) in edits { touched.insert(member) }
        return MembersReaction(
            reaction: edits.isEmpty && touched.isEmpty ? .none : .items(touched), triggers: triggers)
    }

    func listens(to trigger: Trigger) -> Bool {
        guard case .record(.typed(let id)) = trigger else { return false }
        return revisions[id.subject.name] != nil && presentation.bodies[id.type] != nil
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let name) = member, let record = record(name) else { return nil }
        return presentation.item(of: record, values: values.of(name), &maker, in: catalogue)
    }
}

/// The members of some of a user's collections, by subject.
struct MemberValues: Sendable {
    private var values: [CollectionName: [String: StoredMember]]

    /// - Parameter collections: the collections whose members are stored.
    init(of collections: Set<CollectionName>) {
        values = Dictionary(uniqueKeysWithValues: collections.map { ($0, [:]) })
    }

    var members: [StoredMember] { values.values.flatMap(\.values) }

    /// The values that the collections store for one subject.
    func of(_ subject: String) -> [CollectionName: [UInt8]] { values.compactMapValues { $0[subject]?.value } }

    func has(_ subject: String, in collection: CollectionName) -> Bool { values[collection]?[subject] != nil }

    /// - Parameter member: `nil` if the member was removed.
    /// - Returns: whether members of this collection are stored.
    @discardableResult
    mutating func keep(_ member: StoredMember?, of name: MemberName) -> Bool {
        guard values[name.collection] != nil else { return false }
        values[name.collection]?[name.subject] = member
        return true
    }
}

/// A member's sort key: newest first, then by subject if one revision set several.
struct MemberKey: Comparable, Hashable, Sendable {
    var revision: UInt64
    var subject: String

    static func < (a: MemberKey, b: MemberKey) -> Bool {
        a.revision != b.revision ? a.revision > b.revision : a.subject < b.subject
    }
}
