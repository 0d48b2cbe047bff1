import MarqueeModel
import MarqueeStore

/// All members of a user's collection with their values, whether or not the catalogue has them: newest first, then by
/// subject if one revision set several.
struct CollectionSubjects: SectionQuery {
    private let collection: Programme.UserCollection
    private var known: [String: StoredMember] = [:]
    private var candidates: CandidateList<MemberKey>

    init(_ collection: Programme.UserCollection, _ members: [StoredMember]) {
        self.collection = collection
        for member in members where member.collection == collection.name { known[member.subject] = member }
        candidates = CandidateList(known.values.map(Self.key))
    }

    private static func key(of member: StoredMember) -> MemberKey {
        MemberKey(revision: member.revision, subject: member.subject)
    }

    var triggers: Set<Trigger> { [] }
    var total: Int { candidates.count }
    var members: [StoredMember] { Array(known.values) }

    func members(first limit: Int) -> [Member] { candidates.keys.prefix(limit).map { .text($0.subject) } }

    mutating func reload(_ catalogue: inout Catalogue) {}

    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> MembersReaction {
        var edits: [MemberEdit] = []
        for move in moves where move.change.collection == collection.name {
            let subject = move.change.subject
            if let old = known.removeValue(forKey: subject), let place = candidates.remove(Self.key(of: old), &work) {
                edits.append(.remove(at: place))
            }
            guard let member = move.member else { continue }
            known[subject] = member
            edits.append(.insert(.text(subject), at: candidates.insert(Self.key(of: member), &work)))
        }
        return MembersReaction(reaction: .edits(edits))
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let subject) = member, let found = known[subject] else { return nil }
        // Values were validated when they were stored, and their type can't change while any are stored.
        let value = (try? collection.value?.json(of: found.value)).flatMap { $0 }.map { CollectionValue(json: $0) }
        return maker.make(subject, subject: subject, .member(revision: found.revision, value: value))
    }
}
