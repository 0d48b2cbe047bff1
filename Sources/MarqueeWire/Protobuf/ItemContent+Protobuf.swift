internal import CMarqueeProto
internal import MarqueeModel

// The C forms of what items show. A field that is absent or invalid counts as missing; nothing here is an error.

/// An image's role follows from the field it is in; it is written out for readers without this schema.
enum ImageRole: String {
    case poster, backdrop, portrait, image
}

extension Packer {
    func image(_ image: ImageReference?, _ role: ImageRole) -> UnsafeMutablePointer<Proto.Image>? {
        guard let image else { return nil }
        return message(Proto.Image.self) { wire in
            wire.name = text(image.name)
            wire.role = text(role.rawValue)
            (wire.has_aspect, wire.aspect) = real(image.aspect)
            wire.color = text(image.color)
        }
    }

    func date(_ date: CalendarDate?) -> UnsafeMutablePointer<CChar>? { text(date?.description) }
}

extension Unpacker {
    /// An image without a name counts as none.
    func image(_ wire: UnsafeMutablePointer<Proto.Image>?) -> ImageReference? {
        guard let image = wire?.pointee, let name = text(image.name), !name.isEmpty else { return nil }
        return ImageReference(name: name, aspect: real(image.has_aspect, image.aspect), color: text(image.color))
    }

    /// Text that isn't a date counts as none.
    func date(_ wire: UnsafeMutablePointer<CChar>?) -> CalendarDate? { text(wire).flatMap { CalendarDate($0) } }
}

extension CertificationContent: ProtobufConvertible {
    func write(to wire: inout Proto.Certification, with packer: Packer) {
        wire.country = packer.text(unlessEmpty: country)
        wire.code = packer.text(code)
        wire.label = packer.text(unlessEmpty: label)
        wire.color_class = packer.text(colorClass.rawValue)
    }

    static func read(_ wire: Proto.Certification, with unpacker: Unpacker) throws(WireError) -> CertificationContent {
        CertificationContent(
            country: unpacker.text(wire.country) ?? "", code: unpacker.text(wire.code) ?? "",
            label: unpacker.text(wire.label) ?? "",
            colorClass: unpacker.text(wire.color_class).flatMap(ColorClass.init) ?? .unrated)
    }
}

extension ScreenAction: ProtobufConvertible {
    func write(to wire: inout Proto.Action, with packer: Packer) {
        wire.id = packer.text(id)
        wire.title = packer.text(unlessEmpty: title)
        wire.target = packer.text(unlessEmpty: target)
    }

    static func read(_ wire: Proto.Action, with unpacker: Unpacker) throws(WireError) -> ScreenAction {
        ScreenAction(
            id: unpacker.text(wire.id) ?? "", title: unpacker.text(wire.title) ?? "",
            target: unpacker.text(wire.target) ?? "")
    }
}

extension MovieContent: ProtobufConvertible {
    func write(to wire: inout Proto.MovieBody, with packer: Packer) {
        (wire.has_id, wire.id) = packer.number(id)
        wire.title = packer.text(title)
        wire.original_title = packer.text(originalTitle)
        wire.release_date = packer.date(releaseDate)
        (wire.has_runtime, wire.runtime) = packer.number(runtime)
        (wire.n_genres, wire.genres) = packer.texts(genres)
        (wire.has_vote_average, wire.vote_average) = packer.real(voteAverage)
        (wire.has_vote_count, wire.vote_count) = packer.number(voteCount)
        (wire.has_popularity, wire.popularity) = packer.real(popularity)
        wire.poster = packer.image(poster, .poster)
        wire.backdrop = packer.image(backdrop, .backdrop)
        wire.certification = packer.message(certification)
        wire.overview = packer.text(overview)
        (wire.has_revenue, wire.revenue) = packer.number(revenue)
    }

    static func read(_ wire: Proto.MovieBody, with unpacker: Unpacker) throws(WireError) -> MovieContent {
        var movie = MovieContent(
            id: unpacker.number(wire.has_id, wire.id) ?? 0, title: unpacker.text(wire.title) ?? "")
        movie.originalTitle = unpacker.text(wire.original_title)
        movie.releaseDate = unpacker.date(wire.release_date)
        movie.runtime = unpacker.number(wire.has_runtime, wire.runtime)
        movie.genres = unpacker.texts(wire.n_genres, wire.genres)
        movie.voteAverage = unpacker.real(wire.has_vote_average, wire.vote_average)
        movie.voteCount = unpacker.number(wire.has_vote_count, wire.vote_count)
        movie.popularity = unpacker.real(wire.has_popularity, wire.popularity)
        movie.poster = unpacker.image(wire.poster)
        movie.backdrop = unpacker.image(wire.backdrop)
        movie.certification = try unpacker.message(wire.certification)
        movie.overview = unpacker.text(wire.overview)
        movie.revenue = unpacker.number(wire.has_revenue, wire.revenue)
        return movie
    }
}

extension DetailContent: ProtobufConvertible {
    func write(to wire: inout Proto.DetailBody, with packer: Packer) {
        (wire.has_id, wire.id) = packer.number(id)
        wire.title = packer.text(title)
        wire.original_title = packer.text(originalTitle)
        wire.release_date = packer.date(releaseDate)
        (wire.n_countries, wire.countries) = packer.texts(countries)
        (wire.n_genres, wire.genres) = packer.texts(genres)
        (wire.has_runtime, wire.runtime) = packer.number(runtime)
        wire.tagline = packer.text(tagline)
        wire.overview = packer.text(overview)
        wire.info_line = packer.text(unlessEmpty: infoLine)
        wire.certification = packer.message(certification)
        (wire.n_directors, wire.directors) = packer.texts(directors)
        (wire.has_vote_average, wire.vote_average) = packer.real(voteAverage)
        (wire.has_vote_count, wire.vote_count) = packer.number(voteCount)
        wire.poster = packer.image(poster, .poster)
        wire.backdrop = packer.image(backdrop, .backdrop)
        (wire.has_revenue, wire.revenue) = packer.number(revenue)
    }

    static func read(_ wire: Proto.DetailBody, with unpacker: Unpacker) throws(WireError) -> DetailContent {
        var detail = DetailContent(
            id: unpacker.number(wire.has_id, wire.id) ?? 0, title: unpacker.text(wire.title) ?? "")
        detail.originalTitle = unpacker.text(wire.original_title)
        detail.releaseDate = unpacker.date(wire.release_date)
        detail.countries = unpacker.texts(wire.n_countries, wire.countries)
        detail.genres = unpacker.texts(wire.n_genres, wire.genres)
        detail.runtime = unpacker.number(wire.has_runtime, wire.runtime)
        detail.tagline = unpacker.text(wire.tagline)
        detail.overview = unpacker.text(wire.overview)
        detail.infoLine = unpacker.text(wire.info_line) ?? ""
        detail.certification = try unpacker.message(wire.certification)
        detail.directors = unpacker.texts(wire.n_directors, wire.directors)
        detail.voteAverage = unpacker.real(wire.has_vote_average, wire.vote_average)
        detail.voteCount = unpacker.number(wire.has_vote_count, wire.vote_count)
        detail.poster = unpacker.image(wire.poster)
        detail.backdrop = unpacker.image(wire.backdrop)
        detail.revenue = unpacker.number(wire.has_revenue, wire.revenue)
        return detail
    }
}

extension ChartEntryContent: ProtobufConvertible {
    func write(to wire: inout Proto.ChartEntryBody, with packer: Packer) {
        wire.title = packer.text(title)
        (wire.has_movie, wire.movie) = packer.number(movie)
        wire.release_date = packer.date(releaseDate)
        (wire.has_gross, wire.gross) = packer.number(gross)
        (wire.has_gross_to_date, wire.gross_to_date) = packer.number(grossToDate)
        (wire.has_theaters, wire.theaters) = packer.number(theaters)
        (wire.has_days_in_release, wire.days_in_release) = packer.number(daysInRelease)
        wire.distributor = packer.text(distributor)
        wire.poster = packer.image(poster, .poster)
        (wire.has_vote_average, wire.vote_average) = packer.real(voteAverage)
        wire.currency = packer.text(currency)
        (wire.has_audience, wire.audience) = packer.number(audience)
        (wire.has_audience_to_date, wire.audience_to_date) = packer.number(audienceToDate)
        (wire.has_share, wire.share) = packer.real(share)
        (wire.has_hours, wire.hours) = packer.number(hours)
        (wire.has_views, wire.views) = packer.number(views)
        (wire.has_weeks, wire.weeks) = packer.number(weeks)
        (wire.has_rank, wire.rank) = packer.number(rank)
        (wire.has_previous_rank, wire.previous_rank) = packer.number(previousRank)
        (wire.has_is_new, wire.is_new) = packer.flag(isNew)
    }

    static func read(_ wire: Proto.ChartEntryBody, with unpacker: Unpacker) throws(WireError) -> ChartEntryContent {
        var entry = ChartEntryContent(title: unpacker.text(wire.title) ?? "")
        entry.movie = unpacker.number(wire.has_movie, wire.movie)
        entry.releaseDate = unpacker.date(wire.release_date)
        entry.gross = unpacker.number(wire.has_gross, wire.gross)
        entry.grossToDate = unpacker.number(wire.has_gross_to_date, wire.gross_to_date)
        entry.theaters = unpacker.number(wire.has_theaters, wire.theaters)
        entry.daysInRelease = unpacker.number(wire.has_days_in_release, wire.days_in_release)
        entry.distributor = unpacker.text(wire.distributor)
        entry.poster = unpacker.image(wire.poster)
        entry.voteAverage = unpacker.real(wire.has_vote_average, wire.vote_average)
        entry.currency = unpacker.text(wire.currency)
        entry.audience = unpacker.number(wire.has_audience, wire.audience)
        entry.audienceToDate = unpacker.number(wire.has_audience_to_date, wire.audience_to_date)
        entry.share = unpacker.real(wire.has_share, wire.share)
        entry.hours = unpacker.number(wire.has_hours, wire.hours)
        entry.views = unpacker.number(wire.has_views, wire.views)
        entry.weeks = unpacker.number(wire.has_weeks, wire.weeks)
        entry.rank = unpacker.number(wire.has_rank, wire.rank)
        entry.previousRank = unpacker.number(wire.has_previous_rank, wire.previous_rank)
        entry.isNew = unpacker.flag(wire.has_is_new, wire.is_new)
        return entry
    }
}
