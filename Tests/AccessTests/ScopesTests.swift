import MarqueeCatalogue
import MarqueeModel
import MarqueeServer
import Testing

@Suite struct ScopesTests {
    /// Each kind of rule, what it allows and what it doesn't.
    @Test(
        arguments: [
            (
                "read home", [.read(screen: "home"), .readSome(family: "home")],
                [
                    .read(screen: "homes"), .read(screen: "home/1"), .readSome(family: "detail"), .search,
                    .publish("home"),
                ]
            ),
            (
                "read detail/*", [.read(screen: "detail/1"), .readSome(family: "detail")],
                [.read(screen: "detail"), .read(screen: "details/1"), .read(screen: "home"), .readSome(family: "home")]
            ),
            ("read detail/5", [.read(screen: "detail/5"), .readSome(family: "detail")], [.read(screen: "detail/51")]),
            (
                "read *", [.read(screen: "home"), .read(screen: "detail/1"), .readSome(family: "x")],
                [.search]
            ),
            ("search", [.search], [.read(screen: "search")]),
            (
                "favorites", [.change(collection: "favorites"), .read(screen: "user-collections")],
                [.change(collection: "watched"), .read(screen: "home")]
            ),
            ("collection w*", [.change(collection: "watched")], [.change(collection: "favorites")]),
            ("publish movie", [.publish("movie")], [.publish("movies"), .publish("list/movie"), .publish(":types")]),
            ("publish list/*", [.publish("list/top")], [.publish("list"), .publish("page/list/top")]),
            (
                "publish :programme", [.publish(":programme"), .preview],
                [.publish(":types"), .publish("programme"), .read(screen: "home")]
            ),
            ("publish movie*", [.publish("movies")], [.preview]),
            ("draft spring", [.draft("spring")], [.draft("springs"), .publish("movie"), .preview]),
            ("draft *", [.draft("spring")], [.publish("movie")]),
            (
                "publish *", [.publish("movie"), .publish(":types"), .publish("pool/main")],
                [.read(screen: "movie"), .change(collection: "favorites"), .draft("spring")]
            ),
        ] as [(String, [Scopes.Action], [Scopes.Action])])
    func `A rule allows what it says and nothing else`(
        rule: String, allowed: [Scopes.Action], refused: [Scopes.Action]
    ) throws {
        let scopes = try Scopes([rule])
        for action in allowed { #expect(scopes.allows(action), "\(rule): \(action)") }
        for action in refused { #expect(!scopes.allows(action), "\(rule): \(action)") }
        #expect(try Scopes(scopes.texts) == scopes, "what it is written as means the same")
    }

    @Test(arguments: [
        "", "write home", "read", "read home detail", "search movies", "admin", "read *home", "read de*l/*",
        "READ home", "read " + String(repeating: "x", count: 300),
    ])
    func `What is no rule is refused`(text: String) {
        #expect(throws: ScopeMistake.self) { try Scopes([text]) }
    }

    @Test func `There are at most so many rules`() {
        #expect(throws: ScopeMistake.self) {
            try Scopes((0...Scopes.maximumRules).map { "read screen\($0)" })
        }
    }

    @Test func `Nothing allows nothing, and everything all`() {
        let actions: [Scopes.Action] = [
            .read(screen: "home"), .search, .change(collection: "favorites"), .publish("movie"), .publish(":types"),
        ]
        for action in actions {
            #expect(!Scopes.nothing.allows(action))
            #expect(Scopes.everything.allows(action))
        }
        #expect(Scopes.readOnly.allows(.search) && !Scopes.readOnly.allowsPublishing)
    }

    @Test func `Each change has its subject`() {
        let list = ListName("top", edition: "1")
        let changes: [(Change, String)] = [
            (.put(RecordID(type: "movie", id: "1"), .bytes([])), "movie"),
            (.remove(RecordID(type: "genre", id: "1")), "genre"),
            (.show(list: "top", edition: "1"), "list/top"), (.removeList(list), "list/top"),
            (.chooseEntry(pool: "main", entry: "x"), "pool/main"), (.removeChoice(pool: "main"), "pool/main"),
            (.removePage("home"), "page/home"), (.programme("x"), ":programme"),
            (.source(SourcePosition("shop", at: nil)), "source/shop"),
        ]
        for (change, subject) in changes { #expect(change.subjectOfPublishing == subject) }
    }
}
