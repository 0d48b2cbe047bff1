package import MarqueeModel

/// The recipe for a record's item.
///
/// A class, because copying or comparing a card's whole definition would cost more than making most items. Equal bodies
/// of one programme are the same object.
package final class RecordBody: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        indirect case card(CardMapping)
        /// The record's own bytes.
        case record(kind: ItemKind)
        /// A message of the operator's schema, or of one of Marquee's kinds.
        case message(kind: ItemKind, MessageMapping)
    }

    package let form: Form
    /// The locale for localized texts that lack the requested one.
    package let fallbackLocale: String
    /// Collections of the user whose values the body prints.
    package let collections: Set<CollectionName>
    /// Whether the body is made of a list entry's place message instead of a record.
    let isOfPlace: Bool

    init(form: Form, fallbackLocale: String, collections: Set<CollectionName> = [], isOfPlace: Bool = false) {
        self.form = form
        self.fallbackLocale = fallbackLocale
        self.collections = collections
        self.isOfPlace = isOfPlace
    }

    package static func == (a: RecordBody, b: RecordBody) -> Bool {
        a === b
            || (a.form == b.form && a.fallbackLocale == b.fallbackLocale && a.collections == b.collections
                && a.isOfPlace == b.isOfPlace)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(form)
        hasher.combine(collections)
    }
}

/// Maps values of a record to the parts of its card.
package struct CardMapping: Hashable, Sendable {
    package enum Number: Hashable, Sendable {
        case constant(Double)
        case value(RecordValue)
    }

    package struct Image: Hashable, Sendable {
        var name: LocalizedTemplate
        var aspect: Number?
        var color: LocalizedTemplate?
    }

    package struct Badge: Hashable, Sendable {
        /// For a repeated field, each value becomes a badge.
        var text: LocalizedTemplate
        var role: CardContent.Badge.Role
        /// Without a record that meets them all, there is no badge.
        var conditions: [RecordCondition] = []
    }

    package struct Rating: Hashable, Sendable {
        var value: Number
        var scale: Number?
        var count: Number?
    }

    package struct Price: Hashable, Sendable {
        var amount: LocalizedTemplate
        var currency: LocalizedTemplate?
    }

    package struct Rank: Hashable, Sendable {
        var place: Number?
        var previous: Number?
        var isNew: RecordValue?
    }

    package struct Progress: Hashable, Sendable {
        var value: Number
        var total: Number?
        var unit: LocalizedTemplate?
    }

    package struct Fact: Hashable, Sendable {
        var label: LocalizedTemplate
        var value: LocalizedTemplate
        /// Without a record that meets them all, there is no fact.
        var conditions: [RecordCondition] = []
    }

    package struct Action: Hashable, Sendable {
        var id: String
        var title: LocalizedTemplate
        var target: LocalizedTemplate?
    }

    package struct Record: Hashable, Sendable {
        /// The full name of the record's message.
        var message: String
        /// Numbers of the fields to include; `nil` for all.
        var fields: Set<UInt32>?
    }

    package var overline: LocalizedTemplate?
    package var title: LocalizedTemplate?
    package var subtitle: LocalizedTemplate?
    package var caption: LocalizedTemplate?
    package var image: Image?
    package var badges: [Badge] = []
    package var rating: Rating?
    package var price: Price?
    package var rank: Rank?
    package var progress: Progress?
    package var facts: [Fact] = []
    package var actions: [Action] = []
    package var text: LocalizedTemplate?
    package var record: Record?

    package init() {}

    /// The card of a record. Without a title, the card shows its id, or a facet's value.
    func content(of record: inout RecordReader) -> CardContent {
        let title = title?.text(of: &record) ?? record.name
        var card = CardContent(title: title.clipped(to: TextBounds.title))
        card.overline = overline?.text(of: &record)?.clipped(to: TextBounds.title)
        card.subtitle = subtitle?.text(of: &record)?.clipped(to: TextBounds.title)
        card.caption = caption?.text(of: &record)?.clipped(to: TextBounds.title)
        card.image = image?.content(of: &record)
        for badge in badges where record.meets(badge.conditions) {
            card.badges += badge.text.values(of: &record).map {
                CardContent.Badge(text: $0.clipped(to: TextBounds.name), role: badge.role)
            }
        }
        card.badges = Array(card.badges.prefix(TextBounds.entries))
        card.rating = rating?.content(of: &record)
        card.price = price?.content(of: &record)
        card.rank = rank?.content(of: &record)
        card.progress = progress?.content(of: &record)
        card.facts = facts.compactMap { $0.content(of: &record) }
        card.actions = actions.compactMap { $0.content(of: &record) }
        card.text = text?.text(of: &record)?.clipped(to: TextBounds.prose)
        card.record = self.record.map { carried in
            let bytes = carried.fields.map { FieldSelection.bytes(of: $0, in: record.bytes) } ?? record.bytes
            return CardContent.Record(message: carried.message, bytes: bytes)
        }
        return card
    }
}

// A part without its essential value is omitted.

extension CardMapping.Number {
    fileprivate func number(of record: inout RecordReader) -> Double? {
        switch self {
        case .constant(let number): number
        case .value(let value): record.value(of: value)?.number
        }
    }

    /// A count or place; `nil` for a number that can't be one.
    fileprivate func count<Count: FixedWidthInteger>(of record: inout RecordReader) -> Count? {
        number(of: &record).flatMap { Count(exactly: $0.rounded(.towardZero)) }
    }
}

extension CardMapping.Image {
    fileprivate func content(of record: inout RecordReader) -> ImageReference? {
        guard let name = name.text(of: &record) else { return nil }
        return ImageReference(
            name: name, aspect: aspect?.number(of: &record), color: color?.text(of: &record)
        ).clipped
    }
}

extension CardMapping.Rating {
    fileprivate func content(of record: inout RecordReader) -> CardContent.Rating? {
        guard let value = value.number(of: &record) else { return nil }
        return CardContent.Rating(
            value: value, scale: scale?.number(of: &record) ?? CardContent.Rating.defaultScale,
            count: count?.count(of: &record))
    }
}

extension CardMapping.Price {
    fileprivate func content(of record: inout RecordReader) -> CardContent.Price? {
        guard let amount = amount.text(of: &record) else { return nil }
        return CardContent.Price(
            amount: amount.clipped(to: TextBounds.name),
            currency: currency?.text(of: &record)?.clipped(to: TextBounds.name))
    }
}

extension CardMapping.Rank {
    fileprivate func content(of record: inout RecordReader) -> CardContent.Rank? {
        let rank = CardContent.Rank(
            place: place?.count(of: &record), previous: previous?.count(of: &record),
            isNew: isNew.flatMap { record.value(of: $0) } == .bool(true))
        return rank == CardContent.Rank() ? nil : rank
    }
}

extension CardMapping.Progress {
    fileprivate func content(of record: inout RecordReader) -> CardContent.Progress? {
        guard let value = value.number(of: &record) else { return nil }
        return CardContent.Progress(
            value: value, total: total?.number(of: &record),
            unit: unit?.text(of: &record)?.clipped(to: TextBounds.name))
    }
}

extension CardMapping.Fact {
    fileprivate func content(of record: inout RecordReader) -> CardContent.Fact? {
        guard record.meets(conditions), let value = value.text(of: &record) else { return nil }
        return CardContent.Fact(
            label: (label.text(of: &record) ?? "").clipped(to: TextBounds.name),
            value: value.clipped(to: TextBounds.name))
    }
}

extension CardMapping.Action {
    fileprivate func content(of record: inout RecordReader) -> ScreenAction? {
        guard let title = title.text(of: &record) else { return nil }
        guard let target else { return ScreenAction(id: id, title: title.clipped(to: TextBounds.name)) }
        guard let target = target.text(of: &record) else { return nil }
        return ScreenAction(
            id: id, title: title.clipped(to: TextBounds.name), target: target.clipped(to: TextBounds.title))
    }
}
