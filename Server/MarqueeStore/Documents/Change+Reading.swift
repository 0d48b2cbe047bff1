import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

extension Change {
    /// The name that a change has as JSON.
    enum Name: String, CaseIterable {
        case put, merge, remove, list, listItem, show, removeList, choose, removeChoice, page, removePage
        case types, programme
        /// In the log alone.
        case time, source

        /// The names of changes that can be published.
        static let published = allCases.filter { $0 != .time && $0 != .source }.map(\.rawValue)
    }

    /// Reads a change: an object with one member, whose name is the change's.
    /// - Throws: for anything else, and for members that the change doesn't have.
    init(_ value: JSONValue) throws(RecordError) {
        guard case .object(let members) = value else { throw .expected("an object", value) }
        let names = Name.published
        // Says which name is wrong.
        if members.count > 1 || members.first.map({ Name(rawValue: $0.name) == nil }) ?? false {
            try DocumentFields(value, names.sorted()).refuseOthers()
        }
        guard members.count == 1, let member = members.first, let name = Name(rawValue: member.name) else {
            throw RecordError(
                "a change is an object with exactly one of these keys: \(names.joined(separator: ", "))")
        }
        do throws(RecordError) { try self.init(name, member.value) } catch { throw error.inside(member.name) }
    }

    private init(_ name: Name, _ value: JSONValue) throws(RecordError) {
        switch name {
        case .put: self = try Change.put(value)
        case .merge: self = try Change.merge(value)
        case .remove: self = .remove(try RecordID(value))
        case .list: self = .list(try RecordList(value))
        case .listItem: self = .listItem(try EntryEdit(value))
        case .show: self = try Change.show(value)
        case .removeList: self = .removeList(try ListName(value))
        case .choose: self = try Change.choice(value)
        case .removeChoice: self = .removeChoice(pool: try Change.text(value, "pool"))
        case .page: self = .page(try Page(value))
        case .removePage: self = .removePage(try Change.text(value, "id"))
        case .types: self = .types(try TypesDocument(value))
        case .programme: self = .programme(try value.asText())
        case .time:
            guard let moment = Moment(try value.asText()) else { throw .expected("a moment", value) }
            self = .time(moment)
        case .source: self = try Change.move(value)
        }
    }

    private static func move(_ value: JSONValue) throws(RecordError) -> Change {
        let fields = try DocumentFields(value, ["at", "expected", "position", "source"])
        let position = SourcePosition(
            try fields.text("source"), at: try fields.optionalText("position"),
            expecting: try fields.optionalText("expected"),
            moved: try fields.optionalText("at").flatMap { Moment($0) })
        try fields.refuseOthers()
        return .source(position)
    }

    /// The only member of an object.
    private static func text(_ value: JSONValue, _ name: String) throws(RecordError) -> String {
        let fields = try DocumentFields(value, [name])
        let text = try fields.text(name)
        try fields.refuseOthers()
        return text
    }

    private static func put(_ value: JSONValue) throws(RecordError) -> Change {
        let document = try RecordDocument(value)
        if let field = document.clear != nil ? "clear" : document.creates != nil ? "create" : nil {
            throw RecordError("'put' replaces a record whole; '\(field)' is a field of 'merge'")
        }
        guard let content = document.content else { throw RecordDocument.oneContent }
        return .put(document.id, content)
    }

    private static func merge(_ value: JSONValue) throws(RecordError) -> Change {
        let document = try RecordDocument(value)
        return .merge(
            document.id, document.content ?? .bytes([]), clear: document.clear ?? [],
            creates: document.creates ?? true)
    }

    private static func show(_ value: JSONValue) throws(RecordError) -> Change {
        let fields = try DocumentFields(value, ["edition", "list"])
        let change = Change.show(list: try fields.text("list"), edition: try fields.text("edition"))
        try fields.refuseOthers()
        return change
    }

    private static func choice(_ value: JSONValue) throws(RecordError) -> Change {
        let fields = try DocumentFields(value, ["entry", "pool", "record"])
        let pool = try fields.text("pool")
        let entry = try fields.optionalText("entry")
        let record = try fields.optionalText("record").map { Subject($0).record }
        try fields.refuseOthers()
        switch (entry, record) {
        case (let entry?, nil): return .chooseEntry(pool: pool, entry: entry)
        case (nil, let record??): return .chooseRecord(pool: pool, record: record)
        default:
            throw RecordError(
                "a choice is either an 'entry', by its key, or a 'record' by its type and id, such as episode/e1")
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

    init(_ value: JSONValue) throws(RecordError) {
        let fields = try DocumentFields(value, RecordDocument.known)
        id = RecordID(type: try fields.text("type"), id: try fields.text("id"))
        let record = try fields.optional("record") { (value) throws(RecordError) in RecordContent.json(value.sorted) }
        let bytes = try fields.optionalBytes("bytes").map(RecordContent.bytes)
        clear = try fields.optional("clear") { (value) throws(RecordError) in
            try value.asList { (name) throws(RecordError) in try name.asText() }
        }
        creates = try fields.optional("create") { (value) throws(RecordError) in try value.asBool() }
        try fields.refuseOthers()
        if record != nil, bytes != nil { throw RecordDocument.oneContent }
        content = record ?? bytes
    }
}

extension RecordID {
    fileprivate init(_ value: JSONValue) throws(RecordError) {
        let fields = try DocumentFields(value, ["id", "type"])
        self.init(type: try fields.text("type"), id: try fields.text("id"))
        try fields.refuseOthers()
    }
}

extension ListName {
    fileprivate init(_ value: JSONValue) throws(RecordError) {
        let fields = try DocumentFields(value, ["edition", "list"])
        self = try fields.listName()
        try fields.refuseOthers()
    }
}

extension DocumentFields {
    fileprivate func listName() throws(RecordError) -> ListName {
        ListName(try text("list"), edition: try optionalText("edition"))
    }
}

/// `{"list": "standings", "edition": "2026-05-01", "entries": [{"record": "team/ars", "place": {"points": 3}}]}`
extension RecordList {
    fileprivate init(_ value: JSONValue) throws(RecordError) {
        let fields = try DocumentFields(value, ["edition", "entries", "list"])
        let name = try fields.listName()
        let entries = try fields.required("entries") { (value) throws(RecordError) in
            try value.asList { (entry) throws(RecordError) in try ListEntry(entry) }
        }
        self.init(name, entries: entries)
        try fields.refuseOthers()
    }
}

/// `{"key": "ars", "record": "team/ars", "place": {…}}`, or with `bytes`, in base64, in place of `place`.
extension ListEntry {
    private static let known = ["bytes", "key", "place", "record"]

    fileprivate init(_ value: JSONValue) throws(RecordError) {
        let fields = try DocumentFields(value, ListEntry.known)
        let record = try fields.optional("record") { (value) throws(RecordError) in
            guard let record = Subject(try value.asText()).record else {
                throw RecordError("a record is named by its type and id, such as team/ars")
            }
            return record
        }
        let key = try fields.optionalText("key")
        let place = try fields.optional("place") { (value) throws(RecordError) in RecordContent.json(value.sorted) }
        let bytes = try fields.optionalBytes("bytes").map(RecordContent.bytes)
        try fields.refuseOthers()
        guard let key = key ?? record?.subject.name else {
            throw RecordError("an entry without a 'record' needs a 'key'")
        }
        if place != nil, bytes != nil {
            throw RecordError("what belongs to a place is either 'place', in JSON, or 'bytes', in base64")
        }
        self.init(key: key, record: record, place: place ?? bytes)
    }
}

/// `{"list": "standings", "item": {…}, "at": 3}` or `{"list": "standings", "remove": "team/ars"}`
extension EntryEdit {
    private static let known = ["at", "edition", "item", "list", "remove"]

    fileprivate init(_ value: JSONValue) throws(RecordError) {
        let fields = try DocumentFields(value, EntryEdit.known)
        let list = try fields.listName()
        let entry = try fields.optional("item") { (value) throws(RecordError) in try ListEntry(value) }
        let rank = try fields.optional("at") { (value) throws(RecordError) in try value.asWhole() }
        let removed = try fields.optionalText("remove")
        try fields.refuseOthers()
        switch (entry, removed) {
        case (let entry?, nil): self.init(list, putting: entry, at: rank)
        case (nil, let key?) where rank == nil: self.init(list, removing: key)
        default:
            throw RecordError(
                "an item of a list is either put, by 'item' and perhaps 'at', or removed, by 'remove' and its key")
        }
    }
}

extension Page {
    fileprivate init(_ value: JSONValue) throws(RecordError) {
        let fields = try DocumentFields(value, ["id", "sections"])
        let id = try fields.text("id")
        let sections = try fields.required("sections") { (value) throws(RecordError) in try Section.list(value) }
        self.init(id: id, sections: sections)
        try fields.refuseOthers()
    }
}

extension Page.Section {
    private static let known = ["id", "list", "title", "type"]

    static func list(_ value: JSONValue) throws(RecordError) -> [Page.Section] {
        try value.asList { (section) throws(RecordError) in try Page.Section(section) }
    }

    private init(_ value: JSONValue) throws(RecordError) {
        let fields = try DocumentFields(value, Page.Section.known)
        self.init(
            id: try fields.text("id"), type: try fields.text("type"), title: try fields.text("title"),
            list: try fields.text("list"))
        try fields.refuseOthers()
    }
}

extension TypesDocument {
    fileprivate init(_ value: JSONValue) throws(RecordError) {
        let fields = try DocumentFields(value, ["declarations", "descriptors"])
        let declarations = try fields.text("declarations")
        // A declaration with the fields of its types needs none.
        let descriptors = try fields.optionalBytes("descriptors") ?? []
        self.init(declarations: declarations, descriptors: descriptors)
        try fields.refuseOthers()
    }
}
