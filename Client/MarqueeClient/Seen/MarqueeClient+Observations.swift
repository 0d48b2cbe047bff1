package import Foundation
package import MarqueeModel

extension MarqueeClient {
    /// Records what was seen or tapped in one section of a screen. It is stored and reported as far as the server asks
    /// for it, and otherwise discarded. Returns immediately.
    package func observed(_ observations: [ItemEvent], in section: String, of screen: ScreenID, _ head: SectionHead) {
        guard let counting = head.counting, !observations.isEmpty else { return }
        enqueue { $0.observed(observations, in: section, of: screen, counting) }
    }

    /// Waits until a server has confirmed all observations, or they were dropped.
    /// - Parameter timeout: how long to wait. They stay stored and are sent later.
    /// - Returns: `false` if some are still unconfirmed.
    /// - Throws: why the mirror can't be read.
    package func observationsReported(within timeout: Duration) async throws(ClientError) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: timeout)
        while try await onLoop(throwing: { engine throws(ClientError) in try engine.flushObservations() }) {
            guard clock.now < end, (try? await Task.sleep(for: .milliseconds(50))) != nil else { return false }
        }
        return true
    }
}

extension ItemEvent {
    /// Creates an observation of an item that was seen.
    /// - Parameters:
    ///   - now: the time of the clock by which the impression was measured, in milliseconds.
    ///   - wall: the same moment in wall-clock time.
    package init(_ impression: ItemsInView.Impression, now: UInt64, wall: Date) {
        let shown = impression.shown
        self.init(
            .seen, item: impression.key.item, place: shown.place,
            at: Self.milliseconds(wall, earlierBy: now - min(impression.since, now)), duration: impression.duration,
            revision: shown.revision)
    }

    /// The time of an observation, in milliseconds since 1970, limited to the range that may be reported.
    package static func milliseconds(_ wall: Date, earlierBy age: UInt64 = 0) -> UInt64 {
        let time = UInt64(max(0, min(wall.timeIntervalSince1970 * 1_000, Double(latest))))
        return time - min(age, time)
    }
}
