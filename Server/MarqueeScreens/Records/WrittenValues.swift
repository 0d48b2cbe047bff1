import MarqueeModel
import MarqueeTypes

extension FieldPath {
    /// A value as written in programmes and screen names: a text, a number, `true`, an enum's name.
    ///
    /// - Returns: `nil` if the text is not a value of this field.
    func value(written text: String) -> FieldValue? {
        switch target {
        case .scalar(let scalar), .wrapped(let scalar):
            switch scalar {
            case .string: return .text(text)
            case .bytes: return nil
            case .bool: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
            case .double, .float: return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
            case .int32, .sint32, .sfixed32: return Int32(text).map { .integer(Int64($0)) }
            case .int64, .sint64, .sfixed64: return Int64(text).map { .integer($0) }
            case .uint32, .fixed32: return UInt32(text).map { .unsigned(UInt64($0)) }
            case .uint64, .fixed64: return UInt64(text).map { .unsigned($0) }
            }
        case .enumeration(let type):
            return type.number(named: text).map { .enumeration(name: type.name(of: $0) ?? text, number: $0) }
        case .timestamp, .duration, .message: return nil
        }
    }
}

extension TypeDeclaration {
    /// The sort key of a record that has only this value.
    ///
    /// - Parameters:
    ///   - text: the value as in JSON; for a timestamp, a date is enough, which is the first moment of that day.
    ///   - zone: the zone of days.
    /// - Returns: `nil` if the text is not a value of the field.
    func key(of field: SortField, written text: String, zone: String) -> FieldKey? {
        let date = CalendarDate(text)
        if field.isDate { return date.map { FieldKey(.integer($0.daysSince1970)) } }
        if field.path.target == .timestamp, let date { return FieldKey(Moment(startOf: date, zone: zone).value) }
        for value in ["\"\(text)\"", text] {
            let names = field.path.text.split(separator: ".")
            let json = names.reversed().reduce(value) { inner, name in "{\"\(name)\":\(inner)}" }
            guard let record = try? coder.patch(json: Array(json.utf8)).record else { continue }
            let key = field.key(of: record)
            if key != .same { return key }
        }
        return nil
    }
}
