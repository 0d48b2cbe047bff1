import MarqueeCatalogue
import MarqueeModel

/// The messages in repeated fields of one record.
struct NestedItems: SectionQuery {
    private struct Entry: Equatable {
        /// The item's id.
        var id: String
        /// The title of a card that has none of its own.
        var name: String
        var bytes: [UInt8]
    }

    private let record: RecordID
    /// Whether the record is of another type than the screen's own record, with the same id, so that it may be absent.
    private let isOptional: Bool
    private let source: Programme.NestedQuery
    private let body: RecordBody
    private let locale: String
    /// In order of preference.
    private let locales: [String]
    private var isGone = false
    private var entries: [Entry] = []
    private(set) var isCapped = false
    private var places: [String: Int] = [:]
    /// Records whose fields decide the order of messages, those beyond a limit included.
    private var ordering: Set<RecordID> = []
    /// Items whose messages may have changed while they were beyond a limit.
    private(set) var reread: Set<Member> = []

    /// - Parameter locales: in order of preference.
    init(
        record: RecordID, isOptional: Bool, source: Programme.NestedQuery, body: RecordBody, locale: String,
        locales: [String]
    ) {
        self.record = record
        self.isOptional = isOptional
        self.source = source
        self.body = body
        self.locale = locale
        self.locales = locales
    }

    var triggers: Set<Trigger> { Set(ordering.map { .record(.typed($0)) }).union([.record(.typed(record))]) }
    var fault: SectionFault? { isGone && !isOptional ? .recordIsGone : nil }
    var total: Int { entries.count }

    func members(first limit: Int) -> [Member] { entries.prefix(limit).map { .text($0.id) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        let known = entries
        let bytes = catalogue.records[record]
        isGone = bytes == nil
        (entries, ordering, isCapped) = bytes.map { found(in: $0, catalogue) } ?? ([], [], false)
        let changed = entries.filter { entry in places[entry.id].map { known[$0] != entry } ?? false }
        reread = Set(changed.map { .text($0.id) })
        places = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.id, $0) })
    }

    /// The messages to show, the records that decide their order, and whether a limit leaves out more.
    private func found(in bytes: [UInt8], _ catalogue: Catalogue) -> ([Entry], Set<RecordID>, Bool) {
        var used: Set<String> = []
        var found: [Entry] = []
        var ordering: Set<RecordID> = []
        var isCapped = false
        for field in source.fields {
            let most = min(field.limit ?? .max, source.limit - found.count)
            let messages = field.path.messages(in: bytes)
            isCapped = isCapped || messages.count > most
            // Named in the order of the field, so that a message keeps its name when the sort moves it.
            let named = messages.prefix(field.sorts.isEmpty ? most : .max).enumerated().map { place, message in
                entry(message, at: place, in: field, &used)
            }
            if field.sorts.isEmpty {
                found += named
                continue
            }
            let keys = named.map { self.keys(of: $0.bytes, by: field.sorts, &ordering, catalogue) }
            let order = named.indices.sorted {
                keys[$0] == keys[$1] ? $0 < $1 : keys[$0].lexicographicallyPrecedes(keys[$1])
            }
            found += order.prefix(most).map { named[$0] }
        }
        return (found, ordering, isCapped)
    }

    /// - Parameter ordering: receives the records that decide the order.
    private func keys(
        of message: [UInt8], by sorts: [NestedSort], _ ordering: inout Set<RecordID>, _ catalogue: Catalogue
    ) -> [FieldKey] {
        sorts.map { sort in
            if sort.way.isEmpty { return sort.key(of: message, locales: locales) }
            let records = sort.way.records(from: message) { catalogue.records[$0] }
            ordering.formUnion(records)
            let last = records.count == sort.way.count ? records.last : nil
            return sort.key(of: last.flatMap { catalogue.records[$0] }, locales: locales)
        }
    }

    /// An entry named by its key, or by its position if it has none, with a number appended if that isn't unique.
    private func entry(
        _ message: [UInt8], at place: Int, in field: Programme.NestedQuery.Field, _ used: inout Set<String>
    ) -> Entry {
        let key = source.key?.texts(in: message, locales: [body.fallbackLocale], limit: 1).first
        let name = key ?? "\(place)"
        let id = "\(field.path.text)/\(name)".boundedKey
        var (unique, number) = (id, 1)
        while !used.insert(unique).inserted {
            number += 1
            unique = "\(id)/\(number)"
        }
        return Entry(id: unique, name: name, bytes: message)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        guard case .record(let move) = event else { return .none }
        guard move.id == record else {
            return ordering.contains(move.id) && reorders(move) ? .members(except: []) : .none
        }
        guard let new = move.new, !isGone else { return .all }
        return found(in: new, catalogue) == (entries, ordering, isCapped) ? .none : .members(except: [])
    }

    /// Whether a change of a record changes a sort key that orders messages.
    private func reorders(_ move: RecordMove) -> Bool {
        source.fields.flatMap(\.sorts).contains {
            $0.isDecided(by: move.id.type, from: move.old, to: move.new, locales: locales)
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member, let place = places[id] else { return nil }
        let entry = entries[place]
        var reader = RecordReader(
            id: entry.name, bytes: entry.bytes, locale: locale, fallbackLocale: body.fallbackLocale,
            in: catalogue.records)
        let subject = source.subject?.record(in: entry.bytes)?.subject.name
        return maker.make(id, subject: subject ?? "", body.form, of: &reader)
    }
}
