/// A moment in the future.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(seconds: Int) { end = .now + .seconds(seconds) }
    init(milliseconds: Int32) { end = .now + .milliseconds(Int(milliseconds)) }

    /// The time left, for `poll`; 0 once the deadline has passed.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = (end - .now).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
