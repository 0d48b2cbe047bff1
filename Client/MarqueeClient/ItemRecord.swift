import MarqueeModel

/// The encoded bytes of a record, for an app that knows its type.
public struct ItemRecord: Hashable, Sendable {
    /// The full name of its protobuf message, such as `podcast.v1.Episode`; `nil` if the item's kind identifies it.
    public var message: String?
    /// The encoded message. A card may carry only some of its fields.
    public var bytes: [UInt8]

    /// Creates a record, for tests and previews.
    package init(message: String? = nil, bytes: [UInt8]) {
        self.message = message
        self.bytes = bytes
    }
}

extension ScreenItem {
    /// The record that the item carries: a card's `record`, or, with `body: record`, the item itself. `nil` for any
    /// other item.
    public var record: ItemRecord? {
        switch content {
        case .card(let card): card.record.map { ItemRecord(message: $0.message, bytes: $0.bytes) }
        case .encoded(let kind, let bytes) where kind.isRecord: ItemRecord(message: nil, bytes: bytes)
        default: nil
        }
    }
}
