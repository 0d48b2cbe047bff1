internal import CMarqueePresets
internal import MarqueeModel
internal import MarqueeWire

extension ChartEntryContent: PresetBody {
    func write(to wire: inout PresetProto.ChartEntryBody, with packer: Packer) {
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

    static func read(_ wire: PresetProto.ChartEntryBody, with unpacker: Unpacker) -> ChartEntryContent {
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
