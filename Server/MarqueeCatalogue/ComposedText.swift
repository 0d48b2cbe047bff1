import Foundation
package import MarqueeModel

extension String {
    /// The text in Unicode's composed form (NFC), the form in which names are stored. Text from macOS is often
    /// decomposed.
    package var composed: String {
        if utf8.allSatisfy({ $0 < 0x80 }) || unicodeScalars.allSatisfy(\.isComposedAnywhere) { return self }
        return precomposedStringWithCanonicalMapping
    }
}

extension Unicode.Scalar {
    /// Whether composition leaves the scalar alone in any text, as far as that is known without Unicode's tables.
    /// Covers Latin, Hangul, Kana and Han: enough for most texts.
    fileprivate var isComposedAnywhere: Bool {
        switch value {
        case 0..<0x300, 0x2010...0x2027, 0x3000...0x3029, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF9D:
            true
        default: false
        }
    }
}

extension JSONValue {
    /// The value with all of its texts and names in composed form.
    package var composed: JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .text(let text): .text(text.composed)
        case .list(let values): .list(values.map(\.composed))
        case .object(let members):
            .object(members.map { Member(name: $0.name.composed, value: $0.value.composed) })
        }
    }
}

extension RecordID {
    package var composed: RecordID { RecordID(type: type, id: id.composed) }
}

extension RecordContent {
    /// Encoded messages stay as they are: their bytes are the publisher's.
    fileprivate var composed: RecordContent { if case .json(let value) = self { .json(value.composed) } else { self } }
}

extension ListName {
    fileprivate var composed: ListName { ListName(list.composed, edition: edition?.composed) }
}

extension ListEntry {
    fileprivate var composed: ListEntry {
        ListEntry(key: key.composed, record: record?.composed, place: place?.composed)
    }
}

extension Change {
    /// The change with names and texts in composed form, as required of documents from outside.
    package var composed: Change {
        switch self {
        case .chooseEntry(let pool, let entry): .chooseEntry(pool: pool.composed, entry: entry.composed)
        case .chooseRecord(let pool, let record): .chooseRecord(pool: pool.composed, record: record.composed)
        case .removeChoice(let pool): .removeChoice(pool: pool.composed)
        case .page(let page):
            .page(
                Page(
                    id: page.id.composed,
                    sections: page.sections.map { section in
                        Page.Section(
                            id: section.id.composed, type: section.type.composed, title: section.title.composed,
                            list: section.list.composed)
                    }))
        case .removePage(let id): .removePage(id.composed)
        case .programme, .types, .time, .source: self
        case .put(let id, let content): .put(id.composed, content.composed)
        case .merge(let id, let content, let clear, let creates):
            .merge(id.composed, content.composed, clear: clear.map(\.composed), creates: creates)
        case .remove(let id): .remove(id.composed)
        case .list(let list): .list(RecordList(list.name.composed, entries: list.entries.map(\.composed)))
        case .listItem(let edit):
            .listItem(edit.composed)
        case .show(let list, let edition): .show(list: list.composed, edition: edition.composed)
        case .removeList(let name): .removeList(name.composed)
        }
    }
}

extension EntryEdit {
    fileprivate var composed: EntryEdit {
        var edit = self
        edit.list = list.composed
        edit.key = key.composed
        edit.entry = entry?.composed
        return edit
    }
}
