import Foundation
import MarqueeWire

/// The sessions in which a source is followed, one after another. A failure that may pass is followed by a pause, which
/// grows with each.
struct FollowSessions {
    private static let pauses = Duration.milliseconds(250)...Duration.seconds(10)
    /// Between two attempts to become the one that follows.
    private static let standby = Duration.seconds(1)
    /// Seconds between two looks around.
    static let poll = 0.02

    /// Polled while waiting.
    let shouldContinue: () -> Bool

    /// Runs sessions until one has done everything, or no more are wanted.
    /// - Parameters:
    ///   - session: returns whether everything is done.
    ///   - failed: called with the error of a session while more are wanted; throws the errors that don't pass.
    /// - Returns: whether everything is done.
    @discardableResult
    func run(_ session: () throws -> Bool, failed: (any Error) throws -> Void) throws -> Bool {
        var backoff = Backoff(bounds: Self.pauses)
        while shouldContinue() {
            let began = ContinuousClock.now
            do {
                if try session() { return true }
            } catch {
                guard shouldContinue() else { return false }
                try failed(error)
                backoff.ended(after: began.duration(to: .now))
                rest(backoff.next(fraction: .random(in: 0.5..<1)))
            }
        }
        return false
    }

    /// Waits until this process is the one that follows, or is no longer wanted.
    /// - Parameters:
    ///   - take: whether it is that now.
    ///   - waits: called once if it isn't.
    func waitForTurn(_ take: () throws -> Bool, waits: () -> Void) throws {
        var isWaiting = false
        while shouldContinue(), try !take() {
            if !isWaiting { waits() }
            isWaiting = true
            rest(Self.standby)
        }
    }

    func rest(_ duration: Duration) {
        let end = ContinuousClock.now + duration
        while shouldContinue(), ContinuousClock.now < end { Thread.sleep(forTimeInterval: Self.poll) }
    }
}
