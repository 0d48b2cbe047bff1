import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresets

/// An item with the metadata a version needs.
struct MadeItem: Sendable {
    var item: Item
    var bodyHash: UInt64
    /// Genres named by the item.
    var genres: [UInt64] = []
    /// What else it is made of, beside that which makes its member.
    var dependencies: [Trigger] = []
}

/// Makes items, and keeps those of movies and records, which stand in many sections, until what they are made of
/// changes.
struct ItemMaker: Sendable {
    /// Maximum movies with cached items; beyond that the cache is cleared, and items are made again where shown.
    static let maximumMovies = 65_536
    /// The same of records.
    static let maximumRecords = 65_536

    private struct Kept {
        var locale: String
        var prose: Bool
        var made: MadeItem
    }

    private struct KeptRecord {
        var locale: String
        var body: RecordBody
        var made: MadeItem
    }

    private var kept: [UInt64: [Kept]] = [:]
    private var keptRecords: [RecordID: [KeptRecord]] = [:]
    /// Records whose kept items are made of another thing as well, by that.
    private var dependents: [Trigger: Set<RecordID>] = [:]
    /// Items made since the start.
    private(set) var count: UInt64 = 0

    /// - Parameter prose: whether to carry the overview.
    /// - Returns: `nil` if there is no such movie.
    mutating func movie(_ id: UInt64, locale: String, prose: Bool, in catalogue: Catalogue) -> MadeItem? {
        if let known = kept[id]?.first(where: { $0.prose == prose && $0.locale == locale }) { return known.made }
        guard let movie = catalogue.movie(id) else { return nil }
        let content = catalogue.content(of: movie, locale: locale, prose: prose)
        let subject = Subject.movie(id).name
        let made = make(subject, subject: subject, .movie(content), naming: movie.genres ?? [])
        if kept.count >= ItemMaker.maximumMovies { kept.removeAll() }
        kept[id, default: []].append(Kept(locale: locale, prose: prose, made: made))
        return made
    }

    mutating func make(_ id: String, subject: String, _ content: ItemContent) -> MadeItem {
        made(Bodies.item(id: id, subject: subject, content))
    }

    /// - Parameter genres: those named by the content.
    mutating func make(
        _ id: String, subject: String, _ content: PresetContent, naming genres: [UInt64] = []
    ) -> MadeItem {
        made(Bodies.item(id: id, subject: subject, content), naming: genres)
    }

    /// Counts an item just made.
    mutating func made(_ item: Item, naming genres: [UInt64] = []) -> MadeItem {
        count += 1
        return MadeItem(item: item, bodyHash: XXH64.hash(item.body), genres: genres)
    }

    // MARK: - Records

    /// - Parameter values: what collections of the reader keep with the record.
    /// - Returns: `nil` when there is no such record.
    mutating func record(
        _ id: RecordID, body: RecordBody, values: [CollectionName: [UInt8]] = [:], locale: String,
        in catalogue: Catalogue
    ) -> MadeItem? {
        // What is one reader's is kept for nobody else.
        let isShared = body.collections.isEmpty
        if isShared, let known = keptRecords[id]?.first(where: { $0.locale == locale && $0.body == body }) {
            return known.made
        }
        guard let bytes = catalogue.records[id] else { return nil }
        let subject = id.subject.name
        var reader = RecordReader(
            id: id.id, bytes: bytes, locale: locale, fallbackLocale: body.fallbackLocale, in: catalogue.records,
            values: values)
        let made = make(subject, subject: subject, body.form, of: &reader)
        guard isShared else { return made }
        if keptRecords.count >= ItemMaker.maximumRecords { (keptRecords, dependents) = ([:], [:]) }
        keptRecords[id, default: []].append(KeptRecord(locale: locale, body: body, made: made))
        for trigger in made.dependencies { dependents[trigger, default: []].insert(id) }
        return made
    }

    /// The item of a record, or of a message inside of one.
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

    /// The record has changed.
    mutating func forget(_ id: RecordID) {
        forgetItems(of: id)
        for dependent in dependents[.record(.typed(id))] ?? [] { forgetItems(of: dependent) }
    }

    private mutating func forgetItems(of id: RecordID) {
        for trigger in (keptRecords.removeValue(forKey: id) ?? []).flatMap(\.made.dependencies) {
            dependents[trigger]?.remove(id)
            if dependents[trigger]?.isEmpty == true { dependents[trigger] = nil }
        }
    }

    // MARK: - Changes

    /// The movie has changed.
    mutating func forget(movie: UInt64) { kept[movie] = nil }

    /// Drops all movies' items, after a change to something they name.
    mutating func forgetMovies() { kept.removeAll() }
}
