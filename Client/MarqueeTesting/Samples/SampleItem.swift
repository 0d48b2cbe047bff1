public import MarqueeClient
import MarqueeModel
import MarqueeWire

/// An item of a screen, made up by a test or a preview.
///
/// ```swift
/// let pilot = SampleItem.card("pilot", title: "Pilot", subject: "episode/pilot") { $0.subtitle = "Harbour lights" }
/// ```
public struct SampleItem: Identifiable, Hashable, Sendable {
    /// Unique within its section, never empty.
    public var id: String
    /// The record that the item represents, such as `episode/pilot`; an item without one can't be a favorite.
    public var subject: Subject?
    /// The item's content.
    public var content: ItemContent

    /// - Parameters:
    ///   - id: unique within its section.
    ///   - subject: the record that it represents.
    ///   - content: `ItemContent.encoded` for a preset's or an app's own kind.
    public init(_ id: String, subject: Subject? = nil, content: ItemContent) {
        self.id = id
        self.subject = subject
        self.content = content
    }

    /// An item that any viewer can draw.
    /// - Parameters:
    ///   - id: unique within its section.
    ///   - title: the card's title.
    ///   - subject: the record that it represents.
    ///   - fill: sets fields other than the title.
    public static func card(
        _ id: String, title: String, subject: Subject? = nil, _ fill: (inout CardContent) -> Void = { _ in }
    ) -> SampleItem {
        var card = CardContent(title: title)
        fill(&card)
        return SampleItem(id, subject: subject, content: .card(card))
    }

    /// A record of an app's own type.
    /// - Parameters:
    ///   - id: unique within its section.
    ///   - kind: the type's number in the server's declaration of types, from 1,000.
    ///   - bytes: the encoded message, as the server would send it.
    ///   - subject: the record that it represents.
    public static func record(
        _ id: String, kind: ItemKind, bytes: [UInt8], subject: Subject? = nil
    ) -> SampleItem {
        SampleItem(id, subject: subject, content: .encoded(kind: kind, bytes: bytes))
    }

    var item: Item {
        Item(id: id, kind: content.kind, subject: subject?.name ?? "", body: BodyCodec.encode(content))
    }
}

extension ScreenItem {
    /// Creates the item as an app receives it.
    /// - Parameters:
    ///   - sample: the item made up by the test.
    ///   - favorite: whether it is a favorite.
    ///   - error: the reason why the last change of this favorite was rolled back.
    public init(_ sample: SampleItem, favorite: FavoriteMark = .no, favoriteError error: ClientError? = nil) {
        self.init(item: sample.item, favorite: favorite, favoriteError: error)
    }
}
