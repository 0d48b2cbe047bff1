import MarqueeCatalogue
import MarqueeModel

/// One record: that of the screen's name, or a fixed one.
struct RecordDetail: SectionQuery {
    private let record: RecordID
    private let presentation: RecordPresentation
    private var isGone = false

    init(record: RecordID, presentation: RecordPresentation) {
        self.record = record
        self.presentation = presentation
    }

    var triggers: Set<Trigger> { [.record(.typed(record))] }
    var fault: SectionFault? { isGone ? .recordIsGone : nil }
    var total: Int { isGone ? 0 : 1 }

    func members(first limit: Int) -> [Member] { isGone ? [] : [.text(record.id)] }

    mutating func reload(_ catalogue: inout Catalogue) { isGone = !catalogue.records.contains(record) }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        guard case .record(let move) = event, move.id == record else { return .none }
        return (move.new == nil) == isGone ? .item(.text(record.id)) : .all
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        presentation.item(of: record, &maker, in: catalogue)
    }
}

/// The messages of a repeated field of one record.
struct NestedItems: SectionQuery {
    private struct Entry {
        /// The item's id.
        var id: String
        /// What a card without a title is called.
        var name: String
        var bytes: [UInt8]
    }

    private let record: RecordID
    private let source: Programme.NestedQuery
    private let body: RecordBody
    private let locale: String
    private var isGone = false
    private var entries: [Entry] = []
    private var places: [String: Int] = [:]

    init(record: RecordID, source: Programme.NestedQuery, body: RecordBody, locale: String) {
        self.record = record
        self.source = source
        self.body = body
        self.locale = locale
    }

    var triggers: Set<Trigger> { [.record(.typed(record))] }
    var fault: SectionFault? { isGone ? .recordIsGone : nil }
    var total: Int { entries.count }

    func members(first limit: Int) -> [Member] { entries.prefix(limit).map { .text($0.id) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        let bytes = catalogue.records[record]
        isGone = bytes == nil
        entries = bytes.map { found(in: $0) } ?? []
        places = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.id, $0) })
    }

    /// Named by their key, or by their place where they have none, with a number where that is not unique.
    private func found(in bytes: [UInt8]) -> [Entry] {
        var used: Set<String> = []
        return source.path.messages(in: bytes).prefix(source.limit).enumerated().map { place, message in
            let key = source.key?.texts(in: message, locales: [body.fallbackLocale], limit: 1).first
            let name = key ?? "\(place)"
            let id = "\(source.path.text)/\(name)".boundedKey
            var (unique, number) = (id, 1)
            while !used.insert(unique).inserted {
                number += 1
                unique = "\(id)/\(number)"
            }
            return Entry(id: unique, name: name, bytes: message)
        }
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        guard case .record(let move) = event, move.id == record else { return .none }
        guard let new = move.new, !isGone else { return .all }
        let after = found(in: new)
        if after.elementsEqual(entries, by: { $0.id == $1.id && $0.bytes == $1.bytes }) { return .none }
        let changed = after.filter { entry in places[entry.id].map { entries[$0].bytes != entry.bytes } ?? true }
        return .members(except: Set(changed.map { .text($0.id) }))
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let id) = member, let place = places[id] else { return nil }
        var reader = RecordReader(
            id: entries[place].name, bytes: entries[place].bytes, locale: locale, fallbackLocale: body.fallbackLocale,
            in: catalogue.records)
        return maker.make(id, body.form, of: &reader)
    }
}
