package import MarqueeClient
package import MarqueeModel
package import MarqueePresets

extension Card {
    /// Creates the card of an item as part of its section.
    ///
    /// - Parameters:
    ///   - index: the item's position in the section, from 0.
    ///   - phrases: the words added to the item's own, and its number formats.
    /// - Returns: `nil` for unknown kinds, which a screen carries but skips.
    package init?(_ item: ScreenItem, at index: Int, of head: SectionHead, phrases: Phrases = .english) {
        let name = item.subject?.name ?? item.id
        switch item.content.decoded {
        case .preset(.movie(let movie)): self.init(movie, name, head, phrases)
        case .preset(.chartEntry(let entry)): self.init(entry, name, phrases)
        case .preset(.genre(let genre)):
            self.init(style: .tile)
            title = Words.clean(genre.name)
            image = CardImage(genre.image, .backdrop, fallback: name, caption: title)
            if genre.movies > 0 { lines = [phrases.movies(genre.movies)] }
        case .preset(.credit(let credit)):
            self.init(style: .person)
            title = Words.clean(credit.name)
            lines = Words.present(credit.character, credit.job.map(phrases.job))
            image = CardImage(
                credit.portrait, .portrait, fallback: credit.person.map { "person/\($0)" } ?? name, caption: title)
        case .preset(.banner(let banner)): self.init(banner, name, head)
        case .preset(.text(let text)):
            self.init(style: .text)
            title = Words.clean(text.text)
            highlighted = text.highlighted.map(Words.clean)
            actions = text.action.map { [$0] } ?? []
        case .preset(.course(let course)): self.init(course, name, phrases)
        case .preset(.categories(let titles)):
            self.init(style: .categories)
            words = titles.map(Words.clean).filter { !$0.isEmpty }
        case .preset(.place(let place)):
            self.init(style: .place)
            title = Words.clean(place.title)
            lines = Words.present(place.distance)
            image = CardImage(place.image, .photo, fallback: name, caption: title)
        case .card(let card): self.init(card, name, head, phrases)
        case .preset(.detail(let detail)): self.init(detail, name, phrases)
        case .member, .unknown: return nil
        }
        let isRanked = head.kind == .rank || head.kind == .chart
        if style == .ranked || style == .poster && isRanked {
            style = .ranked
            let place = index + Int(head.first)
            rank = item.content.rank(at: place)
            rankChange = item.content.movement(at: place)
        }
        if item.subject?.movie != nil || item.kind == .card && item.subject != nil { star = Star(item.favorite) }
    }

    private init(_ movie: MovieContent, _ name: String, _ head: SectionHead, _ phrases: Phrases) {
        let style: Style =
            switch head.kind {
            case .main, .hero: .hero
            case .list: .row
            default: .poster
            }
        self.init(style: style)
        title = Words.clean(movie.title)
        rating = movie.voteAverage.map { Rating(value: $0, best: 10, votes: movie.voteCount.map(UInt64.init)) }
        // A hero is a picture with its title; a badge on it would be the first thing anyone sees.
        badges = style == .hero ? [] : Badge(movie.certification).map { [$0] } ?? []
        prose = movie.overview.map(Words.clean)
        let year = movie.releaseDate.map { String($0.year) }
        let genres = movie.genres.map(Words.clean).filter { !$0.isEmpty }
        switch style {
        case .hero:
            lines = genres.isEmpty ? [] : [genres.prefix(3).joined(separator: " · ")]
            actions = head.header?.actions ?? []
        case .row:
            let length = movie.runtime.flatMap { $0 > 0 ? phrases.minutes($0) : nil }
            lines = [Words.joined(year, length, genres.prefix(2).joined(separator: ", "))].filter { !$0.isEmpty }
            if let original = movie.originalTitle.map(Words.clean), original != title { lines.append(original) }
        default: lines = Words.present(year)
        }
        let isWide = style == .row
        image = CardImage(
            (isWide ? movie.backdrop : movie.poster) ?? movie.poster ?? movie.backdrop, isWide ? .backdrop : .poster,
            fallback: name, caption: title)
    }

    private init(_ entry: ChartEntryContent, _ name: String, _ phrases: Phrases) {
        self.init(style: .ranked)
        title = Words.clean(entry.title)
        let currency = entry.currency ?? "USD"
        let gross = entry.gross.map { phrases.money($0, currency) }
        // Each chart counts something different; the first of these present is what it ranks by. A chart of admissions
        // may also show the gross.
        let counted = [
            entry.audience.map(phrases.audience), gross, entry.share.map { "\(Words.decimal($0))%" },
            entry.views.map(phrases.views), entry.hours.map(phrases.hours),
        ]
        let total =
            entry.audienceToDate.map(phrases.audienceInAll)
            ?? entry.grossToDate.map { phrases.inAll(phrases.money($0, currency)) }
        lines = Words.present(
            counted.lazy.compactMap { $0 }.first, total, entry.audience == nil ? nil : gross,
            entry.weeks.map(phrases.weeks))
        rating = entry.voteAverage.map { Rating(value: $0, best: 10, votes: nil) }
        image = CardImage(entry.poster, .poster, fallback: name, caption: title)
    }

    private init(_ banner: BannerContent, _ name: String, _ head: SectionHead) {
        let style: Style =
            switch head.kind {
            case .main, .hero: .hero
            case .basic, .large, .rank, .grid, .chart: .poster
            case .list: .row
            default: banner.image == nil && banner.link != nil ? .link : .banner
            }
        self.init(style: style)
        title = Words.clean(banner.title)
        lines = Words.present(banner.caption, banner.description)
        // Without a title, the first line takes its place.
        if title.isEmpty, !lines.isEmpty { title = lines.removeFirst() }
        if style == .link, title.isEmpty { title = Words.address(banner.link ?? "") }
        actions = banner.actions + (style == .hero ? head.header?.actions ?? [] : [])
        let role: CardImage.Role = style == .hero || style == .banner ? .photo : .poster
        image = style == .link ? nil : CardImage(banner.image, role, fallback: name, caption: title)
    }

    private init(_ course: CourseContent, _ name: String, _ phrases: Phrases) {
        self.init(style: .course)
        title = Words.clean(course.title)
        lines = Words.present(course.author)
        rating = course.rating.map { Rating(value: $0, best: 5, votes: course.reviews.map(UInt64.init)) }
        badges = Badge(course.tag ?? "", .highlight).map { [$0] } ?? []
        price = course.price.map { phrases.price(Words.clean($0), in: course.currency) }.flatMap {
            $0.isEmpty ? nil : $0
        }
        image = CardImage(course.image, .photo, fallback: name, caption: title)
    }

    private init(_ card: CardContent, _ name: String, _ head: SectionHead, _ phrases: Phrases) {
        var style = Style(expectedIn: head.kind)
        if style == .text || style == .categories { style = .row }
        if card.rank != nil, style == .row || style == .poster { style = .ranked }
        self.init(style: style)
        overline = Words.present(card.overline).first
        title = Words.clean(card.title)
        if style == .detail {
            lines = Words.present(card.subtitle)
            info = Words.present(card.caption).first
        } else {
            lines = Words.present(card.subtitle, card.caption)
        }
        badges = card.badges.prefix(Limit.badges).compactMap { Badge($0.text, $0.role) }
        rating = card.rating.map { Rating(value: $0.value, best: $0.scale, votes: $0.count) }
        price = Words.present(card.price.map { phrases.price(Words.clean($0.amount), in: $0.currency) }).first
        if style == .detail, let own = card.rank, let place = own.place {
            rank = Int(place)
            rankChange = ChartMovement(to: Int(place), from: own.previous, isNew: own.isNew)
        }
        progress = card.progress.flatMap { Progress($0, phrases) }
        facts = card.facts.prefix(Limit.facts)
            .map { Fact(label: Words.clean($0.label), value: Words.clean($0.value)) }.filter { !$0.value.isEmpty }
        prose = Words.present(card.text).first
        actions = card.actions.prefix(Limit.actions) + (style == .hero ? head.header?.actions ?? [] : [])
        let role: CardImage.Role = style == .person ? .portrait : style == .tile ? .backdrop : .photo
        image = CardImage(card.image, role, fallback: name, caption: title)
        omitsImage = card.image == nil
    }

    private init(_ detail: DetailContent, _ name: String, _ phrases: Phrases) {
        self.init(style: .detail)
        title = Words.clean(detail.title)
        lines = Words.present(detail.originalTitle).filter { $0 != title }
        info = Words.present(detail.infoLine).first
        badges = Badge(detail.certification).map { [$0] } ?? []
        rating = detail.voteAverage.map { Rating(value: $0, best: 10, votes: detail.voteCount.map(UInt64.init)) }
        tagline = detail.tagline.map(Words.clean).flatMap { $0.isEmpty ? nil : $0 }
        prose = detail.overview.map(Words.clean).flatMap { $0.isEmpty ? nil : $0 }
        let directors = detail.directors.map(Words.clean).filter { !$0.isEmpty }
        if !directors.isEmpty { facts = [Fact(label: phrases.director, value: directors.joined(separator: ", "))] }
        image = CardImage(detail.poster ?? detail.backdrop, .poster, fallback: name, caption: title)
        backdrop = CardImage(detail.backdrop ?? detail.poster, .backdrop, fallback: name, caption: title)
    }
}

extension Card.Badge {
    init?(_ certification: CertificationContent?) {
        guard let certification else { return nil }
        self.init(certification.code, CardContent.Badge.Role(certification.colorClass), note: certification.label)
    }
}

extension CardContent.Badge.Role {
    /// In the colours of signs at a cinema.
    package init(_ certificate: CertificationContent.ColorClass) {
        self =
            switch certificate {
            case .everyone: .good
            case .teen: .warning
            case .adult: .bad
            case .unrated: .neutral
            }
    }
}

extension Card.Progress {
    /// - Returns: `nil` if the value isn't a number.
    init?(_ progress: CardContent.Progress, _ phrases: Phrases) {
        guard progress.value.isFinite else { return nil }
        let total = progress.total.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        share = total.map { min(max(progress.value / $0, 0), 1) }
        words = Words.clean(phrases.progress(progress.value, of: total, Words.clean(progress.unit ?? "")))
    }
}

extension [Card] {
    /// Makes the cards of a section alike.
    mutating func align() {
        alignImages()
        let keepsStarRoom = contains { $0.star != .none }
        for index in indices { self[index].keepsStarRoom = keepsStarRoom }
    }

    /// If any card of a section has an image, those without one get a generated image of the same shape, so that all
    /// look alike.
    private mutating func alignImages() {
        guard let known = first(where: { !$0.omitsImage && $0.image?.isReferenced == true })?.image else { return }
        for index in indices where self[index].omitsImage {
            self[index].omitsImage = false
            self[index].image?.aspect = known.aspect
        }
    }
}

extension Card.Star {
    package init(_ mark: FavoriteMark) {
        switch mark {
        case .yes: self = .on
        case .pendingYes: self = .pending
        case .no, .pendingNo: self = .off
        }
    }
}

/// Formats numbers and text for cards.
package enum Words {
    /// Maximum characters shown of one text; laying out more would cost time, and no card has room for it.
    static let maximumText = 2_000

    /// On one line, without characters that control a terminal or the direction of text: a server's text may have been
    /// written by anyone.
    package static func clean(_ text: String) -> String {
        text.unicodeScalars.prefix(maximumText)
            .split { $0.properties.generalCategory == .control || $0.properties.isWhitespace }
            .map { String(String.UnicodeScalarView($0.filter { !isHidden($0) })) }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// Bidi controls, invisible operators, tags. Joiners shape letters and emoji, and stay.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .format && scalar.value != 0x200C && scalar.value != 0x200D
    }

    /// A link without its scheme, as browsers show it.
    static func address(_ link: String) -> String {
        let link = clean(link)
        let scheme = ["https://", "http://"].first { link.hasPrefix($0) }
        return String(link.dropFirst(scheme?.count ?? 0))
    }

    /// The ones present and not empty.
    static func present(_ texts: String?...) -> [String] {
        texts.compactMap { $0.map(clean) }.filter { !$0.isEmpty }
    }

    /// Separates facts on one line. If they don't all fit, whole facts are dropped from the end.
    static let factSeparator = " · "

    static func joined(_ texts: String?...) -> String {
        texts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: factSeparator)
    }

    /// One decimal.
    static func decimal(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e9 else { return "?" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }

    /// A whole number, or one decimal.
    static func short(_ value: Double) -> String {
        let text = decimal(value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// `1,234,567`.
    static func number(_ value: some UnsignedInteger) -> String {
        var digits = String(value)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits.removeLast(3)
        }
        return ([digits[...]] + groups).joined(separator: ",")
    }
}
