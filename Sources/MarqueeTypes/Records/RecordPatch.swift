package import MarqueeModel

/// A change of some fields of a record; the others stay as they are.
///
/// `clear` is applied first. Then the fields present in `record` are applied: a message that occurs once is merged
/// field by field and a map entry by entry (an entry replaces the one with its key); lists, times, durations and
/// wrapped values are replaced as a whole. Setting a member of a `oneof` clears the others.
package struct RecordPatch: Hashable, Sendable {
    /// A record in canonical bytes that may lack fields required by proto2.
    package var record: [UInt8]
    /// Paths to clear, in the schema's names, sorted: `title`, `audio.codec`, `title[ko]`.
    package var clear: [String]

    package init(record: [UInt8], clear: [String] = []) {
        self.record = record
        self.clear = clear
    }
}

extension RecordCoder {
    /// A change given as JSON. A field that the document sets to the value an absent field reads as (`0`, `""`, `[]`)
    /// is cleared; `null` leaves a field unchanged.
    ///
    /// - Parameter clear: further paths to clear.
    package func patch(json: [UInt8], clear: [String] = []) throws(RecordError) -> RecordPatch {
        try patch(json: try named { () throws(RecordError) in try JSONValue(parsing: json) }, clear: clear)
    }

    /// A change inside a JSON document.
    package func patch(json: JSONValue, clear: [String] = []) throws(RecordError) -> RecordPatch {
        try RecordMistakes.refusing { patch(json: json, clear: clear, noting: &$0) }
    }

    /// A change inside a JSON document.
    /// - Parameter mistakes: receives everything wrong with it.
    /// - Returns: with mistakes, the valid parts; `nil` if there are none.
    package func patch(json: JSONValue, clear: [String], noting mistakes: inout RecordMistakes) -> RecordPatch? {
        var reader = RecordFromJSON(set: set, limit: mistakes.room)
        defer { mistakes.add(reader.mistakes, inside: name) }
        do throws(RecordError) {
            let value = try reader.message(json, message, path: "")
            let names = cleared(clear + reader.emptied, noting: &reader.mistakes)
            return RecordPatch(record: try encode(value), clear: names)
        } catch {
            reader.mistakes.note(error)
            return nil
        }
    }

    /// A change that a publisher sent as protobuf.
    ///
    /// - Parameter clear: paths to clear. Needed because bytes can't say that a field without presence is 0 or empty.
    package func patch(bytes: [UInt8], clear: [String] = []) throws(RecordError) -> RecordPatch {
        try RecordMistakes.refusing { patch(bytes: bytes, clear: clear, noting: &$0) }
    }

    /// A change that a publisher sent as protobuf.
    /// - Parameter mistakes: receives what is wrong with it. Reading stops at the first unreadable field.
    /// - Returns: with mistakes, the valid parts; `nil` if there are none.
    package func patch(bytes: [UInt8], clear: [String], noting mistakes: inout RecordMistakes) -> RecordPatch? {
        var own = RecordMistakes(limit: mistakes.room)
        defer { mistakes.add(own, inside: name) }
        do throws(RecordError) {
            let value = try RecordDecoder(set: set, source: .publisher).message(bytes, message)
            let names = cleared(clear, noting: &own)
            return RecordPatch(record: try encode(value), clear: names)
        } catch {
            own.note(error)
            return nil
        }
    }

    /// Applies a change to a record; an empty `record` means that there is none yet.
    /// - Parameter isWhole: whether the result must be a complete record, with all fields that proto2 requires.
    package func merge(
        _ patch: RecordPatch, into record: [UInt8], isWhole: Bool = true
    ) throws(RecordError) -> [UInt8] {
        try named { () throws(RecordError) in
            let decoder = RecordDecoder(set: set, source: .store)
            var value = try decoder.message(record, message)
            for path in patch.clear { clear(try FieldPath(path, message: message, set: set), in: &value, message) }
            merge(try decoder.message(patch.record, message), into: &value, message)
            if isWhole { try checkRequired(value, message) }
            return try encode(value)
        }
    }

    // MARK: - Clearing

    /// The paths in the schema's names, sorted.
    private func cleared(_ paths: [String], noting mistakes: inout RecordMistakes) -> [String] {
        guard paths.count <= RecordLimits.clearedPaths else {
            mistakes.note(
                RecordError("\(paths.count) fields to clear; at most \(RecordLimits.clearedPaths) are allowed"))
            return []
        }
        var names: Set<String> = []
        for path in paths where !mistakes.isFull {
            do throws(RecordError) {
                names.insert(try FieldPath(path, message: message, set: set).text)
            } catch {
                mistakes.note(error)
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func clear(_ path: FieldPath, in value: inout MessageValue, _ descriptor: MessageDescriptor) {
        clear(path.steps[...], path, in: &value, descriptor)
    }

    private func clear(
        _ steps: ArraySlice<UInt32>, _ path: FieldPath, in value: inout MessageValue, _ descriptor: MessageDescriptor
    ) {
        guard let step = steps.first else {
            guard let place = descriptor.place(numbered: path.field.number) else { return }
            guard let key = path.key, case .map(let entries) = value[place] else { return value.remove(place) }
            let rest = entries.filter { $0.key != key }
            if rest.isEmpty { value.remove(place) } else { value.set(place, .map(rest)) }
            return
        }
        guard let place = descriptor.place(numbered: step), let nested = descriptor.fields[place].message,
            case .single(.message(var inner)) = value[place]
        else { return }
        clear(steps.dropFirst(), path, in: &inner, set.messages[nested])
        value.set(place, .single(.message(inner)))
    }

    // MARK: - Merging

    private func merge(_ change: MessageValue, into value: inout MessageValue, _ descriptor: MessageDescriptor) {
        for field in change.fields {
            for rival in descriptor.rivals(of: field.place) { value.remove(rival) }
            let before = value[field.place]
            value.set(field.place, merged(field.content, over: before, descriptor.fields[field.place]))
        }
        value.replaceUnknown(from: change)
    }

    /// The content of a field after the patch. A separate function, because Swift 6.3 can't optimise it as part of
    /// `merge`.
    private func merged(
        _ new: MessageValue.Content, over old: MessageValue.Content?, _ field: FieldDescriptor
    ) -> MessageValue.Content {
        if case .map(let entries) = new, case .map(let before)? = old, case .map(let key) = field.cardinality {
            return .map(MessageValue.settled(before + entries, key))
        }
        guard case .single(.message(let inner)) = new, case .single(.message(var before))? = old,
            let place = field.message
        else { return new }
        let nested = set.messages[place]
        if nested.wellKnown != nil { return new }
        merge(inner, into: &before, nested)
        return .single(.message(before))
    }
}
