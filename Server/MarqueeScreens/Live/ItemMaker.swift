import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresets

/// An item with the metadata a version needs.
struct MadeItem: Sendable {
    var item: Item
    var bodyHash: UInt64
    /// The item's inputs besides its member's own record or entry.
    var dependencies: [Trigger] = []
}

/// Makes items. Items of records are cached until their inputs change, because many sections show them.
struct ItemMaker: Sendable {
    /// Maximum records with cached items. When it is reached, the cache is cleared, and items are made again when
    /// needed.
    static let maximumRecords = 65_536
    /// Maximum bytes of cached items, including the tables' overhead for each.
    static let maximumBytes = 8 << 20
    private static let overheadBytes = 256

    private struct Kept {
        var locale: String
        var body: RecordBody
        var made: MadeItem
    }

    private var kept: [RecordID: [Kept]] = [:]
    /// Bytes of the items that were cached since the cache was last cleared, including those dropped since.
    private var keptBytes = 0
    /// Records whose cached items have further inputs, by those inputs.
    private var dependents: [Trigger: Set<RecordID>] = [:]
    /// Number of items made since the start.
    private(set) var count: UInt64 = 0

    mutating func make(_ id: String, subject: String, _ content: ItemContent) -> MadeItem {
        made(Bodies.item(id: id, subject: subject, content))
    }

    mutating func make(_ id: String, subject: String, _ content: PresetContent) -> MadeItem {
        made(Bodies.item(id: id, subject: subject, content))
    }

    /// Counts an item just made.
    mutating func made(_ item: Item) -> MadeItem {
        count += 1
        return MadeItem(item: item, bodyHash: XXH64.hash(item.body))
    }

    // MARK: - Records

    /// - Parameter values: the values that the user's collections store for the record.
    /// - Returns: `nil` if the catalogue doesn't have the record.
    mutating func record(
        _ id: RecordID, body: RecordBody, values: [CollectionName: [UInt8]] = [:], locale: String,
        in catalogue: Catalogue
    ) -> MadeItem? {
        // Items with one user's values aren't cached.
        let isShared = body.collections.isEmpty
        if isShared, let known = kept[id]?.first(where: { $0.locale == locale && $0.body == body }) {
            return known.made
        }
        guard let bytes = catalogue.records[id] else { return nil }
        let subject = id.subject.name
        var reader = RecordReader(
            id: id.id, bytes: bytes, locale: locale, fallbackLocale: body.fallbackLocale, in: catalogue.records,
            values: values)
        let made = make(subject, subject: subject, body.form, of: &reader)
        guard isShared else { return made }
        if kept.count >= ItemMaker.maximumRecords || keptBytes >= ItemMaker.maximumBytes { clear() }
        keptBytes += made.item.body.count + Self.overheadBytes
        kept[id, default: []].append(Kept(locale: locale, body: body, made: made))
        for trigger in made.dependencies { dependents[trigger, default: []].insert(id) }
        return made
    }

    /// The item of a record, or of a message inside a record.
    mutating func make(
        _ id: String, subject: String = "", _ form: RecordBody.Form, of record: inout RecordReader
    ) -> MadeItem {
        var made: MadeItem
        switch form {
        case .record(let kind): made = self.made(Item(id: id, kind: kind, subject: subject, body: record.bytes))
        case .card(let mapping): made = make(id, subject: subject, .card(mapping.content(of: &record)))
        case .message(let kind, let mapping):
            made = self.made(Item(id: id, kind: kind, subject: subject, body: mapping.body(of: &record)))
        }
        made.dependencies = record.dependencies
        return made
    }

    /// Drops all cached items. Those that are shown aren't made again.
    mutating func clear() { (kept, dependents, keptBytes) = ([:], [:], 0) }

    /// Drops the cached items made of a record, which has changed.
    mutating func forget(_ id: RecordID) {
        forgetItems(of: id)
        forget(.record(.typed(id)))
    }

    /// Drops the cached items that depend on something besides their own record, which has changed.
    mutating func forget(_ trigger: Trigger) {
        for dependent in dependents[trigger] ?? [] { forgetItems(of: dependent) }
    }

    private mutating func forgetItems(of id: RecordID) {
        for trigger in (kept.removeValue(forKey: id) ?? []).flatMap(\.made.dependencies) {
            dependents[trigger]?.remove(id)
            if dependents[trigger]?.isEmpty == true { dependents[trigger] = nil }
        }
    }
}
