import MarqueeCatalogue
import MarqueeModel
package import MarqueeTypes

/// Changes as the log stores them: a JSON array in the form that `Change` documents.
enum ChangeCoding {
    /// Equal changes give equal bytes.
    static func encode(_ changes: [Change]) -> [UInt8] {
        var writer = JSONWriter(capacity: changes.reduce(0) { $0 + $1.usualDocumentBytes })
        writer.list { writer in for change in changes { change.write(to: &writer) } }
        return writer.bytes
    }

    static func decode(_ json: [UInt8]) throws(RecordError) -> [Change] {
        var changes: [Change] = []
        try JSONValue.forEachElement(of: json) { (value) throws(RecordError) in
            changes.append(try RecordMistakes.refusing { Change(value, &$0) })
        }
        return changes
    }
}

/// The sections of a page, as tables store them.
enum PageColumn {
    static func encode(_ sections: [Page.Section]) -> String {
        var writer = JSONWriter()
        Page.Section.write(sections, to: &writer)
        return writer.text
    }

    static func decode(_ json: String) throws(RecordError) -> [Page.Section] {
        let value = try JSONValue(parsing: Array(json.utf8), atMost: .max)
        return try RecordMistakes.refusing { Page.Section.list(value, &$0) }
    }
}

extension Change {
    /// Reads a change from its JSON document, such as `{"remove": {"type": "episode", "id": "e1"}}`. Names and texts
    /// are converted to composed form (NFC).
    ///
    /// - Parameter json: of any length; the caller bounds it.
    /// - Throws: for anything that isn't a change, for unknown members, and for changes that are invalid by themselves,
    ///   such as one with an empty id.
    package init(document json: [UInt8]) throws(RecordError) {
        self = try RecordMistakes.refusing { Change(document: json, noting: &$0) }
    }

    /// Reads a change from its JSON document and notes every mistake in its form, but only the first value that is out
    /// of bounds. The path of a mistake begins with the change's name, if it has one.
    /// - Returns: `nil` if there are mistakes.
    package init?(document json: [UInt8], noting mistakes: inout RecordMistakes) {
        if let put = Self.put(written: json), CatalogueBounds.refusal(of: put) == nil {
            self = put
            return
        }
        let start = mistakes.all.count
        do throws(RecordError) {
            let value = try JSONValue(parsing: json, atMost: .max)
            guard let change = Change(value, &mistakes), mistakes.all.count == start else { return nil }
            self = change
        } catch {
            mistakes.note(error)
            return nil
        }
        switch self {
        case .time:
            mistakes.note(RecordError(path: documentName, "'time' is committed by servers, and can't be published"))
            return nil
        case .source:
            mistakes.note(
                RecordError(path: documentName, "'source' isn't a change: a publication names its source separately"))
            return nil
        default: break
        }
        // ASCII without escapes has nothing to compose.
        if json.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "\\") }) { self = composed }
        if let reason = CatalogueBounds.refusal(of: self) {
            mistakes.note(RecordError(path: documentName, reason))
            return nil
        }
    }

    /// The change as a JSON document that `init(document:)` can read. Equal changes give equal bytes.
    /// - Throws: `invalid` for a number that JSON can't express; no catalogue accepts one.
    package func document() throws(StoreError) -> [UInt8] {
        if let number = invalidNumber {
            throw StoreError(.invalid, "a change holds a number that can't be written: \(number.prefix(64))")
        }
        var writer = JSONWriter(capacity: usualDocumentBytes)
        write(to: &writer)
        return writer.bytes
    }

    /// Room for the document of a record with its bytes.
    fileprivate var usualDocumentBytes: Int {
        if case .put(let id, .bytes(let bytes)) = self { bytes.count * 4 / 3 + id.id.utf8.count + 128 } else { 0 }
    }

    /// A number in the change's records that JSON can't express, such as `inf`.
    private var invalidNumber: String? {
        switch self {
        case .put(_, .json(let value)), .merge(_, .json(let value), _, _): value.invalidNumber
        case .list(let list): list.entries.lazy.compactMap(\.invalidNumber).first
        case .listItem(let edit): edit.entry?.invalidNumber
        default: nil
        }
    }
}

extension ListEntry {
    fileprivate var invalidNumber: String? {
        if case .json(let value)? = place { value.invalidNumber } else { nil }
    }
}
