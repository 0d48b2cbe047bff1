import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Views and variants kept current always match a computation from scratch, whatever is committed.
@Suite struct IncrementalTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `Incremental evaluation equals evaluation from scratch`(seed: UInt64) throws {
        var run = try IncrementalRun(seed: seed)
        for _ in 0..<50 { try run.step() }
        // The law would also hold if nothing ever changed.
        #expect(run.changed > 500)
        #expect(run.unchanged > 500)
        #expect(run.programmes > 2)
    }

    /// Found by the simulation: changes to a movie went unnoticed while another one had taken its place.
    @Test func `A movie that is evicted, changes and returns is shown up to date`() throws {
        let programme = """
            locales: [en]
            screens:
              home: {title: Home, sections: [{id: rank, kind: rank, source: {movies: {limit: 2}}}]}
            """
        let movies = (1...3).map { Change.movie(Movie(UInt64($0), popularity: 10 - Double($0))) }
        var screens = try Screens(movies, programme: programme)
        let plan = try screens.plan(screen: "home", locale: nil, parameters: [], user: nil)
        let rank = try #require(plan.sections.first).variant
        _ = try screens.watch(.section(rank), as: 1, members: [])
        _ = try screens.commit([.movie(Movie(3, popularity: 20))])
        _ = try screens.commit([.movie(Movie(2, "Changed meanwhile", popularity: 8))])
        _ = try screens.commit([.movie(Movie(3, popularity: 1))])
        let expected = try screens.evaluate(rank, members: []).version
        #expect(screens.renew()[1]?.sum == expected.sum)
    }
}

/// Random commits with everything watched, compared with the expected result of each commit.
private struct IncrementalRun {
    private var random: RandomCatalogue
    private var screens: Screens
    private var favorites: [StoredMember] = []
    private var userRevision: UInt64 = 0
    private var watched: [UInt64: ContentKey] = [:]
    private var held: [UInt64: Version] = [:]
    private var nextHandle: UInt64 = 1
    private(set) var changed = 0
    private(set) var unchanged = 0
    /// Number of programmes that came into force.
    private(set) var programmes = 0

    init(seed: UInt64) throws {
        random = RandomCatalogue(seed: seed)
        screens = try Screens([], programme: RandomProgramme.text())
        for key in RandomProgramme.contents(of: screens.programme) { try watch(key) }
    }

    /// A few commits, their effect on what is watched, and a watcher that comes and goes.
    mutating func step() throws {
        for _ in 0..<random.number(in: 1...3) {
            var changes = random.commit()
            if random.number(in: 0...7) == 0, let text = random.element(of: RandomProgramme.texts) {
                changes.insert(.programme(text), at: random.number(in: 0...changes.count))
            }
            if try screens.commit(changes).changesProgramme { programmes += 1 }
        }
        if random.number(in: 0...2) == 0 { changeFavorites() }
        let before = held
        let renewed = screens.renew()
        for (handle, version) in renewed { held[handle] = version }
        check(renewed: renewed, before: before)
        if random.number(in: 0...3) == 0 { try comeAndGo() }
    }

    private mutating func changeFavorites() {
        var moves: [String: MemberMove] = [:]
        for _ in 0..<random.number(in: 1...2) {
            let subject =
                random.element(of: [
                    "movie/1", "movie/2", "movie/8", "movie/08", "item/s1/a", "item/s2/d/e", "person/3",
                ]) ?? ""
            userRevision += 1
            let isSet = favorites.contains { $0.subject == subject }
            favorites.removeAll { $0.subject == subject }
            // Sometimes unset and set again in one step.
            let sets = !isSet || random.number(in: 0...2) == 0
            if sets { favorites.append(StoredMember(subject: subject, revision: userRevision)) }
            moves[subject] = MemberMove(.favorite(subject, sets), revision: userRevision)
        }
        let handles = watched.filter { $0.value.user != nil }.map(\.key)
        // Usually the moves are known.
        if random.number(in: 0...3) == 0 {
            screens.replaceMembers(favorites, of: handles)
        } else {
            screens.moveMembers(moves.values.sorted { $0.revision < $1.revision }, of: handles)
        }
    }

    private mutating func check(renewed: [UInt64: Version], before: [UInt64: Version]) {
        changed += renewed.count
        unchanged += watched.count - renewed.count
        let naive = NaiveScreens(random.snapshot(), programme: screens.writtenProgramme)
        for (handle, key) in watched {
            let expected: Version? =
                switch key {
                case .view(let key): naive.version(of: key)
                case .section(let key): naive.version(of: key, favorites: favorites)
                }
            guard let known = held[handle] else { continue }
            // Anything missing from the programme stays as it was.
            guard let expected else {
                #expect(renewed[handle] == nil, "\(key)")
                continue
            }
            #expect(known.items == expected.items, "\(key)")
            #expect(known.head == expected.head, "\(key)")
            #expect(known.sum == expected.sum && known.bodyHashes == expected.bodyHashes, "\(key)")
            #expect((renewed[handle] != nil) == (before[handle]?.sum != expected.sum), "\(key)")
        }
    }

    private mutating func comeAndGo() throws {
        for handle in random.shuffled(watched.keys.sorted()).prefix(20) {
            screens.unwatch(handle)
            watched[handle] = nil
            held[handle] = nil
        }
        for key in random.shuffled(RandomProgramme.contents(of: screens.programme)).prefix(20) {
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
