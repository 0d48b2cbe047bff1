package import NIOCore

/// How long to wait for each answer of another thread.
package struct AnswerBound: Sendable {
    /// Keeps the time.
    package var loop: any EventLoop
    package var limit: TimeAmount

    package init(loop: any EventLoop, limit: TimeAmount) {
        self.loop = loop
        self.limit = limit
    }

    /// A thread didn't answer in time.
    package struct Passed: Error {}
}
