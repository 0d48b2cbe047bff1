package import MarqueeCatalogue
import MarqueeModel

extension Change {
    /// What a change of the built-in kinds is as changes of records and lists; any other change as it is.
    package var asRecords: [Change] {
        switch self {
        case .movie(let movie): [movie.change]
        case .removeMovie(let id): [.remove(.movie(id))]
        case .movieUpdate(let update): [update.change]
        case .person(let person): [person.change]
        case .removePerson(let id): [.remove(.person(id))]
        case .credits(let credits): [credits.change]
        case .removeCredits(let movie): [.remove(.credits(movie))]
        case .genre(let genre): [genre.change]
        case .removeGenre(let id): [.remove(.genre(id))]
        case .chartDay(let day): [day.change]
        case .removeChartDay(let chart, let date, let time):
            [
                .removeList(
                    ListName(PresetCatalogue.chart(chart), edition: ChartStep(date: date, time: time).description))
            ]
        case .showChart(let chart, let date, let time): [.show(chart: chart, ChartStep(date: date, time: time))]
        case .choose(let pool, let movie): [.chooseRecord(pool: pool, record: .movie(movie))]
        case .shelf(let shelf): shelf.changes
        case .removeShelf(let id): [.removeList(ListName(PresetCatalogue.shelf(id)))]
        case .shelfItem(let shelf, let item): item.changes(on: shelf)
        case .page(let page): [.page(Page(id: page.id, sections: page.sections.map(\.ofLists)))]
        default: [self]
        }
    }

    /// Selects the day that a chart shows.
    package static func show(chart: String, _ step: ChartStep) -> Change {
        .show(list: PresetCatalogue.chart(chart), edition: step.description)
    }
}

extension Page.Section {
    /// With the list that its shelf becomes.
    fileprivate var ofLists: Page.Section {
        guard let shelf else { return self }
        return Page.Section(id: id, type: type, title: title, .list(PresetCatalogue.shelf(shelf)))
    }
}
