import MarqueeMirror
import MarqueeModel
import MarqueeWire

/// Stores what arrives. Content that the mirror can't store is shown all the same: it was verified, stays in memory
/// marked as not stored, and goes to the mirror with the first cut or progress after there is room again.
extension ClientEngine {
    /// Stores the changes of a cut or progress, and whatever could not be stored before, in one transaction.
    ///
    /// - Parameters:
    ///   - proven: the parts of the position that came with content; nothing for progress.
    ///   - live: views that are at the position; `complete`: those of them that have all their sections.
    /// - Returns: the mutations that have left the outbox; none if nothing could be stored.
    func store(
        _ changes: [SyncCore.CutResult.ViewChange], at cut: Cut, proven: CutChange, live: [ViewID], complete: [ViewID],
        _ stamp: Double
    ) -> [UInt64] {
        do throws(MirrorError) {
            if let owner = unstored.owner {
                try mirror.bind(cluster: owner.cluster, user: owner.user)
                unstored.owner = nil
            }
            let finished = try finishedChanges(at: cut, live: live, complete: complete)
            try mirror.commit(
                MirrorTransaction(
                    cut: cut, proven: proven, savedAt: stamp, views: writes(of: changes, live: live),
                    currentViews: live, finishedMutations: finished))
            stored(live)
            return finished
        } catch {
            kept(changes, at: cut, live: live)
            mirrorFailed(error)
            return []
        }
    }

    /// Returns the writes for the live views: for each, the parts that differ from the mirror's copy.
    private func writes(of changes: [SyncCore.CutResult.ViewChange], live: [ViewID]) -> [ViewWrite] {
        let changed = Set(changes.map(\.id))
        let rest = live.compactMap { id -> ViewWrite? in
            guard !changed.contains(id), let view = watched[id], let unstored = view.unstored,
                let content = view.content
            else { return nil }
            return SyncCore.CutResult.ViewChange(
                id: id, parameters: unstored.parameters, before: unstored.base, after: content, missed: []
            ).write
        }
        return changes.map { change in
            var change = change
            if let unstored = watched[change.id]?.unstored { change.before = unstored.base }
            return change.write
        } + rest
    }

    /// The mirror now has everything that is live.
    private func stored(_ live: [ViewID]) {
        // A view that is not live keeps its content in memory until it joins.
        let lacking = live.filter { watched[$0]?.unstored != nil }
        for id in lacking { watched[id]?.unstored = nil }
        unstored.cut = nil
        guard mirrorError != nil || !lacking.isEmpty else { return }
        mirrorError = nil
        notifyStatus()
    }

    /// Keeps the live views in memory only: the changes of some, and the new position of all.
    private func kept(_ changes: [SyncCore.CutResult.ViewChange], at cut: Cut, live: [ViewID]) {
        unstored.cut = cut
        for id in live where watched[id] != nil {
            let change = changes.first { $0.id == id }
            let base = watched[id]?.unstored.map(\.base) ?? (change.map(\.before) ?? watched[id]?.content)
            watched[id]?.unstored = Unstored(
                base: base, parameters: change?.parameters ?? core.parameters(of: id))
        }
    }

    // MARK: - Views that aren't watched

    func keepUnstored(_ id: ViewID, _ view: Watched) {
        var view = view
        view.remembered =
            view.asked + view.remembered.filter { old in !view.asked.contains { $0.section == old.section } }
        (view.asked, view.refusal) = ([], nil)
        unstored.keep(id, view)
    }

    /// - Returns: the content kept for a view that is watched again, `nil` if the mirror has it.
    func takeUnstored(_ id: ViewID, into view: inout Watched) -> SyncCore.ViewContent? {
        guard let kept = unstored.take(id) else { return nil }
        let asked = view.asked
        view = kept
        view.asked = asked
        view.lastStatus = nil
        return view.content
    }

    // MARK: - The mirror's owner

    /// The cluster and user that a server claims.
    struct ServerClaim: Hashable {
        var cluster: String
        var user: String?
    }

    /// Compares a server that has welcomed the client with what the mirror knows, and records it the first time.
    /// - Returns: whether this connection can be used.
    /// - Throws: when the server is not the one that the mirror belongs to, or identifies the client as another user.
    func introduce(_ welcome: Welcome) throws(ClientError) -> Bool {
        // A server that can't reach its store repeats what hello told it, which covers only the answers before the
        // first gap.
        let verdict = WelcomeVerdict(
            lastNumber: mirror.lastNumber, lastAnswered: min(mirror.lastAnswered, answeredThrough),
            user: configuration.user, welcome: welcome)
        if case .refused(let status) = verdict { throw ClientError(status) }
        if let owner = unstored.owner, owner.cluster != welcome.cluster {
            throw ClientError(.mirrorOfAnotherServer, "the server belongs to another cluster than before")
        }
        do throws(MirrorError) {
            try mirror.bind(cluster: welcome.cluster, user: welcome.user)
            unstored.owner = nil
        } catch {
            if error.code == .belongsToOtherUser || error.code == .belongsToOtherCluster {
                throw ClientError(mirror: error)
            }
            unstored.owner = (welcome.cluster, welcome.user)
            mirrorFailed(error)
        }
        do throws(MirrorError) {
            isSettled = true
            return try settle(verdict)
        } catch {
            // Content continues; the outbox waits until its numbers can be written.
            isSettled = false
            mirrorFailed(error)
            return true
        }
    }

    /// Settles the outbox with the server again once the mirror can be written.
    func settleAgain() {
        guard !isSettled, mirrorError == nil, core.isLive else { return }
        end(.retry("the mirror can be written again"))
    }

    // MARK: - Positions

    /// This client's position: never behind what it shows, stored or not.
    var seen: Cut? { unstored.cut.map { (mirror.seen ?? $0).advanced(by: CutChange($0)) } ?? mirror.seen }

    /// The position that a server must have reached. If a welcome or progress claimed a position that no server reaches
    /// for a long time, the position delivered by cuts replaces it: one side was wrong, and nothing that was ever shown
    /// is lost.
    var claimedSeen: Cut? {
        retries.givesUpClaim(at: environment.uptime()) && unstored.cut == nil ? mirror.proven : seen
    }

    /// Called when a server at this position was accepted.
    func acceptedClaim(_ cut: Cut) {
        retries.caughtUp()
        guard let claimed = mirror.seen, unstored.cut == nil, cut.isBehind(claimed) else { return }
        do throws(MirrorError) {
            try mirror.forgetUnproven()
            note(.connection, "gave up a position that no server has")
        } catch {
            mirrorFailed(error)
        }
    }
}
