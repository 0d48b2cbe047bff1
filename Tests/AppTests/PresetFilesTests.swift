import Foundation
import MarqueeCatalogue
import MarqueeDiff
import MarqueeImport
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

/// The catalogue and the four apps as files over records, in `Samples/presets`, send what the built-in sources send.
@Suite struct PresetFilesTests {
    private static let folder = SampleName.folder.appending(path: "presets")

    @Test(arguments: ["catalogue", "a-streaming", "b-box-office", "c-layout-study", "d-courses"])
    func `Screens of records carry the same items as built-in ones`(app: String) throws {
        let changes = try Self.changes(of: app)
        let builtIn = MemoryStore()
        try Self.write(changes, to: builtIn)
        let records = MemoryStore()
        let types = try Self.types()
        try Self.write([.types(types.document)] + changes.flatMap(\.asRecords), to: records)
        let programme = try Self.text(SampleName.folder.appending(path: "\(app)/programme.yaml"))
        var before = try Screens(store: builtIn, programmeFallback: Programme.parse(text: programme, file: app))
        let files = try Self.text(Self.folder.appending(path: "\(app).yaml"))
        var after = try Screens(
            store: records, programmeFallback: Programme.parse(text: files, file: app, types: types))

        var compared = 0
        for name in Self.screens(of: app, changes) {
            for locale in before.programme.locales {
                for parameters in Self.parameters(of: name, app) {
                    let plans = try (
                        before.plan(screen: name.builtIn, locale: locale, parameters: parameters, user: nil),
                        after.plan(screen: name.records, locale: locale, parameters: parameters, user: nil)
                    )
                    #expect(plans.0.sections.map { "\($0.id)" } == plans.1.sections.map { "\($0.id)" })
                    for (a, b) in zip(plans.0.sections, plans.1.sections) {
                        compared += try Self.compare(
                            before.evaluate(a.variant, members: []).version,
                            after.evaluate(b.variant, members: []).version, "\(app) \(name.builtIn) \(a.id)")
                    }
                }
            }
        }
        #expect(compared >= (["catalogue", "b-box-office"].contains(app) ? 2_500 : 19))
    }

    /// - Returns: how many items are the same.
    private static func compare(_ a: Version, _ b: Version, _ place: String) throws -> Int {
        let heads = try (
            #require(BodyCodec.decodeSectionHead(a.head)), #require(BodyCodec.decodeSectionHead(b.head))
        )
        #expect(heads.0 == heads.1, "\(place)")
        #expect(a.items.count == b.items.count, "\(place)")
        // Movies that are rated alike stand by their ids, which are numbers here and texts there.
        if place.hasSuffix("acclaimed") { return 0 }
        for (a, b) in zip(a.items, b.items) {
            #expect(a.kind == b.kind && a.body == b.body, "\(place) \(a.id)")
            // An item of a shelf is a record of its own here.
            if a.subject.hasPrefix("item/") {
                #expect(
                    a.subject.dropFirst("item/".count) == b.subject.drop { $0 != "/" }.dropFirst(), "\(place) \(a.id)")
            } else {
                #expect(a.subject == b.subject, "\(place) \(a.id)")
            }
        }
        return a.items.count
    }

    // MARK: - What is compared

    private struct ScreenName {
        var builtIn: String
        var records: String
    }

    private static func screens(of app: String, _ changes: [Change]) -> [ScreenName] {
        var names = ["home"]
        switch app {
        case "b-box-office": names += ["chart"]
        case "c-layout-study": names += ["grid", "supplementaries", "scrolling"]
        default: break
        }
        var screens = names.map { ScreenName(builtIn: $0, records: $0) }
        for change in changes {
            switch change {
            case .movie(let movie): names = ["detail/\(movie.id)"]
            case .genre(let genre): names = ["genre/\(genre.id)"]
            case .shelf(let shelf) where app == "a-streaming": names = shelf.items.map { "detail/\(shelf.id)/\($0.id)" }
            default: names = []
            }
            screens += names.map { ScreenName(builtIn: $0, records: $0) }
        }
        return screens
    }

    private static func parameters(of name: ScreenName, _ app: String) -> [[SectionParameters]] {
        guard name.builtIn == "home", ["catalogue", "b-box-office"].contains(app) else { return [[]] }
        return [
            [],
            [
                SectionParameters(section: "rank", sort: "release-date"),
                SectionParameters(section: "genres", window: 12),
            ],
        ]
    }

    // MARK: - Files

    private static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    private static func types() throws -> TypeSet {
        let document = TypesDocument(
            declarations: try text(folder.appending(path: "types.yaml")),
            descriptors: [UInt8](try Data(contentsOf: folder.appending(path: "movies.desc"))))
        return try TypeSet(document, file: "types.yaml")
    }

    /// The app's data as changes of the built-in kinds.
    private static func changes(of app: String) throws -> [Change] {
        let store = MemoryStore()
        if app == "catalogue" {
            try SampleName.boxOffice.fill(store)
        } else {
            try #require(SampleName(rawValue: app)).fill(store)
        }
        var changes: [Change] = []
        _ = try store.snapshot { changes.append($0) }
        return changes
    }

    private static func write(_ changes: [Change], to store: MemoryStore) throws {
        for change in changes {
            let outcomes = try store.write([.catalogue(key: nil, changes: [change], mutation: nil)])
            guard case .done? = outcomes.first else { throw AppTestError("\(change.key): \(outcomes)") }
        }
    }
}
