/// The network between a scripted server and its clients.
public enum ScriptedNetwork: Hashable, Sendable {
    /// Everything arrives at once.
    case online
    /// Connections break, and no new one can be opened.
    case offline
    /// Everything that the server sends arrives that much later.
    case slow(Duration)
    /// Connections stay open, nothing arrives on them, and new ones never open. When that is over, they turn out to be
    /// broken.
    case silent
}
