import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

extension Change {
    /// Writes the change as `init(_:)` reads it, with the members of objects sorted by name.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name(name.rawValue)
            writeContent(to: &writer)
        }
    }

    /// The name that the change has in its document, such as `merge`.
    package var documentName: String { name.rawValue }

    private var name: Name {
        switch self {
        case .chooseEntry, .chooseRecord: .choose
        case .removeChoice: .removeChoice
        case .page: .page
        case .removePage: .removePage
        case .programme: .programme
        case .types: .types
        case .put: .put
        case .merge: .merge
        case .remove: .remove
        case .list: .list
        case .listItem: .listItem
        case .show: .show
        case .removeList: .removeList
        case .time: .time
        case .source: .source
        }
    }

    private func writeContent(to writer: inout JSONWriter) {
        switch self {
        case .chooseEntry(let pool, let entry): writer.texts([("entry", entry), ("pool", pool)])
        case .chooseRecord(let pool, let record):
            writer.texts([("pool", pool), ("record", record.subject.name)])
        case .removeChoice(let pool): writer.texts([("pool", pool)])
        case .page(let page):
            writer.object { writer in
                writer.text("id", page.id)
                writer.name("sections")
                Page.Section.write(page.sections, to: &writer)
            }
        case .removePage(let id): writer.texts([("id", id)])
        case .programme(let text): writer.string(text)
        case .time(let moment): writer.string(moment.text)
        case .source(let move):
            writer.texts([
                ("at", move.moved?.text), ("expected", move.expected), ("position", move.position),
                ("source", move.source),
            ])
        case .types(let types):
            writer.object { writer in
                writer.text("declarations", types.declarations)
                writer.bytes("descriptors", types.descriptors)
            }
        case .put(let id, let content): writer.record(id, content, clear: [], creates: true)
        case .merge(let id, let content, let clear, let creates):
            writer.record(id, content, clear: clear, creates: creates)
        case .remove(let id): writer.texts([("id", id.id), ("type", id.type)])
        case .list(let list):
            writer.object { writer in
                writer.text("edition", list.name.edition)
                writer.name("entries")
                writer.list { writer in for entry in list.entries { writer.entry(entry) } }
                writer.text("list", list.name.list)
            }
        case .listItem(let edit): writer.edit(edit)
        case .show(let list, let edition): writer.texts([("edition", edition), ("list", list)])
        case .removeList(let name): writer.texts([("edition", name.edition), ("list", name.list)])
        }
    }
}

extension Page.Section {
    static func write(_ sections: [Page.Section], to writer: inout JSONWriter) {
        writer.list { writer in
            for section in sections {
                writer.texts([
                    ("id", section.id), ("list", section.list), ("title", section.title), ("type", section.type),
                ])
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func text(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }

    fileprivate mutating func bytes(_ name: String, _ bytes: [UInt8]) {
        self.name(name)
        base64(bytes)
    }

    /// Writes an object of texts; those that are `nil` are left out.
    fileprivate mutating func texts(_ members: [(name: String, text: String?)]) {
        object { writer in for member in members { writer.text(member.name, member.text) } }
    }

    fileprivate mutating func record(_ id: RecordID, _ content: RecordContent, clear: [String], creates: Bool) {
        object { writer in
            if case .bytes(let bytes) = content { writer.bytes("bytes", bytes) }
            if !clear.isEmpty {
                writer.name("clear")
                writer.list { writer in for field in clear { writer.string(field) } }
            }
            if !creates {
                writer.name("create")
                writer.word("false")
            }
            writer.text("id", id.id)
            if case .json(let value) = content {
                writer.name("record")
                writer.value(value)
            }
            writer.text("type", id.type)
        }
    }

    fileprivate mutating func entry(_ entry: ListEntry) {
        let subject = entry.record?.subject.name
        object { writer in
            if case .bytes(let bytes)? = entry.place { writer.bytes("bytes", bytes) }
            if entry.key != subject { writer.text("key", entry.key) }
            if case .json(let value)? = entry.place {
                writer.name("place")
                writer.value(value)
            }
            writer.text("record", subject)
        }
    }

    fileprivate mutating func edit(_ edit: EntryEdit) {
        object { writer in
            if let rank = edit.rank {
                writer.name("at")
                writer.word("\(rank)")
            }
            writer.text("edition", edit.list.edition)
            if let entry = edit.entry {
                writer.name("item")
                writer.entry(entry)
            }
            writer.text("list", edit.list.list)
            if edit.entry == nil { writer.text("remove", edit.key) }
        }
    }
}
