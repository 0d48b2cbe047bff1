public import MarqueeModel

/// The state of the client's connection, or of its attempts to make one.
public enum ConnectionState: Hashable, Sendable {
    /// Nothing is shown, requested or waiting to be sent, or the client is suspended.
    case idle
    case connecting
    case connected(ServerInfo)
    /// The next attempt begins after the pause.
    case waiting(ClientError, pause: Duration)
    /// The server said that retrying is pointless.
    case failed(ClientError)
    case closed
}

/// A server's description of itself.
public struct ServerInfo: Hashable, Sendable {
    /// The name of the data that the server serves. A mirror belongs to one cluster.
    package var cluster: String
    /// The name of this server among those with the same data.
    package var node: String
    /// The user that the server has authenticated this client as.
    public var user: String?
    /// Program and version of the server.
    package var agent: String
    /// The languages the server offers, the fallback first.
    package var locales: [String]
    /// The prefix of image URLs; the image's name is appended.
    public var imageBaseURL: String?

    /// Creates a description, for tests and previews.
    package init(
        cluster: String, node: String, user: String?, agent: String, locales: [String], imageBaseURL: String?
    ) {
        self.cluster = cluster
        self.node = node
        self.user = user
        self.agent = agent
        self.locales = locales
        self.imageBaseURL = imageBaseURL
    }
}

/// Something that happened to the client as a whole.
public enum ClientEvent: Sendable {
    case state(ConnectionState)
    /// Everything up to this position was delivered.
    case progress(Cut)
    /// A change of a collection was refused by the server and rolled back.
    case changeRejected(CollectionName, Subject, ClientError)
    /// The server postponed a change of a collection for the given reason; it stays stored and is sent again. Reported
    /// once for each reason.
    case changesHeldUp(pending: Int, ClientError)
    /// After the mirror's file was damaged, this many changes of collections waiting to be sent were lost: they could
    /// no longer be read, or must not be sent.
    case changesLost(Int)
    /// The server doesn't accept the app's token. The client requests another before its next attempt; if the app has
    /// none, the person has to sign in again.
    case tokenRefused(ClientError)
    /// The server does not know a requested sort or section; the screen stays as it is.
    case optionsRefused(ScreenID, ClientError)
    /// The mirror's file was damaged: it was set aside, and everything readable was moved to a new one. The damage may
    /// have been found when the mirror was opened, or later, by a check in the background.
    case mirrorRecovered(setAside: String, rescuedChanges: Int)
    /// Stored bytes have changed since they were stored; they are not shown, and will be repaired.
    case mirrorDamaged([MirrorDamage])
    /// The mirror can't store what arrives. Until it can, screens are shown from memory; see `ScreenStatus.isStored`.
    /// Reported once for each reason.
    case mirrorProblem(ClientError)
}
