import ArgumentParser
import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds records by part of a title or other text, in any language; the best known first.",
        discussion: """
            The server's programme says what is searched. Case, accents and \
            punctuation do not matter.

            EXAMPLES
              marquee search matrix
              marquee search 기생충 --locale ko
              marquee search the --page 2
              marquee search bread --where topics=food --facet topics --facet show
            """)

    @Argument(help: "Part of the text to find.")
    var query: String

    @Option(help: ArgumentHelp("Which page of the results, from 1.", valueName: "n"))
    var page = 1

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Only matches with this value of a facet. Repeatable.", valueName: "field=value"))
    var filters: [String] = []

    @Option(
        name: .customLong("facet"),
        help: ArgumentHelp(
            "Count the values of this facet among the matches, of all with '*'. Repeatable.", valueName: "field"))
    var facets: [String] = []

    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var recordOptions: RecordOptions

    @Option(help: ArgumentHelp("How long to wait for the answer, in seconds.", valueName: "seconds"))
    var timeout = Seconds(10)

    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws {
        guard !query.isEmpty else { throw ValidationError("the query is empty") }
        try timeout.checkTimeout()
        guard page >= 1 else { throw ValidationError("--page must be 1 or more") }
        _ = try parsedFilters()
    }

    private func parsedFilters() throws -> [(field: String, value: String)] {
        try filters.map { text in
            guard let filter = NamedValue(text) else {
                throw ValidationError("--where \(text): a field and its value are needed, as in topics=food")
            }
            return (filter.name, filter.value)
        }
    }

    /// `topics: food 3, history 1`
    private func lines(of counted: [String: [(value: String, count: Int)]]) -> [String] {
        let fields = facets.contains(SearchPage.everyFacet) ? counted.keys.sorted() : facets
        return fields.compactMap { field in
            let values = (counted[field] ?? []).map { "\($0.value) \($0.count)" }
            return values.isEmpty ? nil : Sanitizer.line("\(field): \(values.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let records = try recordOptions.reader()
        let filters = try parsedFilters()
        let found = try await ServerCall.run(connection.resolved(), timeout: timeout) {
            try await $0.searchPage(query, page: page, filters: filters, facets: facets)
        }
        switch output.format {
        case .lines:
            let count = found.total == 0 ? "no matches" : Words.matches(found.total)
            let title = found.isTotalCapped ? "more than \(count)" : count
            let pages = found.pages > 1 ? ", page \(found.page) of \(found.pages)" : ""
            try Output.standard.write(
                [title + pages] + lines(of: found.facets) + output.printer(records).rows(of: found.items))
        case .ndjson:
            let result = JSONValue.object([
                "type": .string("search"), "query": .string(query), "total": .integer(found.total),
                "totalCapped": .bool(found.isTotalCapped),
                "page": .integer(found.page), "pages": .integer(found.pages),
                "items": .array(found.items.map { ContentJSON.item($0, records) }),
                "facets": facets.isEmpty
                    ? nil
                    : .object(
                        found.facets.mapValues { values in
                            .array(
                                values.map { .object(["value": .string($0.value), "count": .integer($0.count)]) })
                        }),
            ])
            try Output.standard.write(result.line())
        }
    }
}
