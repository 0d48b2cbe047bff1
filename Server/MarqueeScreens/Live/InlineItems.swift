import MarqueeModel
import MarqueePresets

/// Items defined in the programme itself.
struct InlineItems: SectionQuery {
    private let items: [Programme.InlineItem]
    private let locale: String
    private let hasSeasons: Bool
    /// Indices of the items that are shown at the catalogue's time.
    private var shown: [Int] = []

    init(_ items: [Programme.InlineItem], locale: String) {
        self.items = items
        self.locale = locale
        hasSeasons = items.contains { $0.season != nil }
    }

    var triggers: Set<Trigger> { hasSeasons ? [.record(.time)] : [] }
    var total: Int { shown.count }

    func members(first limit: Int) -> [Member] { shown.prefix(limit).map { .number(UInt64($0)) } }

    mutating func reload(_ catalogue: inout Catalogue) { shown = shown(at: catalogue.now) }

    private func shown(at now: Moment?) -> [Int] { items.indices.filter { items[$0].season?.contains(now) ?? true } }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        guard case .trigger(.record(.time)) = event, shown != shown(at: catalogue.now) else { return .none }
        return .members(except: [])
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard let place = member.number, place < items.count else { return nil }
        let item = items[Int(place)]
        if case .card(let mapping) = item.content {
            var reader = RecordReader(
                id: item.id, bytes: nil, locale: locale, fallbackLocale: locale, in: catalogue.records)
            return maker.make(item.id, .card(mapping), of: &reader)
        }
        return item.content.content(locale: locale).map { maker.make(item.id, subject: "", $0) }
    }
}

extension Programme.InlineContent {
    /// The content, or `nil` for a card.
    fileprivate func content(locale: String) -> PresetContent? {
        switch self {
        case .banner(let title, let caption, let description, let image, let link, let actions):
            var content = BannerContent(title: title.text(in: locale))
            content.caption = caption?.text(in: locale)
            content.description = description?.text(in: locale)
            content.image = image
            content.link = link
            content.actions = actions.map { $0.screenAction(locale: locale) }
            return .banner(content)
        case .text(let text, let highlighted, let action):
            return .text(
                TextContent(
                    text: text.text(in: locale), highlighted: highlighted?.text(in: locale),
                    action: action?.screenAction(locale: locale)))
        case .course(
            let title, let author, let rating, let reviews, let price, let currency, let tag, let image):
            var content = CourseContent(title: title.text(in: locale))
            content.author = author
            content.rating = rating
            content.reviews = reviews
            content.price = price
            content.currency = currency
            content.tag = tag?.text(in: locale)
            content.image = image
            return .course(content)
        case .categories(let titles): return .categories(titles.map { $0.text(in: locale) })
        case .place(let title, let distance, let image):
            return .place(
                PlaceContent(title: title.text(in: locale), distance: distance?.text(in: locale), image: image))
        case .card: return nil
        }
    }
}
