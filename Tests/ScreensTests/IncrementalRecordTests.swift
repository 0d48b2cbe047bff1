import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueeStore
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeScreens

/// Sections of records that are updated incrementally equal the result of decoding, filtering and sorting all records.
@Suite struct IncrementalRecordTests {
    @Test(arguments: 1...Extent.of(2, full: 12) as ClosedRange<UInt64>)
    func `Incremental evaluation equals evaluation from scratch`(seed: UInt64) throws {
        var run = try RecordRun(seed: seed)
        for _ in 0..<50 { try run.step() }
        // Guards against a run in which hardly anything changes.
        #expect(run.changed > 500)
        #expect(run.unchanged > 500)
        #expect(run.shown > 2_000)
        #expect(run.programmes > 2)
    }

    /// Found by the simulation: changes of a record were missed while another one had taken its place.
    @Test func `A record that is evicted, changes and returns is shown with its new content`() throws {
        let types = try Podcasts.types()
        func episode(_ id: Int, plays: Int, title: String = "Episode") throws -> Change {
            try types.put("episode", "\(id)", #"{"guid": "\#(id)", "title": {"en": "\#(title)"}, "plays": \#(plays)}"#)
        }
        let source = "{records: {type: episode, sort: -plays, limit: 2}}"
        var screens = try Screens(
            (1...3).map { try episode($0, plays: 10 - $0) }, types: types,
            programme: "screens: {home: {title: H, sections: [{id: rank, kind: rank, source: \(source)}]}}")
        let plan = try screens.plan(screen: "home", locale: nil, parameters: [], user: nil)
        let rank = try #require(plan.sections.first).variant
        _ = try screens.watch(.section(rank), as: 1, members: [])
        try screens.commit([episode(3, plays: 20)])
        try screens.commit([episode(2, plays: 8, title: "Changed meanwhile")])
        try screens.commit([episode(3, plays: 1)])
        let expected = try screens.evaluate(rank, members: []).version
        #expect(screens.renew()[1]?.sum == expected.sum)
    }
}

/// A run of random commits of records, with everything watched, and the expected result of each commit.
private struct RecordRun {
    /// The labels of a topic in the types.
    private static let foods = ["Food", "Eating"]
    private let types: [RecordTypes]
    /// The index of the current types.
    private var current = 0
    private var random: RandomRecords
    private var programme: RecordProgramme
    private var screens: Screens
    private var favorites: [StoredMember] = []
    private var now: Moment?
    private var userRevision: UInt64 = 0
    private var watched: [UInt64: ContentKey] = [:]
    private var held: [UInt64: Version] = [:]
    private var nextHandle: UInt64 = 1
    private(set) var changed = 0
    private(set) var unchanged = 0
    /// Number of items compared.
    private(set) var shown = 0
    private(set) var programmes = 0

    init(seed: UInt64) throws {
        types = [
            try RandomRecords.types(food: Self.foods[0]),
            try RandomRecords.types(food: Self.foods[1], facets: "[topics, show, minutes]"),
        ]
        random = RandomRecords(seed: seed, types: types[0])
        programme = random.programme()
        screens = try Screens([], types: types[0], programme: programme.text)
        for key in RecordProgramme.contents(of: screens.programme) { try watch(key) }
    }

    mutating func step() throws {
        for _ in 0..<random.number(in: 1...3) {
            var changes = try random.commit()
            if random.isOnce(in: 8) {
                programme = random.programme()
                changes.insert(.programme(programme.text), at: random.number(in: 0...changes.count))
            }
            if random.isOnce(in: 4) {
                let moment = random.time(after: now)
                now = moment
                changes.insert(.time(moment), at: random.number(in: 0...changes.count))
            }
            if random.isOnce(in: 10) {
                current = random.number(in: 0...types.count - 1)
                changes.append(.types(types[current].document))
            }
            let effect = try screens.commit(changes)
            #expect(effect.programmeErrors == [])
            // A page changes the programme too, so count only committed programme texts.
            if effect.changesProgramme, changes.contains(where: { $0.key == .programme }) { programmes += 1 }
        }
        if random.isOnce(in: 3) { changeFavorites() }
        let before = held
        let renewed = screens.renew()
        for (handle, version) in renewed { held[handle] = version }
        try check(renewed: renewed, before: before)
        if random.isOnce(in: 4) { try comeAndGo() }
    }

    private mutating func changeFavorites() {
        var moves: [String: MemberMove] = [:]
        for _ in 0..<random.number(in: 1...2) {
            let subject = random.element(of: [
                "episode/e1", "episode/e2", "episode/e3", "show/s1", "show/s2", "topic/1",
            ])
            userRevision += 1
            let sets = !favorites.contains { $0.subject == subject } || random.isOnce(in: 3)
            favorites.removeAll { $0.subject == subject }
            if sets { favorites.append(StoredMember(subject: subject, revision: userRevision)) }
            moves[subject] = MemberMove(.favorite(subject, sets), revision: userRevision)
        }
        let handles = watched.filter { $0.value.user != nil }.map(\.key)
        if random.isOnce(in: 4) {
            screens.replaceMembers(favorites, of: handles)
        } else {
            screens.moveMembers(moves.values.sorted { $0.revision < $1.revision }, of: handles)
        }
    }

    // MARK: - Judging

    private mutating func check(renewed: [UInt64: Version], before: [UInt64: Version]) throws {
        changed += renewed.count
        unchanged += watched.count - renewed.count
        var naive = try NaiveRecords(random.records, types: types[0])
        naive.food = Self.foods[current]
        naive.favorites = Set(favorites.map(\.subject))
        naive.now = now.map { Double($0.milliseconds) / 1_000 }
        let written = screens.writtenProgramme.expanded(with: { _ in random.lists.page }, types: types[0].set)
        for (handle, key) in watched {
            guard let known = held[handle] else { continue }
            guard let expected = expected(key, written, naive) else {
                // Variants that the programme no longer has keep their content.
                #expect(renewed[handle] == nil, "\(key)")
                continue
            }
            shown += known.items.count
            #expect(known.items == expected.items, "\(key)")
            #expect(known.head == expected.head, "\(key)")
            #expect(known.sum == expected.sum, "\(key)")
            #expect((renewed[handle] != nil) == (before[handle]?.sum != expected.sum), "\(key)")
        }
    }

    private func expected(_ key: ContentKey, _ written: Programme, _ naive: NaiveRecords) -> Version? {
        switch key {
        case .view(let key):
            guard let screen = written.screen(named: key.screen) else { return nil }
            let items = screen.sections.map {
                Bodies.item(ofSection: $0.id, isPrivate: $0.isPrivate, placeholders: $0.placeholders)
            }
            return Version(
                head: BodyCodec.encode(ViewHead(title: title(of: key.screen, key.locale, naive))), items: items)
        case .section(let key): return version(of: key, written, naive)
        }
    }

    private func title(of screen: String, _ locale: String, _ naive: NaiveRecords) -> String {
        let id = ScreenID(screen)
        return switch id.family {
        case "episode", "show": naive.title(id.family, id.argument ?? "", locale)
        case "topic": "\(locale == "ko" ? "주제" : "About") \(id.argument ?? "")"
        case "home": "Home"
        default: "Favorites"
        }
    }

    private func version(of key: VariantKey, _ written: Programme, _ naive: NaiveRecords) -> Version? {
        guard let screen = written.screen(named: key.screen),
            let section = screen.sections.first(where: { $0.id == key.section }),
            section.sorts.isEmpty ? key.sort == "" : section.sorts.contains(where: { $0.id == key.sort }),
            section.windows.isEmpty ? key.window == 0 : section.windows.contains(key.window),
            (section.anywhere == nil) == (key.place == nil),
            section.isPrivate == (key.user != nil)
        else { return nil }
        let id = ScreenID(key.screen)
        let argument = id.argument ?? ""
        var all: [Item] = []
        var isGone = false
        var isCapped = false
        var list: ListName?
        switch key.section {
        case "picks": list = ListName("picks")
        case "monday": list = ListName("weekly", edition: "mon")
        case "weekly": list = ListName("weekly", edition: random.lists.shown)
        case "chosen", "p0", "p1", "p2": list = ListName("row")
        case "tiles":
            all = naive.tiles(programme.tiles, key.locale)
            isCapped = programme.tiles.values == nil && naive.values(of: programme.tiles.field).count > all.count
        case "pool":
            guard var query = programme.screens["home"]?.first(where: { $0.id == "pool" }) else { return nil }
            query.limit = .max
            let found = naive.found(query, argument: nil, sort: "", locale: key.locale)
            let shown = found.first { $0 == random.lists.choice } ?? found.first
            all = [shown.flatMap { naive.item($0, query.body, key.locale) }].compactMap { $0 }
        case "favorites":
            let newest = favorites.sorted { ($1.revision, $0.subject) < ($0.revision, $1.subject) }
            all = newest.compactMap { favorite in
                let subject = ScreenID(favorite.subject)
                return naive.item(
                    RecordID(type: subject.family, id: subject.argument ?? ""), programme.favorites, key.locale)
            }
        case "detail":
            isGone = !naive.has(id.family, argument)
            let body = id.family == "show" ? NaiveBody.usual : programme.detail
            all = [naive.item(RecordID(type: id.family, id: argument), body, key.locale)].compactMap { $0 }
        case "chapters":
            isGone = !naive.has("episode", argument)
            all = naive.chapters(of: argument)
        case "people":
            isGone = !naive.has("episode", argument)
            all = naive.people(of: argument, programme.people, key.locale)
            isCapped = naive.peopleCount(of: argument) > all.count
        default:
            guard var query = programme.screens[id.family]?.first(where: { $0.id == key.section }) else { return nil }
            if query.group?.value == .record { isGone = !naive.has("episode", argument) }
            all = naive.found(query, argument: id.argument, sort: key.sort, locale: key.locale).compactMap {
                naive.item($0, query.body, key.locale)
            }
            query.limit = .max
            isCapped =
                naive.found(query, argument: id.argument, sort: key.sort, locale: key.locale).count > all.count
        }
        // Without a current edition there is no list.
        let entries = list.flatMap { random.lists.entries(of: $0) }
        if list?.list == "row" {
            let type = random.lists.page?.sections.first { $0.id == key.section }?.type ?? "chosen"
            all = (entries ?? []).compactMap(\.record).compactMap {
                naive.item($0, type == "row" && $0.type == "episode" ? .mapped : .usual, key.locale)
            }
            if type == "chosen" || type == "one" {
                all = (all.first { $0.id == random.lists.chosen[type] } ?? all.first).map { [$0] } ?? []
            }
        } else if list != nil {
            all = (entries ?? []).prefix(programme.places).compactMap { naive.placed($0, in: key.section, key.locale) }
            isCapped = (entries ?? []).count > programme.places
        }
        let isInSeason = section.season.map { $0.contains(now) } ?? true
        let isShown = isInSeason && (all.count >= Int(section.minimum) || isGone)
        if !isShown { (all, isCapped, isGone) = ([], false, false) }
        var visible = key.window == 0 ? all : Array(all.prefix(Int(key.window)))
        var shown: ShownPlace?
        var isAnchorGone = false
        if let place = key.place, isShown {
            let anchor =
                place.item.map { id in all.firstIndex { $0.id == id } }
                ?? (all.isEmpty ? nil : place.isEnd ? all.count - 1 : 0)
            isAnchorGone = place.item != nil && anchor == nil && !isGone && hasOrder(key, naive)
            let first = anchor.map { max(0, $0 - Int(place.before)) } ?? 0
            let end = anchor.map { min(all.count, $0 + Int(place.after) + 1) } ?? 0
            visible = Array(all[first..<end])
            shown = ShownPlace(first: first, cursor: anchor.flatMap { cursor(of: all[$0], section, key, naive) } ?? [])
        }
        let headline = Headline(
            screenTitle: title(of: key.screen, key.locale, naive),
            edition: entries == nil ? nil : list?.edition, total: all.count, isCapped: isCapped,
            count: visible.count, place: shown,
            fault: isGone
                ? .recordIsGone : isAnchorGone ? .anchorIsGone : list != nil && entries == nil ? .listIsMissing : nil,
            isShown: isShown)
        return Version(head: BodyCodec.encode(section.head(of: headline, key: key)), items: visible)
    }

    /// Whether there is the value that a section's query depends on.
    private func hasOrder(_ key: VariantKey, _ naive: NaiveRecords) -> Bool {
        let id = ScreenID(key.screen)
        guard let query = programme.screens[id.family]?.first(where: { $0.id == key.section }),
            query.group?.value == .record
        else { return true }
        return !naive.texts("show", of: RecordID(type: "episode", id: id.argument ?? ""), key.locale).isEmpty
    }

    private func cursor(
        of item: Item, _ section: Programme.Section, _ key: VariantKey, _ naive: NaiveRecords
    ) -> [UInt8]? {
        guard case .records(let query) = section.source, let record = Subject(item.id).record,
            let bytes = naive.bytes(of: record)
        else { return nil }
        let sort = (query.sort ?? section.sorts.first { $0.id == key.sort }?.order)?
            .shown(in: screens.programme.preference(for: key.locale))
        let place = sort?.key(of: bytes, id: record.id) ?? RecordKey(key: .same, id: record.id)
        return place.cursor(of: sort, type: record.type)
    }

    // MARK: - Watching

    private mutating func comeAndGo() throws {
        for handle in watched.keys.sorted() where random.isOnce(in: 6) {
            screens.unwatch(handle)
            watched[handle] = nil
            held[handle] = nil
        }
        for key in RecordProgramme.contents(of: screens.programme) where random.isOnce(in: 2) {
            guard !watched.values.contains(key) else { continue }
            try watch(key)
        }
    }

    private mutating func watch(_ key: ContentKey) throws {
        held[nextHandle] = try screens.watch(key, as: nextHandle, members: key.user == nil ? [] : favorites)
        watched[nextHandle] = key
        nextHandle += 1
    }
}
