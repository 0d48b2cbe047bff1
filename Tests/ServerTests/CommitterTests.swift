import Dispatch
import Foundation
import HubSupport
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import Synchronization
import Testing

@testable import MarqueeServer

@Suite struct CommitterTests {
    private func write(_ number: Int) -> StoreWrite {
        .catalogue(key: nil, changes: [.page(Page(id: "\(number)", sections: []))], mutation: nil)
    }

    @Test func `Writes submitted during a commit are committed together and in order`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        let confirmed = Mutex<[Int]>([])
        for number in 1...100 {
            let isTaken = committer.submit(write(number)) { _ in confirmed.withLock { $0.append(number) } }
            #expect(isTaken)
            if number == 1 { store.waitForWriter() }
        }
        store.goOn()
        committer.flush()
        #expect(store.batches == [[1], Array(2...100)])
        #expect(confirmed.withLock { $0 } == Array(1...100))
    }

    private func large(_ number: Int) -> StoreWrite {
        let page = Change.page(Page(id: "\(number)", sections: []))
        return .catalogue(
            key: nil, changes: Array(repeating: page, count: Committer.changesPerBatch), mutation: nil)
    }

    @Test func `Publishers take turns, and nobody waits for another's second large publication`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        _ = committer.submit(write(0)) { _ in }
        store.waitForWriter()
        for number in 1...3 { _ = committer.submit(large(number), from: 1) { _ in } }
        for number in 4...5 { _ = committer.submit(write(number), from: 2) { _ in } }
        store.goOn()
        committer.flush()
        let order = store.batches.flatMap { $0 }
        #expect(order.filter { $0 < 4 } == [0, 1, 2, 3] && order.filter { $0 > 3 } == [4, 5])
        #expect(store.batches.prefix(2) == [[0], [1]])
        #expect(order.firstIndex(of: 5) ?? .max < order.firstIndex(of: 2) ?? 0)
    }

    @Test func `A small write is not committed together with a large one that came later`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        _ = committer.submit(write(0)) { _ in }
        store.waitForWriter()
        _ = committer.submit(write(1), from: 1) { _ in }
        _ = committer.submit(large(2), from: 2) { _ in }
        for number in 3...4 { _ = committer.submit(write(number), from: 3) { _ in } }
        store.goOn()
        committer.flush()
        #expect(store.batches.first { $0.contains(1) }?.contains(2) == false)
        #expect(store.batches.contains([2]), "it is committed, and alone")
        #expect(Set(store.batches.flatMap { $0 }) == Set(0...4))
    }

    @Test func `A large write whose turn has come is dropped, too, when its publisher leaves`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        _ = committer.submit(write(0)) { _ in }
        store.waitForWriter()
        _ = committer.submit(write(1), from: 1) { [committer] _ in
            // The large one has had its turn by now, and didn't fit.
            committer.drop(2)
        }
        _ = committer.submit(large(2), from: 2) { _ in }
        store.goOn()
        committer.flush()
        #expect(store.batches == [[0], [1]])
        #expect(committer.figures["catalogue"]?.waiting == 0)
    }

    @Test func `Waiting writes of a publisher that has left are dropped`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        let confirmed = Mutex<[Int]>([])
        _ = committer.submit(write(0)) { _ in }
        store.waitForWriter()
        for number in 1...4 {
            _ = committer.submit(write(number), from: UInt64(number % 2)) { _ in
                confirmed.withLock { $0.append(number) }
            }
        }
        committer.drop(1)
        store.goOn()
        committer.flush()
        #expect(store.batches == [[0], [2, 4]])
        #expect(confirmed.withLock { $0 } == [2, 4])
        #expect(committer.figures["catalogue"]?.waiting == 0)
    }

    @Test func `The start of a failure to store is known until a write succeeds, and damage doesn't count`() {
        let store = PickyStore(failures: [
            StoreError(.corrupt, "this record is damaged"), StoreError(.diskFull, "full"),
            StoreError(.corrupt, "this record is damaged"),
        ])
        let committer = Committer(store: store)
        func failing(after number: Int) -> String? {
            _ = committer.submit(write(number)) { _ in }
            committer.flush()
            return committer.figures["catalogue"]?.failing?.reason
        }
        #expect(failing(after: 1) == nil)
        #expect(failing(after: 2) == "full")
        #expect(failing(after: 3) == "full")
        #expect(failing(after: 4) == nil)
        #expect(committer.figures["users"]?.failing == nil)
    }

    /// A full queue or disk must not end the server's own changes, from a rotation or a replay.
    @Test func `A patient write waits for a full queue and a full disk`() async throws {
        let store = PickyStore(failures: [
            StoreError(.diskFull, "full"), StoreError(.busy, "busy"), StoreError(.diskFull, "full"),
        ])
        let pauses = Mutex<[Duration]>([])
        let putOff = Mutex<[StoreError.Code]>([])
        let outcome = try await Committer(store: store).commitPatiently(
            write(1), sleep: { pause in pauses.withLock { $0.append(pause) } },
            putOff: { error in putOff.withLock { $0.append(error.code) } })
        #expect(outcome == .done(revision: 1, changed: true))
        #expect(putOff.withLock { $0 } == [.diskFull])
        #expect(pauses.withLock { $0.count } == 3)
        #expect(pauses.withLock { $0 == $0.sorted() })
    }

    @Test func `A patient write ends if waiting can't help`() async {
        for code in [StoreError.Code.lost, .corrupt, .closed] {
            let committer = Committer(store: PickyStore(failures: [StoreError(code, "no")]))
            let error = await #expect(throws: StoreError.self) {
                try await committer.commitPatiently(write(1), sleep: { _ in }, putOff: { _ in })
            }
            #expect(error?.code == code)
        }
    }

    @Test func `A patient write ends when its task is cancelled`() async {
        let committer = Committer(store: PickyStore(failures: [StoreError(.diskFull, "full")]))
        await #expect(throws: CancellationError.self) {
            try await committer.commitPatiently(write(1), sleep: { _ in throw CancellationError() }, putOff: { _ in })
        }
    }

    @Test func `Nothing is confirmed before it is written`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        let isConfirmed = Mutex(false)
        _ = committer.submit(write(1)) { _ in isConfirmed.withLock { $0 = true } }
        store.waitForWriter()
        #expect(isConfirmed.withLock { $0 } == false)
        store.goOn()
        committer.flush()
        #expect(isConfirmed.withLock { $0 } == true)
    }

    /// People's favorites are answered while a large publication is written.
    @Test func `Collections don't wait for the catalogue`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        let confirmed = Mutex<[String]>([])
        _ = committer.submit(write(1)) { _ in confirmed.withLock { $0.append("publication") } }
        store.waitForWriter()
        let isStored = DispatchSemaphore(value: 0)
        let id = MutationID(client: [UInt8](repeating: 1, count: 16), number: 1, answeredThrough: 0)
        let favorite = StoreWrite.favorite(user: "ana", subject: "movie/1", on: true, mutation: id)
        _ = committer.submit(favorite) { _ in
            confirmed.withLock { $0.append("favorite") }
            isStored.signal()
        }
        isStored.wait()
        #expect(confirmed.withLock { $0 } == ["favorite"])
        store.goOn()
        committer.flush()
        #expect(confirmed.withLock { $0 } == ["favorite", "publication"])
    }

    @Test func `A commit is bounded`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        for number in 0...Committer.maximumBatch + 1 {
            _ = committer.submit(write(number)) { _ in }
            if number == 0 { store.waitForWriter() }
        }
        store.goOn()
        committer.flush()
        #expect(store.batches.map(\.count) == [1, Committer.maximumBatch, 1])
    }

    @Test func `More than the bound is refused and not confirmed`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        let confirmed = Mutex(0)
        var taken = 0
        for number in 0..<Committer.maximumWaiting + 10 {
            if committer.submit(write(number), completion: { _ in confirmed.withLock { $0 += 1 } }) { taken += 1 }
            if number == 0 { store.waitForWriter() }
        }
        #expect(taken == Committer.maximumWaiting + 1)
        store.goOn()
        committer.flush()
        #expect(confirmed.withLock { $0 } == taken)
    }

    @Test func `A store error reaches every write of its batch`() {
        let store = SlowStore()
        store.fails = true
        let committer = Committer(store: store)
        let errors = Mutex<[StoreError.Code]>([])
        for number in 1...3 {
            _ = committer.submit(write(number)) { result in
                if case .failure(let error) = result { errors.withLock { $0.append(error.code) } }
            }
        }
        store.waitForWriter()
        store.goOn()
        committer.flush()
        #expect(errors.withLock { $0 } == [.diskFull, .diskFull, .diskFull])
    }

    @Test func `A failed write in a batch is an error, and the rest is confirmed`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-committer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var limits = StoreLimits()
        limits.fileBytes = 400_000
        let store = try SQLiteStore(folder: folder.path, limits: limits)
        let jobs = Mutex<[@Sendable () -> Void]>([])
        let committer = Committer(store: store) { job in jobs.withLock { $0.append(job) } }
        var movie = Movie(id: 1, title: "x")
        movie.overview = String(repeating: "x", count: 60_000)
        let tooMuch: [Change] =
            [.types(PresetCatalogue.types)]
            + (1...20 as ClosedRange<UInt64>).map { id in
                movie.id = id
                return movie.change
            }
        let id = MutationID(client: [UInt8](repeating: 1, count: 16), number: 1, answeredThrough: 0)
        let results = Mutex<[Result<StoreOutcome, CodeError>]>([])
        for write in [
            StoreWrite.catalogue(key: nil, changes: tooMuch, mutation: nil),
            .favorite(user: "ana", subject: "movie/1", on: true, mutation: id),
        ] {
            _ = committer.submit(write) { result in
                results.withLock { $0.append(result.mapError { CodeError(code: $0.code) }) }
            }
        }
        for job in jobs.withLock({ $0 }) { job() }
        #expect(
            results.withLock { $0 } == [
                .failure(CodeError(code: .diskFull)), .success(.done(revision: 1, changed: true)),
            ])
        #expect(try store.members(of: "ana").head.revision == 1)
        try store.close()
    }

    @Test func `It writes again after being idle`() {
        let store = SlowStore()
        let committer = Committer(store: store)
        store.goOn()
        for number in 1...3 {
            _ = committer.submit(write(number)) { _ in }
            committer.flush()
        }
        #expect(store.batches == [[1], [2], [3]])
    }
}

/// An error without its message.
private struct CodeError: Error, Hashable {
    var code: StoreError.Code
}

/// A store whose catalogue can't be written until it is released.
private final class SlowStore: ForwardingStore {
    let store = MemoryStore()
    private let gate = DispatchSemaphore(value: 0)
    private let arrived = DispatchSemaphore(value: 0)
    private let state = Mutex<(batches: [[Int]], fails: Bool, isOpen: Bool)>(([], false, false))

    /// Ids of the pages of each batch.
    var batches: [[Int]] { state.withLock { $0.batches } }

    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    func waitForWriter() { arrived.wait() }

    func goOn() {
        state.withLock { $0.isOpen = true }
        gate.signal()
    }

    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        guard writes.contains(where: { $0.log == .catalogue }) else { return try store.write(writes) }
        arrived.signal()
        if state.withLock({ !$0.isOpen }) { gate.wait() }
        let ids = writes.map { write in
            if case .catalogue(_, let changes, _) = write, case .page(let page) = changes[0] {
                Int(page.id) ?? 0
            } else {
                0
            }
        }
        let fails = state.withLock { state in
            state.batches.append(ids)
            return state.fails
        }
        if fails { throw StoreError(.diskFull, "full") }
        return try store.write(writes)
    }
}

/// Refuses the first batches, each with a different error.
private final class PickyStore: ForwardingStore {
    let store = MemoryStore()
    private let failures: Mutex<[StoreError]>

    init(failures: [StoreError]) { self.failures = Mutex(failures) }

    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let failure { throw failure }
        return try store.write(writes)
    }
}
