import MarqueeModel
import MarqueeStore
import SeededRandom
import Testing

/// How every engine stores collections and the values of their members.
@Suite struct CollectionConformanceTests {
    private static let progress = CollectionName("progress")

    @Test(arguments: EngineKind.allCases)
    func `All collections of a user share one log`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            #expect(try store.setFavorite("episode/1", .of(1, 1)) == .done(revision: 1, changed: true))
            #expect(try store.set("episode/1", [8, 1], .of(1, 2)) == .done(revision: 2, changed: true))
            #expect(try store.set("episode/2", [], .of(1, 3)) == .done(revision: 3, changed: true))
            let (head, members) = try store.members(of: "mina")
            #expect(head.revision == 3)
            #expect(
                Set(members) == [
                    StoredMember(subject: "episode/1", revision: 1),
                    StoredMember(collection: Self.progress, subject: "episode/1", value: [8, 1], revision: 2),
                    StoredMember(collection: Self.progress, subject: "episode/2", revision: 3),
                ])
            #expect(try store.members(of: "jun").members.isEmpty)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Setting another value is a change, and setting the same one is none`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.set("episode/1", [8, 1], .of(1, 1))
            try store.set("episode/2", [8, 1], .of(1, 2))
            #expect(try store.set("episode/1", [8, 1], .of(1, 3)) == .done(revision: 2, changed: false))
            #expect(try store.set("episode/1", [8, 2], .of(1, 4)) == .done(revision: 3, changed: true))
            #expect(try store.set("episode/1", nil, .of(1, 5)) == .done(revision: 4, changed: true))
            #expect(try store.set("episode/1", nil, .of(1, 6)) == .done(revision: 4, changed: false))
            #expect(try store.members(of: "mina").members.map(\.subject) == ["episode/2"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The same number with a different value or collection means a clone`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.set("episode/1", [8, 1], .of(1, 1))
            #expect(try store.set("episode/1", [8, 2], .of(1, 1)) == .cloned)
            #expect(try store.set("episode/1", nil, .of(1, 1)) == .cloned)
            #expect(try store.setFavorite("episode/1", .of(1, 1)) == .cloned)
            #expect(try store.set("episode/1", [8, 1], .of(1, 1)) == .repeated(revision: 1, changed: true))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Each collection has its own bound`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.membersPerCollection = 2
        limits.collectionsPerUser = 2
        try kind.withStore(limits: limits) { store throws in
            for number in 1...2 as ClosedRange<UInt64> { try store.set("episode/\(number)", [], .of(1, number)) }
            #expect(try store.set("episode/3", [], .of(1, 3))?.isRefused == true)
            // Replacing a value needs no room.
            #expect(try store.set("episode/2", [8, 9], .of(1, 4)) == .done(revision: 3, changed: true))
            #expect(try store.setFavorite("episode/3", .of(1, 5)) == .done(revision: 4, changed: true))
            #expect(try store.set("episode/1", [], of: "later", .of(1, 6))?.isRefused == true)
            try store.setFavorite("episode/3", on: false, .of(1, 7))
            #expect(try store.set("episode/1", [], of: "later", .of(1, 8)) == .done(revision: 6, changed: true))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A name or value that is too long is refused`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let bytes = Array(repeating: UInt8(1), count: StoreLimits.valueBytes)
            #expect(try store.set("episode/1", bytes, .of(1, 1)) == .done(revision: 1, changed: true))
            #expect(try store.set("episode/1", bytes + [1], .of(1, 2))?.isRefused == true)
            let long = CollectionName(String(repeating: "c", count: CollectionName.maximumLength + 1))
            #expect(try store.set("episode/1", [], of: long, .of(1, 3))?.isRefused == true)
            #expect(try store.set("episode/1", [], of: "", .of(1, 4))?.isRefused == true)
            #expect(try store.userHead("mina").revision == 1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Random changes leave the same members as in a naive model`(_ kind: EngineKind) throws {
        var random = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0 ... .max, using: &random)
        var generator = SeededGenerator(seed: seed)
        try kind.withStore { store throws in
            var expected: [MemberName: StoredMember] = [:]
            var revision: UInt64 = 0
            for number in 1...200 as ClosedRange<UInt64> {
                let collection: CollectionName = Bool.random(using: &generator) ? .favorites : Self.progress
                let subject = "episode/\(Int.random(in: 1...6, using: &generator))"
                let value: [UInt8]? =
                    Bool.random(using: &generator) ? [[], [8, 1], [8, 2]].randomElement(using: &generator) : nil
                let change = MemberChange(
                    collection: collection, subject: subject, effect: value.map { .set(value: $0) } ?? .remove)
                let changes = expected[change.name]?.value != value
                if changes { revision += 1 }
                #expect(
                    try store.write([.member(user: "mina", change, mutation: .of(1, number))])
                        == [.done(revision: revision, changed: changes)], "seed \(seed)")
                if changes { expected[change.name] = MemberMove(change, revision: revision).member }
            }
            #expect(try Set(store.members(of: "mina").members) == Set(expected.values), "seed \(seed)")
        }
    }

    @Test func `A value that changed on the disk is found`() throws {
        try withFolder { folder in
            var store = try SQLiteStore(folder: folder)
            try store.set("episode/1", [8, 1], .of(1, 1))
            try store.close()
            try tamper(folder, "users.sqlite", "UPDATE member SET value = x'0802'")
            let findings = try Verification(folder: folder).findings.map(\.what)
            #expect(findings.contains("the collections of 'mina'"))
            store = try SQLiteStore(folder: folder)
            #expect(throws: StoreError.self) { try store.members(of: "mina") }
            try store.close()
        }
    }
}

extension StoreEngine {
    /// - Parameter value: `nil` to remove.
    @discardableResult
    fileprivate func set(
        _ subject: String, _ value: [UInt8]?, of collection: CollectionName = "progress", _ mutation: MutationID
    ) throws -> StoreOutcome? {
        let effect = value.map { MemberChange.Effect.set(value: $0) } ?? .remove
        let change = MemberChange(collection: collection, subject: subject, effect: effect)
        return try write([.member(user: "mina", change, mutation: mutation)]).first
    }
}
