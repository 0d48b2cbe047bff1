/// Everything that is wrong with a record, in the order in which it was found, up to a bound.
///
/// A rule notes its mistakes here and goes on. A caller that only wants to know whether a record is right looks for
/// one, and is thrown it by `refusing`.
package struct RecordMistakes: Sendable {
    /// The most that are looked for; at least 1.
    package let limit: Int
    package private(set) var all: [RecordError] = []
    /// The fields of a record that they are about, where that is known, by their paths in the schema's names.
    private var fields: [String] = []

    package init(limit: Int) { self.limit = max(1, limit) }

    package var isFull: Bool { all.count >= limit }
    /// How many more are looked for.
    package var room: Int { limit - all.count }

    /// - Parameter field: the path in the schema's names of the field of a record that it is about.
    package mutating func note(_ error: RecordError, about field: String? = nil) {
        guard !isFull else { return }
        all.append(error)
        if let field { fields.append(field) }
    }

    /// Adds those of a part of the document.
    /// - Parameter place: the part, as seen from the whole.
    mutating func add(_ part: RecordMistakes, inside place: String) {
        guard !isFull else { return }
        all += part.all.prefix(room).map { $0.inside(place) }
        fields += part.fields
    }

    /// Names the message or list that those noted since a moment are inside of.
    /// - Parameter start: how many there were at that moment.
    package mutating func enclose(in place: @autoclosure () -> String, from start: Int) {
        guard all.count > start else { return }
        let place = place()
        for index in start..<all.count { all[index] = all[index].inside(place) }
    }

    /// Whether one is about a field, or about a message that it is inside of.
    /// - Parameter path: in the schema's names.
    package func areAbout(_ path: String) -> Bool {
        fields.contains { path == $0 || path.hasPrefix("\($0).") }
    }

    /// Runs a rule that notes mistakes.
    /// - Returns: its result.
    /// - Throws: its first mistake.
    package static func refusing<Value>(
        _ rule: (inout RecordMistakes) -> Value?
    ) throws(RecordError) -> Value {
        var mistakes = RecordMistakes(limit: 1)
        guard let value = rule(&mistakes), mistakes.all.isEmpty else {
            throw mistakes.all.first ?? RecordError("it can't be read")
        }
        return value
    }
}
