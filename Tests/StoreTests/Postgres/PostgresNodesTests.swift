import Dispatch
import MarqueeCatalogue
import MarqueeModel
import PostgresSupport
import SeededRandom
import Synchronization
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// Two nodes write to one store at the same time.
    @Suite struct PostgresNodesTests {
        private static let rounds = 60

        /// Runs `body` on two threads at once.
        private func together(_ body: @Sendable (Int) throws -> Void) -> [String] {
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                do { try body(thread) } catch { failures.withLock { $0.append("\(error)") } }
            }
            return failures.withLock { $0 }
        }

        @Test func `Each node sees what the other has written`() throws {
            try PostgresTests.withTwoHandles { a, b throws in
                #expect(a.cluster == b.cluster)
                try a.commit(Sample.everything)
                #expect(try b.snapshotChanges() == Sample.everything)
                #expect(try b.catalogueHead() == a.catalogueHead())
                #expect(try b.commit(Sample.page(7)) == .done(revision: 2, changed: true))
                #expect(try a.commits(after: 1, limit: 9).map(\.revision) == [2])
                let types = Sample.types(show: "[title]", episode: nil)
                #expect(try a.commit(types) == .done(revision: 3, changed: true))
                #expect(try b.commit(.episode("new")) == .done(revision: 4, changed: true))
                #expect(try a.search("빵", in: .podcasts, offset: 0, limit: 9).ids.map(\.id) == ["crumb"])
                try b.setFavorite("episode/1", .of(1, 1))
                #expect(try a.favoriteSubjects() == ["episode/1"])
            }
        }

        @Test func `Favorites of one user from two nodes get revisions without gaps`() throws {
            try PostgresTests.withTwoHandles { a, b throws in
                let revisions = Mutex<[UInt64]>([])
                let failures = together { thread throws in
                    let store = thread == 0 ? a : b
                    for number in 1...UInt64(Self.rounds) {
                        let outcome = try store.setFavorite(
                            "episode/\(thread)-\(number)", .of(UInt8(thread + 1), number))
                        if case .done(let revision, true)? = outcome { revisions.withLock { $0.append(revision) } }
                    }
                }
                #expect(failures == [])
                #expect(revisions.withLock { $0.sorted() } == Array(1...UInt64(2 * Self.rounds)))
                #expect(try a.favoriteSubjects().count == 2 * Self.rounds)
                #expect(try b.userHead("mina").revision == UInt64(2 * Self.rounds))
            }
        }

        @Test func `Commits of two nodes get revisions without gaps`() throws {
            try PostgresTests.withTwoHandles { a, b throws in
                let failures = together { thread throws in
                    let store = thread == 0 ? a : b
                    for number in 1...UInt64(Self.rounds) {
                        try store.commit(Sample.page(number * 2 + UInt64(thread)), key: "\(thread) \(number)")
                    }
                }
                #expect(failures == [])
                let all = try a.commits(after: 0, limit: 1_000)
                #expect(all.map(\.revision) == Array(1...UInt64(2 * Self.rounds)))
                #expect(try b.snapshotChanges().count == 2 * Self.rounds)
            }
        }

        @Test func `A mutation sent through both nodes at once is done once and repeated once`() throws {
            try PostgresTests.withTwoHandles { a, b throws in
                for number in 1...UInt64(Self.rounds) {
                    let outcomes = Mutex<[StoreOutcome]>([])
                    let client = UInt8(number)
                    let failures = together { thread throws in
                        let store = thread == 0 ? a : b
                        // Every third is by a client that neither node has heard of; every second is in the catalogue.
                        let mutation = MutationID.of(number.isMultiple(of: 3) ? client : 200, number)
                        let outcome =
                            number.isMultiple(of: 2)
                            ? try store.commit([Sample.page(number)], mutation: mutation)
                            : try store.setFavorite("episode/\(number)", mutation)
                        if let outcome { outcomes.withLock { $0.append(outcome) } }
                    }
                    #expect(failures == [])
                    let sorted = outcomes.withLock { $0.sorted { "\($0)" < "\($1)" } }
                    guard case .done(let revision, true)? = sorted.first else {
                        Issue.record("\(sorted)")
                        return
                    }
                    #expect(sorted.count == 2 && sorted.last == .repeated(revision: revision, changed: true))
                }
                #expect(try a.favoriteSubjects().count == Self.rounds / 2)
                #expect(try a.catalogueHead().revision == UInt64(Self.rounds / 2))
            }
        }

        @Test func `One number can't be used in both logs at once`() throws {
            try PostgresTests.withTwoHandles { a, b throws in
                for number in 1...UInt64(Self.rounds) {
                    let outcomes = Mutex<[StoreOutcome]>([])
                    let failures = together { thread throws in
                        let mutation = MutationID.of(UInt8(number), 1)
                        let outcome =
                            thread == 0
                            ? try a.commit([Sample.page(number)], mutation: mutation)
                            : try b.setFavorite("episode/\(number)", mutation)
                        if let outcome { outcomes.withLock { $0.append(outcome) } }
                    }
                    #expect(failures == [])
                    #expect(outcomes.withLock { $0.contains(.cloned) && $0.contains(where: \.hasChanged) })
                }
            }
        }

        @Test func `Batches of many users and clients in any order don't deadlock`() throws {
            try PostgresTests.withTwoHandles { a, b throws in
                let failures = together { thread throws in
                    var random = SeededGenerator(seed: UInt64(thread + 1))
                    for round in 1...20 as ClosedRange<UInt64> {
                        var writes: [StoreWrite] = []
                        for client in (1...20 as ClosedRange<UInt8>).shuffled(using: &random) {
                            writes.append(
                                .favorite(
                                    user: "user \(UInt8.random(in: 1...8, using: &random))",
                                    subject: "episode/\(thread)-\(round)-\(client)", on: true,
                                    mutation: .of(client, round * 2 + UInt64(thread))))
                        }
                        for outcome in try (thread == 0 ? a : b).write(writes) {
                            switch outcome {
                            case .done(_, true), .forgotten: continue
                            default: throw StoreError(.invalid, "\(outcome)")
                            }
                        }
                    }
                }
                #expect(failures == [])
                for user in 1...8 {
                    let (head, members) = try a.members(of: "user \(user)")
                    #expect(Set(members.map(\.revision)) == Set(1...head.revision))
                }
            }
        }

        @Test(arguments: [3, 4, 5] as [UInt64])
        func `Alternating batches through two nodes have the same result as single writes`(_ seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            var limits = StoreLimits()
            (limits.answersPerClient, limits.clients, limits.recentClientSeconds) = (3, 4, 0)
            (limits.membersPerCollection, limits.collectionsPerUser) = (5, 2)
            let model = MemoryStore(limits: limits, clock: { 1_000 })
            try PostgresTests.withTwoHandles(limits: limits, clock: { 1_000 }) { a, b throws in
                var numbers: [UInt8: UInt64] = [:]
                for round in 0..<12 {
                    let batch = (0..<60).map { _ in Self.write(&numbers, &random) }
                    let expected = try batch.flatMap { try model.write([$0]) }
                    #expect(try (round.isMultiple(of: 2) ? a : b).write(batch) == expected)
                    for user in ["mina", "jun"] {
                        let (real, expected) = (try a.members(of: user), try model.members(of: user))
                        #expect(Set(real.members) == Set(expected.members))
                        #expect(real.head.revision == expected.head.revision)
                    }
                }
            }
        }

        private static func write(_ numbers: inout [UInt8: UInt64], _ random: inout SeededGenerator) -> StoreWrite {
            let client = UInt8.random(in: 1...6, using: &random)
            let last = numbers[client, default: 0]
            let number = last > 0 && Int.random(in: 0..<6, using: &random) == 0 ? last : last + 1
            numbers[client] = number
            let change = MemberChange(
                collection: CollectionName(["favorites", "later", "seen"].randomElement(using: &random) ?? "seen"),
                subject: "episode/\(Int.random(in: 0..<7, using: &random))",
                effect: Bool.random(using: &random)
                    ? .remove : .set(value: [[], [1], [2]].randomElement(using: &random) ?? []))
            return .member(
                user: Bool.random(using: &random) ? "mina" : "jun", change,
                mutation: .of(client, number, answeredThrough: UInt64.random(in: 0..<number, using: &random)))
        }
    }
}
