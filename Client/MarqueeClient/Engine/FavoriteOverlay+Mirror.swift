import MarqueeMirror
import MarqueeModel

extension FavoriteOverlay {
    /// What is confirmed, with what waits in a mirror's outbox laid over it.
    init(confirmed: [String], waitingIn mirror: any MirrorEngine) throws(MirrorError) {
        var pending: [Pending] = []
        for entry in try mirror.outbox() {
            let placeholder = entry.on ? try mirror.bestBody(of: entry.subject) : nil
            pending.append(
                Pending(
                    subject: entry.subject, on: entry.on,
                    placeholder: placeholder.map {
                        Item(id: entry.subject, kind: $0.kind, subject: entry.subject, body: $0.body)
                    }))
        }
        self.init(confirmed: confirmed, pending: pending)
    }
}
