/// The network between a scripted server and its clients.
public enum ScriptedNetwork: Hashable, Sendable {
    /// Everything arrives immediately.
    case online
    /// Connections break, and no new one can be opened.
    case offline
    /// Everything that the server sends is delayed by this duration.
    case slow(Duration)
    /// Connections stay open, nothing arrives on them, and new ones never open. When the network changes, the
    /// connections turn out to be broken.
    case silent
}
