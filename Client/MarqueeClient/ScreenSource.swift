/// The source of a screen.
public enum ScreenSource: Hashable, Sendable {
    /// The mirror's copy immediately, and then the server's states; for a screen fetched once, the server only if the
    /// mirror has nothing.
    case mirrorFirst
    /// The server alone. A sequence waits while there is no connection.
    case server
    /// The mirror alone: nothing is requested from the server. A sequence also delivers updates that arrive for other
    /// readers of the screen.
    case mirror
}
