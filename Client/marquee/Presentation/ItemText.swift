import MarqueeClient
import MarqueeModel
import MarqueePresentation
import MarqueePresets

/// An item in words: its title and the facts beside it. Text from the wire is sanitized here.
struct ItemText: Hashable {
    /// A fact in a column of its own.
    struct Cell: Hashable {
        var text: String
        /// Numbers are right-aligned in their column.
        var isNumber = false
    }

    var title: String
    var cells: [Cell]

    /// - Parameters:
    ///   - place: the item's place in its list, from 0.
    ///   - hasBadges: whether the badges of a card are among its facts.
    init(_ item: ScreenItem, at place: Int? = nil, in language: Language = .english, hasBadges: Bool = true) {
        self.init(item.content, at: place, in: language, hasBadges: hasBadges)
        if title.isEmpty { title = Sanitizer.line(item.subject?.name ?? item.id) }
    }

    init(_ content: ItemContent, at place: Int? = nil, in language: Language = .english, hasBadges: Bool = true) {
        title = ""
        cells = []
        switch content.decoded {
        case .preset(.movie(let movie)):
            title = movie.title
            add(year: movie.releaseDate)
            add(rating: movie.voteAverage)
        case .preset(.genre(let genre)):
            title = genre.name
            if genre.movies > 0 { add(language.movies(genre.movies)) }
        case .preset(.credit(let credit)):
            title = credit.name
            if let character = credit.character, !character.isEmpty {
                add(language("as \(character)", "\(character) 역"))
            } else if let job = credit.job {
                add(job == "Director" ? language("Director", "감독") : job)
            }
        case .preset(.banner(let banner)):
            // A banner may be nothing but a picture, with a text or a link.
            let texts = [banner.title, banner.caption ?? banner.description ?? "", banner.link ?? ""]
                .filter { !$0.isEmpty }
            title = texts.first ?? banner.image?.name ?? ""
            for text in texts.dropFirst() { add(text) }
        case .preset(.text(let text)):
            title = text.text
            if let target = text.action?.target, !target.isEmpty { add("→ \(target)") }
        case .preset(.course(let course)):
            title = course.title
            if let author = course.author { add(author) }
            add(rating: course.rating)
            if let reviews = course.reviews { add("(\(Words.number(reviews)))", isNumber: true) }
            if let price = Words.price(of: course) { add(price, isNumber: true) }
            if let tag = course.tag { add("[\(tag)]") }
        case .preset(.categories(let titles)):
            title = titles.joined(separator: " · ")
        case .preset(.detail(let detail)):
            title = detail.title
            add(year: detail.releaseDate)
            add(rating: detail.voteAverage)
        case .preset(.chartEntry(let entry)):
            title = entry.title
            if let place {
                // An entry without a movement keeps the column.
                add(content.movement(at: place)?.description ?? "")
            }
            add(year: entry.releaseDate)
            add(rating: entry.voteAverage)
            // A chart of admissions ranks by them.
            if let audience = entry.audience {
                let number = Words.number(audience)
                add(language("\(number) admission\(audience == 1 ? "" : "s")", "관객 \(number)명"), isNumber: true)
            }
            if let total = entry.audienceToDate {
                add(language("total \(Words.number(total))", "누적 \(Words.number(total))명"), isNumber: true)
            }
            add(entry.gross.map { Words.money($0, entry.currency) } ?? "", isNumber: true)
            if let total = entry.grossToDate {
                let money = Words.money(total, entry.currency)
                add(language("total \(money)", "누적 \(money)"), isNumber: true)
            }
            if let share = entry.share { add("\(share) %", isNumber: true) }
            if let views = entry.views {
                add(language(Words.count(views, "view"), "조회 \(Words.number(views))"), isNumber: true)
            }
            if let weeks = entry.weeks {
                add(language(Words.count(weeks, "week"), "\(Words.number(weeks))주"), isNumber: true)
            }
        case .preset(.place(let place)):
            title = place.title
            if let distance = place.distance { add(distance) }
        case .card(let card):
            title = card.title
            // A missing field keeps its column, so its neighbours' columns stay aligned.
            add(place.flatMap { content.movement(at: $0) }?.description ?? "")
            add(card.overline ?? "")
            add(card.subtitle ?? "")
            add(card.rating.map(Words.rating) ?? "")
            add(card.price.map(Words.price) ?? "", isNumber: true)
            add(card.progress.map { Words.progress($0, in: language) } ?? "", isNumber: true)
            add(hasBadges ? card.badges.map { "[\($0.text)]" }.joined(separator: " ") : "")
            for fact in card.facts { add("\(fact.label) \(fact.value)", isNumber: true) }
            add(card.caption ?? "")
        case .member(let revision, let value):
            add(value?.json ?? "")
            add(language("set at revision \(revision)", "리비전 \(revision)에서 설정"))
        case .unknown(let kind, let bytes):
            title = language(
                "(unknown kind \(kind.rawValue), \(Words.count(bytes.count, "byte")))",
                "(모르는 종류 \(kind.rawValue), \(bytes.count)바이트)")
        }
        title = Sanitizer.line(title)
    }

    private mutating func add(_ text: String, isNumber: Bool = false) {
        cells.append(Cell(text: Sanitizer.line(text), isNumber: isNumber))
    }

    /// A missing year keeps its column, so the facts after it stay aligned.
    private mutating func add(year date: CalendarDate?) { add(date.map { "\($0.year)" } ?? "", isNumber: true) }

    private mutating func add(rating: Double?) { add(rating.map { "★ \(Words.decimal($0))" } ?? "") }

    /// The sign of a favorite: full when confirmed, open while it waits for the server.
    static func sign(of mark: FavoriteMark) -> String {
        switch mark {
        case .yes: "♥"
        case .pendingYes: "♡"
        case .no, .pendingNo: ""
        }
    }
}
