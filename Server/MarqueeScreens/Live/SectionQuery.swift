import MarqueeModel
import MarqueeStore

/// What a section shows, as a query that is kept up to date: told of a change, it looks at what the change touches and
/// at nothing else.
///
/// Finds members only; their items are made by `item`, when they are shown.
protocol SectionQuery: Sendable {
    /// What the members and their items are made of, beside the orders. Changes with `reload` and `take` only.
    var triggers: Set<Trigger> { get }
    /// The beginnings of orders that decide about members. Never changes.
    var watches: [OrderWatch] { get }
    /// Why there is nothing to show.
    var fault: SectionFault? { get }
    /// The day or hour that all of it is of.
    var step: ChartStep? { get }
    /// All members, including those outside every window.
    var total: Int { get }

    /// The first members, in order.
    func members(first limit: Int) -> [Member]
    /// Finds all members again from the catalogue.
    mutating func reload(_ catalogue: inout Catalogue)
    /// Takes in a change that the catalogue has already made. It may be one that the query doesn't listen to.
    mutating func follow(_ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters)
        -> SectionReaction
    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem?
    /// The favorites that it was made with and has taken since, in any order.
    var favorites: [Favorite] { get }
    /// Follows changes of the user's favorites: at most one for each subject.
    mutating func take(_ moves: [FavoriteMove], in catalogue: Catalogue, _ work: inout ScreenCounters) -> FavoritesTaken
}

/// What a query makes of changes of favorites.
struct FavoritesTaken {
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
}

extension SectionQuery {
    var watches: [OrderWatch] { [] }
    var fault: SectionFault? { nil }
    var step: ChartStep? { nil }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction { .all }

    var favorites: [Favorite] { [] }

    mutating func take(
        _ moves: [FavoriteMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> FavoritesTaken { FavoritesTaken() }
}

/// Identifies an item among the others of its section.
enum Member: Hashable, Sendable {
    /// A movie or genre by its id, or another item by its place in a list.
    case number(UInt64)
    case text(String)

    var number: UInt64? { if case .number(let number) = self { number } else { nil } }
}

/// What a section listens to.
enum Trigger: Hashable, Sendable {
    case record(CatalogueKey)
    /// How many movies a genre has.
    case movieCount(UInt64)
}

/// The beginning of an order: its first `bound` movies.
struct OrderWatch: Hashable, Sendable {
    var order: OrderName
    var bound: Int
}

/// A change that touches a section.
enum SectionEvent: Sendable {
    /// A movie among the triggers changed.
    case movie(MovieMove)
    /// A movie changed at the beginning of a watched order.
    case order(OrderMove, MovieMove)
    case trigger(Trigger)
}

/// What a change leaves to do.
enum SectionReaction: Sendable {
    /// The members are right; this one's item has to be rebuilt.
    static func item(_ member: Member) -> SectionReaction { .items([member]) }

    case none
    /// These members came and went.
    case edits([MemberEdit])
    /// The members are right; the items of these have to be rebuilt.
    case items(Set<Member>)
    /// The members have to be found again; items stay, except these.
    case members(except: Set<Member>)
    /// The members have to be found again and all items rebuilt.
    case all
}

/// A member that came or went, at its place in the list that the edits before it left.
enum MemberEdit: Sendable {
    case remove(at: Int)
    case insert(Member, at: Int)
}

/// What several changes leave to do.
struct SectionTouch: Sendable {
    /// So many edits cost less one by one than going through the whole list.
    private static let maximumEdits = 16

    private var items: Set<Member> = []
    /// The members that came and went, if nothing else happened and they are few.
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
