/// A decoded message, the intermediate form between JSON and bytes.
struct MessageValue: Hashable, Sendable {
    /// The fields that are present, ascending by index in the descriptor, and so by number.
    private(set) var fields: [Field] = []
    /// Fields that the descriptor lacks or declares with another type.
    private(set) var unknown: [UnknownField] = []

    struct Field: Hashable, Sendable {
        /// The field's index in the descriptor.
        var place: Int
        var content: Content
    }

    enum Content: Hashable, Sendable {
        case single(Value)
        case list([Value])
        case map([Entry])
    }

    /// One value. Its field gives the type of a number.
    enum Value: Hashable, Sendable {
        /// A bool as 0 or 1; a signed number sign-extended; a float's 32 bits or a double's 64.
        case bits(UInt64)
        /// A text's UTF-8, or bytes.
        case bytes(ArraySlice<UInt8>)
        indirect case message(MessageValue)
    }

    struct Entry: Hashable, Sendable {
        var key: Value
        var value: Value
    }

    struct UnknownField: Hashable, Sendable {
        var number: UInt32
        var wireType: WireType
        var bits: UInt64
        var payload: ArraySlice<UInt8>
    }

    subscript(place: Int) -> Content? {
        guard let index = index(of: place) else { return nil }
        return fields[index].content
    }

    /// Sets a field, replacing its content.
    mutating func set(_ place: Int, _ content: Content) {
        let index = insertionIndex(of: place)
        if index < fields.count, fields[index].place == place {
            fields[index].content = content
        } else {
            fields.insert(Field(place: place, content: content), at: index)
        }
    }

    mutating func remove(_ place: Int) {
        if let index = index(of: place) { fields.remove(at: index) }
    }

    /// Takes a field's content out, so that changing it makes no copy. The field is left with an empty list; the caller
    /// sets it again.
    mutating func take(_ place: Int) -> Content? {
        guard let index = index(of: place) else { return nil }
        let content = fields[index].content
        fields[index].content = .list([])
        return content
    }

    /// Appends to a repeated field.
    mutating func append(_ place: Int, values: [Value]) {
        var all: [Value] = []
        if case .list(let values) = take(place) { all = values }
        all += values
        set(place, .list(all))
    }

    /// Appends to a map. Keys may repeat until the map passes through `settled(_:_:)`.
    mutating func append(_ place: Int, entry: Entry) {
        var all: [Entry] = []
        if case .map(let entries) = take(place) { all = entries }
        all.append(entry)
        set(place, .map(all))
    }

    mutating func append(unknown field: UnknownField) { unknown.append(field) }

    mutating func sortUnknown() {
        // Comparing offsets second keeps the sort stable.
        unknown = unknown.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element)
    }

    /// Replaces the unknown fields whose numbers occur in `other`.
    mutating func replaceUnknown(from other: MessageValue) {
        let numbers = Set(other.unknown.map(\.number))
        unknown.removeAll { numbers.contains($0.number) }
        unknown += other.unknown
        sortUnknown()
    }

    private func index(of place: Int) -> Int? {
        let index = insertionIndex(of: place)
        return index < fields.count && fields[index].place == place ? index : nil
    }

    private func insertionIndex(of place: Int) -> Int {
        // Fields mostly arrive in order.
        guard let last = fields.last, place <= last.place else { return fields.count }
        if place == last.place { return fields.count - 1 }
        return fields.partitioningIndex { $0.place >= place }
    }
}

extension MessageValue.Entry {
    /// The order of map keys: texts by their bytes, numbers by value, false before true.
    static func precedes(_ a: MessageValue.Value, _ b: MessageValue.Value, _ type: ScalarType) -> Bool {
        switch (a, b) {
        case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
        case (.bits(let a), .bits(let b)): type.isSigned ? Int64(bitPattern: a) < Int64(bitPattern: b) : a < b
        default: false
        }
    }
}
