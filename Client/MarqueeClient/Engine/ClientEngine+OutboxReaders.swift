import Foundation
import MarqueeMirror

/// Readers of the outbox's status.
extension ClientEngine {
    func observeOutbox(_ mailbox: Mailbox<OutboxStatus>) {
        guard !isStopped else { return mailbox.finish(ClientError.closed) }
        guard configuration.user != nil else { return mailbox.finish(MarqueeClient.notSignedIn) }
        do throws(MirrorError) {
            let status = try outboxStatus()
            outboxReaders[ObjectIdentifier(mailbox)] = OutboxReader(mailbox: mailbox, last: status)
            mailbox.put(status)
        } catch {
            mailbox.finish(ClientError(mirror: error))
        }
    }

    func unobserveOutbox(_ mailbox: Mailbox<OutboxStatus>) { outboxReaders[ObjectIdentifier(mailbox)] = nil }

    func outboxStatus() throws(MirrorError) -> OutboxStatus {
        OutboxStatus(
            pending: overlay.pendingCount,
            pendingSince: try mirror.firstWaiting().map { Date(timeIntervalSince1970: $0.createdAt) },
            lastError: outboxError, rejected: try mirror.rejections().map(RejectedChange.init))
    }

    struct OutboxReader {
        var mailbox: Mailbox<OutboxStatus>
        /// The last status given to the reader.
        var last: OutboxStatus
    }

    /// Gives the readers the status of sending, if it has changed.
    func showOutbox() {
        // A suspended client has no open mirror; resuming calls this again.
        if outboxReaders.isEmpty || isSuspended { return }
        do throws(MirrorError) {
            let status = try outboxStatus()
            for (key, reader) in outboxReaders where reader.last != status {
                outboxReaders[key]?.last = status
                reader.mailbox.put(status)
            }
        } catch {
            // Readers keep their last status.
            mirrorFailed(error)
        }
    }

    /// Ends all readers of the status.
    func finishOutboxReaders(_ error: ClientError?) {
        for reader in outboxReaders.values { reader.mailbox.finish(error) }
        outboxReaders.removeAll()
    }
}
