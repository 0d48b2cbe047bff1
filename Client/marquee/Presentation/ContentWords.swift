import MarqueeClient
import MarqueeModel
import MarqueePresets

/// The changes of an item's content, in words: `rating 8.1 → 8.2`.
enum ContentWords {
    /// - Returns: one text per field; empty when only something changed that a terminal can't show.
    /// - Parameter language: of the names of fields.
    static func changes(
        from old: ItemContent, to new: ItemContent, in language: Language = .english
    ) -> [String] {
        changes(from: old, to: new).map { $0(language) }
    }

    /// One field that changed, in any language.
    private typealias Phrase = (Language) -> String

    private static func changes(from old: ItemContent, to new: ItemContent) -> [Phrase] {
        switch (old.decoded, new.decoded) {
        case (.preset(.movie(let a)), .preset(.movie(let b))):
            fields {
                text(.title, a.title, b.title)
                text(.originalTitle, a.originalTitle, b.originalTitle)
                text(.date, a.releaseDate?.description, b.releaseDate?.description)
                text(.runtime, a.runtime.map { "\($0) min" }, b.runtime.map { "\($0) min" })
                text(.genres, list(a.genres), list(b.genres))
                rating(a.voteAverage, b.voteAverage)
                text(.votes, a.voteCount.map { Words.number($0) }, b.voteCount.map { Words.number($0) })
                text(.popularity, a.popularity.map(Words.decimal), b.popularity.map(Words.decimal))
                text(.revenue, a.revenue.map(Words.dollars), b.revenue.map(Words.dollars))
                text(.certification, a.certification?.code, b.certification?.code)
                silent(.overview, a.overview, b.overview)
                silent(.image, [a.poster, a.backdrop], [b.poster, b.backdrop])
            }
        case (.preset(.detail(let a)), .preset(.detail(let b))):
            fields {
                text(.title, a.title, b.title)
                text(.originalTitle, a.originalTitle, b.originalTitle)
                text(.date, a.releaseDate?.description, b.releaseDate?.description)
                text(.countries, list(a.countries), list(b.countries))
                text(.genres, list(a.genres), list(b.genres))
                text(.runtime, a.runtime.map { "\($0) min" }, b.runtime.map { "\($0) min" })
                rating(a.voteAverage, b.voteAverage)
                text(.votes, a.voteCount.map { Words.number($0) }, b.voteCount.map { Words.number($0) })
                text(.revenue, a.revenue.map(Words.dollars), b.revenue.map(Words.dollars))
                text(.certification, a.certification?.code, b.certification?.code)
                text(.directors, list(a.directors), list(b.directors))
                text(.tagline, a.tagline, b.tagline)
                silent(.overview, a.overview, b.overview)
                silent(.image, [a.poster, a.backdrop], [b.poster, b.backdrop])
            }
        case (.preset(.chartEntry(let a)), .preset(.chartEntry(let b))):
            fields {
                text(.title, a.title, b.title)
                text(.rank, a.rank.map(String.init), b.rank.map(String.init))
                text(.rankBefore, a.previousRank.map(String.init), b.previousRank.map(String.init))
                text(.new, a.isNew ? "✓" : nil, b.isNew ? "✓" : nil)
                text(.date, a.releaseDate?.description, b.releaseDate?.description)
                text(.gross, money(a.gross, a.currency), money(b.gross, b.currency))
                text(.total, money(a.grossToDate, a.currency), money(b.grossToDate, b.currency))
                text(.share, a.share.map { "\($0) %" }, b.share.map { "\($0) %" })
                text(.audience, a.audience.map { Words.number($0) }, b.audience.map { Words.number($0) })
                text(
                    .audienceSoFar, a.audienceToDate.map { Words.number($0) },
                    b.audienceToDate.map { Words.number($0) })
                text(.views, a.views.map { Words.number($0) }, b.views.map { Words.number($0) })
                text(.hours, a.hours.map { Words.number($0) }, b.hours.map { Words.number($0) })
                text(.weeks, a.weeks.map(String.init), b.weeks.map(String.init))
                text(.theaters, a.theaters.map { Words.number($0) }, b.theaters.map { Words.number($0) })
                text(.day, a.daysInRelease.map(String.init), b.daysInRelease.map(String.init))
                text(.distributor, a.distributor, b.distributor)
                rating(a.voteAverage, b.voteAverage)
                silent(.image, a.poster, b.poster)
            }
        case (.preset(.genre(let a)), .preset(.genre(let b))):
            fields {
                text(.name, a.name, b.name)
                text(.movies, Words.number(a.movies), Words.number(b.movies))
                silent(.image, a.image, b.image)
            }
        case (.preset(.credit(let a)), .preset(.credit(let b))):
            fields {
                text(.name, a.name, b.name)
                text(.character, a.character, b.character)
                text(.job, a.job, b.job)
                silent(.portrait, a.portrait, b.portrait)
            }
        case (.preset(.banner(let a)), .preset(.banner(let b))):
            fields {
                text(.title, a.title, b.title)
                text(.caption, a.caption, b.caption)
                text(.description, a.description, b.description)
                text(.link, a.link, b.link)
                silent(.image, a.image, b.image)
                silent(.actions, a.actions, b.actions)
            }
        case (.preset(.text(let a)), .preset(.text(let b))):
            fields {
                text(.text, a.text, b.text)
                text(.highlighted, a.highlighted, b.highlighted)
                silent(.action, a.action, b.action)
            }
        case (.preset(.course(let a)), .preset(.course(let b))):
            fields {
                text(.title, a.title, b.title)
                text(.author, a.author, b.author)
                rating(a.rating, b.rating)
                text(.reviews, a.reviews.map { Words.number($0) }, b.reviews.map { Words.number($0) })
                text(.price, Words.price(of: a), Words.price(of: b))
                text(.tag, a.tag, b.tag)
                silent(.image, a.image, b.image)
            }
        case (.preset(.place(let a)), .preset(.place(let b))):
            fields {
                text(.title, a.title, b.title)
                text(.distance, a.distance, b.distance)
                silent(.image, a.image, b.image)
            }
        case (.card(let a), .card(let b)):
            fields {
                text(.overline, a.overline, b.overline)
                text(.title, a.title, b.title)
                text(.subtitle, a.subtitle, b.subtitle)
                text(.caption, a.caption, b.caption)
                text(.badges, list(a.badges.map(\.text)), list(b.badges.map(\.text)))
                rating(a.rating?.value, b.rating?.value)
                text(.votes, a.rating?.count.map { Words.number($0) }, b.rating?.count.map { Words.number($0) })
                text(.price, a.price.map(Words.price), b.price.map(Words.price))
                text(.rank, a.rank?.place.map(String.init), b.rank?.place.map(String.init))
                text(.rankBefore, a.rank?.previous.map(String.init), b.rank?.previous.map(String.init))
                text(.new, a.rank?.isNew == true ? "✓" : nil, b.rank?.isNew == true ? "✓" : nil)
                text(
                    .progress, a.progress.map { Words.progress($0, in: .english) },
                    b.progress.map { Words.progress($0, in: .english) })
                text(.facts, facts(a), facts(b))
                silent(.image, a.image, b.image)
                silent(.actions, a.actions, b.actions)
                silent(.text, a.text, b.text)
                silent(.record, a.record, b.record)
            }
        case (.preset(.categories(let a)), .preset(.categories(let b))):
            fields { text(.categories, list(a), list(b)) }
        case (.member(let a, _), .member(let b, _)):
            fields { text(.revision, String(a), String(b)) }
        default:
            []
        }
    }

    private static func facts(_ card: CardContent) -> String? {
        list(card.facts.map { "\($0.label) \($0.value)" })
    }

    private static func money(_ amount: UInt64?, _ currency: String?) -> String? {
        amount.map { Words.money($0, currency) }
    }

    private static func fields(@FieldsBuilder _ fields: () -> [Phrase]) -> [Phrase] { fields() }

    private static func text(_ name: FieldName, _ old: String?, _ new: String?) -> Phrase? {
        guard old != new else { return nil }
        return { "\(name.text(in: $0)) \(shown(old, $0)) → \(shown(new, $0))" }
    }

    private static func rating(_ old: Double?, _ new: Double?) -> Phrase? {
        guard old != new else { return nil }
        let (a, b) = (old.map(Words.decimal), new.map(Words.decimal))
        // A step too small for one decimal is reported without numbers, as they would look the same.
        return a == b ? changed(.rating) : text(.rating, a, b)
    }

    /// For a field that is too long for a line, or is not text: only that it changed.
    private static func silent<Value: Equatable>(_ name: FieldName, _ old: Value, _ new: Value) -> Phrase? {
        old == new ? nil : changed(name)
    }

    private static func changed(_ name: FieldName) -> Phrase {
        { language in language("\(name.text(in: language)) changed", "\(name.text(in: language)) 변경") }
    }

    private static func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }

    private static func shown(_ text: String?, _ language: Language) -> String {
        let clean = Sanitizer.line(text ?? "")
        return clean.isEmpty ? language("none", "없음") : clean
    }

    @resultBuilder
    private enum FieldsBuilder {
        static func buildBlock(_ parts: Phrase?...) -> [Phrase] { parts.compactMap { $0 } }
    }
}
