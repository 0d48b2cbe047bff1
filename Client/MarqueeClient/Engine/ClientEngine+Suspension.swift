import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

/// While the app is suspended there is no connection and no timer, and no file of the mirror is open. Readers stay.
extension ClientEngine {
    /// The reason why no call can be made now; `nil` if one can.
    var refusal: ClientError? { isStopped ? .closed : isSuspended ? .suspended : nil }

    package func suspend() {
        guard !isStopped else { return }
        // An attempt to resume may be waiting.
        stopTimers()
        guard !isSuspended else { return }
        isSuspended = true
        closeChannel()
        failCalls(.suspended)
        notifyStatus()
        hub.send(.state(.idle))
        mirror.suspend()
    }

    /// Opens the mirror again and continues from its current content. A client that isn't suspended probes its
    /// connection.
    /// - Throws: why it can't be opened; it is tried again after a pause.
    package func resume() throws(ClientError) {
        guard !isStopped else { throw .closed }
        guard isSuspended else { return wake() }
        retries.cancel()
        do throws(MirrorError) {
            try mirror.resume(newClientID: environment.newClientID)
            try claimMirror()
        } catch {
            mirror.suspend()
            resumeLater(error)
            throw ClientError(mirror: error)
        }
        isSuspended = false
        if let recovery = mirror.recovery { report(recovery) }
        watchForDamage()
        if mirror.isShared { startTicker() }
        readAgain()
        guard retries.began != nil || hasReaders || overlay.pendingCount > 0 else { return }
        wake()
    }

    package func enteredForeground() {
        // The events report why it failed, and it is tried again.
        do throws(ClientError) { try resume() } catch {}
    }

    private func resumeLater(_ error: MirrorError) {
        let pause = retries.pause(fraction: environment.fraction())
        hub.send(.state(.waiting(ClientError(mirror: error), pause: pause)))
        let me = NIOLoopBound(self, eventLoop: loop)
        retries.next = loop.scheduleTask(in: TimeAmount(pause)) {
            me.value.retries.next = nil
            me.value.enteredForeground()
        }
    }

    private var hasReaders: Bool { !collectionReaders.isEmpty || watched.values.contains { !$0.readers.isEmpty } }

    /// Reads the mirror's current content, which another owner may have changed. Content that it could not store is
    /// still only in memory.
    private func readAgain() {
        loadOutbox()
        for id in watched.keys.sorted() {
            if let view = watched[id], isNewerThanStored(view, of: id) {
                watched[id]?.unstored = unstoredPart(view, of: id, isAhead: true)
                continue
            }
            run(core.unwant(id))
            let stored = reload(id)
            run(
                core.want(id, parameters: watched[id]?.parameters ?? [], stored: stored, cut: watched[id]?.cut ?? Cut())
            )
        }
        unstored.views.removeAll { !isNewerThanStored($0.view, of: $0.id) }
        for index in unstored.views.indices {
            unstored.views[index].view.unstored = unstoredPart(
                unstored.views[index].view, of: unstored.views[index].id, isAhead: true)
        }
        // A server behind these views must not be accepted, because they may be shown again; nor one behind content
        // that was shown and is lost, as long as the mirror is behind it too.
        if unstored.views.isEmpty, !watched.values.contains(where: { $0.unstored != nil }), isMirrorUpToDate {
            unstored.cut = nil
        }
        renewConfirmed()
        notifyCollections(also: Array(watched.keys))
        showCollections(collectionReaders.keys)
    }

    /// Whether the mirror has reached the position of what could not be stored: another owner may have stored it.
    private var isMirrorUpToDate: Bool {
        guard let cut = unstored.cut else { return true }
        return mirror.seen.map { !$0.isBehind(cut) } ?? false
    }

    /// Whether a view is newer than its stored copy, which may be older than the mirror as a whole.
    private func isNewerThanStored(_ view: Watched, of id: ViewID) -> Bool {
        guard view.unstored != nil else { return false }
        let stored = (try? mirror.content(of: id))?.shown?.cut
        return stored.map { !view.cut.isBehind($0) } ?? true
    }
}
