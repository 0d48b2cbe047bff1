import Dispatch
import Foundation
import Synchronization

/// Turns Ctrl-C and SIGTERM into a flag that the work checks, so that it can stop in an orderly way.
final class Interruption {
    /// The work was ended by a signal.
    struct Ended: Error {}

    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private let flag = Flag()
    private let sources: [any DispatchSourceSignal]

    /// Starts catching the signals.
    init() {
        sources = Self.signals.map { number in
            // By default, the signal would end the process at once.
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for source in sources {
            source.setEventHandler { [flag] in flag.isSet.store(true, ordering: .relaxed) }
            source.resume()
        }
    }

    /// Whether the work may continue.
    var isAbsent: Bool { !flag.isSet.load(ordering: .relaxed) }
}
