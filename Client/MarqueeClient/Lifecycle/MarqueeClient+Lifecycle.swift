/// The app's life. Where UIKit or Network.framework exist, the client calls what follows by itself; see
/// `ClientConfiguration.observesSystem`.
extension MarqueeClient {
    /// Lets go of everything that a suspended app must not hold, and waits until that is done: the connection, every
    /// timer, and the mirror's file with all its locks. A system that suspends an app while it holds a lock in a shared
    /// container ends it (iOS reports 0xdead10cc).
    ///
    /// Readers stay and keep what they were shown last; what they are shown next comes after `resume`. Every call until
    /// then throws `suspended`, and no change of a collection is taken. Suspending twice is harmless.
    public func suspend() async { await onLoop(otherwise: ()) { $0.suspend() } }

    /// Goes on after `suspend`, from what the mirror has now, and connects again if anything needs a connection.
    ///
    /// - Throws: why the mirror can't be opened, such as `mirrorInUse` while another process has it. It is tried again
    ///   after the pause that `ConnectionState.waiting` names, until it succeeds or `suspend` is called. `closed` if
    ///   the client was closed. Without a suspension it does nothing.
    public func resume() async throws(ClientError) {
        try await onLoop(throwing: { engine throws(ClientError) in try engine.resume() })
    }

    /// Call this when the app enters the background. Does the same as `suspend`, without waiting.
    public func enteredBackground() { enqueue { $0.suspend() } }

    /// The same, and says when it is done, also if the mirror could not be opened.
    func enteredBackground(done: @escaping @Sendable () -> Void) {
        enqueue {
            $0.suspend()
            done()
        } otherwise: { _ in
            done()
        }
    }

    /// Call this when the app returns to the foreground. Resumes a suspended client. Otherwise it probes the
    /// connection, which has 3 seconds to answer, and replaces it if it did not survive. A pause between attempts ends.
    /// Calling it often is harmless.
    public func enteredForeground() { enqueue { $0.enteredForeground() } }

    /// Call this when the device changes networks or regains one. It probes the connection as `enteredForeground` does;
    /// a suspended client stays so.
    public func networkChanged() { enqueue { $0.wake() } }
}
