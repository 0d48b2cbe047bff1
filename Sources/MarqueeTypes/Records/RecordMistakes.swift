/// Everything that is wrong with a record, in the order found, up to a limit.
///
/// A check notes its mistakes here and continues. A caller that only needs to know whether a record is valid uses
/// `refusing`, which stops at the first mistake and throws it.
package struct RecordMistakes: Sendable {
    /// Maximum number of mistakes to look for; at least 1.
    package let limit: Int
    package private(set) var all: [RecordError] = []
    /// The fields that the mistakes are about, where known, as paths in the schema's names.
    private var fields: [String] = []

    package init(limit: Int) { self.limit = max(1, limit) }

    package var isFull: Bool { all.count >= limit }
    /// How many more mistakes to look for.
    package var room: Int { limit - all.count }

    /// - Parameter field: the field that the error is about, as a path in the schema's names.
    package mutating func note(_ error: RecordError, about field: String? = nil) {
        guard !isFull else { return }
        all.append(error)
        if let field { fields.append(field) }
    }

    /// Adds the mistakes of a part of the document.
    /// - Parameter place: the part's path within the document.
    mutating func add(_ part: RecordMistakes, inside place: String) {
        guard !isFull else { return }
        all += part.all.prefix(room).map { $0.inside(place) }
        fields += part.fields
    }

    /// Prefixes the mistakes noted within a message or list with its path.
    /// - Parameter start: the index of the first of those mistakes.
    package mutating func enclose(in place: @autoclosure () -> String, from start: Int) {
        guard all.count > start else { return }
        let place = place()
        for index in start..<all.count { all[index] = all[index].inside(place) }
    }

    /// Whether a mistake is about this field, or about a message that contains it.
    /// - Parameter path: in the schema's names.
    package func areAbout(_ path: String) -> Bool {
        fields.contains { path == $0 || path.hasPrefix("\($0).") }
    }

    /// Runs a check that notes mistakes.
    /// - Returns: the check's result.
    /// - Throws: the first mistake.
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
