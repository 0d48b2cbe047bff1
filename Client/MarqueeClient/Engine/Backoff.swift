/// The pause before another attempt: drawn evenly from zero up to a bound that doubles ("full jitter", as AWS's architecture blog describes it).
struct Backoff {
    let bounds: ClosedRange<Duration>
    private var attempts = 0

    init(bounds: ClosedRange<Duration>) { self.bounds = bounds }

    /// The connection has worked: begin with short pauses again.
    mutating func reset() { attempts = 0 }

    /// - Parameter fraction: drawn evenly from 0..<1.
    mutating func next(fraction: Double) -> Duration {
        let factor = Double(UInt64(1) << min(UInt64(attempts), 20))
        attempts = min(attempts + 1, 20)
        return min(bounds.upperBound, bounds.lowerBound * factor) * fraction
    }
}
