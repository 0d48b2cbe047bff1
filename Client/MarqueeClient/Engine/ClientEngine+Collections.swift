import MarqueeMirror
package import MarqueeModel
import NIOCore

/// Collections as the client shows them: the confirmed members with the user's changes laid over them.
extension ClientEngine {
    private func placeholder(of subject: String) throws(MirrorError) -> Item? {
        try mirror.bestBody(of: subject).map { Item(id: subject, kind: $0.kind, subject: subject, body: $0.body) }
    }

    /// Looks up items with which to show pending members, after other screens were stored.
    func fillPlaceholders() {
        for subject in overlay.lackingPlaceholders(Self.placeholderLookups) {
            if let item = try? placeholder(of: subject) { overlay.setPlaceholder(item, of: subject) }
        }
    }

    /// Updates the confirmed members; pending changes stay laid over them.
    func renewConfirmed() {
        overlay.confirm(CollectionsOverlay.confirmed(in: watched[collectionSet]?.content?.sections ?? [:]))
    }

    /// Notifies the observers of each screen that shows a changed member, or still reports pending changes when there
    /// are none.
    func notifyCollections(also ids: [ViewID] = []) {
        let changes = overlay.takeChanges()
        var affected = Set(ids)
        if !changes.collections.isEmpty {
            for (id, view) in watched where view.shows(changes) { affected.insert(id) }
        }
        affected.formUnion(screensWithOtherStatus())
        notify(affected)
        showCollections(changes.collections)
        showCollectionsStatus()
        showOutbox()
        answerChangeWaiters()
    }

    package func setFavorite(_ subject: Subject, _ on: Bool) throws(ClientError) {
        try setMember(subject, of: .favorites, on)
    }

    /// - Parameter value: the member's value; `nil` if the collection keeps no values.
    /// - Returns: the change's number.
    @discardableResult
    package func setMember(
        _ subject: Subject, of collection: CollectionName, _ on: Bool, value: CollectionValue? = nil
    ) throws(ClientError) -> UInt64 {
        guard !isStopped else { throw ClientError.closed }
        let replaced = overlay[collection].unsent(subject.name)
        let number: UInt64
        do throws(MirrorError) {
            let entry = try mirror.setMember(subject.name, of: collection, on: on, value: value, at: now())
            number = entry.number
            ledger.finish(replaced, .replaced)
            overlay.put(try CollectionOverlay.Pending(entry, in: mirror), in: collection)
        } catch {
            throw ClientError(mirror: error)
        }
        notifyCollections()
        sendChanges()
        connectIfNeeded()
        return number
    }

    /// Runs as one step on the engine's thread, so no call acts on a mark that another call has just changed.
    /// - Returns: whether it is a favorite now.
    package func toggleFavorite(_ subject: Subject) throws(ClientError) -> Bool {
        let on = !overlay.favorites.mark(of: subject.name).isFavorite
        try setFavorite(subject, on)
        return on
    }

    package func favoriteList() -> [(subject: Subject, mark: FavoriteMark)] { overlay.favorites.list }

    package func members(of collection: CollectionName) -> [CollectionMember] {
        let collection = overlay[collection]
        return collection.list.map { subject, mark in
            CollectionMember(
                subject: subject, value: collection.value(of: subject.name), isPending: mark.isPending,
                error: collection.rejected[subject.name])
        }
    }

    func forgetRejections() throws(ClientError) {
        if mirror.isCompanion { throw Self.onlyForOwner }
        do throws(MirrorError) { try mirror.forgetRejections() } catch { throw ClientError(mirror: error) }
        overlay.forgetRejections()
        notifyCollections()
    }

    // MARK: - The set of collections

    /// Subscribes to the set of collections again after the server refused it for good. Called when the reason may no
    /// longer apply.
    func wantCollectionSetAgain() {
        guard configuration.user != nil, let view = watched[collectionSet], !core.isWanted(collectionSet) else {
            return
        }
        run(core.want(collectionSet, parameters: [], stored: view.content, cut: view.cut))
    }

    /// Whether the mirror has the confirmed collections.
    var collectionsAreKnown: Bool {
        watched[collectionSet].map { $0.content != nil && $0.damaged.isEmpty } ?? false
    }

    /// Calls back with the collections to lay over an answer: immediately if they are known or can't be fetched now,
    /// otherwise once they arrive, the connection ends, or the time for a call is over.
    func whenCollectionsKnown(_ completion: @escaping (CollectionsOverlay) -> Void) {
        guard !isStopped, !collectionsAreKnown, case .up = link, core.isWanted(collectionSet),
            overlayReaders.count < Self.maximumCalls
        else { return completion(overlay) }
        nextOverlayReader += 1
        let id = nextOverlayReader
        let me = NIOLoopBound(self, eventLoop: loop)
        let timeout = loop.scheduleTask(in: TimeAmount(configuration.callTimeout)) {
            let engine = me.value
            engine.overlayReaders.removeValue(forKey: id)?.completion(engine.overlay)
        }
        overlayReaders[id] = (timeout, completion)
    }

    func answerOverlayReaders() {
        let readers = overlayReaders.sorted { $0.key < $1.key }.map(\.value)
        overlayReaders.removeAll()
        for reader in readers {
            reader.timeout.cancel()
            reader.completion(overlay)
        }
    }
}
