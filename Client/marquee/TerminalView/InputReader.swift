import Foundation

/// Reads typed and pasted input on a thread of its own, and reports it in bursts. Thread safe.
final class InputReader: Sendable {
    /// The least time between two keys of a person, in milliseconds. The rest of a sequence, or of a paste, arrives
    /// sooner.
    private static let pause: Int32 = 25
    /// The same within a long paste, whose sender has to wait whenever the terminal's buffer is full.
    private static let longPause: Int32 = 200
    /// From this many bytes on, a burst is a long paste.
    private static let longBurst = 64
    /// Milliseconds after which an unfinished sequence is given up.
    private static let patience: Int32 = 1_000
    /// Milliseconds between checks whether the terminal is this job's again.
    private static let backgroundPause: Int32 = 200
    /// Ctrl-\, which ends a program that answers to nothing else.
    private static let quit = InputBurst.keys([.control("\\")])

    /// Closing the other end wakes the thread up.
    private let (wakeUp, wakeUpWriter): (Int32, Int32)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - decoder: knows the terminal's keys.
    ///   - tell: called on the reader's thread; with `nil`, and for the last time, when the terminal has gone.
    /// - Throws: `Failure` if there are too many open files.
    init(_ decoder: KeyDecoder, _ tell: @escaping @Sendable (InputBurst?) -> Void) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(.ioError, "the keyboard can't be read: \(String(cString: strerror(errno)))")
        }
        (wakeUp, wakeUpWriter) = (ends[0], ends[1])
        let (wakeUp, ended) = (ends[0], ended)
        // A thread, because it waits in the kernel.
        Thread.detachNewThread {
            Self.run(decoder, wakeUp, tell)
            ended.signal()
        }
    }

    /// Reads nothing more. To be called once.
    func stop() {
        close(wakeUpWriter)
        ended.wait()
        close(wakeUp)
    }

    private static func run(_ decoder: KeyDecoder, _ wakeUp: Int32, _ tell: (InputBurst?) -> Void) {
        var decoder = decoder
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // Bytes since the last pause.
        var count = 0
        while true {
            var polls = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
            ]
            let wait = count > longBurst ? longPause : count > 0 ? pause : decoder.isIncomplete ? patience : -1
            // In the background, keys are the shell's.
            if !JobControl.isForeground { polls[0].fd = -1 }
            let ready = poll(&polls, 2, polls[0].fd < 0 ? backgroundPause : wait)
            if polls[1].revents != 0 { return }
            if polls[0].fd < 0 { continue }
            if ready == 0 {
                let burst = count > 0 ? decoder.pause() : decoder.giveUp()
                count = 0
                // For the whole group, as the terminal itself would.
                if burst == quit { kill(0, SIGQUIT) }
                if let burst { tell(burst) }
                continue
            }
            guard ready > 0 else {
                if errno == EINTR { continue }
                return tell(nil)
            }
            let got = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if got > 0 {
                decoder.read(buffer.prefix(got))
                count += got
            } else if got == 0 || errno != EINTR && errno != EAGAIN {
                // A terminal that has gone is always readable and never has data.
                if JobControl.isForeground { return tell(nil) }
            }
        }
    }
}
