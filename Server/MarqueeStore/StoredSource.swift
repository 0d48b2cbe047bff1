import MarqueeCatalogue
import MarqueeModel

/// The position of a source, as a row of an engine's table of names and values.
enum StoredSource {
    /// The prefix of these rows' names.
    static let prefix = "source "
    /// A name that sorts after all names with this prefix.
    static let end = "source!"

    static func row(of source: String) -> String { prefix + source }

    /// The row's value: the moment of the last move, and then the position.
    static func value(of position: SourcePosition) -> String {
        "\(position.moved?.text ?? "-") \(position.position ?? "")"
    }

    static func position(row: String, value: String) throws -> SourcePosition {
        guard row.hasPrefix(prefix), let space = value.firstIndex(of: " ") else { throw MalformedRow() }
        return SourcePosition(
            String(row.dropFirst(prefix.count)), at: String(value[value.index(after: space)...]),
            moved: Moment(String(value[..<space])))
    }
}
