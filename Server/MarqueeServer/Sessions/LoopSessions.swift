import MarqueeModel
import MarqueeWire

/// The sessions of one event loop: finds those that a publication affects, and sends cohorts of synced sessions the
/// cuts they have in common.
///
/// Publications are handled in batches. Sessions with cores of their own get a batch at once. For each cohort, a cut is
/// laid out and sent to one member after another; only when all of them have it does the next batch begin.
///
/// Lives on the loop.
package final class LoopSessions {
    let library: VersionLibrary
    let settings: SessionSettings
    let budgets: SessionBudgets
    private let onUser: (String, Bool) -> Void

    /// The catalogue's revision as of the current batch.
    private(set) var revision: UInt64 = 0
    /// The catalogue's revision before the current batch.
    private var revisionBefore: UInt64 = 0
    /// The batch whose cuts are being sent, and its number.
    private var current: [Publication] = []
    private var batch: UInt64 = 0
    private var waiting = PublicationBacklog()

    /// Sessions with cores of their own.
    private var separate: [Session] = []
    private var users: [String: [Session]] = [:]
    private var cohorts: [SyncedViews.Key: Cohort] = [:]
    private var nextCohort: UInt64 = 0
    /// Cohorts by the contents that they show.
    private var showing: [UInt64: [Cohort]] = [:]
    /// Cohorts whose members are being sent a cut.
    private var passes: [Cohort] = []
    /// Counts since start. Unchecked like a cohort's slots.
    @exclusivity(unchecked) package private(set) var counters = Counters()

    package struct Counters: Hashable, Sendable {
        /// Sessions and cohorts to which publications were applied.
        package var visits: UInt64 = 0
        /// Cuts laid out for cohorts.
        package var layouts: UInt64 = 0
        /// Cuts written to members of cohorts, and their data frames.
        package var cuts: UInt64 = 0
        package var dataFrames: UInt64 = 0
        /// Members to which a cut couldn't be written.
        package var left: UInt64 = 0

        package init() {}
    }

    /// - Parameter onUser: called with `true` when a session of a user joins and `false` when one leaves. Publications
    ///   about users without sessions aren't needed here.
    package init(
        library: VersionLibrary, settings: SessionSettings, budgets: SessionBudgets = SessionBudgets(),
        onUser: @escaping (String, Bool) -> Void = { _, _ in }
    ) {
        self.onUser = onUser
        self.library = library
        self.settings = settings
        self.budgets = budgets
    }

    package var cohortCount: Int { cohorts.count }
    package var syncedCount: Int { cohorts.values.reduce(0) { $0 + $1.count } }

    // MARK: - Coming and going

    /// Adds a session that has a core.
    func add(_ session: Session, _ core: Session.Separate) {
        core.index = separate.count
        separate.append(session)
    }

    func remove(_ session: Session) {
        for user in session.users { unfollow(user, session) }
        switch session.state {
        case .separate(let core): remove(core)
        case .synced(let member): remove(member)
        }
    }

    private func remove(_ core: Session.Separate) {
        separate.swapAt(core.index, separate.count - 1)
        separate.removeLast()
        if core.index < separate.count, case .separate(let moved) = separate[core.index].state {
            moved.index = core.index
        }
    }

    private func remove(_ member: CohortMember) {
        let cohort = member.cohort
        cohort.remove(member)
        guard cohort.count == 0 else { return }
        cohorts[cohort.key] = nil
        for content in cohort.contents {
            showing[content]?.removeAll { $0 === cohort }
            if showing[content]?.isEmpty == true { showing[content] = nil }
        }
    }

    func follow(_ user: String, _ session: Session) {
        users[user, default: []].append(session)
        onUser(user, true)
    }

    func unfollow(_ user: String, _ session: Session) {
        users[user]?.removeAll { $0 === session }
        if users[user]?.isEmpty == true { users[user] = nil }
        onUser(user, false)
    }

    // MARK: - Cohorts

    /// Moves a synced session into the cohort that shows the same variants and holds the same versions. Does nothing if
    /// that cohort holds other versions, or if the session is ahead of this loop's publications.
    func join(
        _ session: Session, _ core: Session.Separate, _ synced: SyncedSession, _ progress: SyncedProgress,
        _ views: SyncedViews
    ) {
        // A view may be newer than the last publication received here.
        guard synced.position.catalogueRevision <= revision else { return }
        let key = views.key
        let cohort: Cohort
        if let known = cohorts[key] {
            guard known.views.isCurrent(with: views) else { return }
            cohort = known
        } else {
            nextCohort += 1
            cohort = Cohort(nextCohort, key, views)
            cohorts[key] = cohort
            for content in cohort.contents { showing[content, default: []].append(cohort) }
        }
        remove(core)
        session.state = .synced(cohort.add(session, synced, progress, batch: batch))
    }

    /// The catalogue's revision up to which a member has been sent everything.
    func revision(of member: CohortMember) -> UInt64 {
        let misses = member.batch != batch && member.cohort.pass != nil
        return max(member.synced.position.catalogueRevision, misses ? revisionBefore : revision)
    }

    /// Takes a member out of its cohort, and gives it a core that reflects what it was sent.
    func takeOut(_ member: CohortMember) -> Session.Separate {
        // The cut being sent to the others, if this member wasn't sent it.
        let missed = member.batch == batch ? nil : member.cohort.pass
        let progress = member.progress
        var synced = member.synced
        remove(member)
        let held = missed == nil ? revision : revisionBefore
        synced.position.catalogueRevision = max(synced.position.catalogueRevision, held)
        let separate = Session.Separate(
            SessionCore(
                synced, progress, showing: missed?.before ?? member.cohort.views, library: library, settings: settings,
                budgets: budgets))
        let session = member.session
        session.state = .separate(separate)
        add(session, separate)
        if missed != nil { for publication in current { session.shell.run(separate.core.published(publication)) } }
        session.shell.askForTurn()
        return separate
    }

    private func dissolve(_ cohort: Cohort) {
        while let member = cohort.last { _ = takeOut(member) }
    }

    // MARK: - Publications

    /// Queues a publication for `deliver`.
    package func published(_ publication: Publication) { waiting.append(publication) }

    /// Whether the end of all sessions is queued. If so, everything has to be delivered before any session is told a
    /// position: that position may belong to the new logs, and publications left from the old logs can't be compared
    /// with it (G1).
    package var hasEnd: Bool { waiting.hasEnd }

    /// Sends queued publications to the sessions.
    /// - Parameter hasTime: checked after each member of a cohort.
    /// - Returns: `false` if time ran out; call it again later.
    package func deliver(while hasTime: () -> Bool) -> Bool {
        while true {
            guard finishPasses(while: hasTime) else { return false }
            if waiting.isEmpty { return true }
            begin()
        }
    }

    private func begin() {
        var publications = waiting.take()
        if let last = publications.lastIndex(where: { $0.end != nil }), let status = publications[last].end {
            publications.removeFirst(last + 1)
            end(status)
        }
        // The previous batch is over, so every member was sent everything.
        for user in Set(publications.lazy.flatMap { $0.users.keys }).sorted() {
            for session in users[user] ?? [] { if case .synced(let member) = session.state { _ = takeOut(member) } }
        }
        for cohort in cohorts(concernedBy: publications) {
            counters.visits += 1
            if cohort.isPlannedAgain(by: publications) || !cohort.follow(publications, library: library) {
                dissolve(cohort)
            } else if cohort.pass != nil {
                counters.layouts += 1
                passes.append(cohort)
            }
        }
        current = publications
        batch += 1
        revisionBefore = revision
        revision = publications.reduce(revision) { max($0, $1.catalogueRevision) }
        for publication in publications {
            for session in concerned(by: publication) {
                counters.visits += 1
                session.shell.takeResults()
                session.shell.run(session.core.published(publication))
                if session.core.hasSomethingToSay || session.core.isSynced { session.shell.askForTurn() }
            }
        }
    }

    /// Ends all sessions: the logs they show were replaced.
    private func end(_ status: Status) {
        for cohort in cohorts.values.sorted(by: { $0.number < $1.number }) { dissolve(cohort) }
        (revision, revisionBefore) = (0, 0)
        for session in separate {
            session.shell.run(session.core.receivedGarbage(status))
            session.shell.askForTurn()
        }
    }

    /// The sessions with cores of their own that a publication concerns.
    private func concerned(by publication: Publication) -> [Session] {
        publication.isOnlyTheirs ? publication.users.keys.sorted().flatMap { users[$0] ?? [] } : separate
    }

    /// The cohorts that publications affect, in the same order in every run.
    private func cohorts(concernedBy publications: [Publication]) -> [Cohort] {
        if publications.contains(where: { $0.replans != .none || !$0.gone.isEmpty }) {
            return cohorts.values.sorted { $0.number < $1.number }
        }
        var found: [UInt64: Cohort] = [:]
        for changes in publications.lazy.map({ $0.changes }) {
            // Walks the smaller of the two: a commit may change thousands of contents.
            let contents =
                changes.count < showing.count ? Array(changes.keys) : showing.keys.filter { changes[$0] != nil }
            for content in contents { for cohort in showing[content] ?? [] { found[cohort.number] = cohort } }
        }
        return found.values.sorted { $0.number < $1.number }
    }

    /// Sends the cuts of the current batch.
    private func finishPasses(while hasTime: () -> Bool) -> Bool {
        while let cohort = passes.last {
            while let pass = cohort.pass, let delivery = cohort.deliverNext(of: pass, batch: batch) {
                switch delivery {
                case .sent:
                    counters.cuts += 1
                    counters.dataFrames += UInt64(pass.cut.dataFrames)
                case .had: continue
                case .refused(let member):
                    counters.left += 1
                    _ = takeOut(member)
                }
                if !hasTime() { return false }
            }
            cohort.endPass()
            passes.removeLast()
        }
        current = []
        return true
    }
}
