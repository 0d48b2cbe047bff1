import MarqueeMirror
import MarqueeModel
import MarqueeWire

/// Storing what arrives. What the mirror can't take is shown all the same: it was verified, it is kept in memory and
/// marked as not stored, and goes to the mirror with the first cut or progress that finds room.
extension ClientEngine {
    /// Stores what a cut or progress brings, with what could not be stored before, in one transaction.
    ///
    /// - Parameters:
    ///   - named: what the frames of the cut say of the position; nothing for progress.
    ///   - live: views that are at the position, `complete` those of them with all their sections.
    /// - Returns: the mutations that have left the outbox; none if nothing could be stored.
    func store(
        _ changes: [SyncCore.CutResult.ViewChange], at cut: Cut, named: CutChange, live: [ViewID], complete: [ViewID],
        _ stamp: Double
    ) -> [UInt64] {
        do throws(MirrorError) {
            if let owner = unstoredOwner {
                try mirror.bind(cluster: owner.cluster, user: owner.user)
                unstoredOwner = nil
            }
            let finished = try finishedFavorites(at: cut, live: live, complete: complete)
            try mirror.commit(
                MirrorTransaction(
                    cut: cut, proven: named, savedAt: stamp, views: writes(of: changes, live: live),
                    currentViews: live, finishedMutations: finished))
            stored(live)
            return finished
        } catch {
            kept(changes, at: cut, live: live)
            mirrorFailed(error)
            return []
        }
    }

    /// What has to be written of the live views: of each what differs from what the mirror has.
    private func writes(of changes: [SyncCore.CutResult.ViewChange], live: [ViewID]) -> [ViewWrite] {
        let changed = Set(changes.map(\.id))
        let rest = live.compactMap { id -> ViewWrite? in
            guard !changed.contains(id), let view = watched[id], let unstored = view.unstored,
                let content = view.content
            else { return nil }
            return SyncCore.CutResult.ViewChange(
                id: id, parameters: unstored.parameters, before: unstored.base, after: content, left: []
            ).write
        }
        return changes.map { change in
            var change = change
            if let unstored = watched[change.id]?.unstored { change.before = unstored.base }
            return change.write
        } + rest
    }

    /// The mirror has all that is live.
    private func stored(_ live: [ViewID]) {
        // A view that is not live keeps what is in memory until it joins.
        for id in live where watched[id]?.unstored != nil { watched[id]?.unstored = nil }
        unstoredCut = nil
        guard mirrorError != nil else { return }
        mirrorError = nil
        tellStatus()
    }

    /// Everything that is live is in memory alone: what changed, and the position of the rest.
    private func kept(_ changes: [SyncCore.CutResult.ViewChange], at cut: Cut, live: [ViewID]) {
        unstoredCut = cut
        for id in live where watched[id] != nil {
            let change = changes.first { $0.id == id }
            let base = watched[id]?.unstored.map(\.base) ?? (change.map(\.before) ?? watched[id]?.content)
            watched[id]?.unstored = Unstored(
                base: base, parameters: change?.parameters ?? core.parameters(of: id))
        }
    }

    // MARK: - Views that aren't watched

    func park(_ id: ViewID, _ view: Watched) {
        var view = view
        view.remembered =
            view.asked + view.remembered.filter { old in !view.asked.contains { $0.section == old.section } }
        view.asked = []
        parked.append((id, view))
        if parked.count > Self.maximumParked { parked.removeFirst() }
    }

    /// - Returns: what was kept of a view that is watched again, `nil` when the mirror has it.
    func unpark(_ id: ViewID, into view: inout Watched) -> SyncCore.ViewContent? {
        guard let index = parked.firstIndex(where: { $0.id == id }) else { return nil }
        let asked = view.asked
        view = parked.remove(at: index).view
        view.asked = asked
        view.told = nil
        return view.content
    }

    // MARK: - Whose mirror it is

    /// The cluster and user a server claims.
    struct Stranger: Hashable {
        var cluster: String
        var user: String?
    }

    /// Compares a server that has welcomed the client with what the mirror knows, and notes it the first time.
    /// - Returns: whether this connection is of use.
    /// - Throws: when the server is not the one that the mirror belongs to, or takes the client for another user.
    func introduce(_ welcome: Welcome) throws(ClientError) -> Bool {
        let standing = MirrorStanding(
            lastNumber: mirror.lastNumber, lastAnswered: mirror.lastAnswered, user: configuration.user,
            welcome: welcome)
        if case .refused(let status) = standing { throw ClientError(status) }
        if let owner = unstoredOwner, owner.cluster != welcome.cluster {
            throw ClientError(.mirrorUnusable, "the server belongs to another cluster than before")
        }
        do throws(MirrorError) {
            try mirror.bind(cluster: welcome.cluster, user: welcome.user)
            unstoredOwner = nil
        } catch {
            if error.code == .belongsToOther { throw ClientError(mirror: error) }
            unstoredOwner = (welcome.cluster, welcome.user)
            mirrorFailed(error)
        }
        do throws(MirrorError) {
            isSettled = true
            return try settle(standing)
        } catch {
            // Content goes on; the outbox waits until its numbers can be written.
            isSettled = false
            mirrorFailed(error)
            return true
        }
    }

    /// The mirror can be written again: the outbox is settled with the server anew.
    func settleAgain() {
        guard !isSettled, mirrorError == nil, core.isLive else { return }
        end(.retry("the mirror can be written again"))
    }

    // MARK: - Positions

    /// What this client has seen: never behind what it shows, stored or not.
    var seen: Cut? { unstoredCut.map { (mirror.seen ?? $0).advanced(by: CutChange($0)) } ?? mirror.seen }

    /// What a server has to have. A claim of a welcome or of progress that no server has met for long gives way to
    /// what cuts have brought: one side was wrong, and nothing that was ever shown is lost with it.
    var claimedSeen: Cut? {
        guard let behind, behind.count >= Self.claimPatience.attempts,
            surroundings.uptime() >= behind.since + Self.claimPatience.milliseconds, unstoredCut == nil
        else { return seen }
        return mirror.proven
    }

    /// A server was behind what this client has seen.
    func foundBehind() {
        behind = ((behind?.count ?? 0) + 1, behind?.since ?? surroundings.uptime())
    }

    /// A server at this position was accepted.
    func acceptedClaim(_ cut: Cut) {
        behind = nil
        guard let claimed = mirror.seen, unstoredCut == nil, cut.isBehind(claimed) else { return }
        do throws(MirrorError) {
            try mirror.forgetUnproven()
            note(.connection, "a position that no server has was given up")
        } catch {
            mirrorFailed(error)
        }
    }
}
