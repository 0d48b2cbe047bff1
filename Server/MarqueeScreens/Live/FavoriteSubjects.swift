import MarqueeModel
import MarqueeStore

/// Every subject that a user has marked, whether the catalogue has it or not: the newest first, by subject where one
/// revision set several.
struct FavoriteSubjects: SectionQuery {
    private var revisions: [String: UInt64]
    private var candidates: CandidateList

    init(_ favorites: [Favorite]) {
        revisions = Dictionary(favorites.map { ($0.subject, $0.revision) }, uniquingKeysWith: max)
        candidates = CandidateList(revisions.map { Self.key(of: $0.key, setBy: $0.value) })
    }

    private static func key(of subject: String, setBy revision: UInt64) -> SortKey {
        SortKey(ordinal: SortKey.descending(revision), text: subject, id: 0)
    }

    var triggers: Set<Trigger> { [] }
    var total: Int { candidates.count }
    var favorites: [Favorite] { revisions.map { Favorite(subject: $0.key, revision: $0.value) } }

    func members(first limit: Int) -> [Member] { candidates.keys.prefix(limit).map { .text($0.text) } }

    mutating func reload(_ catalogue: inout Catalogue) {}

    mutating func take(
        _ moves: [FavoriteMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> FavoritesTaken {
        var edits: [MemberEdit] = []
        for move in moves {
            if let old = revisions.removeValue(forKey: move.subject),
                let place = candidates.remove(Self.key(of: move.subject, setBy: old), &work)
            {
                edits.append(.remove(at: place))
            }
            guard move.isSet else { continue }
            revisions[move.subject] = move.revision
            let place = candidates.insert(Self.key(of: move.subject, setBy: move.revision), &work)
            edits.append(.insert(.text(move.subject), at: place))
        }
        return FavoritesTaken(reaction: .edits(edits))
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let subject) = member, let revision = revisions[subject] else { return nil }
        return maker.make(subject, subject: subject, .favorite(revision: revision))
    }
}
