import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The records in one of the user's collections that meet a query's conditions, around an anchor. They are ordered when
/// the section is opened; from then on a change costs O(log n) comparisons and the window's rows.
struct PlacedMemberRecords: SectionQuery {
    private var whole: MemberRecords
    private let place: WindowPlace
    private let anchor: WindowAnchor<RecordKey>
    /// Whether the records have been ordered. From then on they follow all changes.
    private var isOrdered = false
    private var shown = PlacedIDs()
    private var isGone = false
    /// Records that changed while they weren't in the window: one may come back before it is made again.
    private var unseen: Set<Member> = []

    /// - Parameter anchor: the anchor of the place, in the order that is shown.
    init(_ whole: MemberRecords, at place: WindowPlace, _ anchor: WindowAnchor<RecordKey>) {
        self.whole = whole
        self.place = place
        self.anchor = anchor
    }

    var triggers: Set<Trigger> { whole.triggers }
    var reloadsTriggers: Bool { false }
    func listens(to trigger: Trigger) -> Bool { whole.listens(to: trigger) }
    var fault: SectionFault? { isGone ? .anchorIsGone : nil }
    var total: Int { shown.total }
    var members: [StoredMember] { whole.members }
    var shownPlace: ShownPlace? { ShownPlace(first: shown.first, cursor: shown.cursor) }

    func members(first limit: Int) -> [Member] { shown.ids.prefix(limit).map { .text($0) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        if !isOrdered { whole.reload(&catalogue) }
        isOrdered = true
        unseen = []
        find(in: catalogue)
    }

    private mutating func find(in catalogue: Catalogue) {
        let keys = whole.candidates.keys
        shown = PlacedIDs(total: keys.count)
        isGone = false
        guard let rank = rank(among: keys, in: catalogue) else {
            isGone = anchor.isOnlyRow
            return
        }
        let rows = place.rows(around: rank, of: keys.count)
        shown.ids = keys[rows].map(\.id)
        (shown.first, shown.ranks) = (rows.lowerBound, rows)
        shown.cursor = keys[rank].cursor(of: whole.family.sort, type: whole.family.type)
    }

    /// The rank of the row that the anchor stands for; `nil` if there is none.
    private func rank(among keys: [RecordKey], in catalogue: Catalogue) -> Int? {
        func place(_ key: RecordKey) -> Int { keys.partitioningIndex { !($0 < key) } }
        return anchor.rank(
            among: keys.count,
            row: { id in
                guard let rank = whole.key(of: id, in: catalogue).map(place) else { return nil }
                return rank < keys.count && keys[rank].id == id ? rank : nil
            }, place: place)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        reaction(to: whole.follow(event, in: catalogue, &work), in: catalogue)
    }

    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> MembersReaction {
        let taken = whole.apply(moves, in: catalogue, &work)
        return MembersReaction(reaction: reaction(to: taken.reaction, in: catalogue), triggers: taken.triggers)
    }

    /// The work for the window after a change of the whole list.
    private mutating func reaction(to reaction: SectionReaction, in catalogue: Catalogue) -> SectionReaction {
        var touched = unseen
        switch reaction {
        case .none: return .none
        case .items(let items) where isOrdered:
            let before = shown
            find(in: catalogue)
            touched.formUnion(items)
            if shown.ids == before.ids {
                let seen = touched.intersection(shown.ids.map { .text($0) })
                unseen = touched.subtracting(seen)
                if !seen.isEmpty { return .items(seen) }
                return shown == before ? .none : .head
            }
        case .items(let items): touched.formUnion(items)
        default: isOrdered = false
        }
        unseen = []
        return .members(except: touched)
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        whole.item(of: member, &maker, in: catalogue)
    }
}
