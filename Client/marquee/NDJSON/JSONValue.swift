import MarqueeModel
import MarqueeScreenJSON

/// A JSON document that this program prints.
typealias JSONValue = JSONDocument

extension JSONDocument {
    /// The document of JSON text; `nil` for `null`, and for text that isn't JSON.
    init?(json: String) {
        guard let value = try? MarqueeModel.JSONValue(parsing: Array(json.utf8)) else { return nil }
        self.init(value)
    }
}
