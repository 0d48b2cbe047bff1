import Dispatch
import Foundation
import Synchronization

/// Turns Ctrl-C and SIGTERM into a question that the work asks itself, so that it can leave things in order.
final class Interruption {
    /// The work was ended by a signal.
    struct Ended: Error {}

    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private let flag = Flag()
    private let sources: [any DispatchSourceSignal]

    /// Catches the signals from now on.
    init() {
        sources = Self.signals.map { number in
            // Else the system ends the process before anybody is asked.
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for source in sources {
            source.setEventHandler { [flag] in flag.isSet.store(true, ordering: .relaxed) }
            source.resume()
        }
    }

    /// Whether the work may go on.
    var isAbsent: Bool { !flag.isSet.load(ordering: .relaxed) }
}
