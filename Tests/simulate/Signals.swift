import Foundation
import Synchronization

/// Whether Ctrl-C was pressed. A second press ends the program immediately.
enum Interruption {
    private static let count = Atomic<Int>(0)

    static var hasHappened: Bool { count.load(ordering: .relaxed) > 0 }

    static func watch() {
        signal(SIGINT) { _ in
            if Interruption.count.add(1, ordering: .relaxed).newValue > 1 { _exit(130) }
        }
    }
}

/// The seeds being run, so that a trap can report which one it was.
enum RunningSeeds {
    nonisolated(unsafe) private static var seeds: UnsafeMutablePointer<UInt64>?
    nonisolated(unsafe) private static var count = 0

    /// - Parameter slots: concurrent schedules. Call once, before the threads start.
    static func watch(slots: Int) {
        let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: slots)
        memory.initialize(repeating: 0, count: slots)
        seeds = memory
        count = slots
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGFPE, SIGBUS] {
            signal(number) { number in
                RunningSeeds.tell()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func set(_ seed: UInt64, slot: Int) { seeds?[slot] = seed }

    /// Does only what a signal handler may do: no allocation, no lock.
    private static func tell() {
        for slot in 0..<count {
            guard var rest = seeds?[slot], rest > 0 else { continue }
            write("the program trapped while running seed ")
            var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
            withUnsafeMutableBytes(of: &digits) { bytes in
                var start = bytes.count - 1
                bytes[start] = UInt8(ascii: "\n")
                while rest > 0, start > 0 {
                    start -= 1
                    bytes[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                _ = Foundation.write(STDERR_FILENO, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            }
        }
    }

    private static func write(_ text: StaticString) {
        _ = Foundation.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
