import MarqueeScreens
import MarqueeWire

// Publications from the hub, and the changes in them that this session shows.

extension SessionCore {
    /// Handles a publication: the hub has a new position.
    package mutating func published(_ publication: Publication) -> [Action] {
        if case .catchingUp(let hello, let user, var node) = phase {
            node.catalogueRevision = max(node.catalogueRevision, publication.catalogueRevision)
            if let user, let revision = publication.users[user] {
                node.userRevision = max(node.userRevision, revision)
            }
            phase = .catchingUp(hello, user: user, node: node)
            return hello.seen.map { node.isBehind($0) } == true ? [] : locateAgain(hello)
        }
        if case .authenticating(let hello, var heard) = phase {
            heard.catalogueRevision = max(heard.catalogueRevision, publication.catalogueRevision)
            if let revision = heard.user.flatMap({ publication.users[$0] }) {
                heard.userRevision = max(heard.userRevision, revision)
            }
            phase = .authenticating(hello, heard: heard)
        }
        guard case .live = phase else { return [] }
        let ended = endVariants(publication.ended)
        newest.catalogueRevision = max(newest.catalogueRevision, publication.catalogueRevision)
        if let revision = identity.user.flatMap({ publication.users[$0] }) {
            newest.userRevision = max(newest.userRevision, revision)
        }
        tellGuests(publication)
        for (handle, owner, current) in variants.shown(of: publication.changes) {
            if subscriptions[owner]?.renew(handle, current) == true { manifests.forget(handle) }
            // A section that was too small for a manifest may be worth one now; nothing else would request it.
            if subscriptions[owner]?.needsJoin == true { manifests.mayAsk = true }
            if subscriptions[owner]?.isLive == true { variants.changed(handle) }
        }
        let actions = ended + replan(publication.replans, gone: publication.gone)
        settle()
        return actions
    }

    /// Tells a relay which of its variants are not kept current any more. Without that, it would move on to the next
    /// position and still show their old versions there.
    private mutating func endVariants(_ handles: Set<UInt64>) -> [Action] {
        guard guests != nil else { return [] }
        let subscriptions = handles.compactMap { variants.owner(of: $0) }
            .filter { self.subscriptions[$0]?.request.handle != nil }
        return subscriptions.sorted().flatMap { end($0, .unknownVariant) }
    }
}
