import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// A continuously updated query for a section's members: after a change, it examines only what the change touches.
///
/// Finds only members; `item` makes an item when its member is shown.
protocol SectionQuery: Sendable {
    /// The changes that affect the members and their items, besides those of `watches`. Changes only in `reload` and
    /// `apply`.
    var triggers: Set<Trigger> { get }
    /// Whether `reload` may change `triggers`. If not, they aren't compared: there may be thousands.
    var reloadsTriggers: Bool { get }
    /// Whether `triggers` contains the trigger.
    func listens(to trigger: Trigger) -> Bool
    /// The beginnings of the orders that decide which members there are. Changes only in `reload`.
    var watches: [OrderWatch] { get }
    /// The reason why there is nothing to show, if any.
    var fault: SectionFault? { get }
    /// The edition of the list shown, if any.
    var edition: String? { get }
    /// All members, including those outside every window.
    var total: Int { get }
    /// Whether a limit leaves out further members.
    var isCapped: Bool { get }
    /// The place of its members in the list, if they are a window that can start anywhere.
    var shownPlace: ShownPlace? { get }

    /// The first members, in order.
    func members(first limit: Int) -> [Member]
    /// Finds all members again from the catalogue.
    mutating func reload(_ catalogue: inout Catalogue)
    /// Members known before whose items' inputs the last `reload` found changed.
    var reread: Set<Member> { get }
    /// Processes a change already applied to the catalogue, possibly one that the query doesn't listen to.
    mutating func follow(_ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters)
        -> SectionReaction
    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem?
    /// The members of the user's collections that the query needs, with all changes applied, in any order.
    var members: [StoredMember] { get }
    /// Applies changes of the user's collections, at most one per member.
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

/// A change in what a section listens to.
struct ListeningChange {
    var triggers = TriggerChange()
    /// `nil` if the watches are unchanged.
    var watches: (before: [OrderWatch], now: [OrderWatch])?
}

extension SectionQuery {
    func listens(to trigger: Trigger) -> Bool { triggers.contains(trigger) }
    var reloadsTriggers: Bool { true }
    var watches: [OrderWatch] { [] }
    var fault: SectionFault? { nil }
    var isCapped: Bool { false }
    var shownPlace: ShownPlace? { nil }
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

/// A kind of change that a section listens to.
enum Trigger: Hashable, Sendable {
    case record(CatalogueKey)
    /// The number of records in an order.
    case count(RecordOrder)
}

/// Identifies an order.
enum OrderID: Hashable, Sendable {
    case records(RecordOrder)
    /// The order of a list's entries.
    case list(ListName)
    /// The order of a facet's values.
    case facet(RecordFamily)
    /// The entries of a list that a section can show.
    case entries(EntryOrder)

    var records: RecordOrder? { if case .records(let order) = self { order } else { nil } }
    var entries: EntryOrder? { if case .entries(let order) = self { order } else { nil } }
    var facet: RecordFamily? { if case .facet(let family) = self { family } else { nil } }
}

/// The beginning of an order, its first `bound` members; or all of it.
struct OrderWatch: Hashable, Sendable {
    var order: OrderID
    var bound: Int
    /// Whether all moves of several commits are reported together, whatever their ranks, rather than one by one.
    var isJournalled = false

    init(journalOf order: OrderID) { (self.order, bound, isJournalled) = (order, .max, true) }

    init(order: RecordOrder, bound: Int) { (self.order, self.bound) = (.records(order), bound) }

    init(facet: RecordFamily, bound: Int) { (order, self.bound) = (.facet(facet), bound) }

    init(list: ListName, bound: Int) { (order, self.bound) = (.list(list), bound) }
}

/// A change that may touch a section.
enum SectionEvent: Sendable {
    /// A record among the triggers changed.
    case record(RecordMove)
    /// A record changed at the beginning of a watched order.
    case recordOrder(RecordOrderMove, RecordMove)
    /// Rows changed anywhere in an order whose journal is watched.
    case journal(OrderJournal)
    /// An entry changed at the beginning of a watched list.
    case list(ListMove)
    /// A value changed at the beginning of a watched facet.
    case facet(FacetMove)
    case trigger(Trigger)
}

/// The work that a change requires.
enum SectionReaction: Sendable {
    /// The members are unchanged; the item of this one has to be rebuilt.
    static func item(_ member: Member) -> SectionReaction { .items([member]) }

    case none
    /// Members and items are unchanged, but their place in the whole list isn't.
    case head
    /// Members were inserted or removed.
    case edits([MemberEdit])
    /// The members are unchanged; the items of these have to be rebuilt.
    case items(Set<Member>)
    /// The members have to be found again; items are kept, except those of these members.
    case members(except: Set<Member>)
    /// The members have to be found again and all items rebuilt.
    case all
}

/// An insertion or removal of a member, at its index in the list left by the preceding edits.
enum MemberEdit: Sendable {
    case remove(at: Int)
    case insert(Member, at: Int)
}

/// The combined work of several changes.
struct SectionTouch: Sendable {
    /// Up to this many edits, applying them one by one is cheaper than examining the whole list.
    private static let maximumEdits = 16

    private var items: Set<Member> = []
    /// The insertions and removals, if there are few and nothing else happened.
    private(set) var onlyEdits: [MemberEdit]? = []
    private var isEdited = false
    /// Whether all items have to be rebuilt.
    private(set) var allItems = false
    /// Whether the members have to be found again.
    private(set) var members = false
    /// Whether the head has to be made again.
    private var head = false

    init() {}

    static let everything: SectionTouch = {
        var touch = SectionTouch()
        (touch.allItems, touch.members, touch.onlyEdits) = (true, true, nil)
        return touch
    }()

    var isEmpty: Bool { items.isEmpty && !allItems && !members && !isEdited && !head }

    /// Whether nothing but the head has to be made again.
    var isOfHead: Bool { head && items.isEmpty && !allItems && !members && !isEdited && onlyEdits != nil }

    func covers(_ member: Member) -> Bool { allItems || items.contains(member) }

    mutating func add(_ reaction: SectionReaction) {
        switch reaction {
        case .none: return
        case .head: head = true
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
            // Many windows receive the same members, and share the set.
            if items.isEmpty { items = touched } else { items.formUnion(touched) }
            onlyEdits = nil
        case .all: self = .everything
        }
    }
}
