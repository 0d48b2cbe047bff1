import MarqueeMirror
import MarqueeModel

/// Content that the mirror could not store, and that is kept in memory only.
struct UnstoredContent {
    /// The most views kept that nobody watches.
    static let maximumViews = 64

    /// The position of what could not be stored, in watched views and others; `nil` if everything is stored.
    var cut: Cut?
    /// Views that nobody watches, with their newest content only in memory; the most recently left one is last. Within
    /// a run, no view goes back to older content (G1).
    var views: [(id: ViewID, view: ClientEngine.Watched)] = []
    /// The owner that the mirror could not store.
    var owner: (cluster: String, user: String?)?

    /// Keeps a view that is no longer watched.
    mutating func keep(_ id: ViewID, _ view: ClientEngine.Watched) {
        views.append((id, view))
        if views.count > Self.maximumViews { views.removeFirst() }
    }

    /// - Returns: a view that is watched again; `nil` if the mirror has it.
    mutating func take(_ id: ViewID) -> ClientEngine.Watched? {
        views.firstIndex { $0.id == id }.map { views.remove(at: $0).view }
    }
}
