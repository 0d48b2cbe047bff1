import MarqueeWire

/// Synced sessions of one event loop that show the same variants and hold the same versions. Changes are laid out once
/// for all of them.
///
/// Lives on the loop; only `LoopSessions` changes it.
final class Cohort {
    /// Cohorts are numbered in the order in which they began.
    let number: UInt64
    let key: SyncedViews.Key
    /// The views of members that have been sent everything.
    private(set) var views: SyncedViews
    /// The indices in `views`, subscription and variant, at which a content is shown.
    private var places: [UInt64: [(subscription: Int, variant: Int)]] = [:]

    private(set) var members: [CohortMember] = []
    /// The cut that members are being sent, one member after another.
    private(set) var pass: Pass?

    /// A cut on its way to the members.
    final class Pass {
        let cut: CohortCut
        /// The views of members that haven't been sent it.
        let before: SyncedViews
        /// The index of the next member.
        fileprivate(set) var next = 0

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

    /// - Parameter batch: the last batch of publications that the session was sent.
    func add(_ session: Session, _ synced: SyncedSession, batch: UInt64) -> CohortMember {
        let member = CohortMember(session, synced, of: self, batch: batch)
        member.index = members.count
        members.append(member)
        return member
    }

    /// Removes a member. The last member takes its index, and a pass looks at that index again.
    func remove(_ member: CohortMember) {
        let index = member.index
        members.swapAt(index, members.count - 1)
        members.removeLast()
        if index < members.count { members[index].index = index }
        if let pass { pass.next = min(pass.next, index) }
    }

    // MARK: - Publications

    /// Moves the views to the published versions and lays out the cut that takes members there.
    /// - Returns: `false` if no cut can; the views are then unchanged, and the cohort has to be dissolved.
    func follow(_ publications: [Publication], library: VersionLibrary) -> Bool {
        let before = views
        var cut = lay(publications, library)
        if let laid = cut.laid, laid.bytes.readableBytes > CohortCut.maximumBytes, publications.count > 1 {
            // One cut per publication is too large; a single cut carries only the newest versions.
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

    /// - Returns: whether a cut can be laid out, and the cuts of all publications in one; `nil` if members see no
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

    /// The next member of a pass.
    func nextMember(of pass: Pass) -> CohortMember? {
        guard pass.next < members.count else { return nil }
        defer { pass.next += 1 }
        return members[pass.next]
    }

    func endPass() { pass = nil }
}

/// A session that belongs to a cohort.
final class CohortMember {
    unowned let session: Session
    let cohort: Cohort
    /// Unchecked, as a check costs as much as the rest of a delivery: only this loop uses it, and what changes it calls
    /// nobody who could.
    @exclusivity(unchecked) var synced: SyncedSession
    /// Its place in the cohort.
    var index = 0
    /// The last batch of publications that it has been sent.
    private(set) var batch: UInt64

    init(_ session: Session, _ synced: SyncedSession, of cohort: Cohort, batch: UInt64) {
        self.session = session
        self.synced = synced
        self.cohort = cohort
        self.batch = batch
    }

    /// Writes a cut to the client.
    /// - Returns: `false` if the client can't take it now.
    func take(_ cut: CohortCut, batch: UInt64) -> Bool {
        guard synced.flow.hasRoom(after: cut.dataBytesBeforeLast), session.shell.write(cut) else { return false }
        synced.sent(cut)
        self.batch = batch
        return true
    }
}
