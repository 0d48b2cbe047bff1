import MarqueeModel
import MarqueeTypes

/// Makes records of rows whose columns fill scalars, one each, straight from their texts: nearly all rows of nearly all
/// tables. What it makes is what `RecordPlan` would; of a row that isn't so plain it makes nothing.
final class PlainRow {
    private struct Part {
        var column: Int
        var number: UInt32
        var scalar: ScalarType
        /// Whether a value like that of an absent field is left out.
        var skipsZero: Bool
        var isID: Bool
    }

    /// The bytes of most records.
    private static let usualBytes = 256

    /// Ascending by number.
    private let parts: [Part]
    private let type: TypeDeclaration

    /// - Parameter columns: the names of the columns of each row.
    /// - Returns: `nil` for rows that aren't plain.
    init?(_ plan: RecordPlan, columns: [String]) {
        guard let fields = plan.plainFields, let id = plan.type.id,
            !plan.type.message.fields.contains(where: { $0.presence == .required })
        else { return nil }
        var parts: [Part] = []
        for (name, path) in fields {
            guard let column = columns.firstIndex(of: name), case .scalar(let scalar) = path.target,
                scalar.isInteger || [.string, .bool, .double].contains(scalar)
            else { return nil }
            parts.append(
                Part(
                    column: column, number: path.field.number, scalar: scalar,
                    skipsZero: path.field.presence == .implicit, isID: path == id))
        }
        parts.sort { $0.number < $1.number }
        guard zip(parts, parts.dropFirst()).allSatisfy({ $0.number < $1.number }) else { return nil }
        (self.parts, type) = (parts, plan.type)
    }

    /// - Returns: the record's id and canonical bytes; `nil` if the row has to be judged otherwise.
    func record(_ cells: [PgOutputMessage.Cell]) -> (id: String, bytes: [UInt8])? {
        var writer = MessageWriter(capacity: Self.usualBytes)
        for part in parts {
            switch cells[part.column] {
            case .null: continue
            case .unchanged: return nil
            case .text(let text):
                guard text.utf8.count <= DatabaseTable.valueBytes, let value = Self.value(text, part),
                    writer.write(value, as: part.scalar, to: part.number, skipsZero: part.skipsZero)
                else { return nil }
            }
        }
        let bytes = writer.bytes
        guard bytes.count <= RecordLimits.bytes, let id = try? type.id(of: bytes),
            (try? type.checkDates(in: bytes)) != nil
        else { return nil }
        return (id, bytes)
    }

    private static func value(_ text: String, _ part: Part) -> FieldValue? {
        // An id is read without the spaces around it.
        if part.isID, !text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return nil }
        switch part.scalar {
        case .string: return text.utf8.contains(0) ? nil : .text(text.composed)
        case .bool: return text == "t" ? .bool(true) : text == "f" ? .bool(false) : nil
        case .double: return CellReader.isPlainNumber(text) ? Double(text).map { .real($0) } : nil
        default: return CellReader.isPlainNumber(text) ? Int64(text).map { .integer($0) } : nil
        }
    }
}
