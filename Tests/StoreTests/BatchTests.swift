import Dispatch
import GRDB
import MarqueeModel
import SeededRandom
import Synchronization
import Testing

@testable import MarqueeStore

/// Batches in which later writes build on what earlier ones have just written.
@Suite struct BatchTests {
    @Test(arguments: [3, 4, 5] as [UInt64])
    func `A batch of many writes to the same rows is as good as one at a time`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var limits = StoreLimits()
        limits.answersPerClient = 3
        (limits.clients, limits.recentClientSeconds) = (4, 0)
        limits.membersPerCollection = 5
        limits.collectionsPerUser = 2
        try withFolder { folder throws in
            let (store, model) = (
                try SQLiteStore(folder: folder, limits: limits, clock: { 1_000 }),
                MemoryStore(limits: limits, clock: { 1_000 })
            )
            var numbers: [UInt8: UInt64] = [:]
            for _ in 0..<12 {
                let batch = (0..<60).map { _ in write(&numbers, &random) }
                let outcomes = try store.write(batch)
                #expect(try outcomes == batch.flatMap { try model.write([$0]) })
                for user in ["mina", "jun"] {
                    let (real, expected) = (try store.members(of: user), try model.members(of: user))
                    #expect(Set(real.members) == Set(expected.members))
                    #expect(real.head.revision == expected.head.revision)
                }
            }
            try store.close()
            #expect(try Verification(folder: folder).isSound)
        }
    }

    private func write(_ numbers: inout [UInt8: UInt64], _ random: inout SeededGenerator) -> StoreWrite {
        let client = UInt8.random(in: 1...6, using: &random)
        let last = numbers[client, default: 0]
        // Now and then a mutation again.
        let number = last > 0 && Int.random(in: 0..<6, using: &random) == 0 ? last : last + 1
        numbers[client] = number
        let collection = ["favorites", "later", "seen"].randomElement(using: &random) ?? "favorites"
        let value: [UInt8] = [[], [1], [2]].randomElement(using: &random) ?? []
        let subject = "episode/\(Int.random(in: 0..<7, using: &random))"
        let change = MemberChange(
            collection: CollectionName(collection), subject: subject,
            effect: Bool.random(using: &random) ? .remove : .set(value: value))
        return .member(
            user: Bool.random(using: &random) ? "mina" : "jun", change,
            mutation: .of(client, number, answeredThrough: UInt64.random(in: 0..<number, using: &random)))
    }

    @Test(arguments: EngineKind.allCases)
    func `Both logs are written at the same time, and neither loses anything`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        let commits = Extent.of(100, full: 400)
        // Each commit below is at most 39 bytes of JSON.
        limits.historyBytes = 39 * commits / 4
        limits.commitKeys = 64
        try kind.withStore(limits: limits) { store throws in
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for number in 1...UInt64(commits) {
                    do {
                        // Both logs remember the mutations of one client.
                        let outcome =
                            thread == 0
                            ? try store.commit(
                                [Sample.page(number)], key: "\(number)", mutation: .of(1, number * 2))
                            : try store.setFavorite("episode/\(number)", .of(1, number * 2 + 1))
                        guard outcome != .done(revision: number, changed: true) else { continue }
                        failures.withLock { $0.append("\(number): \(String(describing: outcome))") }
                    } catch {
                        failures.withLock { $0.append("\(number): \(error)") }
                    }
                }
            }
            #expect(failures.withLock { $0 } == [])
            #expect(try store.catalogueHead().revision == UInt64(commits))
            #expect(try store.userHead("mina").revision == UInt64(commits))
            #expect(try store.favoriteSubjects().count == commits)
            #expect(try store.lastMutation(of: MutationID.of(1, 1).client) == UInt64(commits * 2 + 1))
            // History is as long as it would be without the other writer: its bytes were counted without a mistake.
            try kind.withStore(limits: limits) { alone throws in
                for number in 1...UInt64(commits) { try alone.commit(Sample.page(number), key: "\(number)") }
                let oldest = try #require(
                    (0..<UInt64(commits)).first { (try? alone.commits(after: $0, limit: 1)) != nil })
                #expect(oldest > commits / 2)
                let expected = try alone.commits(after: oldest, limit: commits)
                #expect(try store.commits(after: oldest, limit: commits) == expected)
                #expect(throws: StoreError.self) { try store.commits(after: oldest - 1, limit: 1) }
            }
        }
    }

    @Test func `A removal that meets a damaged count changes nothing`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            for number in 1...3 as ClosedRange<UInt64> { try store.setFavorite("episode/\(number)", .of(1, number)) }
            // After the user's first write, which checks everything.
            try tamper(folder, "users.sqlite", "UPDATE user_collection SET members = members + 1")
            let outcomes = try store.write([
                .favorite(user: "mina", subject: "episode/2", on: false, mutation: .of(1, 4)),
                .favorite(user: "jun", subject: "episode/2", on: true, mutation: .of(2, 1)),
            ])
            guard case .failed(let error)? = outcomes.first else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(error.code == .corrupt)
            #expect(outcomes.last == .done(revision: 1, changed: true))
            #expect(try store.userHead("mina").revision == 3)
            try store.close()
            try tamper(folder, "users.sqlite", "UPDATE user_collection SET members = members - 1 WHERE user = 'mina'")
            #expect(try Verification(folder: folder).isSound)
        }
    }

    @Test func `A discarded transaction leaves every total right`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.commit(Sample.everything)
            for isKept in [false, true, false] {
                try store.transaction { writer in
                    for id in 10..<20 {
                        _ = try? writer.write([.catalogue(key: nil, changes: [.episode("\(id)")], mutation: nil)])
                        _ = try? writer.write(
                            [.catalogue(key: nil, changes: [.remove(.episode("\(id - 2)"))], mutation: nil)])
                    }
                    return isKept
                }
                #expect(try Verification(folder: folder).isSound)
                #expect(try store.snapshotChanges().count == Sample.everything.count + (isKept ? 2 : 0))
                if isKept { try store.commit(.remove(.episode("18")), .remove(.episode("19"))) }
            }
            try store.close()
        }
    }
}
