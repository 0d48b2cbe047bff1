package import MarqueeCatalogue
import MarqueeModel

/// The types of a movie catalogue, and a programme that shows it.
package enum PresetCatalogue {
    /// The types of movies, genres, people and credits, of charts, and of the items that editors put on shelves.
    package static let types = TypesDocument(
        declarations: String(decoding: PackageResources.types_yaml, as: UTF8.self),
        descriptors: PackageResources.movies_desc)
    /// The text of a programme that shows them.
    package static let programme = String(decoding: PackageResources.programme_yaml, as: UTF8.self)

    /// The alias of the type of movies.
    package static let movie = "movie"

    /// - Returns: the name of a chart's list.
    package static func chart(_ id: String) -> String { "chart/\(id)" }
    /// - Returns: the name of a shelf's list.
    package static func shelf(_ id: String) -> String { "shelf/\(id)" }
}

extension Change {
    /// Selects the day that a chart shows.
    package static func show(chart: String, _ step: ChartStep) -> Change {
        .show(list: PresetCatalogue.chart(chart), edition: step.description)
    }
}
