import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeServer
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeClient

extension Faults {
    @Suite("A subscriber that does not read", .timeLimit(.minutes(Extent.commitMinutes)))
    struct StalledSubscriberTests {
        /// Commits submitted together.
        private static let batch = 50
        /// Consecutive batches without any bytes sent after which no more are expected.
        private static let stuckBatches = 4
        /// The least commits by which the subscriber must be behind: many times what kernels buffer for an unread
        /// connection.
        private static let commitsUntilStuck = 50_000
        /// The most bytes in a connection's buffer: the high-water mark, and the part that crossed it.
        private static let bufferedBytes = 64 << 10 + 64 << 10
        /// Commits from which the process's memory is judged too; before that, it has not settled.
        private static let manyCommits = 50_000
        /// Bytes by which the process may grow in the second half of many commits.
        private static let growth = 48 << 20

        // etcd-io/etcd#16839, kubernetes/kubernetes#141450
        @Test
        func `A stalled subscriber costs a fixed amount, holds nobody up, and catches up by patches`() async throws {
            var limits = StoreLimits()
            // The log's own size is not the question here.
            limits.historyBytes = 4 << 20
            let store = MemoryStore(limits: limits)
            try Harness.fill(store)
            let harness = try await Harness(store: store, adjust: Harness.bearSilence)
            let client = try harness.client()
            var healthy = client.screen(.home).makeAsyncIterator()
            _ = try await healthy.first { $0.origin == .live }
            let stalled = try await StalledSubscriber(port: harness.server.summary.port)

            var most = SessionLoad()
            var head: UInt64 = 0
            var numbers = 0
            var isBehind = false
            /// - Returns: the bytes sent to the stalled subscriber so far.
            func pass(_ count: Int) async throws -> UInt64 {
                try await Self.commit(numbers..<numbers + count, to: harness.hub.committer)
                numbers += count
                head = try store.catalogueHead().revision
                // Each batch reaches the client that reads, whatever the other one does.
                _ = try await healthy.first { $0.screen.revision.catalogueRevision == head }
                let loads = try await harness.server.sessionLoads()
                let load = try #require(loads.min { $0.acknowledgedBytes < $1.acknowledgedBytes })
                most.bufferedBytes = max(most.bufferedBytes, load.bufferedBytes)
                most.waitingBytes = max(most.waitingBytes, load.waitingBytes)
                most.variantsBehind = max(most.variantsBehind, load.variantsBehind)
                isBehind = load.variantsBehind > 0
                return load.sentBytes
            }

            // First until nothing more can be sent: the buffers of both kernels are full.
            var sent: UInt64 = 0
            var unchanged = 0
            while unchanged < Self.stuckBatches, numbers < Self.commitsUntilStuck {
                let now = try await pass(Self.batch)
                unchanged = isBehind && now == sent ? unchanged + 1 : 0
                sent = now
            }
            try #require(unchanged == Self.stuckBatches, "the subscriber never was behind")
            let stuck = head
            let before = numbers

            // Then as many commits as requested, none of which can be sent.
            var memory: [Int] = []
            var left = Extent.commits
            while left > 0 {
                let count = min(left, Self.batch)
                let now = try await pass(count)
                #expect(now == sent, "something was sent to a client that does not read")
                left -= count
                memory.append(Self.residentBytes())
            }
            #expect(head - stuck == UInt64(Extent.commits))

            #expect(most.bufferedBytes <= Self.bufferedBytes)
            let home = try await client.fetchScreen(.home)
            let whole = home.sections.flatMap(\.items).reduce(0) { $0 + $1.item.body.count + 64 }
            #expect(most.waitingBytes <= whole, "no more than one cut waits")
            #expect(most.variantsBehind <= home.sections.count + 1)
            let (versions, patches) = harness.server.libraryBytes
            let bounds = VersionLibrary.Bounds()
            #expect(versions <= bounds.versionBytes && patches <= bounds.patchBytes)
            let grown = (memory.last ?? 0) - memory[memory.count / 2]
            if Extent.commits >= Self.manyCommits { #expect(grown < Self.growth) }

            let cuts = try await stalled.readOn(until: head)
            let late = cuts.filter { $0.revision > stuck }
            #expect(late.count == 1, "one cut leads over all that was missed: \(late)")
            #expect(late.first?.patches.values.allSatisfy { $0 == 1 } == true, "with one patch for each section")
            #expect(stalled.chart == home[section: "chart"]?.sum)
            print(
                """
                stalled subscriber: \(numbers) commits, \(numbers - before) of them while nothing could be sent; held for it at most \
                \(most.bufferedBytes) bytes in its buffer, \(most.waitingBytes) of a begun cut, \(most.variantsBehind) variants to catch \
                up with; shared by all \(versions) bytes of versions, \(patches) of patches; the process grew by \(grown / 1_024) KiB \
                in the second half; \(cuts.count - late.count) cuts were on their way, \(late.count) caught up
                """)
            await stalled.close()
            await client.close()
            await harness.stop()
        }

        /// One commit in ten changes every line of the chart, the others move a movie to the top of the lists.
        private static func commit(_ numbers: Range<Int>, to committer: Committer) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in numbers {
                    let change = number % 10 == 0 ? chart(number) : popularity(number)
                    group.addTask {
                        _ = try await committer.commit(.catalogue(key: nil, changes: [change], mutation: nil))
                    }
                }
                try await group.waitForAll()
            }
        }

        private static func popularity(_ number: Int) -> Change {
            var update = MovieUpdate(id: [27_205, 496_243, 157_336, 13, 680][number % 5])
            update.popularity = Double(1_000 + number)
            return update.change
        }

        private static func chart(_ number: Int) -> Change {
            let title = "\(number) " + String(repeating: "·", count: 400)
            let place = RecordContent.json(.object(["title": .text(title)]))
            let entries = (0..<10).map { ListEntry(key: "line \($0)", place: place) }
            return .list(RecordList(ListName(Harness.chart, edition: "2024-05-01"), entries: entries))
        }

        private static func residentBytes() -> Int {
            let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(getpagesize())
        }

        @Test func `The bytes unsent in the kernel for a stalled subscriber are bounded`() async throws {
            let harness = try await Harness(adjust: Harness.bearSilence)
            let stalled = try await StalledSubscriber(port: harness.server.summary.port)
            let socket = try #require(
                ServerSocket(local: harness.server.summary.port, remote: stalled.localPort))
            #expect(socket.option(TCP_NOTSENT_LOWAT) == CInt(MarqueeServer.unsentBytes))
            var unsent: [Int] = []
            for round in 0..<400 {
                try await Self.commit(round * Self.batch..<(round + 1) * Self.batch, to: harness.hub.committer)
                unsent.append(try #require(socket.unsentBytes))
                // A session is also behind briefly while a cut is laid out; it is stuck once the kernel keeps bytes.
                let loads = try await harness.server.sessionLoads()
                if unsent.last != 0, loads.contains(where: { $0.variantsBehind > 0 }) { break }
            }
            #expect(try #require(unsent.last) > 0, "the kernel has more than it can send")
            // The kernel compares when the next piece arrives, not within one. Without the bound it takes a megabyte:
            // the entire credit.
            #expect(try #require(unsent.max()) <= 128 << 10)
            print("unsent bytes in the kernel, at most: \(unsent.max() ?? 0)")
            await stalled.close()
            await harness.stop()
        }
    }
}
