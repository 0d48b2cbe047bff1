/// Where a screen comes from.
public enum ScreenSource: Hashable, Sendable {
    /// The mirror's copy at once, and then the server's states; for a screen fetched once, the server only if the
    /// mirror has nothing.
    case mirrorFirst
    /// The server alone. A sequence waits while there is no connection.
    case server
    /// The mirror alone: nothing is asked of the server. A sequence also delivers what other readers of the screen
    /// bring.
    case mirror
}
