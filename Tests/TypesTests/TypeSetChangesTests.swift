import Testing

@testable import MarqueeTypes

struct TypeSetChangesTests {
    private static let short = """
        descriptors: podcast.desc
        types:
          show: {message: podcast.v1.Show, id: slug, sorts: [year]}
          episode: {message: podcast.v1.Episode, id: guid, facets: [show]}
        collections:
          favorites: {of: [show, episode]}
          progress: {of: [episode], value: uint32}
        """

    private func types(_ text: String = short, _ descriptors: String = "podcast") throws -> TypeSet {
        try TypeSet(text, file: "types.yaml", descriptors: Fixtures.bytes("\(descriptors).desc"))
    }

    private let all = TypesInUse(
        records: ["show", "episode"], collections: ["favorites", "progress"])

    @Test func `A stored list keeps its meaning`() throws {
        let text = Self.short + "\nlists:\n  top: {of: [show, episode], place: podcast.v1.Audio}"
        let before = try types(text)
        func changes(_ old: String, _ new: String, stored: Bool = true) throws -> TypeSetChanges {
            before.changes(
                to: try types(text.replacing(old, with: new)), inUse: TypesInUse(lists: stored ? ["top"] : []))
        }
        #expect(try changes("x", "x").incompatible == [])
        #expect(
            try changes("\nlists:\n  top:", "\nlists:\n  new:", stored: false).compatible == [
                "the list 'top' is dropped", "the list 'new' is new",
            ])
        #expect(try changes("  top:", "  new:").incompatible == ["the list 'top' is dropped, but it is stored"])
        #expect(
            try changes("[show, episode], p", "[show], p").incompatible == [
                "the list 'top' no longer takes 'episode', but it may have some"
            ])
        #expect(try changes(", place: podcast.v1.Audio", "").incompatible.count == 1)
        #expect(try changes("Audio}", "Audio, editions: true}").incompatible.count == 1)
        #expect(try changes("podcast.v1.Audio", "podcast.v1.Text").incompatible.count == 1)
        #expect(try changes("podcast.v1.Audio", "podcast.v1.Text", stored: false).incompatible == [])
    }

    @Test(arguments: [
        ("top: {editions: true}", "a list needs 'of', the types of its records, or 'place'"),
        ("top: {of: [shw]}", "there is no type 'shw'; did you mean 'show'?"),
        ("top: {of: []}", "'of' is empty"),
        ("top: {of: [show], plce: podcast.v1.Audio}", "a list has no key 'plce'; did you mean 'place'?"),
        ("top: {place: podcast.v1.Audo}", "there is no message 'podcast.v1.Audo'; did you mean 'podcast.v1.Audio'?"),
        ("top: {of: [show], editions: yes please}", "'editions' must be true or false"),
        ("Top: {of: [show]}", "the name of a list, 'Top', must begin with a letter"),
    ])
    func `An invalid list is reported`(list: String, reason: String) throws {
        let error = #expect(throws: FileMistakes.self) { try types(Self.short + "\nlists:\n  \(list)") }
        #expect(error?.mistakes.first?.line == 9)
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func `The same set changes nothing`() throws {
        #expect(try types().changes(to: types(), inUse: all) == TypeSetChanges())
    }

    @Test func `A schema may grow`() throws {
        let changes = try types().changes(to: types(TypeSetChangesTests.short, "podcast-next"), inUse: all)
        #expect(changes.incompatible == [])
        #expect(
            Set(changes.compatible) == [
                "podcast.v1.Show.author is called 'host' now",
                "podcast.v1.Show.year is optional int64 now, which holds every optional int32",
                "podcast.v1.Show.language (7) is new",
                "podcast.v1.Episode.plays is optional now: an absent value is missing, no longer 0 or empty",
                "podcast.v1.Episode.recorded (12) is dropped; records keep its values, so give its number to no other field",
                "podcast.v1.Episode.season (16) is new",
                "podcast.v1.Kind: KIND_FULL = 1 is called KIND_WHOLE now",
                "podcast.v1.Kind has the new value KIND_BONUS = 3",
            ])
    }

    @Test func `Every reason to refuse a schema is given`() throws {
        let changes = try types().changes(to: types(TypeSetChangesTests.short, "podcast-broken"), inUse: all)
        #expect(
            Set(changes.incompatible) == [
                "podcast.v1.Show: author and cover become alternatives of 'who', but stored records may have more than one of them",
                "podcast.v1.Show.topics (5) can't change from repeated string to string: the label changes the meaning of stored values",
                "podcast.v1.Show.year (6) can't change from optional int32 to optional uint32: stored values would read differently",
                "podcast.v1.Episode.title (3) can't change from string to map<string, string>: the label changes the meaning of stored values",
                "google.protobuf.Timestamp can't become google.protobuf.Duration: its values are of a different kind",
                "podcast.v1.Episode.plays (5) can't change from uint64 to string: the wire type changes from a varint to a length and bytes",
                "podcast.v1.Episode.minutes (6) can't change from uint32 to sint32: stored values would read differently",
                "podcast.v1.Episode.audio (9) can't change from podcast.v1.Audio to string: the wire format changes",
                "podcast.v1.Episode.rating (13) can't change from optional double to optional float: the wire type changes from 8 bytes to 4 bytes",
                "podcast.v1.Episode.explicit (14) can't change from bool to podcast.v1.Kind: stored values would read differently",
                "podcast.v1.Kind no longer has KIND_TRAILER = 2, but stored records may hold it",
                "podcast.v1.Text.text (2) can't change from string to uint64: the wire type changes from a length and bytes to a varint",
                "podcast.v1.Guests.people (1) can't change from repeated int64 to repeated int32: stored values would read differently",
            ])
        #expect(changes.compatible.contains("podcast.v1.Chapter.title is bytes now, which holds every string"))
    }

    @Test func `A type without records may change in any way`() throws {
        let changes = try types().changes(to: types(TypeSetChangesTests.short, "podcast-broken"), inUse: TypesInUse())
        #expect(changes.isCompatible)
    }

    @Test func `A type in use can't be dropped`() throws {
        let fewer = """
            descriptors: podcast.desc
            types:
              episode: {message: podcast.v1.Episode, id: guid}
            """
        #expect(
            try types().changes(to: types(fewer), inUse: all).incompatible == [
                "the type 'show' is dropped, but it has records",
                "the collection 'favorites' is dropped, but users have members in it",
                "the collection 'progress' is dropped, but users have members in it",
            ])
        let free = try types().changes(to: types(fewer), inUse: TypesInUse(records: ["episode"]))
        #expect(free.isCompatible)
        #expect(free.compatible.contains("the type 'show' is dropped"))
        #expect(free.compatible.contains("the type 'episode' loses the facet 'show'"))
    }

    @Test func `Id, kind and collections stay`() throws {
        let other = """
            descriptors: podcast.desc
            types:
              show: {message: podcast.v1.Show, id: author, kind: 5000, sorts: [year, author]}
              episode: {message: podcast.v1.Episode, id: guid, facets: [show]}
              person: {message: podcast.v1.Person, id: id}
            collections:
              favorites: {of: [episode]}
              progress: {of: [episode], value: string}
              hidden: {of: [show]}
            """
        let changes = try types().changes(to: types(other), inUse: all)
        let kind = try #require(types().type("show")?.kind.rawValue)
        #expect(
            changes.incompatible == [
                "the type 'show' has the item kind 5000 now, but clients know its records by \(kind)",
                "the type 'show' has its id in 'author' now, but its records are stored by 'slug'",
                "the collection 'favorites' no longer takes 'show', but users have members in it",
                "the collection 'progress'.value (1) can't change from uint32 to string: the wire type changes from a varint to a length and bytes",
            ])
        #expect(
            Set(changes.compatible) == [
                "the type 'show' has a new sort 'author'", "the type 'person' is new", "the collection 'hidden' is new",
            ])
    }

    @Test func `A renamed field keeps its index`() throws {
        let renamed = TypeSetChangesTests.short.replacing("sorts: [year]", with: "sorts: [year], search: [host]")
        let before = try types(
            TypeSetChangesTests.short.replacing("sorts: [year]", with: "sorts: [year], search: [author]"))
        let changes = try before.changes(to: types(renamed, "podcast-next"), inUse: all)
        #expect(changes.isCompatible && !changes.compatible.contains { $0.contains("search field") })
    }

    @Test func `Records outlive the change`() throws {
        let before = try #require(types().type("episode")).coder
        let after = try #require(types(TypeSetChangesTests.short, "podcast-next").type("episode")).coder
        let record = try before.record(#"{"guid": "a", "recorded": "2024-05-01", "kind": "KIND_FULL", "plays": "5"}"#)
        #expect(try after.json(of: record) == #"{"guid":"a","plays":"5","kind":"KIND_WHOLE"}"#)
        let patch = try after.patch(json: Array(#"{"season": {"number": 2}}"#.utf8))
        let grown = try after.merge(patch, into: record)
        #expect(try before.json(of: grown) == #"{"guid":"a","plays":"5","kind":"KIND_FULL","recorded":"2024-05-01"}"#)
        #expect(try before.record(bytes: grown) == grown, "the field that the old schema doesn't know is kept")
    }
}
