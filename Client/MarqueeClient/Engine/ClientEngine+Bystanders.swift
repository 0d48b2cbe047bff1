import MarqueeMirror
import MarqueeModel

/// Readers of the mirror alone, for which nothing is requested from the server.
extension ClientEngine {
    /// Shows a view's stored content, and later the updates that other readers of the view receive.
    func observeStored(_ id: ViewID, _ observer: any ScreenObserver) {
        guard !isStopped else { return observer.finish(ClientError.closed) }
        if let error = Self.refusal(of: id.screen, []) { return observer.finish(error) }
        if mirror.isCompanion { return observe(id, options: [], observer) }
        bystanders[id, default: [:]][ObjectIdentifier(observer)] = observer
        if let state = storedState(of: id) { observer.put(state) }
    }

    func ignore(_ observer: any ScreenObserver, of id: ViewID) {
        bystanders[id]?[ObjectIdentifier(observer)] = nil
        if bystanders[id]?.isEmpty == true { bystanders[id] = nil }
    }

    /// A view as shown, or as stored in the mirror if nobody reads it; `nil` if there is none.
    func storedState(of id: ViewID) -> ScreenState? {
        if let state = state(of: id) { return state }
        if let view = unstored.views.first(where: { $0.id == id })?.view { return state(of: id, as: view) }
        var view = Watched(asked: [])
        _ = load(id, into: &view)
        return state(of: id, as: view)
    }
}
