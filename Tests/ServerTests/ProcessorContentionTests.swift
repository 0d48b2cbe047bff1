import Synchronization
import Testing

@testable import MarqueeServer

@Suite struct ProcessorContentionTests {
    /// A thread's count of involuntary switches, and the time in nanoseconds.
    private final class Thread: Sendable {
        let state = Mutex((switches: 7, now: UInt64(1_000)))

        var contention: ProcessorContention {
            ProcessorContention(
                switches: { [self] in state.withLock { $0.switches } }, now: { [self] in state.withLock { $0.now } })
        }

        func pass(_ time: UInt64, switches: Int = 0) {
            state.withLock {
                $0.now += time
                $0.switches += switches
            }
        }
    }

    @Test func `Others want the processor for a while after it was taken away`() {
        let thread = Thread()
        let contention = thread.contention
        #expect(!contention.isPresent, "what happened before it was asked for the first time doesn't count")
        thread.pass(1_000)
        #expect(!contention.isPresent)
        thread.pass(1_000, switches: 1)
        #expect(contention.isPresent)
        thread.pass(ProcessorContention.memory - 1)
        #expect(contention.isPresent)
        thread.pass(1)
        #expect(!contention.isPresent)
        thread.pass(1, switches: 3)
        #expect(contention.isPresent)
    }
}
