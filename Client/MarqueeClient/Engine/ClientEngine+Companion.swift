import MarqueeDiff
import MarqueeMirror
import MarqueeModel

/// A mirror that several processes use at the same time. The owner moves changes that companions have stored into its
/// outbox; a companion shows what the owner has stored. Both check once a second, and when the app returns to the
/// foreground.
extension ClientEngine {
    static let notConnected = ClientError(
        .unavailable, "a companion of a mirror never connects; the mirror's owner does")
    static let onlyForOwner = ClientError(.mirrorInUse, "only the mirror's owner may do that, not its companion")

    /// Checks whether another process has changed the mirror.
    func follow() {
        guard !isStopped, !isSuspended, mirror.isShared else { return }
        do throws(MirrorError) {
            guard try mirror.hasChangedElsewhere() else { return }
            if mirror.isCompanion {
                try showStored()
            } else if configuration.user != nil {
                takeInbox()
            }
        } catch {
            if mirror.isCompanion { lost(error) } else { mirrorFailed(error) }
        }
    }

    // MARK: - The owner

    /// Adopts changes stored by companions as this client's own.
    func takeInbox() {
        guard !mirror.isCompanion else { return }
        do throws(MirrorError) {
            let taken = try mirror.takeInbox()
            if taken.isEmpty { return }
            for entry in taken {
                ledger.finish(overlay[entry.collection].unsent(entry.subject), .replaced)
                overlay.put(try CollectionOverlay.Pending(entry, in: mirror), in: entry.collection)
            }
        } catch {
            return mirrorFailed(error)
        }
        notifyCollections()
        sendChanges()
        connectIfNeeded()
    }

    // MARK: - A companion

    /// Shows what the owner has stored since the last check. Unchanged content is not shown again.
    private func showStored() throws(MirrorError) {
        var changed: [ViewID] = []
        for id in watched.keys.sorted() where try takeStored(id) { changed.append(id) }
        if mirrorError != nil {
            mirrorError = nil
            notifyStatus()
        }
        guard configuration.user != nil else { return notify(changed) }
        overlay.forgetRejections()
        loadOutbox()
        if changed.contains(collectionSet) { renewConfirmed() }
        fillPlaceholders()
        notifyCollections(also: changed)
    }

    /// - Returns: whether a view looks different in the mirror now. Content that can no longer be read there stays as
    ///   shown.
    private func takeStored(_ id: ViewID) throws(MirrorError) -> Bool {
        guard let stored = try mirror.content(of: id)?.shown, let shown = watched[id] else { return false }
        watched[id]?.cut = stored.cut
        watched[id]?.asOf = stored.savedAt
        let sums = stored.sections.mapValues(\.sum)
        guard
            shown.content?.list.sum != stored.list.sum || shown.content?.sections.mapValues(\.sum) != sums
                || shown.damaged != stored.damaged
        else { return false }
        watched[id]?.show(SyncCore.ViewContent(list: stored.list, sections: stored.sections))
        watched[id]?.damaged = stored.damaged
        return true
    }

    /// Returns the outcome of the last change of a member, once the change no longer waits.
    func answer(about member: CollectionsOverlay.Member) throws(MirrorError) -> ChangeResult {
        let rejection = try mirror.rejections().last {
            $0.collection == member.collection && ExactString($0.subject) == member.subject
        }
        return rejection.map { .rejected($0.error) } ?? .confirmed
    }

    /// Called when the mirror can't be read, or is no longer this user's. In the second case, none of it may be shown
    /// any longer.
    private func lost(_ error: MirrorError) {
        switch error.code {
        case .none, .belongsToOtherUser, .belongsToOtherCluster:
            let failure = ClientError(mirror: error)
            let readers = watched.values.flatMap(\.readers.values)
            for id in watched.keys {
                watched[id]?.show(nil)
                watched[id]?.readers = [:]
            }
            overlay = CollectionsOverlay()
            for reader in readers { reader.observer.finish(failure) }
            for mailbox in collectionReaders.values.flatMap(\.values) { mailbox.finish(failure) }
            collectionReaders.removeAll()
            finishOutboxReaders(failure)
            failChangeWaiters(failure)
        default: mirrorFailed(error)
        }
    }
}
