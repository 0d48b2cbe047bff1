/// The place where a mirror is stored.
package enum MirrorLocation: Hashable, Sendable {
    /// In memory only; lost with the `Mirror`.
    case memory
    /// The path of the `.sqlite` file. Its folder is created.
    case file(String)
}

/// The owner of a mirror. A mirror and its client id belong to one cluster and user.
package struct MirrorIdentity: Hashable, Sendable {
    /// The cluster; `nil` until `Mirror.bind` is called.
    package var cluster: String?
    /// The user; `nil` if there is none.
    package var user: String?
    /// 16 random bytes, under which the server counts this client's mutations.
    package var clientID: [UInt8]

    package init(cluster: String?, user: String?, clientID: [UInt8]) {
        self.cluster = cluster
        self.user = user
        self.clientID = clientID
    }
}

/// The outcome of recovering a damaged file.
package struct MirrorRecovery: Hashable, Sendable {
    /// Where the damaged file is now.
    package var setAside: String
    /// A description of the damage, for people.
    package var reason: String
    /// Whether cluster, user and client id could be read and were kept; if not, the client id is new.
    package var keptIdentity: Bool
    /// Outbox mutations that could be read and were kept.
    package var rescuedMutations: Int
    /// Outbox mutations known to be lost.
    package var lostMutations: Int
    /// Views that could be read at least in part and were kept.
    package var rescuedViews: Int

    package init(
        setAside: String, reason: String, keptIdentity: Bool, rescuedMutations: Int, lostMutations: Int = 0,
        rescuedViews: Int = 0
    ) {
        self.setAside = setAside
        self.reason = reason
        self.keptIdentity = keptIdentity
        self.rescuedMutations = rescuedMutations
        self.lostMutations = lostMutations
        self.rescuedViews = rescuedViews
    }
}
