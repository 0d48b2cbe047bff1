/// The content of an item, decoded from its body if the protocol itself defines that body.
public enum ItemContent: Hashable, Sendable {
    case card(CardContent)
    /// Any other kind, or a card that can't be decoded: the bytes as received, for a preset or an app that knows the
    /// kind.
    case encoded(kind: ItemKind, bytes: [UInt8])
}
