import MarqueeMirror
import MarqueeModel
import MarqueeWire

/// The mirror's user: claiming the mirror, signing out and erasing it.
extension ClientEngine {
    /// Assigns an ownerless mirror to this client's user.
    /// - Throws: `belongsToOtherUser` when it is another's.
    func claimMirror() throws(MirrorError) {
        guard let known = mirror.identity.cluster, mirror.identity.user != configuration.user else { return }
        if !mirror.isCompanion, mirror.identity.user == nil, let user = configuration.user {
            return try mirror.adopt(user: user, newClientID: environment.newClientID())
        }
        let owner = mirror.identity.user.map { "user '\($0)'" } ?? "no user"
        throw MirrorError(
            .belongsToOtherUser, "the mirror belongs to \(owner) on cluster \(known); use another mirror for this user")
    }

    /// Ends everything, and deletes what belongs to the user. Views that look the same to everybody stay.
    func signOut() throws(ClientError) {
        try checkOwner()
        let failure = stop { mirror throws(MirrorError) in
            try mirror.forgetUser(keeping: try shared(in: mirror), newClientID: environment.newClientID())
        }
        if let failure { throw ClientError(mirror: failure) }
    }

    /// Ends everything, and deletes the mirror.
    func erase() throws(ClientError) {
        try checkOwner()
        let failure = stop { mirror throws(MirrorError) in try mirror.erase() }
        if let failure { throw ClientError(mirror: failure) }
    }

    private func checkOwner() throws(ClientError) {
        if let refusal { throw refusal }
        if mirror.isCompanion { throw Self.onlyForOwner }
    }

    /// The views in which nothing depends on the user: no section lists one of their collections. None for a client
    /// with tokens, whose claims may have decided about sections and texts: no view says so.
    private func shared(in mirror: any MirrorEngine) throws(MirrorError) -> [ViewID] {
        guard tokens == nil else { return [] }
        var shared: [ViewID] = []
        for id in try mirror.views().map(\.id) where id.screen != ScreenID.collectionSet.name {
            guard let view = try mirror.view(id), view.damaged.isEmpty else { continue }
            let heads = view.sections.values.map { BodyCodec.decodeSectionHead($0.head) }
            guard heads.allSatisfy({ $0.map { $0.listed == nil && $0.kind != .collectionSet } ?? false }) else {
                continue
            }
            shared.append(id)
        }
        return shared
    }
}
