package import NIOCore

/// How long to wait for another thread's answer.
package struct AnswerBound: Sendable {
    /// Measures the time.
    package var loop: any EventLoop
    package var limit: TimeAmount

    package init(loop: any EventLoop, limit: TimeAmount) {
        self.loop = loop
        self.limit = limit
    }

    /// Thrown when a thread didn't answer in time.
    package struct Passed: Error {}
}
