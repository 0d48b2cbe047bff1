/// Where a mirror keeps its bytes.
package enum MirrorLocation: Hashable, Sendable {
    /// Gone with the `Mirror`.
    case memory
    /// The path of the `.sqlite` file. Its folder is created.
    case file(String)
}

/// Whose mirror it is. A mirror and its client id belong to one cluster and user.
package struct MirrorIdentity: Hashable, Sendable {
    /// `nil` until `Mirror.bind` was called.
    package var cluster: String?
    /// `nil` without a user.
    package var user: String?
    /// 16 random bytes, under which the server counts this client's mutations.
    package var clientID: [UInt8]

    package init(cluster: String?, user: String?, clientID: [UInt8]) {
        self.cluster = cluster
        self.user = user
        self.clientID = clientID
    }
}

/// What opening did about a file that was no readable database.
package struct MirrorRecovery: Hashable, Sendable {
    /// Where the unreadable file is now.
    package var setAside: String
    /// What was wrong with it, for people.
    package var reason: String
    /// Whether cluster, user and client id could be read and were kept; if not, the client id is new.
    package var keptIdentity: Bool
    /// Mutations of the outbox that could be read and were kept.
    package var rescuedMutations: Int
    /// Mutations that were found and are lost, as far as that can be told.
    package var lostMutations: Int
    /// Views of which something could be read and was kept.
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
