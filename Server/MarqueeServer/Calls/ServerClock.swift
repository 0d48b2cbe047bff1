import Logging
import MarqueeModel
import MarqueeStore
import Synchronization

/// The clock by which a server makes its own commits, and why its time of day isn't believed. Thread safe.
final class ServerClock: Sendable {
    /// The clocks behind it.
    struct Sources: Sendable {
        /// The time of day. May block: if servers share a database, it is the database's.
        var wall: @Sendable () throws -> Moment
        /// Milliseconds of a clock that nobody can set, and that goes on while the machine sleeps.
        var steady: @Sendable () -> UInt64

        /// - Parameter wall: the time of day; `nil` for the clock of the database that servers share, or else the
        ///   system's.
        static func of(_ store: any StoreEngine, wall: (@Sendable () -> Moment)?) -> Sources {
            if let wall { return Sources(wall: wall, steady: { 0 }) }
            let shared = store as? any SharedStore
            return Sources(wall: { try shared?.clock() ?? .current }, steady: { systemSteadyClock() })
        }
    }

    private struct State {
        var clock = BelievedClock()
        var catalogue: Moment?
        /// Why the time of day wasn't believed when it was last read, by how many milliseconds it is ahead, and since
        /// when.
        var trouble: (reason: String, ahead: Int64, since: UInt64)?
        /// When it was last read, by the steady clock.
        var read: UInt64 = 0
    }

    /// Milliseconds without a reading after which nothing seems to depend on the time of day.
    private static let forgotten = UInt64(2 * Timekeeper.longestWait)

    private let sources: Sources
    private let logger: Logger
    private let state = Mutex(State())

    init(_ sources: Sources, logger: Logger) {
        self.sources = sources
        self.logger = logger
    }

    /// The time of day as far as it is believed. Blocks.
    func now() throws -> Moment {
        let (wall, steady) = (try sources.wall(), sources.steady())
        return state.withLock { state in
            let reading = state.clock.read(wall: wall, steady: steady, catalogue: state.catalogue)
            note(reading, at: steady, &state)
            state.read = steady
            return reading.moment
        }
    }

    /// - Parameter moment: the time that the catalogue has reached; `nil` before its first.
    func reached(_ moment: Moment?) { state.withLock { $0.catalogue = moment } }

    /// Why the time of day isn't believed, and since when; `nil` if it is, or if nothing depends on it.
    var trouble: ClockTrouble? {
        let steady = sources.steady()
        return state.withLock { state in
            guard let trouble = state.trouble, steady - min(steady, state.read) <= Self.forgotten else { return nil }
            return ClockTrouble(
                reason: trouble.reason, aheadMilliseconds: trouble.ahead,
                ageMilliseconds: steady - min(steady, trouble.since))
        }
    }

    /// Logs once that the time of day isn't believed, and once that it is again.
    private func note(_ reading: BelievedClock.Reading, at steady: UInt64, _ state: inout State) {
        guard let (reason, ahead) = reading.trouble else {
            if state.trouble != nil { logger.notice("the clock is believed again") }
            return state.trouble = nil
        }
        if state.trouble == nil { logger.error("\(reason)") }
        state.trouble = (reason, ahead, state.trouble?.since ?? steady)
    }
}

extension BelievedClock.Reading {
    /// One sentence for operators, and how many milliseconds the time of day is ahead; `nil` if it is believed.
    fileprivate var trouble: (reason: String, ahead: Int64)? {
        switch self {
        case .believed: nil
        case .leapt(let moment, let ahead):
            (
                """
                the clock has leapt \(ahead < 0 ? "back" : "ahead") by \(ahead.magnitude / 1_000) s and isn't followed, \
                as the screens' time never goes back: it goes on from \(moment.text). Set the clock; if it is right, \
                restart the server
                """, ahead
            )
        case .behind(let moment, let behind):
            (
                """
                the clock says \(moment.text), \(behind / 1_000) s before the screens' time, which never goes back: \
                nothing that depends on time happens until then. Set the clock, unless it was ahead before
                """, -behind
            )
        }
    }
}
