/// The app's life. Where UIKit or Network.framework exist, the client follows it by itself; see
/// `ClientConfiguration.observesSystem`.
extension MarqueeClient {
    /// Lets go of everything that a suspended app must not hold, and waits until that is done: the connection, every
    /// timer, and the mirror's file with all its locks. A system that suspends an app while it holds a lock in a shared
    /// container ends it (iOS reports 0xdead10cc).
    ///
    /// Readers stay and keep what they were shown last; what they are shown next comes after `resume`. Every call until
    /// then throws `suspended`, and no change of a collection is taken. Suspending twice is harmless.
    public func suspend() async { await onLoopIfOpen { $0.suspend() } }

    /// Goes on after `suspend`, from what the mirror has now, and connects again if anything needs a connection.
    ///
    /// A client that isn't suspended probes its connection, which has 3 seconds to answer, and replaces it if it did
    /// not survive; a pause between attempts ends. So call this as well when the network has changed. Calling it often
    /// is harmless.
    ///
    /// - Throws: why the mirror can't be opened, such as `mirrorInUse` while another process has it. It is tried again
    ///   after the pause that `ConnectionState.waiting` names, until it succeeds or `suspend` is called. `closed` if
    ///   the client was closed.
    public func resume() async throws(ClientError) {
        try await onLoop(throwing: { engine throws(ClientError) in try engine.resume() })
    }

    /// The app enters the background. Does the same as `suspend`, without waiting.
    package func enteredBackground() { enqueue { $0.suspend() } }

    /// The same, and says when it is done, also if the mirror could not be opened.
    func enteredBackground(done: @escaping @Sendable () -> Void) {
        enqueue {
            $0.suspend()
            done()
        } otherwise: { _ in
            done()
        }
    }

    /// The app returns to the foreground. Does the same as `resume`, without waiting.
    package func enteredForeground() { enqueue { $0.enteredForeground() } }

    /// The device changes networks or regains one. Probes the connection as `resume` does; a suspended client stays so.
    package func networkChanged() { enqueue { $0.wake() } }
}
