import FaultyDisk
import Foundation
import GRDBSQLite
import MarqueeCatalogue
import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeStore

/// Every disk operation of a store fails once: acknowledged writes survive, and others report failure.
@Suite struct DiskFaultTests {
    /// The interval between tested operations; `MARQUEE_FAULT_STEP=1` tests each one, which takes a quarter of an hour.
    private static let step = Extent.number("MARQUEE_FAULT_STEP", 41, full: 41) { Issue.record("\($0)") }

    @Test func `Every operation may fail once`() throws {
        try failEach { _ in .once(SQLITE_IOERR) }
    }

    @Test func `The disk may be full from any moment on`() throws {
        try failEach { _ in .full }
    }

    @Test func `A power cut at any moment loses nothing acknowledged`() throws {
        try failEach { .powerCut(seed: UInt64($0)) }
    }

    @Test func `A full file fails only its own writes`() throws {
        try withFolder { folder in
            let store = try SQLiteStore(folder: folder, limits: Scenario.limits)
            try store.commit(Sample.types)
            let big = Scenario.publication(1, bytes: 1 << 20)
            let favorite = StoreWrite.favorite(user: "mina", subject: "episode/1", on: true, mutation: .of(1, 1))
            let outcomes = try store.write([big, favorite, big, favorite])
            guard case .failed(let error) = outcomes[0], case .failed = outcomes[2] else {
                Issue.record(
                    "a publication of 1 MiB went into a file of \(Scenario.limits.fileBytes) bytes: \(outcomes)")
                return
            }
            #expect(error.code == .diskFull)
            #expect(outcomes[1] == .done(revision: 1, changed: true))
            #expect(outcomes[3] == .repeated(revision: 1, changed: true))
            #expect(try store.catalogueHead().revision == 1)
            #expect(try store.favoriteSubjects() == ["episode/1"])
            #expect(try store.commit(.episode("1")) == .done(revision: 2, changed: true))
            try store.close()
        }
    }

    private func failEach(_ fault: (Int) -> FaultyDisk.Fault) throws {
        var operation = 0
        var failures = 0
        while true {
            let hasFailed = try Scenario.run(fault(operation), after: operation)
            if !hasFailed { break }
            failures += 1
            operation += Self.step
        }
        #expect(failures > 3, "the scenario has many operations; only \(failures) failed")
    }
}

/// Opens, writes to and closes a store while the disk fails at one operation; then reopens it on a good disk.
private struct Scenario {
    static var limits: StoreLimits {
        var limits = StoreLimits()
        limits.fileBytes = 1 << 20
        return limits
    }

    static func publication(_ number: UInt64, bytes: Int) -> StoreWrite {
        // A record has less than 64 KiB.
        let most = 65_000
        let text = String(repeating: "x", count: min(bytes, most))
        let records = (0..<max(1, bytes / most)).map { id in
            Sample.put("episode", "\(number)/\(id)", ["guid": "\(number)/\(id)", "title": "x", "recorded": text])
        }
        return .catalogue(
            key: "publication \(number)", changes: records, mutation: .of(3, number))
    }

    /// Batches of both kinds, large enough to cause checkpoints in between.
    static let batches: [[StoreWrite]] = (1...6).map { number in
        [
            .favorite(user: "mina", subject: "episode/\(number)", on: true, mutation: .of(1, number)),
            publication(number, bytes: 30_000),
            .favorite(user: "jun", subject: "episode/\(number)", on: true, mutation: .of(2, number)),
        ]
    }

    /// In memory if possible: this doesn't test flushes.
    private static let quickDisk =
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? URL(filePath: "/dev/shm") : nil

    /// - Returns: whether the operation that should fail occurred.
    static func run(_ fault: FaultyDisk.Fault, after operation: Int) throws -> Bool {
        var hasFailed = false
        try withFolder(in: Self.quickDisk) { folder in
            let first = try SQLiteStore(folder: folder)
            let cluster = first.cluster
            try first.commit(Sample.types)
            try first.setFavorite("episode/100", of: "ann", .of(9, 1))
            try first.close()

            let disk = FaultyDisk(folder: folder)
            // This makes every file known to the disk.
            try SQLiteStore(folder: folder).close()
            disk.arm(fault, after: operation)
            let answers = writeAll(in: folder)
            hasFailed = disk.hasFailed
            disk.disarm()
            if case .powerCut = fault, hasFailed { try disk.comeBackAfterPowerCut() }

            let store = try SQLiteStore(folder: folder)
            #expect(store.cluster == cluster)
            #expect(try store.favoriteSubjects(of: "ann") == ["episode/100"])
            // When resent, acknowledged writes get the same answer; others take effect now, unless they already had.
            for (write, answer) in answers {
                let again = try store.write([write]).first?.answer
                if answer != nil, again != answer?.answer {
                    Issue.record("operation \(operation): \(write.summary) was \(String(describing: answer))")
                }
                #expect(again != nil)
            }
            for user in ["mina", "jun"] {
                #expect(try store.favoriteSubjects(of: user) == Set((1...6).map { "episode/\($0)" }))
            }
            #expect(try store.catalogueHead().revision == 7)
            #expect(try store.snapshotChanges().count == 7)
            try store.close()
        }
        return hasFailed
    }

    /// Sends as clients do: in order, retrying a failure once, and nothing after a second failure.
    /// - Returns: each write with its answer; `nil` if it got none.
    private static func writeAll(in folder: String) -> [(StoreWrite, StoreOutcome?)] {
        var answers: [(StoreWrite, StoreOutcome?)] = []
        var silent: Set<[UInt8]?> = []
        let store = try? SQLiteStore(folder: folder)
        for batch in batches {
            let sent = batch.filter { !silent.contains($0.client) }
            let outcomes = try? store?.write(sent)
            for (index, write) in sent.enumerated() {
                var outcome = outcomes?[index].unlessFailed
                if outcome == nil {
                    if let store, case .member(let user, let change, _) = write {
                        // Failed writes aren't visible.
                        if let seen = try? store.favoriteSubjects(of: user) { #expect(!seen.contains(change.subject)) }
                    }
                    outcome = (try? store?.write([write]))?.first?.unlessFailed
                }
                if outcome == nil { silent.insert(write.client) }
                answers.append((write, outcome))
            }
            answers += batch.filter { !sent.contains($0) }.map { ($0, nil) }
        }
        try? store?.close()
        return answers
    }
}

extension StoreOutcome {
    /// The answer that a client gets, now or on retry.
    fileprivate var answer: [UInt64]? {
        switch self {
        case .done(let revision, let changed), .repeated(let revision, let changed): [revision, changed ? 1 : 0]
        default: nil
        }
    }

    fileprivate var unlessFailed: StoreOutcome? {
        if case .failed = self { return nil }
        return self
    }
}

extension StoreWrite {
    fileprivate var client: [UInt8]? {
        switch self {
        case .catalogue(_, _, let mutation), .draft(_, let mutation): mutation?.client
        case .member(_, _, let mutation), .observed(_, let mutation): mutation.client
        }
    }

    fileprivate var summary: String {
        switch self {
        case .catalogue(let key, _, _): key ?? "a commit"
        case .draft(let edit, _): "the draft \(edit.name)"
        case .observed(let batch, _): "what was seen of \(batch.section)"
        case .member(let user, let change, _): "\(change.subject) of \(user)"
        }
    }
}
