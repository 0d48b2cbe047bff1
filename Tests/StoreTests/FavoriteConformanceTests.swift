import MarqueeModel
import MarqueeStore
import Testing

/// How every engine stores favorites and handles repeated mutations (G7).
@Suite struct FavoriteConformanceTests {
    @Test(arguments: EngineKind.allCases)
    func `An unknown user has a stable epoch and no favorites`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let head = try store.userHead("nobody")
            #expect(head.revision == 0)
            #expect(head.epoch != 0)
            #expect(try store.members(of: "nobody").head == head)
            try store.setFavorite("episode/1", of: "nobody", .of(1, 1))
            #expect(try store.userHead("nobody") == LogHead(epoch: head.epoch, revision: 1))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Each effective change raises only that user's revision`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            #expect(try store.setFavorite("episode/1", .of(1, 1)) == .done(revision: 1, changed: true))
            #expect(try store.setFavorite("episode/2", .of(1, 2)) == .done(revision: 2, changed: true))
            #expect(try store.setFavorite("episode/1", on: false, .of(1, 3)) == .done(revision: 3, changed: true))
            #expect(try store.setFavorite("episode/1", of: "jun", .of(2, 1)) == .done(revision: 1, changed: true))
            let (head, favorites) = try store.members(of: "mina")
            #expect(head.revision == 3)
            #expect(favorites == [StoredMember(subject: "episode/2", revision: 2)])
            #expect(try store.catalogueHead().revision == 0)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Setting a favorite that is set changes nothing`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.setFavorite("episode/1", .of(1, 1))
            try store.setFavorite("episode/2", .of(1, 2))
            #expect(try store.setFavorite("episode/1", .of(1, 3)) == .done(revision: 2, changed: false))
            #expect(try store.setFavorite("episode/9", on: false, .of(1, 4)) == .done(revision: 2, changed: false))
            #expect(
                try Set(store.members(of: "mina").members) == [
                    StoredMember(subject: "episode/1", revision: 1), StoredMember(subject: "episode/2", revision: 2),
                ])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A favorite set again after being unset is the newest`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.setFavorite("episode/1", .of(1, 1))
            try store.setFavorite("episode/1", on: false, .of(1, 2))
            try store.setFavorite("episode/1", .of(1, 3))
            #expect(try store.members(of: "mina").members == [StoredMember(subject: "episode/1", revision: 3)])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A mutation sent again gets the earlier answer`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.setFavorite("episode/1", .of(1, 1))
            try store.setFavorite("episode/1", .of(1, 2))
            try store.setFavorite("episode/1", on: false, .of(1, 3))
            #expect(try store.setFavorite("episode/1", .of(1, 1)) == .repeated(revision: 1, changed: true))
            #expect(try store.setFavorite("episode/1", .of(1, 2)) == .repeated(revision: 1, changed: false))
            #expect(try store.favoriteSubjects() == [])
            #expect(try store.userHead("mina").revision == 2)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A mutation twice in one batch takes effect once`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let write = StoreWrite.favorite(user: "mina", subject: "episode/1", on: true, mutation: .of(1, 7))
            #expect(
                try store.write([write, write])
                    == [.done(revision: 1, changed: true), .repeated(revision: 1, changed: true)])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The same number with different content means a clone`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.setFavorite("episode/1", .of(1, 1))
            #expect(try store.setFavorite("episode/2", .of(1, 1)) == .cloned)
            #expect(try store.setFavorite("episode/1", on: false, .of(1, 1)) == .cloned)
            #expect(try store.setFavorite("episode/1", of: "jun", .of(1, 1)) == .cloned)
            #expect(
                try store.commit([Sample.page(1)], mutation: .of(1, 1))
                    == .cloned)
            #expect(try store.favoriteSubjects() == ["episode/1"])
            #expect(try store.snapshotChanges() == [])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A number whose answer was dropped is forgotten`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.setFavorite("episode/1", .of(1, 5))
            try store.setFavorite("episode/2", .of(1, 9, answeredThrough: 5))
            #expect(try store.setFavorite("episode/1", .of(1, 5)) == .forgotten)
            #expect(try store.setFavorite("episode/3", .of(1, 7)) == .forgotten)
            #expect(try store.setFavorite("episode/2", .of(1, 9)) == .repeated(revision: 2, changed: true))
            #expect(try store.favoriteSubjects() == ["episode/1", "episode/2"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A client that claims to have an answer it hasn't got yet still gets it`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.setFavorite("episode/1", .of(1, 1, answeredThrough: .max))
            #expect(
                try store.setFavorite("episode/1", .of(1, 1, answeredThrough: .max))
                    == .repeated(revision: 1, changed: true))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The answers kept per client are bounded`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.answersPerClient = 2
        try kind.withStore(limits: limits) { store throws in
            for number in 1...3 as ClosedRange<UInt64> { try store.setFavorite("episode/\(number)", .of(1, number)) }
            #expect(try store.setFavorite("episode/1", .of(1, 1)) == .forgotten)
            #expect(try store.setFavorite("episode/2", .of(1, 2)) == .repeated(revision: 2, changed: true))
            #expect(try store.setFavorite("episode/3", .of(1, 3)) == .repeated(revision: 3, changed: true))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The client silent for longest is forgotten first`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        (limits.clients, limits.recentClientSeconds) = (2, 0)
        try kind.withStore(limits: limits) { store throws in
            try store.setFavorite("episode/1", .of(1, 1))
            try store.setFavorite("episode/2", .of(2, 1))
            try store.setFavorite("episode/3", .of(1, 2))
            try store.setFavorite("episode/4", .of(3, 1))
            #expect(try store.lastMutation(of: MutationID.of(1, 0).client) == 2)
            #expect(try store.lastMutation(of: MutationID.of(2, 0).client) == nil)
            #expect(try store.lastMutation(of: MutationID.of(3, 0).client) == 1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A client that was answered recently isn't forgotten for a new one, which is refused instead`(
        _ kind: EngineKind
    ) throws {
        var limits = StoreLimits()
        (limits.clients, limits.recentClientSeconds) = (2, 100)
        let clock = TestClock()
        try kind.withStore(limits: limits, clock: { clock.now }) { store throws in
            try store.setFavorite("episode/1", .of(1, 1))
            clock.advance(seconds: 60)
            try store.setFavorite("episode/2", .of(2, 1))
            #expect(try store.setFavorite("episode/3", .of(3, 1)) == .tooManyClients)
            #expect(try store.setFavorite("episode/1", .of(1, 1)) == .repeated(revision: 1, changed: true))
            clock.advance(seconds: 41)
            #expect(try store.setFavorite("episode/3", .of(3, 1)) == .done(revision: 3, changed: true))
            #expect(try store.lastMutation(of: MutationID.of(1, 0).client) == nil)
            #expect(try store.lastMutation(of: MutationID.of(2, 0).client) == 1)
            #expect(try store.setFavorite("episode/4", .of(1, 1)) == .tooManyClients)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A mutation of the catalogue takes effect once`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let write = StoreWrite.catalogue(key: "k", changes: [Sample.page(1)], mutation: .of(1, 1))
            #expect(try store.write([write]) == [.done(revision: 1, changed: true)])
            #expect(try store.write([write]) == [.repeated(revision: 1, changed: true)])
            let other = StoreWrite.catalogue(key: "k", changes: [Sample.page(2)], mutation: .of(1, 1))
            #expect(try store.write([other]) == [.cloned])
            #expect(try store.catalogueHead().revision == 1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Numbers rise within a log, and a publication may be overtaken`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let client = MutationID.of(1, 0).client
            #expect(try store.lastMutation(of: client) == nil)
            try store.commit([Sample.page(1)], mutation: .of(1, 8))
            #expect(try store.lastMutation(of: client) == 8)
            try store.setFavorite("episode/1", .of(1, 12))
            #expect(try store.lastMutation(of: client) == 12)
            #expect(try store.setFavorite("episode/2", .of(1, 11)) == .forgotten)
            #expect(
                try store.commit([Sample.page(2)], mutation: .of(1, 11)) == .done(revision: 2, changed: true))
            #expect(try store.commit([Sample.page(3)], mutation: .of(1, 7)) == .forgotten)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The favorites of a user are bounded`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.membersPerCollection = 2
        try kind.withStore(limits: limits) { store throws in
            try store.setFavorite("episode/1", .of(1, 1))
            try store.setFavorite("episode/2", .of(1, 2))
            #expect(try store.setFavorite("episode/3", .of(1, 3))?.isRefused == true)
            #expect(try store.setFavorite("episode/2", .of(1, 4)) == .done(revision: 2, changed: false))
            try store.setFavorite("episode/2", on: false, .of(1, 5))
            #expect(try store.setFavorite("episode/3", .of(1, 6)) == .done(revision: 4, changed: true))
            #expect(try store.favoriteSubjects() == ["episode/1", "episode/3"])
        }
    }
}

extension StoreOutcome {
    var isRefused: Bool {
        if case .refused = self { return true }
        return false
    }
}
