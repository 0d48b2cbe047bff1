import HubSupport
import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresetRecords
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeServer

/// Showing more, showing less and changing the order are transitions between variants. They take the fewest operations
/// and leave nothing behind.
@Suite struct WindowAndSortTests {
    @Test func `Showing more only adds at the end`() throws {
        let world = try World()
        let patch = try world.patch(from: world.section(window: 10), to: world.section(window: 20))
        #expect(patch.operations == [.keep(0..<10), .add(10)])
        #expect(patch.updates.isEmpty)
    }

    @Test func `Showing less only removes from the end`() throws {
        let world = try World()
        let patch = try world.patch(from: world.section(window: 20), to: world.section(window: 10))
        #expect(patch.operations == [.keep(0..<10)])
        #expect(patch.updates.isEmpty)
    }

    @Test func `Showing more and less are sent as patches`() throws {
        let world = try World()
        let (few, many) = (try world.section(window: 10), try world.section(window: 20))
        for (base, target) in [(few, many), (many, few)] {
            let route = world.library.route(
                to: target.current.version, of: target.handle, from: (base.current.version.sum, base.current.content),
                since: target.current.since)
            guard case .patch = route else {
                Issue.record("\(route)")
                return
            }
        }
    }

    @Test func `A page that is scrolled costs what it shows`() throws {
        let world = try World()
        func window(_ id: Int) throws -> OpenedView.Variant {
            try world.window(WindowPlace(item: "movie/\(id)", before: 5, after: 10))
        }
        let (base, target) = (try window(10), try window(13))
        let patch = try world.patch(from: base, to: target)
        #expect(patch.operations == [.keep(3..<16), .add(3)])
        #expect(patch.updates.isEmpty)
        let route = world.library.route(
            to: target.current.version, of: target.handle, from: (base.current.version.sum, base.current.content),
            since: target.current.since)
        guard case .patch = route else {
            Issue.record("\(route)")
            return
        }
        let whole = target.current.version.items.reduce(0) { $0 + $1.body.count }
        let sent = Differ.patch(from: base.current.version, to: target.current.version)
        let added = sent.adds.reduce(0) { $0 + $1.body.count }
        #expect(added * 5 < whole && (sent.head?.records.count ?? 0) < 64, "the rows that come, and where they are")
    }

    @Test(arguments: ["title", "release_date", "-revenue"])
    func `A different order moves the fewest items and sends none`(sort: String) throws {
        let world = try World()
        let (base, target) = (try world.section(window: 40), try world.section(sort: sort, window: 40))
        let patch = try world.patch(from: base, to: target)
        let places = Dictionary(
            uniqueKeysWithValues: base.current.version.items.enumerated().map { ($1.id, $0) })
        let sources = target.current.version.items.compactMap { places[$0.id] }
        #expect(sources.count == 40)
        let moved = patch.operations.reduce(0) { sum, operation in
            if case .move(let range) = operation { sum + range.count } else { sum }
        }
        #expect(moved == 40 - longestAscending(sources))
        #expect(moved > 0)
        #expect(patch.operations.allSatisfy { $0.source != nil })
        #expect(patch.updates.isEmpty)
    }

    @Test func `Growing and shrinking again leaves nothing behind`() throws {
        let world = try World()
        let few = try world.open(window: 10)
        let first = try world.growAndShrink()
        let bytes = world.library.bytes
        for _ in 1...20 { #expect(try world.growAndShrink() == first) }
        #expect(world.library.bytes == bytes)
        // Nobody shows the large window any more, so changes in its second half cost nothing.
        let before = world.publications.count
        try world.commit(rename: 15)
        #expect(world.publications.count == before + 1)
        #expect(world.publications.last?.changes.isEmpty == true)
        #expect(world.library.bytes == bytes)
        try world.commit(rename: 5)
        #expect(world.publications.last?.changes.keys.contains(few.sections[0].current.content) == true)
    }

    /// The length of the longest ascending subsequence, by its definition, in quadratic time.
    private func longestAscending(_ numbers: [Int]) -> Int {
        var lengths: [Int] = []
        for (index, number) in numbers.enumerated() {
            lengths.append(1 + ((0..<index).filter { numbers[$0] < number }.map { lengths[$0] }.max() ?? 0))
        }
        return lengths.max() ?? 0
    }
}

/// A hub over forty movies whose values each give a different order.
private final class World {
    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - id: list
                kind: list
                sorts: [-popularity, title, release_date, -revenue]
                windows: [10, 20, 40]
                source: {records: {type: movie, limit: 40}}
          long:
            title: Long
            sections: [{id: long, kind: list, windows: anywhere, source: {records: {type: movie, sort: -popularity}}}]
        """

    let library = VersionLibrary()
    private(set) var publications: [Publication] = []
    private let store = MemoryStore()
    private var opened: Hub?

    init() throws {
        let movies = (1...40 as ClosedRange<UInt64>).map { Self.movie($0) }
        let changes: [Change] = [.types(PresetCatalogue.types)] + movies
        _ = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
        opened = try Hub(
            store: store, library: library,
            programme: Programme.parse(
                text: Self.programme, file: "test.yaml", types: TypeSet(PresetCatalogue.types, file: "types.yaml")),
            now: 0, publish: { [unowned self] in publications.append($0) }, report: { _ in })
    }

    private var hub: Hub {
        guard let opened else { preconditionFailure("the hub is made in init") }
        return opened
    }

    /// Movie `id` is the `id`-th by popularity; its other values are permutations of that.
    private static func movie(_ id: UInt64, prefix: String = "Movie") -> Change {
        var movie = Movie(id: id, title: "\(prefix) \(100 + id * 7 % 41)")
        movie.popularity = Double(1_000 - id)
        movie.revenue = 1_000 + id * 11 % 41
        movie.releaseDate = CalendarDate(year: 1_950 + Int(id * 17 % 41), month: 1, day: 1)
        return movie.change
    }

    func commit(rename id: UInt64) throws {
        let change = Self.movie(id, prefix: "Renamed")
        _ = try store.write([.catalogue(key: nil, changes: [change], mutation: nil)])
        try hub.catchUp(from: store)
    }

    func open(sort: String? = nil, window: UInt32) throws -> OpenedView {
        let parameters = SectionParameters(section: "list", sort: sort, window: window)
        return try hub.open(OpenRequest(screen: "home", locale: nil, parameters: [parameters], user: nil)).get()
    }

    func section(sort: String? = nil, window: UInt32) throws -> OpenedView.Variant {
        let view = try open(sort: sort, window: window)
        #expect(view.sections[0].current.version.items.count == Int(window))
        return view.sections[0]
    }

    func window(_ place: WindowPlace) throws -> OpenedView.Variant {
        let parameters = SectionParameters(section: "long", place: place)
        return try hub.open(OpenRequest(screen: "long", locale: nil, parameters: [parameters], user: nil)).get()
            .sections[0]
    }

    /// - Returns: the handles that were held in the meantime.
    func growAndShrink() throws -> [UInt64] {
        let many = try open(window: 20)
        let few = try open(window: 10)
        _ = library.route(
            to: many.sections[0].current.version, of: many.sections[0].handle,
            from: (few.sections[0].current.version.sum, few.sections[0].current.content),
            since: many.sections[0].current.since)
        hub.release(many.handles)
        hub.release(few.handles)
        return many.handles + few.handles
    }

    func patch(from base: OpenedView.Variant, to target: OpenedView.Variant) throws -> Script {
        let patch = Differ.patch(from: base.current.version, to: target.current.version)
        return try Script(
            decoding: patch.script,
            counts: Script.Counts(
                base: base.current.version.items.count, target: patch.count, adds: patch.adds.count,
                updates: patch.updates.count))
    }
}
