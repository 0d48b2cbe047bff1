import MarqueeMirror
import MarqueeModel

extension FavoriteOverlay {
    /// What is confirmed, with what waits in a mirror's outbox laid over it, and what was refused.
    init(confirmed: [String], waitingIn mirror: any MirrorEngine) throws(MirrorError) {
        self.init(confirmed: confirmed, pending: try FavoriteOverlay.pending(in: mirror))
        remember(rejected: try mirror.rejections().map { ($0.subject, $0.reason) })
    }

    /// What waits in a mirror's outbox.
    static func pending(in mirror: any MirrorEngine) throws(MirrorError) -> [Pending] {
        var pending: [Pending] = []
        for entry in try mirror.outbox() { pending.append(try Pending(entry, in: mirror)) }
        return pending
    }
}

extension FavoriteOverlay.Pending {
    /// A row of the outbox, with the best that the mirror has to show of its subject.
    init(_ entry: OutboxEntry, in mirror: any MirrorEngine) throws(MirrorError) {
        let best = entry.on ? try mirror.bestBody(of: entry.subject) : nil
        self.init(
            number: entry.number, subject: entry.subject, on: entry.on, isFrozen: entry.state != .pending,
            placeholder: best.map { Item(id: entry.subject, kind: $0.kind, subject: entry.subject, body: $0.body) })
    }
}
