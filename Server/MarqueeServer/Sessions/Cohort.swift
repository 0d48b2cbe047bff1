import MarqueeModel
import MarqueeWire

/// Synced sessions of one event loop that show the same variants and hold the same versions. Changes are laid out once
/// for all of them.
///
/// Lives on the loop; only `LoopSessions` changes it.
final class Cohort {
    /// Cohorts are numbered in the order in which they began.
    let number: UInt64
    let key: SyncedViews.Key
    /// The views of members that were sent everything.
    private(set) var views: SyncedViews
    /// The indices in `views`, of subscription and variant, where a content is shown.
    private var places: [UInt64: [(subscription: Int, variant: Int)]] = [:]

    /// The members, with the state that deliveries need. Unchecked, like `Pass.next`, because a check costs as much as
    /// the rest of a delivery. That is safe because only this loop uses them, and code that changes them calls nothing
    /// that could use them.
    @exclusivity(unchecked) private var slots: ContiguousArray<Slot> = []
    /// Whether any member has, or had, histories.
    private var haveHistories = false
    /// The cut that is being sent to members, one after another.
    private(set) var pass: Pass?

    /// A cut on its way to the members.
    final class Pass {
        let cut: CohortCut
        /// The views of members that weren't sent the cut yet.
        let before: SyncedViews
        /// The index of the next member.
        @exclusivity(unchecked) fileprivate(set) var next = 0

        fileprivate init(_ cut: CohortCut, before: SyncedViews) {
            self.cut = cut
            self.before = before
        }
    }

    init(_ number: UInt64, _ key: SyncedViews.Key, _ views: SyncedViews) {
        self.number = number
        self.key = key
        self.views = views
        for (subscription, shown) in views.subscriptions.enumerated() {
            for (variant, place) in shown.variants.enumerated() {
                places[place.current.content, default: []].append((subscription, variant))
            }
        }
    }

    /// The contents that the members show.
    var contents: some Collection<UInt64> { places.keys }

    // MARK: - Members

    var count: Int { slots.count }

    var last: CohortMember? { slots.last?.member }

    /// - Parameter batch: the last batch of publications sent to the session.
    func add(_ session: Session, _ synced: SyncedSession, _ progress: SyncedProgress, batch: UInt64) -> CohortMember {
        let member = CohortMember(session, synced, of: self, at: slots.count)
        slots.append(Slot(member: member, output: session.shell.output, progress: progress, batch: batch))
        haveHistories = haveHistories || !synced.histories.isEmpty
        return member
    }

    /// Removes a member. The last member moves to its index, and a pass visits that index again.
    func remove(_ member: CohortMember) {
        let index = member.index
        slots.swapAt(index, slots.count - 1)
        slots.removeLast()
        if index < slots.count { slots[index].member.index = index }
        if let pass { pass.next = min(pass.next, index) }
    }

    fileprivate subscript(member: CohortMember) -> Slot {
        _read { yield slots[member.index] }
        _modify { yield &slots[member.index] }
    }

    // MARK: - Publications

    /// Moves the views to the published versions and lays out the cut that takes members there.
    /// - Returns: `false` if no cut can do that; the views are then unchanged, and the cohort has to be dissolved.
    func follow(_ publications: [Publication], library: VersionLibrary) -> Bool {
        let before = views
        var cut = lay(publications, library)
        if let laid = cut.laid, laid.bytes.readableBytes > CohortCut.maximumBytes, publications.count > 1 {
            // One cut per publication is too large altogether; a single cut carries only the newest versions.
            views = before
            let together = publications.dropFirst().reduce(publications[0]) { $0.followed(by: $1) }
            cut = lay([together], library)
        }
        guard cut.isPossible, cut.laid?.bytes.readableBytes ?? 0 <= CohortCut.maximumBytes else {
            views = before
            return false
        }
        if let cut = cut.laid { pass = Pass(cut, before: before) }
        return true
    }

    /// - Returns: whether a cut can be laid out; and the cuts of all publications, joined, or `nil` if members see no
    ///   change.
    private func lay(_ publications: [Publication], _ library: VersionLibrary) -> (isPossible: Bool, laid: CohortCut?) {
        var laid: CohortCut?
        for publication in publications {
            guard let patches = patches(publication.changes, library) else { return (false, nil) }
            guard !patches.isEmpty else { continue }
            let cut = CohortCut(patches, at: publication.catalogueRevision)
            if laid == nil { laid = cut } else { laid?.append(cut) }
        }
        return (true, laid)
    }

    /// Moves the views to new versions.
    /// - Returns: the patches to them, by ascending handle; `nil` if one of them can't be part of a cut.
    private func patches(
        _ changes: [UInt64: CurrentVersion], _ library: VersionLibrary
    ) -> [(handle: UInt64, patch: VersionLibrary.Shared)]? {
        let changed =
            changes.count < places.count
            ? changes.compactMap { content, current in places[content].map { ($0, current) } }
            : places.compactMap { content, places in changes[content].map { (places, $0) } }
        var patches: [(handle: UInt64, patch: VersionLibrary.Shared)] = []
        for (places, current) in changed {
            for place in places {
                let shown = views.subscriptions[place.subscription].variants[place.variant]
                views.subscriptions[place.subscription].variants[place.variant].hold(current)
                guard let held = shown.held, held.sum != current.version.sum else { continue }
                switch library.route(
                    to: current.version, of: shown.handle, from: (held.sum, held.content), since: current.since)
                {
                case .patch(let patch), .whole(let patch): patches.append((shown.handle, patch))
                case .stage, .lost: return nil
                }
            }
        }
        return patches.sorted { $0.handle < $1.handle }
    }

    /// Whether publications require the views to be planned again.
    func isPlannedAgain(by publications: [Publication]) -> Bool {
        publications.contains { publication in
            key.views.contains { view in
                publication.replans.contains(view.request.screen)
                    || view.handles.first.map(publication.gone.contains) == true
            }
        }
    }

    enum Delivery {
        case sent
        /// The member was sent the cut before.
        case had
        /// The client can't accept the cut now.
        case refused(CohortMember)
    }

    /// Writes a pass's cut to its next member.
    /// - Returns: `nil` if there is no next member.
    func deliverNext(of pass: Pass, batch: UInt64) -> Delivery? {
        let index = pass.next
        guard index < slots.count else { return nil }
        pass.next += 1
        guard slots[index].batch != batch else { return .had }
        // No member joins or leaves while it writes.
        guard slots[index].progress.flow.hasRoom(after: pass.cut.dataBytesBeforeLast),
            slots[index].output.write(pass.cut)
        else { return .refused(slots[index].member) }
        slots[index].progress.sent(pass.cut)
        slots[index].batch = batch
        if haveHistories { slots[index].member.arrivedByPatch(pass.cut.handles) }
        return .sent
    }

    func endPass() { pass = nil }

    /// A member's part in deliveries. A delivery visits these one after another, and apart from them only each member's
    /// output: visiting an object costs more than all the rest of a delivery before the system call.
    fileprivate struct Slot {
        let member: CohortMember
        let output: any CutOutput
        var progress: SyncedProgress
        /// The last batch of publications sent to it.
        var batch: UInt64
    }
}

/// A session that belongs to a cohort.
final class CohortMember {
    unowned let session: Session
    let cohort: Cohort
    /// Its index in the cohort.
    fileprivate(set) var index: Int
    /// The session's own state, except for its progress.
    private(set) var synced: SyncedSession

    fileprivate init(_ session: Session, _ synced: SyncedSession, of cohort: Cohort, at index: Int) {
        self.session = session
        self.cohort = cohort
        self.index = index
        self.synced = synced
    }

    var progress: SyncedProgress { cohort[self].progress }

    var liveness: Liveness {
        get { synced.lasting.liveness }
        set { synced.lasting.liveness = newValue }
    }

    /// The last batch of publications sent to it.
    var batch: UInt64 { cohort[self].batch }

    /// Handles an ack of a total number of bytes and a position.
    /// - Parameter revision: the catalogue's newest revision.
    /// - Returns: `false` if the ack is impossible.
    func acknowledge(_ bytes: UInt64, _ cut: Cut?, revision: UInt64) -> Bool {
        var newest = synced.position
        newest.catalogueRevision = max(newest.catalogueRevision, revision)
        if let cut, newest.isBehind(cut) { return false }
        return cohort[self].progress.flow.acknowledge(bytes)
    }

    var load: SessionLoad {
        let flow = cohort[self].progress.flow
        var load = SessionLoad()
        load.sentBytes = flow.sent
        load.acknowledgedBytes = flow.acknowledged
        return load
    }

    fileprivate func arrivedByPatch(_ handles: [UInt64]) {
        for handle in handles { synced.histories[handle]?.cameByManifest = false }
    }
}
