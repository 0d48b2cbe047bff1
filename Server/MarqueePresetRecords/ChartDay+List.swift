package import MarqueeCatalogue
import MarqueeModel

extension ChartDay {
    /// The change that stores it as an edition of a list, without showing it.
    package var change: Change {
        .list(
            RecordList(
                ListName(PresetCatalogue.chart(chart), edition: step.description), entries: entries.map(\.listEntry)))
    }
}

extension ChartDay.Entry {
    var listEntry: ListEntry {
        ListEntry(key: "release/\(key)", record: movie.map { .movie($0) }, place: .json(place))
    }

    private var place: JSONValue {
        var fields = Fields()
        fields.add("title", title)
        fields.add("rank", rank)
        fields.add("previousRank", previousRank)
        if isNew == true { fields.add("isNew", .bool(true)) }
        fields.add("gross", gross)
        fields.add("grossToDate", grossToDate)
        fields.add("currency", currency)
        fields.add("audience", audience)
        fields.add("audienceToDate", audienceToDate)
        fields.add("share", share)
        fields.add("hours", hours)
        fields.add("views", views)
        fields.add("weeks", weeks)
        fields.add("theaters", theaters)
        fields.add("daysInRelease", daysInRelease)
        fields.add("distributor", distributor)
        return fields.json
    }
}
