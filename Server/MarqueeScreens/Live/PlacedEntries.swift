import MarqueeCatalogue
import MarqueeModel

/// The entries of a list, or of its current edition, around an anchor, wherever it is. Those that can't be shown don't
/// count. Finding them costs O(log n) and the window's rows.
struct PlacedEntries: SectionQuery {
    private let query: Programme.ListQuery
    private let anchor: WindowAnchor<EntryPlace>
    private let rule: EntryRule
    private let scope: RecordScope
    private let presentation: RecordPresentation
    /// `nil` if the list has no current edition, or if the screen's name doesn't name a list.
    private var name: ListName?
    private var isMissing = false
    private var isGone = false
    private var rows: PlacedRows

    /// - Parameter anchor: the anchor of the place.
    init(
        _ query: Programme.ListQuery, at place: WindowPlace, _ anchor: WindowAnchor<EntryPlace>, scope: RecordScope,
        presentation: RecordPresentation
    ) {
        self.query = query
        self.anchor = anchor
        self.scope = scope
        self.presentation = presentation
        rule = presentation.entryRule
        rows = PlacedRows(at: place, following: Set([anchor.row, anchor.key?.key].compactMap { $0 }))
        name = query.name(in: scope).map { ListName($0, edition: query.edition) }
    }

    private var order: EntryOrder? { name.map { EntryOrder(list: $0, rule: rule) } }

    var triggers: Set<Trigger> { Set([query.name(in: scope).map { .record(.list($0)) }].compactMap { $0 }) }
    var reloadsTriggers: Bool { false }
    var watches: [OrderWatch] { order.map { [OrderWatch(journalOf: .entries($0))] } ?? [] }
    var fault: SectionFault? { isMissing ? .listIsMissing : isGone ? .anchorIsGone : nil }
    var edition: String? { isMissing ? nil : name?.edition }
    var total: Int { rows.total }
    var shownPlace: ShownPlace? {
        let place = rows.anchor.map { EntryPlace(key: $0.id, rank: $0.rank) }
        return ShownPlace(first: rows.first, cursor: place?.cursor ?? [])
    }

    func members(first limit: Int) -> [Member] { rows.members(first: limit) }

    mutating func reload(_ catalogue: inout Catalogue) {
        if query.showsEdition, let list = query.name(in: scope) {
            name = catalogue.lists.shownEdition(of: list).map { ListName(list, edition: $0) }
        }
        rows.reset()
        isMissing = name.flatMap { catalogue.lists[$0] } == nil
        isGone = false
        guard let order, !isMissing else { return }
        catalogue.prepare(order)
        let total = catalogue.lists.count(in: order)
        let found = rank(in: order, of: total, &catalogue)
        rows.find(total: total, rank: found?.rank, isRank: found?.isFixed ?? false) {
            catalogue.lists.keys(in: order, at: $0)
        }
        if found == nil { isGone = anchor.isOnlyRow }
    }

    /// The rank of the entry that the anchor stands for, and whether the anchor is that rank; `nil` if there is none.
    private func rank(
        in order: EntryOrder, of total: Int, _ catalogue: inout Catalogue
    ) -> (rank: Int, isFixed: Bool)? {
        if total == 0 { return nil }
        let place: EntryPlace
        switch anchor {
        case .start: return (0, false)
        case .end: return (total - 1, false)
        case .place(let sought): place = sought
        case .row(let key, let otherwise):
            if let rank = catalogue.rank(of: key, in: order) { return (rank, false) }
            guard let otherwise else { return nil }
            place = otherwise
        }
        if let rank = place.key.flatMap({ catalogue.rank(of: $0, in: order) }) { return (rank, false) }
        return (min(place.rank, total - 1), true)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .journal(let journal) where journal.order == order.map { .entries($0) }: return rows.follow(journal)
        // The whole list is another one.
        case .trigger(.record(.list)): return .all
        default: return .none
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let key) = member, let name, let entry = catalogue.lists[name]?[key] else { return nil }
        return presentation.item(of: entry, &maker, in: catalogue)
    }
}

/// A place in a list: where an entry is or, once it is gone, the row that has the rank it had.
struct EntryPlace: Hashable, Sendable {
    /// Maximum bytes of a cursor, more than those of any cursor made here.
    private static let cursorBytes = 4_096
    private static let stamp = Array("list".utf8)
    private static let rankBytes = 4

    /// `nil` for the row that has a rank, whichever it is.
    var key: String?
    var rank: Int

    init(key: String?, rank: Int) { (self.key, self.rank) = (key, rank) }

    /// - Parameter text: a place from 1.
    init?(written text: String) {
        guard let number = UInt32(text), number > 0 else { return nil }
        self.init(key: nil, rank: Int(number - 1))
    }

    /// - Returns: `nil` if the bytes aren't a cursor of a list.
    init?(cursor: [UInt8]) {
        let prefix = Self.stamp.count + Self.rankBytes
        guard cursor.count > prefix, cursor.count <= Self.cursorBytes, cursor.starts(with: Self.stamp),
            let key = String(validating: cursor[prefix...], as: UTF8.self)
        else { return nil }
        self.init(key: key, rank: cursor[Self.stamp.count..<prefix].reduce(Int(0)) { ($0 << 8) | Int($1) })
    }

    /// The place as opaque bytes.
    var cursor: [UInt8] {
        let rank = UInt32(clamping: rank)
        return Self.stamp + withUnsafeBytes(of: rank.bigEndian) { Array($0) } + (key ?? "").utf8
    }
}

extension RecordPresentation {
    /// The entries of which an item can be made, if their records exist; the same ones as `shows`.
    fileprivate var entryRule: EntryRule {
        let copies = bodies.filter { if case .record = $0.value.form { true } else { false } }
        let placed = Set(copies.filter(\.value.isOfPlace).keys)
        // A body that is a copy of the record needs one.
        let isPlaceCopied = copies[Self.placeBody] != nil && !placed.contains(Self.placeBody)
        return EntryRule(types: Set(bodies.keys).subtracting(isPlaceCopied ? [Self.placeBody] : []), placed: placed)
    }
}
