import MarqueeModel

/// The movie named by the screen.
struct MovieDetail: SectionQuery {
    private let movie: UInt64
    private let locale: String
    private var isGone = false

    init(movie: UInt64, locale: String) {
        self.movie = movie
        self.locale = locale
    }

    var triggers: Set<Trigger> { [.record(.movie(movie)), .record(.credits(movie))] }
    var fault: SectionFault? { isGone ? .movieIsGone : nil }
    var total: Int { isGone ? 0 : 1 }

    func members(first limit: Int) -> [Member] { isGone ? [] : [.number(movie)] }

    mutating func reload(_ catalogue: inout Catalogue) { isGone = !catalogue.hasMovie(movie) }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard let movie = catalogue.movie(movie) else { return nil }
        let subject = Subject.movie(movie.id).name
        return maker.make(
            subject, subject: subject, .detail(catalogue.detail(of: movie, locale: locale)), naming: movie.genres ?? [])
    }
}

/// Directors and cast of the movie named by the screen.
///
/// Recomputed whenever one of these people changes, at the cost of the movie's cast.
struct MovieCredits: SectionQuery {
    private let movie: UInt64
    private let limit: Int
    private var isGone = false
    private var entries: [CreditList.Entry] = []
    private var people: Set<UInt64> = []

    /// - Parameter limit: maximum number of cast.
    init(movie: UInt64, limit: Int) {
        self.movie = movie
        self.limit = limit
    }

    var triggers: Set<Trigger> {
        Set(people.map { .record(.person($0)) }).union([.record(.movie(movie)), .record(.credits(movie))])
    }
    var fault: SectionFault? { isGone ? .movieIsGone : nil }
    var total: Int { entries.count }

    func members(first limit: Int) -> [Member] { entries.indices.prefix(limit).map { .number(UInt64($0)) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        isGone = !catalogue.hasMovie(movie)
        guard !isGone else {
            (entries, people) = ([], [])
            return
        }
        let credits = CreditList(of: movie, in: catalogue, castLimit: limit)
        (entries, people) = (credits.entries, credits.people)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        // All that matters about the movie is whether it exists.
        if case .movie(let move) = event, (move.new == nil) == isGone { return .none }
        return .all
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard let place = member.number, place < entries.count else { return nil }
        let entry = entries[Int(place)]
        return maker.make(entry.id, subject: "person/\(entry.person)", .credit(entry.content))
    }
}
