import MarqueeModel
import MarqueeTypes
import Yams

/// How records are shown: `body: card`, `body: record`, `body: {card: {title: $title, …}}`, or a message.
extension ProgrammeReader {
    private static let bodies = ["card", "record"]

    /// What a template may name: the fields of a message and, of a type, those of the records that it refers to.
    struct TemplateScope {
        /// `nil` where there is no record.
        var shape: RecordShape?
        /// The alias of the type that a field refers to.
        var references: [TypeDeclaration.Reference] = []
        /// What belongs to the place of a list's entry, as `$place`.
        var place: RecordShape?
        /// Whether it is a facet's tile, with a `$value` and a `$count`.
        var isFacet = false
        /// Why a field of another record can't be used, where it can't.
        var referenceRefusal: String?
        /// Whether `$collection` names what the reader keeps with the record, and the record's type.
        var readerOf: String?
    }

    var fallbackLocale: String { locales.first ?? "en" }

    /// The bodies that a section's source needs.
    ///
    /// - Parameter node: `nil` where the section says nothing.
    mutating func bodies(_ node: Node?, for source: Programme.Source) -> [String: RecordBody]? {
        switch source {
        case .records(let query): return body(node, of: query.type)
        case .record(let type, _): return body(node, of: type)
        case .nested(let nested):
            guard let type = types?.type(nested.type), let shape = types?.shape(of: type).element(of: nested.path)
            else {
                return nil
            }
            return body(node, in: TemplateScope(shape: shape), type: nil).map { [nested.type: $0] }
        case .collection(let query): return collectionBodies(node, of: query.name)
        case .list(let query): return listBodies(node, of: query)
        case .facet(let query): return facetBodies(node, of: query)
        case .recordPool(_, let query): return body(node, of: query.type)
        default:
            if let node { report(node, "only sections of records can have a 'body'") }
            return [:]
        }
    }

    /// What templates of a type may name.
    func scope(of type: TypeDeclaration) -> TemplateScope {
        TemplateScope(shape: types?.shape(of: type), references: type.references)
    }

    private mutating func body(_ node: Node?, of alias: String) -> [String: RecordBody]? {
        guard let type = types?.type(alias) else { return nil }
        return body(node, in: scope(of: type), type: type).map { [alias: $0] }
    }

    /// By type; types that are not named get the usual card.
    mutating func bodies(_ node: Node?, _ what: String, of aliases: [String]) -> [String: RecordBody]? {
        var named: [String: Node] = [:]
        if let node {
            guard let fields = fields(node, what, allowed: aliases) else { return nil }
            named = fields.values
        }
        var bodies: [String: RecordBody] = [:]
        for alias in aliases {
            guard let body = body(named[alias], of: alias) else { return nil }
            bodies.merge(body) { _, new in new }
        }
        return bodies
    }

    /// - Parameter type: `nil` for a nested message.
    mutating func body(_ node: Node?, in scope: TemplateScope, type: TypeDeclaration?) -> RecordBody? {
        func body(_ form: RecordBody.Form) -> RecordBody { RecordBody(form: form, fallbackLocale: fallbackLocale) }
        guard let node else { return body(.card(.usual(for: scope.shape))) }
        if case .scalar(let scalar) = node {
            switch scalar.string {
            case "card": return body(.card(.usual(for: scope.shape)))
            case "record":
                if let type { return body(.record(kind: type.kind)) }
                report(node, "only the records of a type have a kind of their own; this body is a card")
            default: reportUnknown(node, "body", of: "a section", ProgrammeReader.bodies)
            }
            return nil
        }
        guard case .mapping(let mapping) = node, mapping["card"] != nil else {
            return messageBody(node, in: scope).map { body($0) }
        }
        guard let fields = fields(node, "a body that is a card", allowed: ["card"]),
            let cardNode = required("card", in: fields)
        else { return nil }
        return card(cardNode, in: scope).map { body(.card($0)) }
    }

    // MARK: - Cards

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
            scope.isFacet
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
            if case .mapping(let mapping) = entry, mapping["text"] != nil || mapping["role"] != nil {
                guard let fields = fields(entry, "a badge", allowed: ["text", "role"]) else { return nil }
                let role = fields["role"].map { choice($0, "role", roles) } ?? .neutral
                guard let text = required("text", in: fields).flatMap({ template($0, "a badge", scope) }), let role
                else { return nil }
                return CardMapping.Badge(text: text, role: role)
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
            guard let fields = fields(entry, "a fact", allowed: ["label", "value"]) else { return nil }
            let label = required("label", in: fields).flatMap { template($0, "the label of a fact", scope) }
            guard let value = required("value", in: fields).flatMap({ template($0, "the value of a fact", scope) }),
                let label
            else { return nil }
            return CardMapping.Fact(label: label, value: value)
        }
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

    /// `true`, or a list of fields.
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

    /// A number, or a field that is one.
    private mutating func quantity(_ node: Node, _ what: String, _ scope: TemplateScope) -> CardMapping.Number? {
        if let number = node.scalar.flatMap({ Double($0.string) }), number.isFinite { return .constant(number) }
        return singleValue(node, what, scope).map { .value($0) }
    }

    /// A field, such as `$rating`.
    private mutating func singleValue(_ node: Node, _ what: String, _ scope: TemplateScope) -> RecordValue? {
        guard let template = self.plainTemplate(node, what, scope) else { return nil }
        if let value = template.onlyValue { return value }
        report(node, "\(what) must be a number or a field, such as $rating")
        return nil
    }

    /// A text with values, for every locale or by locale.
    mutating func template(_ node: Node, _ what: String, _ scope: TemplateScope) -> LocalizedTemplate? {
        guard case .mapping = node else {
            return plainTemplate(node, what, scope).map { LocalizedTemplate(fallback: $0) }
        }
        guard let fields = fields(node, what, allowed: locales) else { return nil }
        guard let first = fields[fallbackLocale] else {
            report(node, "\(what) lacks the text of the default locale '\(fallbackLocale)'")
            return nil
        }
        guard let fallback = plainTemplate(first, what, scope) else { return nil }
        var template = LocalizedTemplate(fallback: fallback)
        for (locale, node) in fields.values {
            guard let text = plainTemplate(node, "\(what) (\(locale))", scope) else { return nil }
            template.byLocale[locale] = text
        }
        return template
    }

    private mutating func plainTemplate(_ node: Node, _ what: String, _ scope: TemplateScope) -> RecordTemplate? {
        guard let text = text(node, what, atMost: ProgrammeLimits.proseBytes) else { return nil }
        var parser = TemplateText(text)
        guard let pieces = parser.pieces() else {
            report(node, "\(what): a '$' stands before the name of a field; write '$$' for a dollar")
            return nil
        }
        var values: [String: RecordValue] = [:]
        for case .name(let name) in pieces where values[name] == nil {
            guard let value = value(named: name, node, what, scope) else { return nil }
            values[name] = value
        }
        return RecordTemplate(pieces) { values[$0] }
    }

    private mutating func value(
        named name: String, _ node: Node, _ what: String, _ scope: TemplateScope
    ) -> RecordValue? {
        if name == "id" { return .id }
        if let value = memberValue(named: name, node, what, scope) { return value }
        if scope.isFacet, name == "value" { return .facetValue }
        if scope.isFacet, name == "count" { return .facetCount }
        if let place = scope.place, name.hasPrefix(Self.placePrefix) {
            return readable(named: String(name.dropFirst(Self.placePrefix.count)), node, what, in: place)
                .map { .placed($0) }
        }
        guard let shape = scope.shape else {
            report(node, "\(what): '$\(name)' is not known here; '$id' is what the screen's name carries")
            return nil
        }
        for reference in scope.references where name.hasPrefix(reference.path.text + ".") {
            if let refusal = scope.referenceRefusal {
                report(node, "\(what): \(refusal)")
                return nil
            }
            let rest = String(name.dropFirst(reference.path.text.count + 1))
            guard let types, let type = types.type(reference.type),
                let field = readable(named: rest, node, what, in: types.shape(of: type))
            else { return nil }
            return .referred(reference: reference.path, type: reference.type, field: field)
        }
        return readable(named: name, node, what, in: shape).map { .field($0) }
    }
}

extension CardMapping {
    /// What stands where unless a programme says otherwise, by the names that fields usually have.
    static func usual(for shape: RecordShape?) -> CardMapping {
        func template(_ names: String...) -> LocalizedTemplate? {
            for name in names {
                guard let field = try? shape?.readable(name) else { continue }
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
