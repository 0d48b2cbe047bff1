package import MarqueeMirror
import MarqueeModel

/// The watched screens, with their readers and options.
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
    func load(_ id: ViewID, into view: inout Watched) -> SyncCore.ViewContent? {
        // Screens are read when the client resumes.
        if isSuspended { return nil }
        do throws(MirrorError) {
            guard let stored = try mirror.content(of: id) else { return nil }
            if let shown = stored.shown {
                view.show(SyncCore.ViewContent(list: shown.list, sections: shown.sections))
                view.cut = shown.cut
                view.asOf = shown.savedAt
                view.damaged = shown.damaged
                view.remembered = shown.parameters.map {
                    SectionOptions($0.section, sort: $0.sort, window: $0.window, place: $0.place)
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

    /// - Parameters:
    ///   - windows: the reader's own, by section.
    ///   - owner: the identity by which the app refers to the reader.
    package func observe(
        _ id: ViewID, options: [SectionOptions], windows: [String: Int] = [:], owner: ObjectIdentifier? = nil,
        _ observer: any ScreenObserver
    ) {
        guard !isStopped else { return observer.finish(ClientError.closed) }
        let own = windows.map { SectionOptions(section: $0.key, window: $0.value) }
        if let error = Self.refusal(of: id.screen, options + own) { return observer.finish(error) }
        let reader = Reader(
            observer: observer, owner: owner, windows: windows, untested: options + own,
            awaitsFirst: environment.uptime(), awaitsLive: environment.uptime())
        let key = ObjectIdentifier(observer)
        if watched[id] == nil {
            var view = Watched(asked: options)
            let stored = takeUnstored(id, into: &view) ?? load(id, into: &view)
            view.readers[key] = reader
            watched[id] = view
            run(core.want(id, parameters: view.parameters, stored: stored, cut: view.cut))
        } else {
            watched[id]?.add(reader, as: key)
            if !options.isEmpty { setOptions(options, on: id) } else { requestParameters(of: id) }
        }
        if let state = state(of: id) { show(state, of: id, to: key) }
        connectIfNeeded()
    }

    package func unobserve(_ id: ViewID, _ observer: any ScreenObserver) {
        guard watched[id]?.readers.removeValue(forKey: ObjectIdentifier(observer)) != nil else {
            return ignore(observer, of: id)
        }
        guard let view = watched[id] else { return }
        guard view.readers.isEmpty, id != collectionSet else { return requestParameters(of: id) }
        watched[id] = nil
        settleOptions(of: id, .success(()))
        run(core.unwant(id))
        if view.unstored != nil { keepUnstored(id, view) }
        // There may be room for another subscription now.
        if watched[collectionSet]?.error?.status?.reason == "TOO_MANY_SUBSCRIPTIONS" { wantCollectionSetAgain() }
    }

    /// Catches what would make the server close the connection and so end the other screens' subscriptions too.
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
        let texts = options.flatMap { [$0.place?.item, $0.place?.value].compactMap { $0?.utf8.count } }
        guard texts.allSatisfy({ $0 <= anchorBytes }) else {
            return ClientError(.limit, "the anchor of a window has at most \(anchorBytes) bytes")
        }
        return nil
    }

    func state(of id: ViewID) -> ScreenState? { watched[id].flatMap { state(of: id, as: $0) } }

    func state(of id: ViewID, as view: Watched) -> ScreenState? {
        guard let content = view.content else { return nil }
        return ScreenState(
            id: id, content: content, cut: view.cut, asOf: view.asOf, origin: core.isLive(id) ? .live : .store,
            collections: overlay, damaged: view.damaged, isStored: view.unstored == nil, lastError: error(of: id),
            sectionErrors: view.sectionErrors)
    }

    func notify(_ ids: some Sequence<ViewID>) {
        for id in ids.sorted() {
            guard let view = watched[id], !view.readers.isEmpty || bystanders[id] != nil,
                let state = state(of: id)
            else { continue }
            watched[id]?.lastStatus = state.status
            for key in view.readers.keys { show(state, of: id, to: key) }
            for bystander in (bystanders[id] ?? [:]).values { bystander.put(state) }
        }
    }

    private func show(_ state: ScreenState, of id: ViewID, to key: ObjectIdentifier) {
        guard let view = watched[id], let reader = view.readers[key] else { return }
        count(reader, state)
        watched[id]?.readers[key]?.awaitsFirst = nil
        if state.origin == .live { watched[id]?.readers[key]?.awaitsLive = nil }
        watched[id]?.readers[key]?.show(state, steps: view.steps(for: reader, in: state))
    }

    private func count(_ reader: Reader, _ state: ScreenState) {
        let now = environment.uptime()
        if let began = reader.awaitsFirst, state.origin == .store { counters.firstState.add(now - min(began, now)) }
        if let began = reader.awaitsLive, state.origin == .live { counters.firstLiveState.add(now - min(began, now)) }
    }

    /// Shows readers more or fewer of the items held, after their own windows have changed.
    func showWindows(of id: ViewID, before: [ObjectIdentifier: [String: UInt32]]) {
        guard let state = state(of: id) else { return }
        let after = steps(of: id)
        for key in after.keys where after[key] != before[key] { show(state, of: id, to: key) }
    }

    /// The number of items that each reader sees, for sections in which another reader sees more.
    func steps(of id: ViewID) -> [ObjectIdentifier: [String: UInt32]] {
        guard let view = watched[id], let state = state(of: id) else { return [:] }
        return view.readers.mapValues { view.steps(for: $0, in: state) }
    }

    /// The options requested for a screen's sections now, without the remembered ones.
    package func options(of id: ViewID) -> [SectionOptions] { watched[id]?.asked ?? [] }

    /// Whether the mirror has everything that is shown.
    package var isStored: Bool { unstored.cut == nil }

    /// Whether the server has answered the latest request for a screen's options.
    package func isAnswered(_ id: ViewID) -> Bool { core.isAnswered(id) }
}
