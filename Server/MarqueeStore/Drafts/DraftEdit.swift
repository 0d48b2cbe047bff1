package import MarqueeCatalogue
package import MarqueeModel
package import MarqueeTypes

/// A write that changes a draft, or makes a commit of it.
package struct DraftEdit: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// Puts a publication into the draft, which begins with the first one. With a key that is done once.
        case add([Change], key: String?)
        /// Makes one commit of the draft as it was read, and ends it.
        case publish(version: UInt64, despiteConflicts: Bool)
        /// Has it published at a moment. Until then nothing can be put into it.
        case schedule(version: UInt64, at: Moment, despiteConflicts: Bool)
        /// Makes the commit of a draft that is due at that moment; nothing, if it isn't.
        case publishDue(Moment)
        /// Takes back the moment of a draft that is due then, and can't be published.
        case fail(Moment, problem: String)
        /// Takes back its moment.
        case hold
        case drop
    }

    package var name: String
    package var action: Action

    package init(_ name: String, _ action: Action) {
        self.name = name
        self.action = action
    }
}

/// The document by which a publication is about a draft: `{"draft": "spring"}` before the changes that go there, or
/// alone `{"draft": {"publish": "spring"}}`, with `hold` or `drop` instead.
package enum DraftOrder: Hashable, Sendable {
    case add(to: String)
    case publish(String, at: Moment?, despiteConflicts: Bool)
    case hold(String)
    case drop(String)

    package var name: String {
        switch self {
        case .add(let name), .publish(let name, _, _), .hold(let name), .drop(let name): name
        }
    }

    /// - Returns: `nil` for documents that are about no draft.
    /// - Throws: if the document has another form, isn't the first, or isn't alone where it should be.
    package static func of(_ documents: [[UInt8]]) throws(RecordError) -> DraftOrder? {
        guard let index = documents.firstIndex(where: isOrder) else { return nil }
        guard index == 0 else { throw RecordError("'draft' comes first, before the changes that go there") }
        let order = try read(documents[0])
        if let reason = Draft.refusal(ofName: order.name) { throw RecordError(path: "draft", reason) }
        switch order {
        case .add:
            guard documents.count > 1 else { throw RecordError("'draft' names where changes go, and none follow") }
            if documents.dropFirst().contains(where: { isOrder($0) || Undo.isUndo($0) }) {
                throw RecordError("only changes go into a draft, neither 'undo' nor another 'draft'")
            }
        default:
            guard documents.count == 1 else { throw RecordError("this 'draft' is a publication of its own") }
        }
        return order
    }

    /// Whether a document begins as one that is about a draft.
    package static func isOrder(_ document: [UInt8]) -> Bool { document.beginsObject(with: "draft") }

    private static func read(_ document: [UInt8]) throws(RecordError) -> DraftOrder {
        let value = try JSONValue(parsing: document, atMost: .max)
        return try RecordMistakes.refusing { mistakes in
            guard var fields = DocumentFields(value, ["draft"], &mistakes) else { return nil }
            let order: DraftOrder? = fields.required("draft", &mistakes) { value, mistakes in
                if case .text(let name) = value { return .add(to: name) }
                let known = ["at", "despiteConflicts", "drop", "hold", "publish"]
                guard let fields = DocumentFields(value, known, &mistakes) else { return nil }
                let publish = fields.optionalText("publish", &mistakes)
                let (hold, drop) = (fields.optionalText("hold", &mistakes), fields.optionalText("drop", &mistakes))
                let at: Moment? = fields.optional("at", &mistakes) { value, mistakes in
                    guard let text = value.asText(&mistakes) else { return nil }
                    guard let moment = Moment(written: text) else {
                        mistakes.note(RecordError("a moment such as 2026-12-24T20:00:00+09:00 is expected"))
                        return nil
                    }
                    return moment
                }
                let despite = fields.optional("despiteConflicts", &mistakes) { $0.asBool(&$1) }
                fields.refuseOthers(&mistakes)
                switch (publish, hold, drop) {
                case (let name?, nil, nil): return .publish(name, at: at, despiteConflicts: despite ?? false)
                case (nil, let name?, nil) where at == nil && despite == nil: return .hold(name)
                case (nil, nil, let name?) where at == nil && despite == nil: return .drop(name)
                default:
                    mistakes.note(
                        RecordError(
                            "the draft's name is expected, or one of 'publish', 'hold' and 'drop' with it; 'at' and "
                                + "'despiteConflicts' go with 'publish'"))
                    return nil
                }
            }
            fields.refuseOthers(&mistakes)
            return order
        }
    }
}

extension [UInt8] {
    /// Whether it begins as a JSON object whose first member has a name.
    func beginsObject(with name: String) -> Bool {
        var rest = self[...].drop { $0.isSpace }
        guard rest.first == UInt8(ascii: "{") else { return false }
        rest = rest.dropFirst().drop { $0.isSpace }
        return rest.starts(with: "\"\(name)\"".utf8)
    }
}

extension UInt8 {
    /// Whether JSON takes it for space between values.
    fileprivate var isSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
