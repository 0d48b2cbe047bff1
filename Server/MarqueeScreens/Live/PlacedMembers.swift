import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The members of a user's collection around an anchor, wherever it is. The members are counted when the section is
/// opened; from then on a change costs O(log n) comparisons and the window's rows.
struct PlacedMembers: SectionQuery {
    private var whole: CollectionItems
    private let place: WindowPlace
    private let anchor: WindowAnchor<MemberKey>
    /// Whether the members have been counted. From then on they follow all changes.
    private var isCounted = false
    private var shown = ShownMembers()
    /// Members that changed while they weren't in the window: one may come back before it is made again.
    private var unseen: Set<Member> = []

    /// The rows of the window, and where it is.
    private struct ShownMembers: Equatable {
        var subjects: [String] = []
        var first = 0
        var total = 0
        /// `nil` without rows.
        var anchor: MemberKey?
        var isGone = false
    }

    /// - Parameters:
    ///   - query: without a limit.
    ///   - anchor: the anchor of the place.
    init(
        _ query: Programme.CollectionQuery, at place: WindowPlace, _ anchor: WindowAnchor<MemberKey>,
        _ members: [StoredMember], presentation: RecordPresentation
    ) {
        whole = CollectionItems(query, members, presentation: presentation)
        self.place = place
        self.anchor = anchor
    }

    var triggers: Set<Trigger> { whole.triggers }
    var reloadsTriggers: Bool { false }
    func listens(to trigger: Trigger) -> Bool { whole.listens(to: trigger) }
    var fault: SectionFault? { shown.isGone ? .anchorIsGone : nil }
    var total: Int { shown.total }
    var members: [StoredMember] { whole.members }
    var shownPlace: ShownPlace? { ShownPlace(first: shown.first, cursor: shown.anchor?.cursor ?? []) }

    func members(first limit: Int) -> [Member] { shown.subjects.prefix(limit).map { .text($0) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        if !isCounted { whole.reload(&catalogue) }
        isCounted = true
        shown = found()
        unseen = []
    }

    private func found() -> ShownMembers {
        var found = ShownMembers(total: whole.total)
        guard let rank = rank else {
            found.isGone = anchor.isOnlyRow
            return found
        }
        let rows = place.rows(around: rank, of: found.total)
        found.subjects = whole.subjects(at: rows)
        found.first = rows.lowerBound
        found.anchor = whole.key(of: found.subjects[rank - rows.lowerBound])
        return found
    }

    /// The rank of the row that the anchor stands for; `nil` if there is none.
    private var rank: Int? {
        anchor.rank(among: whole.total, row: { whole.rank(of: $0) }, place: { whole.rank(of: $0) })
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        reaction(to: whole.follow(event, in: catalogue, &work))
    }

    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> MembersReaction {
        let taken = whole.apply(moves, in: catalogue, &work)
        return MembersReaction(reaction: reaction(to: taken.reaction), triggers: taken.triggers)
    }

    /// The work for the window after a change of the whole collection.
    private mutating func reaction(to reaction: SectionReaction) -> SectionReaction {
        var touched: Set<Member> = []
        switch reaction {
        case .none: return .none
        case .head, .members, .all: return .all
        case .items(let items): touched = items
        case .edits(let edits): for case .insert(let member, _) in edits { touched.insert(member) }
        }
        if !isCounted { return .all }
        let before = shown
        shown = found()
        touched.formUnion(unseen)
        if shown.subjects != before.subjects {
            unseen = []
            return .members(except: touched)
        }
        let seen = touched.intersection(shown.subjects.map { .text($0) })
        unseen = touched.subtracting(seen)
        if !seen.isEmpty { return .items(seen) }
        return shown == before ? .none : .head
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        whole.item(of: member, &maker, in: catalogue)
    }
}

extension MemberKey {
    /// Maximum bytes of a cursor, more than those of any cursor made here.
    private static let cursorBytes = 4_096
    private static let stamp = Array("mine".utf8)
    private static let revisionBytes = 8

    /// - Returns: `nil` if the bytes aren't a cursor of a collection.
    init?(cursor: [UInt8]) {
        let prefix = Self.stamp.count + Self.revisionBytes
        guard cursor.count > prefix, cursor.count <= Self.cursorBytes, cursor.starts(with: Self.stamp),
            let subject = String(validating: cursor[prefix...], as: UTF8.self)
        else { return nil }
        let revision = cursor[Self.stamp.count..<prefix].reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
        self.init(revision: revision, subject: subject)
    }

    /// The place as opaque bytes.
    var cursor: [UInt8] {
        Self.stamp + withUnsafeBytes(of: revision.bigEndian) { Array($0) } + subject.utf8
    }
}
