public import MarqueeModel

/// What the client is doing about its connection.
public enum ConnectionState: Hashable, Sendable {
    /// Nothing is subscribed or asked yet.
    case idle
    case connecting
    case connected(ServerInfo)
    /// The next attempt begins after the pause.
    case waiting(reason: String, pause: Duration)
    /// The server said that trying again makes no sense.
    case failed(ClientError)
    case closed
}

/// What the server said of itself.
public struct ServerInfo: Hashable, Sendable {
    public var cluster: String
    public var node: String
    public var user: String?
    public var agent: String
    public var locales: [String]
    /// To be put before image names.
    public var imageBaseURL: String?

    public init(
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
    /// Everything up to the position was delivered.
    case progress(Cut)
    /// A favorite was refused by the server and is rolled back.
    case favoriteRejected(Subject, reason: String)
    /// The server puts off a favorite for that reason; it stays stored and is sent again. Told once for each reason.
    case favoritesHeldUp(pending: Int, ClientError)
    /// So many favorites that waited to be sent could not be read any more, or must not be sent, after the mirror's
    /// file was damaged.
    case favoritesLost(Int)
    /// The server does not know a sort or section that was asked for; the screen stays as it is.
    case optionsRefused(ScreenID, ClientError)
    /// The mirror's file was unreadable, was set aside, and a new one was begun.
    case mirrorRecovered(setAside: String, rescuedFavorites: Int)
    /// Stored bytes were not what had been stored; they are not shown, and are mended.
    case mirrorDamaged([MirrorDamage])
    /// The mirror can't store what arrives: it is shown from memory until there is room, see `ScreenStatus.isStored`.
    /// Told once for each reason.
    case mirrorProblem(ClientError)
}
