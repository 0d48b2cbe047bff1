package import MarqueeCatalogue
package import MarqueeModel
package import MarqueeTypes

/// A write that changes a draft, or commits it.
package struct DraftEdit: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// Adds a publication to the draft; the first one creates it. With a key, the publication is added only once.
        case add([Change], key: String?)
        /// Commits the draft as a whole, if it still has this version, and removes it.
        case publish(version: UInt64, despiteConflicts: Bool)
        /// Schedules the draft to be published at a moment. Until then nothing can be added to it.
        case schedule(version: UInt64, at: Moment, despiteConflicts: Bool)
        /// Publishes the draft if it is due at that moment; does nothing otherwise.
        case publishDue(Moment)
        /// Unschedules a draft that is due at that moment but can't be published.
        case fail(Moment, problem: String)
        /// Unschedules the draft.
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

/// The document that directs a publication to a draft: `{"draft": "spring"}` before the changes to add to it, or
/// `{"draft": {"publish": "spring"}}` alone; `hold` and `drop` have the same form as `publish`.
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

    /// - Returns: `nil` if none of the documents concerns a draft.
    /// - Throws: if the document is malformed, isn't the first, or isn't alone where it should be.
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

    /// Whether a document begins like one that concerns a draft.
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
    /// Whether the bytes begin like a JSON object whose first member has this name.
    func beginsObject(with name: String) -> Bool {
        var rest = self[...].drop { $0.isSpace }
        guard rest.first == UInt8(ascii: "{") else { return false }
        rest = rest.dropFirst().drop { $0.isSpace }
        return rest.starts(with: "\"\(name)\"".utf8)
    }
}

extension UInt8 {
    /// Whether JSON treats it as white space between values.
    fileprivate var isSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
