import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresets
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Whatever a feed or a programme contains, bodies and heads fit into one data part.
@Suite struct BoundsTests {
    private let name = String(repeating: "가", count: 1_300)
    private let prose = String(repeating: "x", count: 65_536)

    private var changes: [Change] {
        var movie = Movie(1, name, genres: Array(1...100))
        movie.originalTitle = name
        movie.countries = Array(repeating: "US", count: 200)
        movie.tagline = prose
        movie.overview = prose
        movie.certifications = ["US": name]
        movie.poster = ImageReference(name: name)
        movie.backdrop = ImageReference(name: name)
        var entry = ChartDay.Entry(key: String(name.prefix(80)), title: name)
        entry.distributor = name
        entry.movie = 1
        let crew = (1...100).map { Credits.Crew(person: $0, name: name, job: "Director", department: name) }
        let cast = (1...100).map { Credits.Cast(person: $0, name: name, character: name) }
        return (1...100).map { .genre(Genre(id: $0, names: ["en": name])) } + [
            .movie(movie), .credits(Credits(movie: 1, cast: cast, crew: crew)),
            .chartDay(ChartDay(chart: "boxoffice", date: RandomCatalogue.dates[0], entries: [entry])),
            .showChart(chart: "boxoffice", date: RandomCatalogue.dates[0]),
        ]
    }

    @Test func `The largest records are cut to fit`() throws {
        var screens = try Screens(changes, programme: try Samples.programme())
        for name in ["home", "detail/1", "genre/28"] {
            let plan = try screens.plan(screen: name, locale: nil, parameters: [], user: nil)
            #expect(CanonicalBody.isCanonical(try screens.evaluate(view: plan.view).version.head))
            for section in plan.sections {
                let version = try screens.evaluate(section.variant, members: []).version
                #expect(CanonicalBody.isCanonical(version.head))
                #expect(!version.items.isEmpty)
                for item in version.items {
                    #expect(CanonicalBody.isCanonical(item.body), "\(item.id) has \(item.body.count) bytes")
                    #expect(item.id.utf8.count <= Subject.maximumLength)
                    let content = BodyCodec.decode(kind: item.kind, bytes: item.body).decoded
                    #expect(content != .unknown(kind: item.kind, bytes: item.body))
                }
            }
        }
    }

    @Test func `The largest heads fit`() throws {
        let text = String(repeating: "$title ", count: ProgrammeLimits.textBytes / 7)
        let link = "https://" + String(repeating: "l", count: ProgrammeLimits.textBytes - 8)
        let action = "{id: \(String(repeating: "i", count: 64)), title: \(text), target: \(link)}"
        let actions = "[" + Array(repeating: action, count: ProgrammeLimits.actions).joined(separator: ", ") + "]"
        let header = "{title: \(text), actions: \(actions)}"
        let kind = String(repeating: "k", count: 64)
        let size = "width: fw 1, height: fh 1, insets: [1, 2, 3, 4]"
        let badge = "{kind: \(kind), edges: [top], \(size), offset: [1, 2]}"
        let item = "{\(size), badges: [\(badge), \(badge)]}"
        let items = Array(repeating: item, count: SectionLayout.maximumNodes - 1).joined(separator: ", ")
        let more = Array(repeating: badge, count: ProgrammeLimits.supplementaries).joined(separator: ", ")
        let layout = "{group: {axis: vertical, \(size), items: [\(items)]}, supplementaries: [\(more)]}"
        let sorts = MovieSort.allCases.map { "{id: \($0.rawValue), title: \(text)}" }.joined(separator: ", ")
        let programme = """
            screens:
              detail/<movie>:
                title: Movie
                sections:
                  - {id: a, kind: list, header: \(header), footer: \(header), layout: \(layout), sorts: [\(sorts)],
                     source: {movies: {}}}
            """
        var screens = try Screens(changes, programme: programme)
        let plan = try screens.plan(screen: "detail/1", locale: nil, parameters: [], user: nil)
        let head = try screens.evaluate(plan.sections[0].variant, members: []).version.head
        #expect(head.count > 30_000)
        #expect(CanonicalBody.isCanonical(head), "\(head.count) bytes")
        #expect(BodyCodec.decodeSectionHead(head)?.sorts.count == MovieSort.allCases.count)
    }
}
