import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

@testable import MarqueeScreens

/// The sample files of the repository.
enum Samples {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Samples/catalogue")

    static func programme() throws -> String {
        try String(contentsOf: folder.appending(path: "programme.yaml"), encoding: .utf8)
    }

    /// The changes of `catalogue.ndjson`, and the first day of the chart, shown.
    static func changes() throws -> [Change] {
        var changes = try read("catalogue.ndjson")
        if case .chartDay(let day) = try read("chart.ndjson").first {
            changes += [.chartDay(day), .showChart(chart: day.chart, date: day.date)]
        }
        return changes
    }

    private static func read(_ name: String) throws -> [Change] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Change.self, from: Data($0.utf8)) }
    }
}

extension Screens {
    /// At revision 1.
    init(_ changes: [Change], programme: String) throws {
        self.init(
            snapshot: changes, head: LogHead(epoch: 1, revision: 1),
            programmeFallback: try Programme.parse(text: programme, file: "test.yaml"))
    }

    /// Commits the changes as the next revision.
    @discardableResult
    mutating func commit(_ changes: [Change]) throws -> CommitEffect {
        try apply(CatalogueCommit(revision: head.revision + 1, key: nil, changes: changes))
    }
}
