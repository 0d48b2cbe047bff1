internal import CMarqueeProto
internal import MarqueeModel

// The C forms of a card and its parts. A part that lacks its main field counts as missing.

extension CardContent: ProtobufConvertible {
    func write(to wire: inout Proto.CardBody, with packer: Packer) {
        wire.overline = packer.text(overline)
        wire.title = packer.text(unlessEmpty: title)
        wire.subtitle = packer.text(subtitle)
        wire.caption = packer.text(caption)
        wire.image = packer.image(image, .image)
        (wire.n_badges, wire.badges) = packer.messages(badges)
        wire.rating = packer.rating(rating)
        wire.price = packer.message(price)
        wire.rank = packer.message(rank)
        wire.progress = packer.progress(progress)
        (wire.n_facts, wire.facts) = packer.messages(facts)
        (wire.n_actions, wire.actions) = packer.messages(actions)
        wire.text = packer.text(text)
        wire.record = packer.message(record)
    }

    static func read(_ wire: Proto.CardBody, with unpacker: Unpacker) throws(WireError) -> CardContent {
        var card = CardContent(title: unpacker.text(wire.title) ?? "")
        card.overline = unpacker.text(wire.overline)
        card.subtitle = unpacker.text(wire.subtitle)
        card.caption = unpacker.text(wire.caption)
        card.image = unpacker.image(wire.image)
        card.badges = try unpacker.messages(wire.n_badges, wire.badges)
        card.rating = unpacker.rating(wire.rating)
        card.price = try unpacker.message(wire.price)
        card.rank = try unpacker.message(wire.rank)
        card.progress = unpacker.progress(wire.progress)
        card.facts = try unpacker.messages(wire.n_facts, wire.facts)
        card.actions = try unpacker.messages(wire.n_actions, wire.actions)
        card.text = unpacker.text(wire.text)
        card.record = try unpacker.message(wire.record)
        return card
    }
}

extension Packer {
    fileprivate func rating(_ rating: CardContent.Rating?) -> UnsafeMutablePointer<Proto.CardRating>? {
        guard let rating else { return nil }
        return message(Proto.CardRating.self) { wire in
            (wire.has_value, wire.value) = real(rating.value)
            let isUsual = rating.scale == CardContent.Rating.defaultScale
            (wire.has_scale, wire.scale) = real(isUsual ? nil : rating.scale)
            (wire.has_count, wire.count) = number(rating.count)
        }
    }

    fileprivate func progress(_ progress: CardContent.Progress?) -> UnsafeMutablePointer<Proto.CardProgress>? {
        guard let progress else { return nil }
        return message(Proto.CardProgress.self) { wire in
            (wire.has_value, wire.value) = real(progress.value)
            (wire.has_total, wire.total) = real(progress.total)
            wire.unit = text(progress.unit)
        }
    }
}

extension Unpacker {
    /// A rating without a value counts as missing.
    fileprivate func rating(_ wire: UnsafeMutablePointer<Proto.CardRating>?) -> CardContent.Rating? {
        guard let rating = wire?.pointee, let value = real(rating.has_value, rating.value) else { return nil }
        return CardContent.Rating(
            value: value, scale: real(rating.has_scale, rating.scale) ?? CardContent.Rating.defaultScale,
            count: number(rating.has_count, rating.count))
    }

    /// Progress without a value counts as missing.
    fileprivate func progress(_ wire: UnsafeMutablePointer<Proto.CardProgress>?) -> CardContent.Progress? {
        guard let progress = wire?.pointee, let value = real(progress.has_value, progress.value) else { return nil }
        return CardContent.Progress(
            value: value, total: real(progress.has_total, progress.total), unit: text(progress.unit))
    }
}

extension CardContent.Badge: ProtobufConvertible {
    func write(to wire: inout Proto.CardBadge, with packer: Packer) {
        wire.text = packer.text(text)
        wire.role = packer.text(role == .neutral ? nil : role.rawValue)
    }

    static func read(_ wire: Proto.CardBadge, with unpacker: Unpacker) throws(WireError) -> CardContent.Badge {
        CardContent.Badge(
            text: unpacker.text(wire.text) ?? "", role: unpacker.text(wire.role).flatMap(Role.init) ?? .neutral)
    }
}

extension CardContent.Price: ProtobufConvertible {
    func write(to wire: inout Proto.CardPrice, with packer: Packer) {
        wire.amount = packer.text(amount)
        wire.currency = packer.text(currency)
    }

    static func read(_ wire: Proto.CardPrice, with unpacker: Unpacker) throws(WireError) -> CardContent.Price {
        CardContent.Price(amount: unpacker.text(wire.amount) ?? "", currency: unpacker.text(wire.currency))
    }
}

extension CardContent.Rank: ProtobufConvertible {
    func write(to wire: inout Proto.CardRank, with packer: Packer) {
        (wire.has_place, wire.place) = packer.number(place)
        (wire.has_previous, wire.previous) = packer.number(previous)
        (wire.has_is_new, wire.is_new) = packer.flag(isNew)
    }

    static func read(_ wire: Proto.CardRank, with unpacker: Unpacker) throws(WireError) -> CardContent.Rank {
        CardContent.Rank(
            place: unpacker.number(wire.has_place, wire.place),
            previous: unpacker.number(wire.has_previous, wire.previous),
            isNew: unpacker.flag(wire.has_is_new, wire.is_new))
    }
}

extension CardContent.Fact: ProtobufConvertible {
    func write(to wire: inout Proto.CardFact, with packer: Packer) {
        wire.label = packer.text(unlessEmpty: label)
        wire.value = packer.text(value)
    }

    static func read(_ wire: Proto.CardFact, with unpacker: Unpacker) throws(WireError) -> CardContent.Fact {
        CardContent.Fact(label: unpacker.text(wire.label) ?? "", value: unpacker.text(wire.value) ?? "")
    }
}

extension CardContent.Record: ProtobufConvertible {
    func write(to wire: inout Proto.CardRecord, with packer: Packer) {
        wire.message = packer.text(message)
        (wire.has_bytes, wire.bytes) = packer.bytes(bytes)
    }

    static func read(_ wire: Proto.CardRecord, with unpacker: Unpacker) throws(WireError) -> CardContent.Record {
        CardContent.Record(message: unpacker.text(wire.message) ?? "", bytes: unpacker.bytes(wire.bytes))
    }
}
