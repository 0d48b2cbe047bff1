import MarqueeMirror
import NIOCore

/// Handles damage found in the mirror's file while it is in use. The file is replaced by one with everything still
/// readable. The screens shown are in memory and verified, and go into the new file with the next cut or progress.
extension ClientEngine {
    /// A weak reference for callbacks that the mirror holds; otherwise the mirror would keep the engine alive.
    private struct Weak {
        weak var engine: ClientEngine?
    }

    func watchForDamage() {
        let loop = loop
        let me = NIOLoopBound(Weak(engine: self), eventLoop: loop)
        // Deferred, so that it doesn't run inside the call that met the damage.
        mirror.whenRecovered { recovery in loop.execute { me.value.engine?.recovered(recovery) } }
        mirror.checkStructure { problem in loop.execute { me.value.engine?.foundCorrupt(problem) } }
    }

    /// Called when the background check has found damage that no call has met so far.
    private func foundCorrupt(_ problem: MirrorError) {
        // A suspended mirror is recovered when it is opened again.
        guard !isStopped, !isSuspended else { return }
        do throws(MirrorError) { try mirror.recover(because: problem) } catch { mirrorFailed(error) }
    }

    /// Called when the mirror has a new file, with as much of the old one as could be read.
    private func recovered(_ recovery: MirrorRecovery) {
        guard !isStopped else { return }
        report(recovery)
        // Everything is read again when the client resumes.
        if isSuspended { return }
        loadOutbox()
        for id in watched.keys.sorted() { watched[id].map { watched[id]?.unstored = unstoredPart($0, of: id) } }
        for index in unstored.views.indices {
            unstored.views[index].view.unstored = unstoredPart(unstored.views[index].view, of: unstored.views[index].id)
        }
        if watched.values.contains(where: { $0.unstored != nil }) { unstored.cut = unstored.cut ?? mirror.seen }
        notifyCollections()
        notifyStatus()
    }

    /// Returns the mirror's copy of a view if it lacks something that is shown; otherwise `nil`.
    /// - Parameter isAhead: whether the mirror is behind the view's position, so that it lacks something even if the
    ///   content is equal.
    func unstoredPart(_ view: Watched, of id: ViewID, isAhead: Bool = false) -> Unstored? {
        guard let content = view.content else { return nil }
        // An unreadable section is written in full.
        let base = (try? mirror.content(of: id)).flatMap { SyncCore.ViewContent($0) }
        let parameters = view.unstored?.parameters ?? core.parameters(of: id)
        let change = SyncCore.CutResult.ViewChange(
            id: id, parameters: parameters, before: base, after: content, missed: [])
        return change.write.isEmpty && !isAhead ? nil : Unstored(base: base, parameters: parameters)
    }
}

extension ViewWrite {
    fileprivate var isEmpty: Bool { list == nil && sections.isEmpty && removedSections.isEmpty }
}
