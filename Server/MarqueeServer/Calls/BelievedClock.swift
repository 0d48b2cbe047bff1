import MarqueeModel

/// The time of day, as far as it is believed: the catalogue's time never goes back, so a clock that leaps ahead while
/// the server runs would take all screens with it for good.
struct BelievedClock: Sendable {
    /// The most milliseconds by which the time of day may be ahead of what has passed since it was last believed.
    static let tolerance: Int64 = 3_600_000

    enum Reading: Equatable {
        case believed(Moment)
        /// The time that has passed since the clock was last believed, and how many milliseconds it is ahead of that.
        case leapt(Moment, ahead: Int64)

        var moment: Moment {
            switch self {
            case .believed(let moment), .leapt(let moment, _): moment
            }
        }
    }

    private var last: (wall: Moment, steady: UInt64)?

    /// - Parameters:
    ///   - wall: the time of day. The first is believed: after a stop nobody knows how much has passed.
    ///   - steady: milliseconds of a clock that nobody can set.
    mutating func read(wall: Moment, steady: UInt64) -> Reading {
        var base = wall
        if let last {
            let passed = steady > last.steady ? steady - last.steady : 0
            let expected = last.wall.advanced(by: Int64(clamping: passed))
            let ahead = wall.milliseconds - expected.milliseconds
            if ahead > Self.tolerance { return .leapt(expected, ahead: ahead) }
            // A clock that was set back and is right again hasn't leapt.
            base = max(wall, expected)
        }
        last = (base, steady)
        return .believed(wall)
    }
}
