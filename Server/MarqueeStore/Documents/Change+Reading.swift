import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

extension Change {
    /// The name that a change has as JSON.
    enum Name: String, CaseIterable {
        case put, merge, remove, list, listItem, show, removeList, choose, removeChoice, page, removePage
        case types, programme
        /// Only in the log.
        case time, source

        /// The names of changes that can be published.
        static let published = allCases.filter { $0 != .time && $0 != .source }.map(\.rawValue)
    }

    /// Reads a change: an object with one member, named after the kind of change. Notes mistakes in its form, and
    /// unknown members.
    /// - Returns: `nil` or an unusable value if there are mistakes.
    init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        guard case .object(let members) = value else {
            mistakes.note(.expected("an object", value))
            return nil
        }
        let names = Name.published
        let start = mistakes.all.count
        // Reports which name is wrong.
        if members.count > 1 || members.first.map({ Name(rawValue: $0.name) == nil }) ?? false {
            DocumentFields(members, names.sorted()).refuseOthers(&mistakes)
        }
        guard mistakes.all.count == start else { return nil }
        guard members.count == 1, let member = members.first, let name = Name(rawValue: member.name) else {
            mistakes.note(
                RecordError("a change is an object with exactly one of these keys: \(names.joined(separator: ", "))"))
            return nil
        }
        guard let change = mistakes.inside(member.name, { Change(name, member.value, &$0) }) else { return nil }
        self = change
    }

    private init?(_ name: Name, _ value: JSONValue, _ mistakes: inout RecordMistakes) {
        let change: Change? =
            switch name {
            case .put: Change.put(value, &mistakes)
            case .merge: Change.merge(value, &mistakes)
            case .remove: RecordID(value, &mistakes).map(Change.remove)
            case .list: RecordList(value, &mistakes).map(Change.list)
            case .listItem: EntryEdit(value, &mistakes).map(Change.listItem)
            case .show: Change.show(value, &mistakes)
            case .removeList: ListName(value, &mistakes).map(Change.removeList)
            case .choose: Change.choice(value, &mistakes)
            case .removeChoice: Change.text(value, "pool", &mistakes).map(Change.removeChoice)
            case .page: Page(value, &mistakes).map(Change.page)
            case .removePage: Change.text(value, "id", &mistakes).map(Change.removePage)
            case .types: TypesDocument(value, &mistakes).map(Change.types)
            case .programme: value.asText(&mistakes).map(Change.programme)
            case .time: Change.time(value, &mistakes)
            case .source: Change.move(value, &mistakes)
            }
        guard let change else { return nil }
        self = change
    }

    private static func time(_ value: JSONValue, _ mistakes: inout RecordMistakes) -> Change? {
        guard let text = value.asText(&mistakes) else { return nil }
        guard let moment = Moment(text) else {
            mistakes.note(.expected("a moment", value))
            return nil
        }
        return .time(moment)
    }

    private static func move(_ value: JSONValue, _ mistakes: inout RecordMistakes) -> Change? {
        guard var fields = DocumentFields(value, ["at", "expected", "position", "source"], &mistakes) else {
            return nil
        }
        let source = fields.text("source", &mistakes)
        let position = fields.optionalText("position", &mistakes)
        let expected = fields.optionalText("expected", &mistakes)
        let moved = fields.optionalText("at", &mistakes).flatMap { Moment($0) }
        fields.refuseOthers(&mistakes)
        return source.map { .source(SourcePosition($0, at: position, expecting: expected, moved: moved)) }
    }

    /// The only member of an object.
    private static func text(_ value: JSONValue, _ name: String, _ mistakes: inout RecordMistakes) -> String? {
        guard var fields = DocumentFields(value, [name], &mistakes) else { return nil }
        let text = fields.text(name, &mistakes)
        fields.refuseOthers(&mistakes)
        return text
    }

    private static func put(_ value: JSONValue, _ mistakes: inout RecordMistakes) -> Change? {
        guard let document = RecordDocument(value, &mistakes) else { return nil }
        if let field = document.clear != nil ? "clear" : document.creates != nil ? "create" : nil {
            mistakes.note(RecordError("'put' replaces a record whole; '\(field)' is a field of 'merge'"))
            return nil
        }
        guard let content = document.content else {
            mistakes.note(RecordDocument.oneContent)
            return nil
        }
        return .put(document.id, content)
    }

    private static func merge(_ value: JSONValue, _ mistakes: inout RecordMistakes) -> Change? {
        RecordDocument(value, &mistakes).map { document in
            .merge(
                document.id, document.content ?? .bytes([]), clear: document.clear ?? [],
                creates: document.creates ?? true)
        }
    }

    private static func show(_ value: JSONValue, _ mistakes: inout RecordMistakes) -> Change? {
        guard var fields = DocumentFields(value, ["edition", "list"], &mistakes) else { return nil }
        let list = fields.text("list", &mistakes)
        let edition = fields.text("edition", &mistakes)
        fields.refuseOthers(&mistakes)
        guard let list, let edition else { return nil }
        return .show(list: list, edition: edition)
    }

    private static func choice(_ value: JSONValue, _ mistakes: inout RecordMistakes) -> Change? {
        let start = mistakes.all.count
        guard var fields = DocumentFields(value, ["entry", "pool", "record"], &mistakes) else { return nil }
        let pool = fields.text("pool", &mistakes)
        let entry = fields.optionalText("entry", &mistakes)
        let record = fields.optionalText("record", &mistakes).map { Subject($0).record }
        fields.refuseOthers(&mistakes)
        guard let pool, mistakes.all.count == start else { return nil }
        switch (entry, record) {
        case (let entry?, nil): return .chooseEntry(pool: pool, entry: entry)
        case (nil, let record??): return .chooseRecord(pool: pool, record: record)
        default:
            mistakes.note(
                RecordError(
                    "a choice is either an 'entry', by its key, or a 'record' by its type and id, such as episode/e1"))
            return nil
        }
    }
}

/// The form of a record in a change: `{"type": "episode", "id": "e1", "record": {…}}`, or with `bytes`, in base64, in
/// place of `record`.
private struct RecordDocument {
    private static let known = ["bytes", "clear", "create", "id", "record", "type"]
    static let oneContent = RecordError("a record's content is either 'record', in JSON, or 'bytes', in base64")

    let id: RecordID
    let content: RecordContent?
    /// For a merge: the fields to remove.
    let clear: [String]?
    /// For a merge: whether it creates a record that isn't there.
    let creates: Bool?

    init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        let start = mistakes.all.count
        guard var fields = DocumentFields(value, RecordDocument.known, &mistakes) else { return nil }
        let type = fields.text("type", &mistakes)
        let id = fields.text("id", &mistakes)
        let record = fields.optional("record", &mistakes) { value, _ in RecordContent.json(value.sorted) }
        let bytes = fields.optionalBytes("bytes", &mistakes).map(RecordContent.bytes)
        clear = fields.optional("clear", &mistakes) { $0.asList(&$1) { $0.asText(&$1) } }
        creates = fields.optional("create", &mistakes) { $0.asBool(&$1) }
        fields.refuseOthers(&mistakes)
        if record != nil, bytes != nil { mistakes.note(RecordDocument.oneContent) }
        guard let type, let id, mistakes.all.count == start else { return nil }
        self.id = RecordID(type: type, id: id)
        content = record ?? bytes
    }
}

extension RecordID {
    fileprivate init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        guard var fields = DocumentFields(value, ["id", "type"], &mistakes) else { return nil }
        let type = fields.text("type", &mistakes)
        let id = fields.text("id", &mistakes)
        fields.refuseOthers(&mistakes)
        guard let type, let id else { return nil }
        self.init(type: type, id: id)
    }
}

extension ListName {
    fileprivate init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        guard var fields = DocumentFields(value, ["edition", "list"], &mistakes) else { return nil }
        let name = fields.listName(&mistakes)
        fields.refuseOthers(&mistakes)
        guard let name else { return nil }
        self = name
    }
}

extension DocumentFields {
    fileprivate mutating func listName(_ mistakes: inout RecordMistakes) -> ListName? {
        let list = text("list", &mistakes)
        let edition = optionalText("edition", &mistakes)
        return list.map { ListName($0, edition: edition) }
    }
}

/// `{"list": "standings", "edition": "2026-05-01", "entries": [{"record": "team/ars", "place": {"points": 3}}]}`
extension RecordList {
    fileprivate init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        guard var fields = DocumentFields(value, ["edition", "entries", "list"], &mistakes) else { return nil }
        let name = fields.listName(&mistakes)
        let entries = fields.required("entries", &mistakes) { $0.asList(&$1) { ListEntry($0, &$1) } }
        fields.refuseOthers(&mistakes)
        guard let name, let entries else { return nil }
        self.init(name, entries: entries)
    }
}

/// `{"key": "ars", "record": "team/ars", "place": {…}}`, or with `bytes`, in base64, in place of `place`.
extension ListEntry {
    private static let known = ["bytes", "key", "place", "record"]

    fileprivate init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        let start = mistakes.all.count
        guard let fields = DocumentFields(value, ListEntry.known, &mistakes) else { return nil }
        let record = fields.optional("record", &mistakes) { value, mistakes -> RecordID? in
            guard let text = value.asText(&mistakes) else { return nil }
            if let record = Subject(text).record { return record }
            mistakes.note(RecordError("a record is named by its type and id, such as team/ars"))
            return nil
        }
        let key = fields.optionalText("key", &mistakes)
        let place = fields.optional("place", &mistakes) { value, _ in RecordContent.json(value.sorted) }
        let bytes = fields.optionalBytes("bytes", &mistakes).map(RecordContent.bytes)
        fields.refuseOthers(&mistakes)
        guard mistakes.all.count == start else { return nil }
        guard let key = key ?? record?.subject.name else {
            mistakes.note(RecordError("an entry without a 'record' needs a 'key'"))
            return nil
        }
        if place != nil, bytes != nil {
            mistakes.note(
                RecordError("the content of a place is either 'place', in JSON, or 'bytes', in base64"))
            return nil
        }
        self.init(key: key, record: record, place: place ?? bytes)
    }
}

/// `{"list": "standings", "item": {…}, "at": 3}` or `{"list": "standings", "remove": "team/ars"}`
extension EntryEdit {
    private static let known = ["at", "edition", "item", "list", "remove"]

    fileprivate init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        let start = mistakes.all.count
        guard var fields = DocumentFields(value, EntryEdit.known, &mistakes) else { return nil }
        let list = fields.listName(&mistakes)
        let entry = fields.optional("item", &mistakes) { ListEntry($0, &$1) }
        let rank = fields.optional("at", &mistakes) { $0.asWhole(&$1) }
        let removed = fields.optionalText("remove", &mistakes)
        fields.refuseOthers(&mistakes)
        guard let list, mistakes.all.count == start else { return nil }
        switch (entry, removed) {
        case (let entry?, nil): self.init(list, putting: entry, at: rank)
        case (nil, let key?) where rank == nil: self.init(list, removing: key)
        default:
            mistakes.note(
                RecordError(
                    "an item of a list is either put, by 'item' and perhaps 'at', or removed, by 'remove' and its key"))
            return nil
        }
    }
}

extension Page {
    fileprivate init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        guard var fields = DocumentFields(value, ["id", "sections"], &mistakes) else { return nil }
        let id = fields.text("id", &mistakes)
        let sections = fields.required("sections", &mistakes) { Section.list($0, &$1) }
        fields.refuseOthers(&mistakes)
        guard let id, let sections else { return nil }
        self.init(id: id, sections: sections)
    }
}

extension Page.Section {
    private static let known = ["id", "list", "title", "type"]

    static func list(_ value: JSONValue, _ mistakes: inout RecordMistakes) -> [Page.Section]? {
        value.asList(&mistakes) { Page.Section($0, &$1) }
    }

    private init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        guard var fields = DocumentFields(value, Page.Section.known, &mistakes) else { return nil }
        let id = fields.text("id", &mistakes)
        let type = fields.text("type", &mistakes)
        let title = fields.text("title", &mistakes)
        let list = fields.text("list", &mistakes)
        fields.refuseOthers(&mistakes)
        guard let id, let type, let title, let list else { return nil }
        self.init(id: id, type: type, title: title, list: list)
    }
}

extension TypesDocument {
    fileprivate init?(_ value: JSONValue, _ mistakes: inout RecordMistakes) {
        guard var fields = DocumentFields(value, ["declarations", "descriptors"], &mistakes) else { return nil }
        let declarations = fields.text("declarations", &mistakes)
        // Declarations that contain the fields of their types need no descriptors.
        let descriptors = fields.optionalBytes("descriptors", &mistakes) ?? []
        fields.refuseOthers(&mistakes)
        guard let declarations else { return nil }
        self.init(declarations: declarations, descriptors: descriptors)
    }
}
