/// The pause before another attempt: drawn evenly from zero up to a bound that doubles ("full jitter", as AWS's
/// architecture blog describes it).
struct Backoff {
    let bounds: ClosedRange<Duration>
    private var attempts = 0

    init(bounds: ClosedRange<Duration>) { self.bounds = bounds }

    /// It has worked: begin with short pauses again.
    mutating func reset() { attempts = 0 }

    /// - Parameter fraction: drawn evenly from 0..<1.
    mutating func next(fraction: Double) -> Duration {
        let factor = Double(UInt64(1) << min(UInt64(attempts), 20))
        attempts = min(attempts + 1, 20)
        return min(bounds.upperBound, bounds.lowerBound * factor) * fraction
    }

    /// A pause that the other side has asked for. It is kept as it is the first time; when nothing has worked since,
    /// it grows like any other, so that whoever asks for no pause at all does not make a loop.
    mutating func next(atLeast asked: Duration, fraction: Double) -> Duration {
        guard attempts > 0 else {
            attempts = 1
            return asked
        }
        return max(asked, next(fraction: fraction))
    }
}
