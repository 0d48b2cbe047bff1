import MarqueeModel

/// The time of day, as far as it is believed. The catalogue's time never goes back, so following a clock that leaps
/// ahead while the server runs would move all screens ahead permanently; one that leaps back would hold them for as
/// long. A leap either way isn't followed: time goes on by a steady clock until the time of day agrees with it again.
struct BelievedClock: Sendable {
    /// The most milliseconds by which the time of day may differ from the time that a steady clock has measured.
    static let tolerance: Int64 = 3_600_000

    enum Reading: Equatable {
        case believed(Moment)
        /// The time by the steady clock, and how many milliseconds the time of day is ahead of it; negative if behind.
        case leapt(Moment, by: Int64)
        /// The time of day, and how many milliseconds it is behind the catalogue's time: nothing passes until then.
        case behind(Moment, by: Int64)

        var moment: Moment {
            switch self {
            case .believed(let moment), .leapt(let moment, _), .behind(let moment, _): moment
            }
        }
    }

    private var last: (wall: Moment, steady: UInt64)?

    /// - Parameters:
    ///   - wall: the time of day. The first one is believed: after a restart nothing tells how much time has passed.
    ///   - steady: milliseconds of a clock that nobody can set.
    ///   - catalogue: the time that the catalogue has reached.
    mutating func read(wall: Moment, steady: UInt64, catalogue: Moment? = nil) -> Reading {
        var base = wall
        if let last {
            let passed = steady > last.steady ? steady - last.steady : 0
            let expected = last.wall.advanced(by: Int64(clamping: passed))
            let ahead = wall.milliseconds - expected.milliseconds
            if abs(ahead) > Self.tolerance { return .leapt(expected, by: ahead) }
            // A clock that was set back and then corrected hasn't leapt.
            base = max(wall, expected)
        }
        last = (base, steady)
        let behind = (catalogue ?? wall).milliseconds - wall.milliseconds
        return behind > Self.tolerance ? .behind(wall, by: behind) : .believed(wall)
    }
}
