/// The app's lifecycle. Where UIKit or Network.framework exist, the client observes it; see
/// `ClientConfiguration.observesAppLifecycle`.
extension MarqueeClient {
    /// Releases everything that a suspended app must not hold, and waits until that is done: the connection, every
    /// timer, and the mirror's file with all its locks. iOS terminates an app that is suspended while it holds a lock
    /// in a shared container, and reports 0xdead10cc.
    ///
    /// Readers stay and keep their last state; the next one arrives after `resume`. Until then, every call throws
    /// `suspended`, and changes of collections are not accepted. Suspending twice is harmless.
    public func suspend() async { await onLoopIfOpen { $0.suspend() } }

    /// Continues after `suspend` from the mirror's current content, and connects again if anything needs a connection.
    ///
    /// A client that isn't suspended probes its connection, and replaces it unless it answers within 3 seconds; a pause
    /// between attempts ends. So call this after a change of network, too. Calling it often is harmless.
    ///
    /// - Throws: why the mirror can't be opened, such as `mirrorInUse` while another process has it. It is tried again
    ///   after the pause given in `ConnectionState.waiting`, until it succeeds or `suspend` is called. `closed` if the
    ///   client was closed.
    public func resume() async throws(ClientError) {
        try await onLoop(throwing: { engine throws(ClientError) in try engine.resume() })
    }

    /// Call when the app enters the background. Does the same as `suspend`, without waiting.
    package func enteredBackground() { enqueue { $0.suspend() } }

    /// Does the same, and calls back when it is done, even if the mirror could not be opened.
    func enteredBackground(done: @escaping @Sendable () -> Void) {
        enqueue {
            $0.suspend()
            done()
        } otherwise: { _ in
            done()
        }
    }

    /// Call when the app returns to the foreground. Does the same as `resume`, without waiting.
    package func enteredForeground() { enqueue { $0.enteredForeground() } }

    /// Call when the device changes networks or regains one. Probes the connection as `resume` does; a suspended client
    /// stays suspended.
    package func networkChanged() { enqueue { $0.wake() } }
}
