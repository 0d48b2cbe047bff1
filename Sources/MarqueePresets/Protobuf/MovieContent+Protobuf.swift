internal import CMarqueePresets
internal import MarqueeModel
internal import MarqueeWire

// The C forms of movies. A field that is absent or invalid counts as missing; nothing here is an error.

extension CertificationContent: PresetBody {
    func write(to wire: inout PresetProto.Certification, with packer: Packer) {
        wire.country = packer.text(unlessEmpty: country)
        wire.code = packer.text(code)
        wire.label = packer.text(unlessEmpty: label)
        wire.color_class = packer.text(colorClass.rawValue)
    }

    static func read(_ wire: PresetProto.Certification, with unpacker: Unpacker) -> CertificationContent {
        CertificationContent(
            country: unpacker.text(wire.country) ?? "", code: unpacker.text(wire.code) ?? "",
            label: unpacker.text(wire.label) ?? "",
            colorClass: unpacker.text(wire.color_class).flatMap(ColorClass.init) ?? .unrated)
    }
}

extension MovieContent: PresetBody {
    func write(to wire: inout PresetProto.MovieBody, with packer: Packer) {
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
        wire.certification = packer.nested(certification)
        wire.overview = packer.text(overview)
        (wire.has_revenue, wire.revenue) = packer.number(revenue)
    }

    static func read(_ wire: PresetProto.MovieBody, with unpacker: Unpacker) -> MovieContent {
        var movie = MovieContent(
            id: unpacker.number(wire.has_id, wire.id), title: unpacker.text(wire.title) ?? "")
        movie.originalTitle = unpacker.text(wire.original_title)
        movie.releaseDate = unpacker.date(wire.release_date)
        movie.runtime = unpacker.number(wire.has_runtime, wire.runtime)
        movie.genres = unpacker.texts(wire.n_genres, wire.genres)
        movie.voteAverage = unpacker.real(wire.has_vote_average, wire.vote_average)
        movie.voteCount = unpacker.number(wire.has_vote_count, wire.vote_count)
        movie.popularity = unpacker.real(wire.has_popularity, wire.popularity)
        movie.poster = unpacker.image(wire.poster)
        movie.backdrop = unpacker.image(wire.backdrop)
        movie.certification = unpacker.nested(wire.certification)
        movie.overview = unpacker.text(wire.overview)
        movie.revenue = unpacker.number(wire.has_revenue, wire.revenue)
        return movie
    }
}

extension DetailContent: PresetBody {
    func write(to wire: inout PresetProto.DetailBody, with packer: Packer) {
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
        wire.certification = packer.nested(certification)
        (wire.n_directors, wire.directors) = packer.texts(directors)
        (wire.has_vote_average, wire.vote_average) = packer.real(voteAverage)
        (wire.has_vote_count, wire.vote_count) = packer.number(voteCount)
        wire.poster = packer.image(poster, .poster)
        wire.backdrop = packer.image(backdrop, .backdrop)
        (wire.has_revenue, wire.revenue) = packer.number(revenue)
    }

    static func read(_ wire: PresetProto.DetailBody, with unpacker: Unpacker) -> DetailContent {
        var detail = DetailContent(
            id: unpacker.number(wire.has_id, wire.id), title: unpacker.text(wire.title) ?? "")
        detail.originalTitle = unpacker.text(wire.original_title)
        detail.releaseDate = unpacker.date(wire.release_date)
        detail.countries = unpacker.texts(wire.n_countries, wire.countries)
        detail.genres = unpacker.texts(wire.n_genres, wire.genres)
        detail.runtime = unpacker.number(wire.has_runtime, wire.runtime)
        detail.tagline = unpacker.text(wire.tagline)
        detail.overview = unpacker.text(wire.overview)
        detail.infoLine = unpacker.text(wire.info_line) ?? ""
        detail.certification = unpacker.nested(wire.certification)
        detail.directors = unpacker.texts(wire.n_directors, wire.directors)
        detail.voteAverage = unpacker.real(wire.has_vote_average, wire.vote_average)
        detail.voteCount = unpacker.number(wire.has_vote_count, wire.vote_count)
        detail.poster = unpacker.image(wire.poster)
        detail.backdrop = unpacker.image(wire.backdrop)
        detail.revenue = unpacker.number(wire.has_revenue, wire.revenue)
        return detail
    }
}
