import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// What a section shows, as a continuously updated query: on a change, it examines only what the change touches.
///
/// Finds only members; `item` makes their items when they are shown.
protocol SectionQuery: Sendable {
    /// What the members and their items depend on, besides the orders. Changes only in `reload` and `apply`.
    var triggers: Set<Trigger> { get }
    /// Whether that is one of `triggers`.
    func listens(to trigger: Trigger) -> Bool
    /// The beginnings of orders that decide about members. Changes with `reload` only.
    var watches: [OrderWatch] { get }
    /// Why there is nothing to show.
    var fault: SectionFault? { get }
    /// The edition of a list that is shown.
    var edition: String? { get }
    /// All members, including those outside every window.
    var total: Int { get }

    /// The first members, in order.
    func members(first limit: Int) -> [Member]
    /// Finds all members again from the catalogue.
    mutating func reload(_ catalogue: inout Catalogue)
    /// Members known before whose items the last `reload` found to be made of other things now.
    var reread: Set<Member> { get }
    /// Processes a change already applied to the catalogue. It may be one the query doesn't listen to.
    mutating func follow(_ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters)
        -> SectionReaction
    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem?
    /// The members of the user's collections that it was created with and needs, as changed since, in any order.
    var members: [StoredMember] { get }
    /// Applies changes to the user's collections, at most one per member.
    mutating func apply(_ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters)
        -> MembersReaction
}

/// A query's reaction to changes of the user's collections.
struct MembersReaction {
    var reaction = SectionReaction.none
    var triggers = TriggerChange()
}

/// Triggers that were added and removed.
struct TriggerChange: Sendable {
    private(set) var added: Set<Trigger> = []
    private(set) var removed: Set<Trigger> = []

    mutating func add(_ trigger: Trigger) {
        if removed.remove(trigger) == nil { added.insert(trigger) }
    }

    mutating func remove(_ trigger: Trigger) {
        if added.remove(trigger) == nil { removed.insert(trigger) }
    }

    mutating func add(_ other: TriggerChange) {
        for trigger in other.added { add(trigger) }
        for trigger in other.removed { remove(trigger) }
    }
}

/// How a section listens otherwise than before.
struct ListeningChange {
    var triggers = TriggerChange()
    /// `nil` where they stay.
    var watches: (before: [OrderWatch], now: [OrderWatch])?
}

extension SectionQuery {
    func listens(to trigger: Trigger) -> Bool { triggers.contains(trigger) }
    var watches: [OrderWatch] { [] }
    var fault: SectionFault? { nil }
    var edition: String? { nil }
    var reread: Set<Member> { [] }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction { .all }

    var members: [StoredMember] { [] }

    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> MembersReaction { MembersReaction() }
}

/// Identifies an item among the others of its section.
enum Member: Hashable, Sendable {
    /// An item by its index in a list.
    case number(UInt64)
    case text(String)

    var number: UInt64? { if case .number(let number) = self { number } else { nil } }
}

/// What a section listens to.
enum Trigger: Hashable, Sendable {
    case record(CatalogueKey)
}

/// Names an order.
enum OrderID: Hashable, Sendable {
    case records(RecordOrder)
    /// That of a list's entries.
    case list(ListName)
    /// That of a facet's values.
    case facet(RecordFamily)

    var records: RecordOrder? { if case .records(let order) = self { order } else { nil } }
    var facet: RecordFamily? { if case .facet(let family) = self { family } else { nil } }
}

/// The beginning of an order: its first `bound` members.
struct OrderWatch: Hashable, Sendable {
    var order: OrderID
    var bound: Int

    init(order: RecordOrder, bound: Int) { (self.order, self.bound) = (.records(order), bound) }

    init(facet: RecordFamily, bound: Int) { (order, self.bound) = (.facet(facet), bound) }

    init(list: ListName, bound: Int) { (order, self.bound) = (.list(list), bound) }
}

/// A change that touches a section.
enum SectionEvent: Sendable {
    /// A record among the triggers changed.
    case record(RecordMove)
    /// A record changed at the beginning of a watched order.
    case recordOrder(RecordOrderMove, RecordMove)
    /// An entry changed at the beginning of a watched list.
    case list(ListMove)
    /// A value changed at the beginning of a watched facet.
    case facet(FacetMove)
    case trigger(Trigger)
}

/// The work a change requires.
enum SectionReaction: Sendable {
    /// The members are unchanged; this one's item has to be rebuilt.
    static func item(_ member: Member) -> SectionReaction { .items([member]) }

    case none
    /// These members came or went.
    case edits([MemberEdit])
    /// The members are unchanged; these ones' items have to be rebuilt.
    case items(Set<Member>)
    /// The members have to be found again; items are kept, except these.
    case members(except: Set<Member>)
    /// The members have to be found again and all items rebuilt.
    case all
}

/// A member that came or went, at its index in the list left by the preceding edits.
enum MemberEdit: Sendable {
    case remove(at: Int)
    case insert(Member, at: Int)
}

/// The combined work of several changes.
struct SectionTouch: Sendable {
    /// Up to this many edits cost less individually than going through the whole list.
    private static let maximumEdits = 16

    private var items: Set<Member> = []
    /// The members that came and went, if nothing else happened and there are few.
    private(set) var onlyEdits: [MemberEdit]? = []
    private var isEdited = false
    /// All items have to be rebuilt.
    private(set) var allItems = false
    /// The members have to be found again.
    private(set) var members = false

    init() {}

    static let everything: SectionTouch = {
        var touch = SectionTouch()
        (touch.allItems, touch.members, touch.onlyEdits) = (true, true, nil)
        return touch
    }()

    var isEmpty: Bool { items.isEmpty && !allItems && !members && !isEdited }

    func covers(_ member: Member) -> Bool { allItems || items.contains(member) }

    mutating func add(_ reaction: SectionReaction) {
        switch reaction {
        case .none: return
        case .edits(let edits):
            isEdited = isEdited || !edits.isEmpty
            for case .insert(let member, _) in edits { items.insert(member) }
            onlyEdits?.append(contentsOf: edits)
            if let count = onlyEdits?.count, count > Self.maximumEdits { onlyEdits = nil }
        case .items(let touched):
            items.formUnion(touched)
            onlyEdits = nil
        case .members(let touched):
            members = true
            items.formUnion(touched)
            onlyEdits = nil
        case .all: self = .everything
        }
    }
}
