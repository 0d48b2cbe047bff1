/// How long the runner waits for a peer. Each wait ends as soon as the frame arrives, so only a peer that has failed
/// reaches these limits.
package struct Deadlines: Hashable, Sendable {
    /// For the answer to a frame.
    package var answer: Duration = .seconds(30)
    /// For the first connection of a client that was just started.
    package var start: Duration = .seconds(60)
    /// For the next connection of a client whose connection has ended. A client's pauses grow up to 30 seconds.
    package var reconnect: Duration = .seconds(90)
    /// For an action that a peer takes after a time that it has stated: how long to wait beyond that time.
    package var timer: Duration = .seconds(30)

    package init() {}

    /// Scales all deadlines in proportion to the one for answers.
    package init(answer: Duration) {
        self.init()
        let factor = answer / self.answer
        self.answer = answer
        start = start * factor
        reconnect = reconnect * factor
        timer = timer * factor
    }
}
