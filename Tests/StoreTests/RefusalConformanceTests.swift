import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

/// Writes that every engine refuses, without a trace.
@Suite struct RefusalConformanceTests {
    @Test(arguments: EngineKind.allCases, BadChange.all)
    func `An invalid change is refused with a reason and changes nothing`(_ kind: EngineKind, _ bad: BadChange) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types, .episode("1"))
            let before = try store.snapshotChanges()
            let outcome = try store.commit(Sample.page(2), bad.change, key: "bad")
            guard case .refused(let reason) = outcome else {
                Issue.record("\(bad) was not refused, but gave \(String(describing: outcome))")
                return
            }
            #expect(reason.contains("change 2"))
            #expect(reason.contains(bad.mention))
            #expect(try store.snapshotChanges() == before)
            #expect(try store.catalogueHead().revision == 1)
            #expect(try store.commit(Sample.page(3), key: "bad") == .done(revision: 2, changed: true))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Other writes of the batch still apply`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let outcomes = try store.write([
                .catalogue(key: nil, changes: [Sample.page(1)], mutation: nil),
                .catalogue(key: nil, changes: [Sample.page(2), .removePage("")], mutation: .of(1, 1)),
                .favorite(user: "", subject: "episode/1", on: true, mutation: .of(1, 2)),
                .favorite(user: "mina", subject: "episode/1", on: true, mutation: .of(1, 3)),
                .catalogue(key: nil, changes: [Sample.page(3)], mutation: nil),
            ])
            #expect(outcomes.map(\.isRefused) == [false, true, true, false, false])
            #expect(try store.snapshotChanges() == [Sample.page(1), Sample.page(3)])
            #expect(try store.catalogueHead().revision == 2)
            #expect(try store.favoriteSubjects() == ["episode/1"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A refused mutation is not remembered as applied`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            // There are no types yet.
            #expect(try store.commit([.episode("1")], mutation: .of(1, 1))?.isRefused == true)
            #expect(try store.lastMutation(of: MutationID.of(1, 0).client) == nil)
        }
    }

    @Test(
        arguments: EngineKind.allCases,
        ["", "line\nbreak", "nul\u{0}", String(repeating: "x", count: 257), "cafe\u{301}", "\u{85}"])
    func `A name that isn't a valid identifier is refused`(_ kind: EngineKind, _ name: String) throws {
        try kind.withStore { store throws in
            #expect(try store.setFavorite(name, .of(1, 1))?.isRefused == true)
            #expect(try store.setFavorite("episode/1", of: name, .of(1, 2))?.isRefused == true)
            #expect(try store.commit(.chooseEntry(pool: name, entry: "a"))?.isRefused == true)
            #expect(try store.commit(.remove(RecordID(type: "episode", id: name)))?.isRefused == true)
            #expect(try store.catalogueHead().revision == 0)
            #expect(try store.userHead("mina").revision == 0)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Names may be in any script`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            #expect(try store.setFavorite("episode/기생충", of: "민아", .of(1, 1)) == .done(revision: 1, changed: true))
            #expect(try store.favoriteSubjects(of: "민아") == ["episode/기생충"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A mutation with an invalid client or number is refused`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let short = MutationID(client: [1, 2, 3], number: 1, answeredThrough: 0)
            #expect(try store.setFavorite("episode/1", short)?.isRefused == true)
            #expect(try store.setFavorite("episode/1", .of(1, 0))?.isRefused == true)
            #expect(try store.setFavorite("episode/1", .of(1, .max))?.isRefused == true)
            #expect(try store.lastMutation(of: short.client) == nil)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A commit key is bounded and has no control characters`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let long = String(repeating: "k", count: CatalogueBounds.commitKey + 1)
            for key in ["", "a\tb", long] {
                #expect(try store.commit(Sample.page(1), key: key)?.isRefused == true)
            }
        }
    }
}

/// A change that no catalogue accepts, and the words that the reason must contain.
struct BadChange: CustomTestStringConvertible, Sendable {
    let change: Change
    let mention: String
    var testDescription: String { mention }

    static let all: [BadChange] = [
        BadChange(change: .put(RecordID(type: "", id: "a"), .bytes([])), mention: "the type of a record has"),
        BadChange(change: .put(.episode("a\nb"), .bytes([])), mention: "the id of a record has"),
        BadChange(change: .put(.episode(String(repeating: "x", count: 250)), .bytes([])), mention: "is too long"),
        BadChange(change: .remove(.episode("")), mention: "the id of a record has"),
        BadChange(
            change: .merge(
                .episode("1"), .bytes([]), clear: Array(repeating: "title", count: CatalogueBounds.clearedFields + 1)),
            mention: "clear has 257 entries"),
        BadChange(change: Sample.types(""), mention: "the declarations of types is empty"),
        BadChange(
            change: .types(
                TypesDocument(
                    declarations: "types: {}",
                    descriptors: Array(repeating: 0, count: CatalogueBounds.descriptors + 1))),
            mention: "1048576 are allowed"),
        BadChange(change: list("", []), mention: "the name of a list"),
        BadChange(change: Sample.day(""), mention: "the name of an edition"),
        BadChange(change: list("top", ["a", "a"]), mention: "the entry 'a' twice"),
        BadChange(change: list("top", [""]), mention: "the key of a list's entry"),
        BadChange(
            change: list("top", (0...CatalogueBounds.listEntries).map { "\($0)" }), mention: "10000 are allowed"),
        BadChange(
            change: .listItem(EntryEdit(ListName("top"), putting: ListEntry(.episode("")))),
            mention: "the id of a record has"),
        BadChange(
            change: .listItem(EntryEdit(ListName("top"), putting: ListEntry(.episode("1")), at: 0)),
            mention: "ranks begin with 1"),
        BadChange(change: .show(list: "daily", edition: "01"), mention: "has no edition '01' to show"),
        BadChange(change: .removeList(ListName("top\n")), mention: "the name of a list"),
        BadChange(change: .removeChoice(pool: ""), mention: "the name of a pool"),
        BadChange(change: .chooseRecord(pool: "main", record: .episode("")), mention: "the id of a record has"),
        BadChange(change: .chooseEntry(pool: "main", entry: ""), mention: "the key of a list's entry"),
        BadChange(change: .page(Page(id: "a/b", sections: [])), mention: "the id of a page has"),
        BadChange(change: page { $0.title = "a\u{0}b" }, mention: "NUL"),
        BadChange(
            change: page { $0.title = String(repeating: "x", count: CatalogueBounds.title + 1) },
            mention: "4096 are allowed"),
        BadChange(change: page { $0.type = "" }, mention: "the type of 's' is empty"),
        BadChange(change: page { $0.list = "" }, mention: "the name of a list"),
        BadChange(change: page(["s", "s"]), mention: "the section 's' twice"),
        BadChange(
            change: page((0...CatalogueBounds.pageSections).map { "\($0)" }), mention: "64 are allowed"),
        BadChange(change: .removePage(""), mention: "the id of a page has"),
        BadChange(change: .programme(""), mention: "the programme is empty"),
    ]

    private static func list(_ name: String, _ keys: [String]) -> Change {
        .list(RecordList(ListName(name), entries: keys.map { ListEntry(key: $0) }))
    }

    private static func page(_ ids: [String] = ["s"], _ change: (inout Page.Section) -> Void = { _ in }) -> Change {
        var sections = ids.map { Page.Section(id: $0, type: "t", title: "", list: "top") }
        change(&sections[0])
        return .page(Page(id: "p", sections: sections))
    }
}
