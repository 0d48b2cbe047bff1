import MarqueeModel

/// The time of day, as far as it is believed. The catalogue's time never goes back, so following a clock that leaps
/// ahead while the server runs would move all screens ahead permanently.
struct BelievedClock: Sendable {
    /// The most milliseconds by which the time of day may be ahead of the time that a steady clock has measured.
    static let tolerance: Int64 = 3_600_000

    enum Reading: Equatable {
        case believed(Moment)
        /// The time by the steady clock, and how many milliseconds the time of day is ahead of it.
        case leapt(Moment, ahead: Int64)

        var moment: Moment {
            switch self {
            case .believed(let moment), .leapt(let moment, _): moment
            }
        }
    }

    private var last: (wall: Moment, steady: UInt64)?

    /// - Parameters:
    ///   - wall: the time of day. The first one is believed: after a restart nothing tells how much time has passed.
    ///   - steady: milliseconds of a clock that nobody can set.
    mutating func read(wall: Moment, steady: UInt64) -> Reading {
        var base = wall
        if let last {
            let passed = steady > last.steady ? steady - last.steady : 0
            let expected = last.wall.advanced(by: Int64(clamping: passed))
            let ahead = wall.milliseconds - expected.milliseconds
            if ahead > Self.tolerance { return .leapt(expected, ahead: ahead) }
            // A clock that was set back and then corrected hasn't leapt.
            base = max(wall, expected)
        }
        last = (base, steady)
        return .believed(wall)
    }
}
