import MarqueeModel
import Yams

/// Reads inline items: an id and one content, such as `{id: sale, banner: {title: Sale}}`.
extension ProgrammeReader {
    private static let contents = ["banner", "text", "course", "categories", "place", "card"]

    mutating func inlineItems(_ node: Node) -> [Programme.InlineItem]? {
        guard let entries = list(node, "items", atMost: ProgrammeLimits.listItems) else { return nil }
        var seen: Set<String> = []
        let items = entries.map { entry -> Programme.InlineItem? in
            guard let item = inlineItem(entry) else { return nil }
            guard seen.insert(item.id).inserted else {
                report(entry, "the item id '\(item.id)' is used twice in this section")
                return nil
            }
            return item
        }
        return items.allSatisfy { $0 != nil } ? items.compactMap { $0 } : nil
    }

    private mutating func inlineItem(_ node: Node) -> Programme.InlineItem? {
        guard let fields = fields(node, "an inline item", allowed: ["id", "visible"] + ProgrammeReader.contents) else {
            return nil
        }
        let season = fields["visible"].flatMap { self.season($0) }
        let id = required("id", in: fields).flatMap { identifier($0, "the id of an item") }
        let named = fields.values.filter { $0.key != "id" && $0.key != "visible" }
        guard named.count == 1, let (name, value) = named.first else {
            report(node, "an inline item needs one of \(ProgrammeReader.contents.joined(separator: ", "))")
            return nil
        }
        guard let content = content(name, value), let id else { return nil }
        return Programme.InlineItem(id: id, content: content, season: season)
    }

    private mutating func content(_ name: String, _ node: Node) -> Programme.InlineContent? {
        switch name {
        case "banner": return banner(node)
        case "text": return textItem(node)
        case "course": return course(node)
        case "place": return place(node)
        case "card": return card(node, in: TemplateScope()).map { .card($0) }
        default:
            guard let entries = list(node, "categories", atMost: ProgrammeLimits.categories) else { return nil }
            let titles = entries.map { localized($0, "a category") }
            return titles.allSatisfy { $0 != nil } ? .categories(titles.compactMap { $0 }) : nil
        }
    }

    private mutating func banner(_ node: Node) -> Programme.InlineContent? {
        guard
            let fields = fields(
                node, "a banner", allowed: ["title", "caption", "description", "image", "link", "actions"])
        else { return nil }
        let title = required("title", in: fields).flatMap { localized($0, "the title of a banner") }
        let caption = fields["caption"].flatMap { localized($0, "the caption of a banner") }
        let description = fields["description"].flatMap {
            localized($0, "the description of a banner", atMost: ProgrammeLimits.proseBytes)
        }
        let image = fields["image"].flatMap { self.image($0) }
        let link = fields["link"].flatMap { text($0, "the link of a banner") }
        let actions = fields["actions"].map { self.actions($0) } ?? []
        guard let title, let actions else { return nil }
        return .banner(
            title: title, caption: caption, description: description, image: image,
            link: link, actions: actions)
    }

    private mutating func textItem(_ node: Node) -> Programme.InlineContent? {
        guard let fields = fields(node, "a text", allowed: ["text", "highlighted", "action"]) else { return nil }
        let text = required("text", in: fields).flatMap {
            localized($0, "a text", atMost: ProgrammeLimits.proseBytes)
        }
        let highlighted = fields["highlighted"].flatMap { localized($0, "the highlighted part of a text") }
        let action = fields["action"].flatMap { self.action($0) }
        guard let text else { return nil }
        return .text(text, highlighted: highlighted, action: action)
    }

    private mutating func course(_ node: Node) -> Programme.InlineContent? {
        guard
            let fields = fields(
                node, "a course",
                allowed: ["title", "author", "rating", "reviews", "price", "currency", "tag", "image"])
        else { return nil }
        let title = required("title", in: fields).flatMap { localized($0, "the title of a course") }
        let author = fields["author"].flatMap { text($0, "the author of a course") }
        let rating = fields["rating"].flatMap { number($0, "the rating of a course", in: 0...5) }
        let reviews = fields["reviews"].flatMap { integer($0, "the reviews of a course", in: 0...UInt32.max) }
        let price = fields["price"].flatMap { self.price($0) }
        let currency = fields["currency"].flatMap { self.currency($0) }
        let tag = fields["tag"].flatMap { localized($0, "the tag of a course") }
        let image = fields["image"].flatMap { self.image($0) }
        guard let title else { return nil }
        return .course(
            title: title, author: author, rating: rating, reviews: reviews, price: price,
            currency: currency, tag: tag, image: image)
    }

    private mutating func currency(_ node: Node) -> String? {
        guard let text = text(node, "a currency", atMost: ProgrammeLimits.idBytes) else { return nil }
        guard CardContent.Price.isCurrency(text) else {
            report(node, "a currency is a code of ISO 4217, such as USD, not '\(text)'")
            return nil
        }
        return text
    }

    /// Reads a decimal number, kept as text so that no cent is lost.
    private mutating func price(_ node: Node) -> String? {
        guard let text = text(node, "a price", atMost: ProgrammeLimits.idBytes) else { return nil }
        guard isDecimal(text) else {
            report(node, "a price must be a decimal number such as 19.90, not '\(text)'")
            return nil
        }
        return text
    }

    /// Whether a text consists of digits, with at most one point between them.
    private func isDecimal(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(isDigit) }
    }

    private func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private mutating func place(_ node: Node) -> Programme.InlineContent? {
        guard let fields = fields(node, "a place", allowed: ["title", "distance", "image"]) else { return nil }
        let title = required("title", in: fields).flatMap { localized($0, "the title of a place") }
        let distance = fields["distance"].flatMap { localized($0, "the distance of a place") }
        let image = fields["image"].flatMap { self.image($0) }
        guard let title else { return nil }
        return .place(title: title, distance: distance, image: image)
    }

    /// Reads a name or URL, or `{name, aspect, color}`.
    private mutating func image(_ node: Node) -> ImageReference? {
        if case .scalar = node { return text(node, "an image").map { ImageReference(name: $0) } }
        guard let fields = fields(node, "an image", allowed: ["name", "aspect", "color"]) else { return nil }
        let name = required("name", in: fields).flatMap { text($0, "the name of an image") }
        let aspect = fields["aspect"].flatMap { number($0, "aspect", in: 0.01...100) }
        let color = fields["color"].flatMap { self.color($0) }
        guard let name else { return nil }
        return ImageReference(name: name, aspect: aspect, color: color)
    }

    private mutating func color(_ node: Node) -> String? {
        guard let text = text(node, "a color") else { return nil }
        let isColor = text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy(\.isHexDigit)
        if !isColor { report(node, "a color must be written as \"#rrggbb\" (with the quotes), not '\(text)'") }
        return isColor ? text : nil
    }

    // MARK: - Actions

    mutating func actions(_ node: Node) -> [Programme.Action]? {
        guard let entries = list(node, "actions", atMost: ProgrammeLimits.actions) else { return nil }
        let actions = entries.map { action($0) }
        return actions.allSatisfy { $0 != nil } ? actions.compactMap { $0 } : nil
    }

    private mutating func action(_ node: Node) -> Programme.Action? {
        guard let fields = fields(node, "an action", allowed: ["id", "title", "target"]) else { return nil }
        let id = required("id", in: fields).flatMap { identifier($0, "the id of an action") }
        let title = required("title", in: fields).flatMap { localized($0, "the title of an action", showing: []) }
        let target = fields["target"].map { text($0, "the target of an action") } ?? ""
        guard let id, let title, let target else { return nil }
        if let node = fields["target"] { targets.append((target, node)) }
        return Programme.Action(id: id, title: title, target: target)
    }
}
