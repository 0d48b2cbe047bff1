import MarqueeDiff
import MarqueeTypes

/// A place in an order of records as opaque bytes: a stamp of the order, the keys of its parts, and the record's id.
extension RecordKey {
    /// Maximum bytes of a cursor, more than those of any cursor made here.
    static let cursorBytes = 4_096
    private static let stampBytes = 4

    /// - Parameters:
    ///   - sort: the order's sort, as shown in a locale; `nil` for the order by id.
    ///   - type: the type of the records.
    func cursor(of sort: RecordSort?, type: String) -> [UInt8] {
        var bytes = Self.stamp(of: sort, type: type)
        for part in 0..<(sort?.parts.count ?? 0) { self[part].write(to: &bytes) }
        return bytes + id.utf8
    }

    /// - Returns: `nil` if the bytes aren't a cursor of this order.
    init?(cursor: [UInt8], of sort: RecordSort?, type: String) {
        guard cursor.count <= Self.cursorBytes, cursor.starts(with: Self.stamp(of: sort, type: type)) else {
            return nil
        }
        var rest = cursor.dropFirst(Self.stampBytes)
        var keys: [FieldKey] = []
        for _ in 0..<(sort?.parts.count ?? 0) {
            guard let key = FieldKey(taking: &rest) else { return nil }
            keys.append(key)
        }
        guard rest.count <= TypeLimits.idBytes, let id = String(validating: rest, as: UTF8.self) else { return nil }
        self.init(key: keys.first ?? .same, others: Array(keys.dropFirst()), id: id)
    }

    /// Keys of different orders can't be compared.
    private static func stamp(of sort: RecordSort?, type: String) -> [UInt8] {
        let parts = (sort?.parts ?? []).flatMap { part in
            [part.name] + part.locales + (part.field.isCollated ? [part.collation.stamp, ""] : [""])
        }
        let hash = XXH64.hash(Array(([type] + parts).joined(separator: "\0").utf8))
        return withUnsafeBytes(of: hash.bigEndian) { Array($0.prefix(stampBytes)) }
    }
}

extension RecordSort {
    /// The place before all records whose first key is that of a value, or comes after it.
    ///
    /// - Parameter text: the value as in programmes.
    /// - Returns: `nil` if the text is not a value of the field.
    func key(written text: String) -> RecordKey? {
        let field = first.field
        // A text that isn't a day has no place among days.
        let value = field.value(written: text) ?? (field.isDate ? nil : field.path.value(written: text))
        guard let value else { return nil }
        let key = FieldKey(value, descending: first.isDescending, collation: first.collation)
        return key.isMissing ? nil : RecordKey(key: key, id: "")
    }
}
