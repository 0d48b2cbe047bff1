import MarqueeModel
import MarqueePresets

/// The members of a record's JSON; missing values are left out.
struct Fields {
    private var members: [JSONValue.Member] = []

    var json: JSONValue { .object(members) }

    mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { members.append(JSONValue.Member(name: name, value: value)) }
    }

    mutating func add(_ name: String, _ text: String?) { add(name, text.map { .text($0) }) }
    mutating func add(_ name: String, _ number: (some BinaryInteger)?) { add(name, number.map { .number("\($0)") }) }
    /// Only numbers that JSON can express.
    mutating func add(_ name: String, _ number: Double?) {
        if let number, number.isFinite { add(name, .number("\(number)")) }
    }
    mutating func add(_ name: String, _ values: [JSONValue]?) {
        if let values, !values.isEmpty { add(name, .list(values)) }
    }
    /// By locale.
    mutating func add(_ name: String, _ texts: [String: String]) {
        if !texts.isEmpty { add(name, JSONValue.object(texts.mapValues { .text($0) })) }
    }
    /// - Parameter role: the image's part in an item, for a record that is an item's body without a mapping.
    mutating func add(_ name: String, _ image: ImageReference?, role: String? = nil) {
        guard let image else { return }
        var fields = Fields()
        fields.add("name", image.name)
        fields.add("role", role)
        fields.add("aspect", image.aspect)
        fields.add("color", image.color)
        add(name, fields.json)
    }
}
