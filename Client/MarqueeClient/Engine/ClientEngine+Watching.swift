package import MarqueeMirror
import MarqueeModel

/// Which screens are watched, by whom, and with which options.
extension ClientEngine {
    var collectionSet: ViewID { ViewID(screen: ScreenID.collectionSet.name, locale: configuration.locale) }

    func watchCollections() {
        var view = Watched(asked: [])
        let stored = load(collectionSet, into: &view)
        watched[collectionSet] = view
        _ = core.want(collectionSet, parameters: [], stored: stored, cut: view.cut)
        loadOutbox()
        renewConfirmed()
        _ = overlay.takeChanges()
    }

    /// Fills a view with its content in the mirror, recomputing every sum.
    /// - Returns: the content that the sync machine may resume from.
    private func load(_ id: ViewID, into view: inout Watched) -> SyncCore.ViewContent? {
        do throws(MirrorError) {
            guard let stored = try mirror.content(of: id) else { return nil }
            if let shown = stored.shown {
                view.show(SyncCore.ViewContent(list: shown.list, sections: shown.sections))
                view.cut = shown.cut
                view.asOf = shown.savedAt
                view.damaged = shown.damaged
                view.remembered = shown.parameters.map {
                    SectionOptions($0.section, sort: $0.sort, window: $0.window)
                }
            }
            let damaged = stored.shown?.damaged ?? [""]
            if !damaged.isEmpty { found(damaged.map { ($0, "its bytes are not what was stored") }, in: id) }
            return SyncCore.ViewContent(stored)
        } catch {
            mirrorFailed(error)
            return nil
        }
    }

    /// Reads a watched view from the mirror again.
    func reload(_ id: ViewID) -> SyncCore.ViewContent? {
        guard var view = watched[id] else { return nil }
        view.show(nil)
        view.unstored = nil
        let stored = load(id, into: &view)
        watched[id] = view
        return stored
    }

    package func observe(_ id: ViewID, options: [SectionOptions], _ observer: any ScreenObserver) {
        guard !isStopped else { return observer.finish(ClientError.closed) }
        if let error = Self.refusal(of: id.screen, options) { return observer.finish(error) }
        if watched[id] == nil {
            var view = Watched(asked: options)
            let stored = unpark(id, into: &view) ?? load(id, into: &view)
            watched[id] = view
            run(core.want(id, parameters: view.parameters, stored: stored, cut: view.cut))
        } else if !options.isEmpty {
            setOptions(options, on: id)
        }
        watched[id]?.observers[ObjectIdentifier(observer)] = observer
        if let state = state(of: id) { observer.put(state) }
        connectIfNeeded()
    }

    package func unobserve(_ id: ViewID, _ observer: any ScreenObserver) {
        watched[id]?.observers[ObjectIdentifier(observer)] = nil
        guard let view = watched[id], view.observers.isEmpty, id != collectionSet else { return }
        watched[id] = nil
        run(core.unwant(id))
        if view.unstored != nil { park(id, view) }
        // There may be room for another subscription now.
        if watched[collectionSet]?.error?.status?.reason == "TOO_MANY_SUBSCRIPTIONS" { wantCollectionSetAgain() }
    }

    /// Catches what the server would close the connection for, before it costs the other screens theirs.
    static func refusal(of screen: String, _ options: [SectionOptions]) -> ClientError? {
        guard (1...ScreenID.maximumLength).contains(screen.utf8.count) else {
            return ClientError(.limit, "a screen's name has 1 to \(ScreenID.maximumLength) bytes")
        }
        guard options.count <= maximumOptions,
            options.allSatisfy({ (1...256).contains($0.section.utf8.count) && ($0.sort?.utf8.count ?? 0) <= 256 })
        else {
            return ClientError(.limit, "a screen has at most \(maximumOptions) options, with names of 1 to 256 bytes")
        }
        guard options.allSatisfy({ $0.window.map { (1...Int(UInt32.max)).contains($0) } ?? true }) else {
            return ClientError(.limit, "a window shows at least one item")
        }
        return nil
    }

    package func setOptions(_ options: [SectionOptions], on id: ViewID) {
        guard var view = watched[id] else { return }
        if let error = Self.refusal(of: id.screen, options) {
            return hub.send(.optionsRefused(ScreenID(id.screen), error))
        }
        for option in options {
            if let index = view.asked.firstIndex(where: { $0.section == option.section }) {
                if let sort = option.sort { view.asked[index].sort = sort }
                if let window = option.window { view.asked[index].window = window }
            } else {
                var whole = option
                let known = view.remembered.first { $0.section == option.section }
                whole.sort = option.sort ?? known?.sort
                whole.window = option.window ?? known?.window
                view.asked.append(whole)
            }
        }
        watched[id] = view
        run(core.setParameters(view.parameters, of: id))
    }

    func state(of id: ViewID) -> ScreenState? {
        guard let view = watched[id], let content = view.content else { return nil }
        return ScreenState(
            id: id, content: content, cut: view.cut, asOf: view.asOf, origin: core.isLive(id) ? .live : .store,
            collections: overlay, damaged: view.damaged, isStored: view.unstored == nil, lastError: error(of: id),
            sectionErrors: view.sectionErrors)
    }

    func notify(_ ids: some Sequence<ViewID>) {
        for id in ids.sorted() {
            guard let view = watched[id], !view.observers.isEmpty, let state = state(of: id) else { continue }
            watched[id]?.lastStatus = state.status
            for observer in view.observers.values { observer.put(state) }
        }
    }

    /// The options requested for a screen's sections now, apart from the remembered ones.
    package func options(of id: ViewID) -> [SectionOptions] { watched[id]?.asked ?? [] }

    /// Whether the mirror has everything that is shown.
    package var isStored: Bool { unstoredCut == nil }

    /// Whether the server has answered the latest request for a screen's options.
    package func isAnswered(_ id: ViewID) -> Bool { core.isAnswered(id) }
}
