import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Sections that list a user's collection, kept current change by change.
@Suite struct CollectionSourceTests {
    private static let declarations = """
        descriptors: podcast.desc
        types:
          show: {message: podcast.v1.Show, id: slug, localized: [title], sorts: [followers]}
          episode: {message: podcast.v1.Episode, id: guid, localized: [title], references: {show: show}, sorts: [plays]}
        collections:
          favorites: {of: [episode]}
          progress: {of: [episode], value: uint32}
          bookmark: {of: [episode], value: podcast.v1.Chapter}
        """

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - id: continue
                kind: list
                source: {collection: {name: progress, limit: 3}}
                body:
                  episode:
                    card:
                      title: $title
                      caption: "$collection.progress min"
                      progress: {value: $collection.progress, total: $minutes}
              - id: new
                kind: list
                source: {records: {type: episode, sort: -plays}}
          favorites:
            title: Saved
            sections:
              - id: favorites
                kind: favorites
                source: favorites
                body: {episode: {card: {title: $title, caption: "$collection.progress min · $collection.bookmark.title"}}}
        """

    private let types: RecordTypes
    private var screens: Screens

    init() throws {
        types = try Podcasts.types(Self.declarations)
        var changes: [Change] = []
        for number in 1...8 {
            changes.append(
                try types.put(
                    "episode", "e\(number)", #"{"guid": "e\#(number)", "title": {"en": "E\#(number)"}, "minutes": 60}"#)
            )
        }
        screens = try Screens(changes, types: types, programme: Self.programme)
    }

    private func progress(_ subject: String, _ minutes: UInt8, at revision: UInt64) -> StoredMember {
        StoredMember(
            collection: "progress", subject: subject, value: minutes == 0 ? [] : [8, minutes], revision: revision)
    }

    @Test mutating func `Members are listed newest first, with their values`() throws {
        let members = [
            progress("episode/e1", 5, at: 1), progress("episode/e2", 0, at: 4), progress("episode/gone", 1, at: 5),
            StoredMember(subject: "episode/e3", revision: 3), progress("episode/e4", 9, at: 2),
        ]
        let section = try screens.section("continue", user: "ann", favorites: members)
        #expect(section.ids == ["episode/e2", "episode/e4", "episode/e1"])
        // 0 is a value like any other, although a field without presence encodes it as absent.
        #expect(section.cards.map(\.progress?.value) == [0, 9, 5])
        #expect(section.head.collection == "progress")
        let favorites = try screens.section("favorites", of: "favorites", user: "ann", favorites: members)
        #expect(favorites.ids == ["episode/e3"])
        #expect(favorites.cards.map(\.caption) == [nil])
    }

    @Test mutating func `The set of favorites has every subject, newest first`() throws {
        let favorites = [
            StoredMember(subject: "episode/e1", revision: 1), StoredMember(subject: "episode/gone", revision: 3),
            StoredMember(subject: "b", revision: 2), StoredMember(subject: "a", revision: 2),
        ]
        let section = try screens.section("favorites", of: "user-collections", user: "ann", favorites: favorites)
        #expect(section.head.kind == .collectionSet)
        #expect(section.ids == ["episode/gone", "a", "b", "episode/e1"])
        #expect(section.items.map(\.subject) == section.ids)
        #expect(section.contents.first == .member(revision: 3, value: nil))
    }

    @Test mutating func `The fields of a message value can be shown`() throws {
        let bookmark = try #require(types.set.collection("bookmark")?.value)
        let members = [
            StoredMember(subject: "episode/e3", revision: 3), progress("episode/e3", 7, at: 4),
            StoredMember(
                collection: "bookmark", subject: "episode/e3",
                value: try bookmark.bytes(json: Array(#"{"title": "Opening"}"#.utf8)), revision: 5),
        ]
        let favorites = try screens.section("favorites", of: "favorites", user: "ann", favorites: members)
        #expect(favorites.cards.map(\.caption) == ["7 min · Opening"])
        let set = try screens.section("bookmark", of: "user-collections", user: "ann", favorites: members)
        #expect(set.contents == [.member(revision: 5, value: CollectionValue(json: #"{"title":"Opening"}"#))])
        #expect(
            try screens.section("progress", of: "user-collections", user: "ann", favorites: members).contents
                == [.member(revision: 4, value: 7)])
    }

    @Test mutating func `Incremental updates equal a new evaluation`() throws {
        let keys =
            [("home", "continue"), ("favorites", "favorites")]
            + ["favorites", "progress", "bookmark"].map {
                ("user-collections", $0)
            }
        let variants = keys.map { VariantKey(screen: $0, section: $1, locale: "en", user: "ann") }
        for (handle, key) in variants.enumerated() {
            _ = try screens.watch(.section(key), as: UInt64(handle), members: [])
        }
        var random = RandomSource(seed: 11)
        var members: [MemberName: StoredMember] = [:]
        var revision: UInt64 = 0
        for step in 1...120 {
            var moves: [MemberName: MemberMove] = [:]
            for _ in 0..<random.below(4) {
                revision += 1
                let collection: CollectionName = random.below(2) == 0 ? "progress" : .favorites
                let value: [UInt8] =
                    collection == .favorites || random.below(3) == 0 ? [] : [8, UInt8(random.below(60) + 1)]
                let change = MemberChange(
                    collection: collection, subject: "episode/e\(random.below(9) + 1)",
                    effect: random.below(3) == 0 ? .remove : .set(value: value))
                moves[change.name] = MemberMove(change, revision: revision)
                members[change.name] = moves[change.name]?.member
            }
            screens.moveMembers(moves.values.sorted { $0.revision < $1.revision }, of: 0..<UInt64(variants.count))
            if random.below(4) == 0 {
                let id = "e\(random.below(9) + 1)"
                let json = #"{"guid": "\#(id)", "title": {"en": "\#(id) \#(step)"}, "minutes": 60}"#
                try screens.commit([random.below(3) == 0 ? .remove("episode", id) : try types.put("episode", id, json)])
            }
            _ = screens.renew()
            for (handle, key) in variants.enumerated() {
                let fresh = try screens.evaluate(key, members: Array(members.values)).version
                let kept = screens.sections[UInt64(handle)]?.version
                #expect(kept?.sum == fresh.sum, "step \(step), \(key.section)")
                #expect(kept?.items == fresh.items, "step \(step), \(key.section)")
            }
        }
    }

    @Test mutating func `Connections without a user get no private sections, and the view's head names these`() throws {
        let plan = try screens.plan(screen: "home", locale: nil, parameters: [], user: nil)
        #expect(plan.sections.map(\.id) == ["new"])
        let view = try screens.evaluate(view: plan.view).version
        #expect(view.items.map(\.id) == ["new"])
        #expect(BodyCodec.decodeViewHead(view.head) == ViewHead(title: "Home", needsUser: ["continue"]))
        let named = try screens.plan(screen: "home", locale: nil, parameters: [], user: "ann")
        #expect(named.sections.map(\.id) == ["continue", "new"])
        #expect(try BodyCodec.decodeViewHead(screens.evaluate(view: named.view).version.head)?.needsUser == [])
        let refused = #expect(throws: Status.self) {
            try screens.plan(screen: "favorites", locale: nil, parameters: [], user: nil)
        }
        #expect(refused?.reason == "USER_REQUIRED")
    }

    @Test mutating func `A new collection becomes a section of the set at once`() throws {
        let view = ViewKey(screen: "user-collections", locale: "en")
        _ = try screens.watch(.view(view), as: 1, members: [])
        #expect(screens.views[1]?.version.items.map(\.id) == ["favorites", "progress", "bookmark"])
        let wider = try Podcasts.types(Self.declarations + "\n  later: {of: [episode]}\n")
        let effect = try screens.commit([.types(wider.document)])
        #expect(effect.replans.contains("user-collections"))
        #expect(!effect.replans.contains("home"))
        _ = screens.renew()
        #expect(screens.views[1]?.version.items.map(\.id) == ["favorites", "progress", "bookmark", "later"])
    }

    @Test mutating func `A section that now lists another collection requests its members`() throws {
        let key = VariantKey(screen: "home", section: "continue", locale: "en", user: "ann")
        let members = [progress("episode/e1", 5, at: 1), StoredMember(subject: "episode/e3", revision: 3)]
        _ = try screens.watch(.section(key), as: 1, members: members)
        let other = Self.programme.replacing("{name: progress, limit: 3}", with: "favorites")
        try screens.commit([.programme(other)])
        #expect(screens.takeStarved() == [1])
        screens.replaceMembers(members, of: [1])
        _ = screens.renew()
        #expect(screens.sections[1]?.version.items.map(\.id) == ["episode/e3"])
        #expect(screens.takeStarved().isEmpty)
    }

    @Test(arguments: [
        ("{collection: progres}", "card", "has no collection 'progres'; did you mean 'progress'?"),
        ("{collection: {limit: 3}}", "card", "a collection needs 'name'"),
        ("{collection: {name: progress, sort: plays}}", "{}", "a collection has no key 'sort'"),
        ("{collection: progress}", "{show: {card: {}}}", "the body of 'progress' has no key 'show'"),
        (
            "{collection: progress}", "{episode: {card: {title: $collection.favorites}}}",
            "'favorites' keeps no value; declare one"
        ),
        (
            "{collection: progress}", "{episode: {card: {title: $collection.bookmark}}}",
            "'bookmark' keeps a podcast.v1.Chapter; name a field of it"
        ),
        (
            "{collection: progress}", "{episode: {card: {title: $collection.bookmark.titel}}}",
            "podcast.v1.Chapter has no field 'titel'; did you mean 'title'?"
        ),
        (
            "{collection: progress}", "{episode: {card: {title: $collection.progress.minutes}}}",
            "'progress' keeps a uint32, which has no field 'minutes'"
        ),
        (
            "{collection: progress}", "{episode: {card: {title: $collection.progess}}}",
            "there is no collection 'progess'; did you mean 'progress'?"
        ),
        (
            "{records: {type: episode}}", "{card: {title: $collection.progress}}",
            "'$collection' belongs to one user; it is known only in a section with the source 'collection' or 'favorites'"
        ),
    ])
    func `A mistake is reported`(source: String, body: String, reason: String) {
        let text = """
            screens:
              home:
                title: Home
                sections:
                  - {id: a, kind: list, source: \(source), body: \(body)}
            """
        let found: [String]
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types.set)
            found = []
        } catch {
            found = error.mistakes.map(\.description)
        }
        #expect(found.count == 1 && found[0].contains(reason), "\(found)")
    }
}

/// Random numbers determined by a seed.
private struct RandomSource {
    private var state: UInt64

    init(seed: UInt64) { state = seed | 1 }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
