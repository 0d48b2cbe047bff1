package import MarqueeClient
package import MarqueeModel

extension Card {
    /// What an item shows as part of its section.
    ///
    /// - Parameters:
    ///   - index: the item's place in the section, from 0.
    ///   - phrases: the words around what the item says, and how its numbers are written.
    /// - Returns: `nil` for what can't be shown: kinds that this build doesn't know, which a screen carries and skips.
    package init?(_ item: ScreenItem, at index: Int, of head: SectionHead, phrases: Phrases = .english) {
        let name = item.subject?.name ?? item.id
        switch item.content {
        case .movie(let movie): self.init(movie, name, head, phrases)
        case .chartEntry(let entry): self.init(entry, name, index, phrases)
        case .genre(let genre):
            self.init(style: .tile)
            title = Words.clean(genre.name)
            image = CardImage(genre.image, .backdrop, fallback: name, caption: title)
            if genre.movies > 0 { lines = [phrases.movies(genre.movies)] }
        case .credit(let credit):
            self.init(style: .person)
            title = Words.clean(credit.name)
            lines = Words.present(credit.character, credit.job)
            image = CardImage(credit.portrait, .portrait, fallback: "person/\(credit.person)", caption: title)
        case .banner(let banner): self.init(banner, name, head)
        case .text(let text):
            self.init(style: .text)
            title = Words.clean(text.text)
            highlighted = text.highlighted.map(Words.clean)
            actions = text.action.map { [$0] } ?? []
        case .course(let course): self.init(course, name, phrases)
        case .categories(let titles):
            self.init(style: .categories)
            words = titles.map(Words.clean).filter { !$0.isEmpty }
        case .place(let place):
            self.init(style: .place)
            title = Words.clean(place.title)
            lines = Words.present(place.distance)
            image = CardImage(place.image, .photo, fallback: name, caption: title)
        case .detail(let detail): self.init(detail, name)
        case .favorite, .unknown: return nil
        }
        if head.kind == .rank || head.kind == .chart, style == .poster || style == .ranked {
            style = .ranked
            rank = item.content.rank(at: index)
        }
        if item.subject?.movie != nil { star = Star(item.favorite) }
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
        rating = movie.voteAverage.map { Rating(value: $0, best: 10, votes: movie.voteCount) }
        certification = movie.certification
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

    private init(_ entry: ChartEntryContent, _ name: String, _ index: Int, _ phrases: Phrases) {
        self.init(style: .ranked)
        title = Words.clean(entry.title)
        rankChange = ChartMovement(of: entry, at: ItemContent.chartEntry(entry).rank(at: index))
        let currency = entry.currency ?? "USD"
        // Each chart counts something else; the first of these is what its order is about.
        let counted = [
            entry.gross.map { phrases.money($0, currency) }, entry.share.map { "\(Words.decimal($0))%" },
            entry.audience.map(phrases.audience), entry.views.map(phrases.views), entry.hours.map(phrases.hours),
        ]
        let total =
            entry.grossToDate.map { phrases.inAll(phrases.money($0, currency)) }
            ?? entry.audienceToDate.map(phrases.audienceInAll)
        lines = Words.present(counted.lazy.compactMap { $0 }.first, total, entry.weeks.map(phrases.weeks))
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
        // Where there is no title, the first words stand in its place.
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
        rating = course.rating.map { Rating(value: $0, best: 5, votes: course.reviews) }
        tag = course.tag.map(Words.clean).flatMap { $0.isEmpty ? nil : $0 }
        price = course.price.map { phrases.price(Words.clean($0)) }.flatMap { $0.isEmpty ? nil : $0 }
        image = CardImage(course.image, .photo, fallback: name, caption: title)
    }

    private init(_ detail: DetailContent, _ name: String) {
        self.init(style: .detail)
        title = Words.clean(detail.title)
        if let original = detail.originalTitle.map(Words.clean), original != title { lines.append(original) }
        lines += Words.present(detail.infoLine)
        certification = detail.certification
        rating = detail.voteAverage.map { Rating(value: $0, best: 10, votes: detail.voteCount) }
        tagline = detail.tagline.map(Words.clean).flatMap { $0.isEmpty ? nil : $0 }
        prose = detail.overview.map(Words.clean).flatMap { $0.isEmpty ? nil : $0 }
        words = detail.directors.map(Words.clean).filter { !$0.isEmpty }
        image = CardImage(detail.poster ?? detail.backdrop, .poster, fallback: name, caption: title)
        backdrop = CardImage(detail.backdrop ?? detail.poster, .backdrop, fallback: name, caption: title)
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

/// Numbers and texts as cards write them.
package enum Words {
    /// Characters of one text that are shown, at most; the setting of more would cost time and no card has room.
    static let maximumText = 2_000

    /// On one line, without characters that control a terminal or the direction of text: what comes from a server may
    /// be written by anybody.
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

    /// Those that are there and not empty.
    static func present(_ texts: String?...) -> [String] {
        texts.compactMap { $0.map(clean) }.filter { !$0.isEmpty }
    }

    /// Between facts on one line. Where there is no room for all of them, the last ones are left out whole.
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
