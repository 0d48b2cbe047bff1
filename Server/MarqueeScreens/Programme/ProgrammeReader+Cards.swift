import MarqueeModel
import MarqueeTypes
import Yams

/// Reads cards: `card: {title: $title, image: $cover, …}`.
extension ProgrammeReader {
    mutating func card(_ node: Node, in scope: TemplateScope) -> CardMapping? {
        guard
            let fields = fields(
                node, "a card",
                allowed: [
                    "overline", "title", "subtitle", "caption", "image", "badges", "rating", "price", "rank",
                    "progress", "facts", "actions", "text", "record",
                ])
        else { return nil }
        let before = mistakes.count
        var card = CardMapping()
        card.title =
            scope.facet != nil
            ? LocalizedTemplate(fallback: RecordTemplate(.facetValue)) : CardMapping.usual(for: scope.shape).title
        if let node = fields["title"] { card.title = template(node, "the title of a card", scope) }
        card.overline = fields["overline"].flatMap { template($0, "the overline of a card", scope) }
        card.subtitle = fields["subtitle"].flatMap { template($0, "the subtitle of a card", scope) }
        card.caption = fields["caption"].flatMap { template($0, "the caption of a card", scope) }
        card.text = fields["text"].flatMap { template($0, "the text of a card", scope) }
        card.image = fields["image"].flatMap { cardImage($0, scope) }
        card.badges = fields["badges"].map { badges($0, scope) } ?? []
        card.rating = fields["rating"].flatMap { rating($0, scope) }
        card.price = fields["price"].flatMap { cardPrice($0, scope) }
        card.rank = fields["rank"].flatMap { rank($0, scope) }
        card.progress = fields["progress"].flatMap { progress($0, scope) }
        card.facts = fields["facts"].map { facts($0, scope) } ?? []
        card.actions = fields["actions"].map { cardActions($0, scope) } ?? []
        card.record = fields["record"].flatMap { recordFields($0, scope) }
        return mistakes.count == before ? card : nil
    }

    private mutating func cardImage(_ node: Node, _ scope: TemplateScope) -> CardMapping.Image? {
        if case .scalar = node {
            return template(node, "the image of a card", scope).map { CardMapping.Image(name: $0) }
        }
        guard let fields = fields(node, "the image of a card", allowed: ["name", "aspect", "color"]) else { return nil }
        let aspect = fields["aspect"].flatMap { quantity($0, "the aspect of an image", scope) }
        let color = fields["color"].flatMap { template($0, "the color of an image", scope) }
        guard let name = required("name", in: fields).flatMap({ template($0, "the name of an image", scope) }) else {
            return nil
        }
        return CardMapping.Image(name: name, aspect: aspect, color: color)
    }

    private mutating func badges(_ node: Node, _ scope: TemplateScope) -> [CardMapping.Badge] {
        let roles = CardContent.Badge.Role.allCases.map { (name: $0.rawValue, value: $0) }
        return (list(node, "badges", atMost: ProgrammeLimits.cardEntries) ?? []).compactMap { entry in
            if case .mapping(let mapping) = entry, ["text", "role", "when"].contains(where: { mapping[$0] != nil }) {
                guard let fields = fields(entry, "a badge", allowed: ["text", "role", "when"]) else { return nil }
                let role = fields["role"].map { choice($0, "role", roles) } ?? .neutral
                let conditions = fields["when"].map { self.conditions($0, "'when' of a badge", scope) } ?? []
                guard let text = required("text", in: fields).flatMap({ template($0, "a badge", scope) }), let role
                else { return nil }
                return CardMapping.Badge(text: text, role: role, conditions: conditions)
            }
            return template(entry, "a badge", scope).map { CardMapping.Badge(text: $0, role: .neutral) }
        }
    }

    private mutating func rating(_ node: Node, _ scope: TemplateScope) -> CardMapping.Rating? {
        if case .scalar = node { return quantity(node, "a rating", scope).map { CardMapping.Rating(value: $0) } }
        guard let fields = fields(node, "a rating", allowed: ["value", "scale", "count"]) else { return nil }
        let scale = fields["scale"].flatMap { quantity($0, "the scale of a rating", scope) }
        let count = fields["count"].flatMap { quantity($0, "the count of a rating", scope) }
        guard let value = required("value", in: fields).flatMap({ quantity($0, "a rating", scope) }) else { return nil }
        return CardMapping.Rating(value: value, scale: scale, count: count)
    }

    private mutating func cardPrice(_ node: Node, _ scope: TemplateScope) -> CardMapping.Price? {
        if case .scalar = node { return template(node, "a price", scope).map { CardMapping.Price(amount: $0) } }
        guard let fields = fields(node, "a price", allowed: ["amount", "currency"]) else { return nil }
        let currency = fields["currency"].flatMap { template($0, "a currency", scope) }
        guard let amount = required("amount", in: fields).flatMap({ template($0, "the amount of a price", scope) })
        else {
            return nil
        }
        return CardMapping.Price(amount: amount, currency: currency)
    }

    private mutating func rank(_ node: Node, _ scope: TemplateScope) -> CardMapping.Rank? {
        guard let fields = fields(node, "a rank", allowed: ["place", "previous", "new"]) else { return nil }
        var rank = CardMapping.Rank()
        rank.place = fields["place"].flatMap { quantity($0, "the place of a rank", scope) }
        rank.previous = fields["previous"].flatMap { quantity($0, "the place before", scope) }
        rank.isNew = fields["new"].flatMap { singleValue($0, "'new' of a rank", scope) }
        return rank
    }

    private mutating func progress(_ node: Node, _ scope: TemplateScope) -> CardMapping.Progress? {
        guard let fields = fields(node, "progress", allowed: ["value", "total", "unit"]) else { return nil }
        let total = fields["total"].flatMap { quantity($0, "the total of progress", scope) }
        let unit = fields["unit"].flatMap { template($0, "the unit of progress", scope) }
        guard let value = required("value", in: fields).flatMap({ quantity($0, "progress", scope) }) else { return nil }
        return CardMapping.Progress(value: value, total: total, unit: unit)
    }

    private mutating func facts(_ node: Node, _ scope: TemplateScope) -> [CardMapping.Fact] {
        (list(node, "facts", atMost: ProgrammeLimits.cardEntries) ?? []).compactMap { entry in
            guard let fields = fields(entry, "a fact", allowed: ["label", "value", "when"]) else { return nil }
            let conditions = fields["when"].map { self.conditions($0, "'when' of a fact", scope) } ?? []
            let label = required("label", in: fields).flatMap { template($0, "the label of a fact", scope) }
            guard let value = required("value", in: fields).flatMap({ template($0, "the value of a fact", scope) }),
                let label
            else { return nil }
            return CardMapping.Fact(label: label, value: value, conditions: conditions)
        }
    }

    /// Reads `when`, in the language of `where`.
    private mutating func conditions(_ node: Node, _ what: String, _ scope: TemplateScope) -> [RecordCondition] {
        guard let type = scope.type else {
            report(node, "\(what) is about a record of a declared type, and there is none here")
            return []
        }
        let conditions = recordConditions(node, what, of: type)
        if !conditions.movingBounds(of: type.alias).isEmpty {
            report(node, "\(what) can't depend on the time; only 'where' of a source can")
        }
        return conditions
    }

    private mutating func cardActions(_ node: Node, _ scope: TemplateScope) -> [CardMapping.Action] {
        (list(node, "actions", atMost: ProgrammeLimits.actions) ?? []).compactMap { entry in
            guard let fields = fields(entry, "an action", allowed: ["id", "title", "target"]) else { return nil }
            let id = required("id", in: fields).flatMap { identifier($0, "the id of an action") }
            let title = required("title", in: fields).flatMap { template($0, "the title of an action", scope) }
            let target = fields["target"].flatMap { template($0, "the target of an action", scope) }
            if let node = fields["target"], let example = target?.fallback.example { targets.append((example, node)) }
            guard let id, let title else { return nil }
            return CardMapping.Action(id: id, title: title, target: target)
        }
    }

    /// Reads `true` or a list of fields.
    private mutating func recordFields(_ node: Node, _ scope: TemplateScope) -> CardMapping.Record? {
        guard let shape = scope.shape else {
            report(node, "'record' of a card carries a record, and there is none here")
            return nil
        }
        if case .scalar(let scalar) = node, scalar.string == "true" {
            return CardMapping.Record(message: shape.message.fullName, fields: nil)
        }
        guard case .sequence = node, let entries = list(node, "record", atMost: ProgrammeLimits.values) else {
            report(node, "'record' of a card is 'true', or a list of fields to carry")
            return nil
        }
        var numbers: Set<UInt32> = []
        for entry in entries {
            guard let name = text(entry, "the name of a field") else { return nil }
            guard let field = shape.message.field(named: name) else {
                reportUnknown(entry, "field", of: shape.message.fullName, shape.message.fields.map(\.name))
                return nil
            }
            numbers.insert(field.number)
        }
        return CardMapping.Record(message: shape.message.fullName, fields: numbers)
    }

    // MARK: - Values

    /// Reads a number, or a field that is one.
    private mutating func quantity(_ node: Node, _ what: String, _ scope: TemplateScope) -> CardMapping.Number? {
        if let number = node.scalar.flatMap({ Double($0.string) }), number.isFinite { return .constant(number) }
        guard let value = singleValue(node, what, scope) else { return nil }
        if value.isNumber { return .value(value) }
        report(node, "\(what) must be a number, not '\(node.scalar?.string ?? "")'")
        return nil
    }

    /// Reads a field, such as `$rating`.
    private mutating func singleValue(_ node: Node, _ what: String, _ scope: TemplateScope) -> RecordValue? {
        guard let template = self.plainTemplate(node, what, scope) else { return nil }
        if let value = template.onlyValue { return value }
        report(node, "\(what) must be a number or a field, such as $rating")
        return nil
    }
}

extension CardMapping {
    /// The default card, made from fields that have common names.
    static func usual(for shape: RecordShape?) -> CardMapping {
        func template(_ names: String...) -> LocalizedTemplate? {
            for name in names {
                // Most names belong to no field, and a path that leads nowhere searches for the nearest name.
                guard let shape, shape.message.field(named: name) != nil, let field = try? shape.readable(name)
                else { continue }
                return LocalizedTemplate(
                    fallback: RecordTemplate(parts: [.init(separator: "", pieces: [.value(.field(field))])]))
            }
            return nil
        }
        var card = CardMapping()
        card.title = template("title", "name", "headline", "label")
        card.subtitle = template("subtitle", "tagline", "author", "artist")
        card.image = template("image", "cover", "poster", "artwork", "picture", "thumbnail", "image_url").map {
            Image(name: $0)
        }
        card.text = template("description", "overview", "summary", "text")
        return card
    }
}
