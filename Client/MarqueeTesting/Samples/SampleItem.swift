public import MarqueeClient
import MarqueeModel
import MarqueeWire

/// An item of a screen that a test or a preview makes up.
///
/// ```swift
/// let pilot = SampleItem.card("pilot", title: "Pilot", subject: "episode/pilot") { $0.subtitle = "Harbour lights" }
/// ```
public struct SampleItem: Identifiable, Hashable, Sendable {
    /// Unique within its section, never empty.
    public var id: String
    /// The record that the item stands for, such as `episode/pilot`; an item without one can't be a favorite.
    public var subject: Subject?
    /// The content that it shows.
    public var content: ItemContent

    /// - Parameters:
    ///   - id: unique within its section.
    ///   - subject: the record that it stands for.
    ///   - content: `ItemContent.encoded` for a preset's or an app's own kind.
    public init(_ id: String, subject: Subject? = nil, content: ItemContent) {
        self.id = id
        self.subject = subject
        self.content = content
    }

    /// An item that any viewer can draw.
    /// - Parameters:
    ///   - id: unique within its section.
    ///   - title: of the card.
    ///   - subject: the record that it stands for.
    ///   - fill: sets more than the title.
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
    ///   - kind: the number that the server's declaration of types gives it, from 1,000.
    ///   - bytes: the encoded message, as the server would send it.
    ///   - subject: the record that it stands for.
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
    /// The item as an app gets it.
    /// - Parameters:
    ///   - sample: what the test made up.
    ///   - favorite: whether it is a favorite.
    ///   - error: why the last change of this favorite was rolled back.
    public init(_ sample: SampleItem, favorite: FavoriteMark = .no, favoriteError error: ClientError? = nil) {
        self.init(item: sample.item, favorite: favorite, favoriteError: error)
    }
}
