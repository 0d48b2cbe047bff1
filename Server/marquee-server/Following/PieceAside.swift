import Foundation
import MarqueeImport
import MarqueePublisher
import Synchronization

/// A piece of a publication on its way to the server, while its source reads on. Nothing else may be asked of the
/// publisher until the outcome is known.
final class PieceAside: Sendable {
    private static let lookMilliseconds = 100

    private let result = Mutex<Result<SourcePublisher.Outcome, PublisherError>?>(nil)
    private let end = DispatchSemaphore(value: 0)

    init(_ entries: [FollowedChanges.Entry], movingTo position: FollowedPosition, by publisher: SourcePublisher) {
        // Left alone by the source's own thread until the end.
        nonisolated(unsafe) let publisher = publisher
        Thread.detachNewThread { [self] in
            let outcome = Result { () throws(PublisherError) in
                try publisher.publish(entries, movingTo: position)
            }
            result.withLock { $0 = outcome }
            end.signal()
        }
    }

    /// Waits for the outcome.
    /// - Parameter wait: called many times a second.
    func outcome(_ wait: () -> Void) throws(PublisherError) -> SourcePublisher.Outcome {
        while end.wait(timeout: .now() + .milliseconds(Self.lookMilliseconds)) == .timedOut { wait() }
        end.signal()
        guard let result = result.withLock({ $0 }) else { throw PublisherError(.failed, "no outcome") }
        return try result.get()
    }
}
