import MarqueeModel

/// Kinds of a preset: what bodies contain is nothing to a diff.
extension ItemKind {
    static let movie = ItemKind(rawValue: 1)
    static let genre = ItemKind(rawValue: 2)
    static let credit = ItemKind(rawValue: 3)
}
