import MarqueeCatalogue
import MarqueeModel

/// The first entries of a list or of its current edition. For a pool only one of them: the chosen one if it is among
/// them, otherwise the first. Entries whose record is missing from the catalogue are omitted.
struct ListPlaces: SectionQuery {
    private let query: Programme.ListQuery
    private let pool: String?
    private let scope: RecordScope
    private let presentation: RecordPresentation
    /// `nil` if the list has no current edition, or if the screen's name doesn't name a list.
    private var name: ListName?
    private var isMissing = false
    private(set) var isCapped = false
    /// The first entries of the list, by key.
    private var entries: [String: ListEntry] = [:]
    /// Keys of the entries shown, in order.
    private var present: [String] = []
    /// Entries that may have changed while they weren't followed, in another edition or beyond the limit.
    private(set) var reread: Set<Member> = []
    /// Keys of the entries of each record.
    private var keysOfRecords: [RecordID: Set<String>] = [:]

    init(_ query: Programme.ListQuery, pool: String?, scope: RecordScope, presentation: RecordPresentation) {
        self.query = query
        self.pool = pool
        self.scope = scope
        self.presentation = presentation
        name = query.name(in: scope).map { ListName($0, edition: query.edition) }
    }

    var triggers: Set<Trigger> {
        guard let list = query.name(in: scope) else { return [] }
        let choice: [Trigger] = pool.map { [.record(.pool($0))] } ?? []
        return Set(keysOfRecords.keys.map { .record(.typed($0)) } + choice + [.record(.list(list))])
    }
    var watches: [OrderWatch] { name.map { [OrderWatch(list: $0, bound: query.limit + 1)] } ?? [] }
    var fault: SectionFault? { isMissing ? .listIsMissing : nil }
    var edition: String? { isMissing ? nil : name?.edition }
    var total: Int { present.count }

    func members(first limit: Int) -> [Member] { present.prefix(limit).map { .text($0) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        if query.showsEdition, let list = query.name(in: scope) {
            name = catalogue.lists.shownEdition(of: list).map { ListName(list, edition: $0) }
        }
        let list = name.flatMap { catalogue.lists[$0] }
        isMissing = list == nil
        // A pool shows one of them.
        isCapped = pool == nil && (list?.count ?? 0) > query.limit
        let known = entries
        (entries, present, keysOfRecords, reread) = ([:], [], [:], [])
        for entry in list?.prefix(query.limit) ?? [] {
            entries[entry.key] = entry
            if let before = known[entry.key], before != entry { reread.insert(.text(entry.key)) }
            if let record = entry.record { keysOfRecords[record, default: []].insert(entry.key) }
            guard presentation.shows(entry, in: catalogue) else { continue }
            present.append(entry.key)
        }
        guard let pool else { return }
        let choice = catalogue.choice(of: pool)
        present = (present.first { .entry($0) == choice } ?? present.first).map { [$0] } ?? []
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .list(let move):
            guard let new = move.new, move.from == move.to, move.old?.record == new.record, entries[new.key] != nil
            else { return .members(except: []) }
            entries[new.key] = new
            return .item(.text(new.key))
        case .record(let move):
            let keys = Set((keysOfRecords[move.id] ?? []).map { Member.text($0) })
            return (move.old == nil) == (move.new == nil) ? .items(keys) : .members(except: keys)
        case .trigger(.record(.list)), .trigger(.record(.pool)): return .members(except: [])
        default: return .none
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let key) = member, let entry = entries[key] else { return nil }
        return presentation.item(of: entry, &maker, in: catalogue)
    }
}

extension RecordPresentation {
    /// The name of the body for entries without a record.
    static let placeBody = "place"

    /// Whether an item can be made of the entry: there is a body for it, and the record or place message that the body
    /// needs.
    func shows(_ entry: ListEntry, in catalogue: Catalogue) -> Bool {
        guard let body = bodies[entry.record?.type ?? Self.placeBody],
            entry.record.map(catalogue.records.contains) ?? true
        else { return false }
        // A body that is a copy needs the bytes to copy.
        guard case .record = body.form else { return true }
        return body.isOfPlace ? entry.placeBytes != nil : entry.record != nil
    }

    func item(of entry: ListEntry, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard shows(entry, in: catalogue), let body = bodies[entry.record?.type ?? Self.placeBody] else { return nil }
        let bytes = body.isOfPlace ? entry.placeBytes : entry.record.flatMap { catalogue.records[$0] }
        var reader = RecordReader(
            id: entry.record?.id ?? entry.key, bytes: bytes, place: entry.placeBytes, locale: locale,
            fallbackLocale: body.fallbackLocale, in: catalogue.records)
        return maker.make(
            entry.key.boundedKey, subject: entry.record?.subject.name ?? "", body.form, of: &reader)
    }
}

extension Programme.ListQuery {
    /// - Returns: `nil` if the screen's name has to name the list, but doesn't.
    func name(in scope: RecordScope) -> String? {
        guard isOfArgument else { return list }
        return scope.argument.map { "\(list)/\($0)" }
    }
}
