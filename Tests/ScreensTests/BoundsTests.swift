import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Whatever a feed or a programme contains, bodies and heads fit into one data part.
@Suite struct BoundsTests {
    private let name = String(repeating: "가", count: 1_300)
    /// A record has room for two of these besides its names.
    private let prose = String(repeating: "x", count: 20_000)

    /// A movie with a few long names, and one with many shorter ones.
    private func changes() throws -> [Change] {
        var entry = ChartDay.Entry(key: String(name.prefix(80)), title: String(name.prefix(600)))
        entry.distributor = String(name.prefix(600))
        entry.movie = 1
        let day = ChartDay(chart: "boxoffice", date: try #require(CalendarDate("2014-01-01")), entries: [entry])
        return (1...100).map { Genre(id: $0, names: ["en": name]).change }
            + movie(1, credits: 4, name) + movie(2, credits: 50, String(name.prefix(80)))
            + [day.change, .show(chart: "boxoffice", day.step)]
    }

    private func movie(_ id: UInt64, credits count: UInt64, _ person: String) -> [Change] {
        var movie = Movie(id, name, genres: Array(1...100))
        movie.originalTitle = name
        movie.countries = Array(repeating: "US", count: 200)
        movie.tagline = prose
        movie.overview = prose
        movie.certifications = ["US": name]
        movie.poster = ImageReference(name: name)
        movie.backdrop = ImageReference(name: name)
        let crew = (1...count).map { Credits.Crew(person: $0, name: person, job: "Director", department: person) }
        let cast = (1...count).map { Credits.Cast(person: $0, name: person, character: person) }
        return [movie.change, Credits(movie: id, cast: cast, crew: crew).change]
    }

    @Test func `The largest records are cut to fit`() throws {
        var screens = try Screens(presets: changes())
        for name in ["home", "detail/1", "detail/2", "genre/28"] {
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
        let words = String(repeating: "w", count: ProgrammeLimits.textBytes)
        let link = "https://" + String(repeating: "l", count: ProgrammeLimits.textBytes - 8)
        let action = "{id: \(String(repeating: "i", count: 64)), title: \(words), target: \(link)}"
        let actions = "[" + Array(repeating: action, count: ProgrammeLimits.actions).joined(separator: ", ") + "]"
        let header = "{title: \(text), actions: \(actions)}"
        let kind = String(repeating: "k", count: 64)
        let size = "width: fw 1, height: fh 1, insets: [1, 2, 3, 4]"
        let badge = "{kind: \(kind), edges: [top], \(size), offset: [1, 2], z-index: 9}"
        let edges = "edge-spacing: [flexible 1, flexible 2, flexible 3, flexible 4]"
        let item = "{\(size), \(edges), badges: [\(badge), \(badge)]}"
        let items = Array(repeating: item, count: SectionLayout.maximumNodes - 1).joined(separator: ", ")
        let more = Array(repeating: badge, count: ProgrammeLimits.supplementaries).joined(separator: ", ")
        let layout = "{group: {axis: vertical, \(size), items: [\(items)]}, supplementaries: [\(more)]}"
        let sorts = (1...ProgrammeLimits.sorts).map { number in
            "{id: \(number)\(String(repeating: "s", count: ProgrammeLimits.idBytes - 1)), by: revenue, title: \(words)}"
        }
        let programme = """
            screens:
              detail/$id:
                title: $title
                sections:
                  - {id: a, kind: list, header: \(header), footer: \(header), layout: \(layout), supplements: {\(kind): \(text)},
                     sorts: [\(sorts.joined(separator: ", "))], source: {records: {type: movie}}}
                  - {id: detail, kind: detail, source: {record: {type: movie, id: $id}}}
            """
        var screens = try Screens(presets: changes(), programme: programme)
        let plan = try screens.plan(screen: "detail/1", locale: nil, parameters: [], user: nil)
        let head = try screens.evaluate(plan.sections[0].variant, members: []).version.head
        #expect(head.count > 30_000)
        #expect(CanonicalBody.isCanonical(head), "\(head.count) bytes")
        #expect(BodyCodec.decodeSectionHead(head)?.sorts.count == ProgrammeLimits.sorts)
    }

    @Test func `Long texts are cut between characters`() {
        #expect("abc".clipped(to: 3) == "abc")
        #expect("abcd".clipped(to: 3) == "abc")
        #expect("가나".clipped(to: 5) == "가")
    }
}
