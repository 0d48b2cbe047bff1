package import MarqueeWire

/// The sessions of one event loop: knows which of them a publication concerns, and sends synced ones what they have in
/// common.
///
/// A batch of publications is taken at a time. Sessions with cores of their own get it at once, and each cohort a cut
/// that its members are then sent one after the other; until all have it, the batch isn't over and others wait.
///
/// Lives on the loop.
package final class LoopSessions {
    let library: VersionLibrary
    let settings: SessionSettings
    let budgets: SessionBudgets
    private let onUser: (String, Bool) -> Void

    /// The catalogue's revision that all sessions have been told of, up to the current batch.
    private(set) var revision: UInt64 = 0
    /// The revision before the current batch.
    private var revisionBefore: UInt64 = 0
    /// The batch whose cuts are being sent, and its number.
    private var current: [Publication] = []
    private var batch: UInt64 = 0
    private var waiting: [Publication] = []

    /// Those with cores.
    private var own: [Session] = []
    private var users: [String: [Session]] = [:]
    private var cohorts: [SyncedViews.Key: Cohort] = [:]
    private var nextCohort: UInt64 = 0
    /// Cohorts by the contents that they show.
    private var showing: [UInt64: [Cohort]] = [:]
    /// Cohorts whose members are being sent a cut.
    private var passes: [Cohort] = []
    /// Counts since the beginning.
    package private(set) var counters = Counters()

    package struct Counters: Hashable, Sendable {
        /// Sessions and cohorts that publications were looked up for.
        package var visits: UInt64 = 0
        /// Cuts laid out for cohorts.
        package var layouts: UInt64 = 0
        /// Cuts written to members of cohorts, and their data frames.
        package var cuts: UInt64 = 0
        package var dataFrames: UInt64 = 0
        /// Members that a cut couldn't be written to.
        package var left: UInt64 = 0

        package init() {}
    }

    /// - Parameter onUser: called when a session of a user comes (`true`) or goes: only publications about users with
    ///   sessions are of use here.
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
    package var syncedCount: Int { cohorts.values.reduce(0) { $0 + $1.members.count } }

    // MARK: - Coming and going

    /// Adds a session that has a core.
    func add(_ session: Session, _ core: Session.Own) {
        core.index = own.count
        own.append(session)
    }

    func remove(_ session: Session) {
        forgetUser(of: session)
        switch session.state {
        case .own(let core): remove(core)
        case .synced(let member): remove(member)
        }
    }

    private func remove(_ core: Session.Own) {
        own.swapAt(core.index, own.count - 1)
        own.removeLast()
        if core.index < own.count, case .own(let moved) = own[core.index].state { moved.index = core.index }
    }

    private func remove(_ member: CohortMember) {
        let cohort = member.cohort
        cohort.remove(member)
        guard cohort.members.isEmpty else { return }
        cohorts[cohort.key] = nil
        for content in cohort.contents {
            showing[content]?.removeAll { $0 === cohort }
            if showing[content]?.isEmpty == true { showing[content] = nil }
        }
    }

    func noteUser(of session: Session) {
        guard let user = session.user else { return }
        users[user, default: []].append(session)
        onUser(user, true)
    }

    func forgetUser(of session: Session) {
        guard let user = session.user else { return }
        users[user]?.removeAll { $0 === session }
        if users[user]?.isEmpty == true { users[user] = nil }
        onUser(user, false)
    }

    // MARK: - Cohorts

    /// A session whose client has everything joins those that show and hold the same.
    func join(_ session: Session, _ core: Session.Own, _ synced: SyncedSession, _ views: SyncedViews) {
        // A view may be newer than the last publication that has arrived here.
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
        session.state = .synced(cohort.add(session, synced, batch: batch))
    }

    /// Gives a member of a cohort a core again, which knows what the member was sent.
    func takeOut(_ member: CohortMember) -> Session.Own {
        remove(member)
        // What the others are being sent, and this one wasn't.
        let missed = member.batch == batch ? nil : member.cohort.pass
        var synced = member.synced
        let held = missed == nil ? revision : revisionBefore
        synced.position.catalogueRevision = max(synced.position.catalogueRevision, held)
        let own = Session.Own(
            SessionCore(
                synced, showing: missed?.before ?? member.cohort.views, library: library, settings: settings,
                budgets: budgets))
        let session = member.session
        session.state = .own(own)
        add(session, own)
        if missed != nil { for publication in current { session.shell.run(own.core.published(publication)) } }
        session.shell.askForTurn()
        return own
    }

    private func dissolve(_ cohort: Cohort) {
        while let member = cohort.members.last { _ = takeOut(member) }
    }

    // MARK: - Publications

    /// The hub has published something; `deliver` passes it on.
    package func published(_ publication: Publication) { waiting.append(publication) }

    /// Passes on what was published.
    /// - Parameter hasTime: asked after each member of a cohort.
    /// - Returns: whether that is done; otherwise it is to be called again.
    package func deliver(while hasTime: () -> Bool) -> Bool {
        while true {
            guard finishPasses(while: hasTime) else { return false }
            if waiting.isEmpty { return true }
            begin()
        }
    }

    private func begin() {
        let publications = waiting
        waiting = []
        // Until the batch begins, everybody has been sent everything.
        for case let user? in publications.map(\.user) {
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
            for session in publication.user.map({ users[$0] ?? [] }) ?? own {
                counters.visits += 1
                session.shell.takeResults()
                session.shell.run(session.core.published(publication))
                if session.core.hasSomethingToSay || session.core.isSynced { session.shell.askForTurn() }
            }
        }
    }

    /// The cohorts that publications change something for, in the same order in every run.
    private func cohorts(concernedBy publications: [Publication]) -> [Cohort] {
        if publications.contains(where: { $0.replans != .none || !$0.gone.isEmpty }) {
            return cohorts.values.sorted { $0.number < $1.number }
        }
        var found: [UInt64: Cohort] = [:]
        for changes in publications.lazy.map(\.changes) {
            // The shorter of the two: a commit may change thousands of contents.
            let contents =
                changes.count < showing.count ? Array(changes.keys) : showing.keys.filter { changes[$0] != nil }
            for content in contents { for cohort in showing[content] ?? [] { found[cohort.number] = cohort } }
        }
        return found.values.sorted { $0.number < $1.number }
    }

    /// Sends the cuts of the current batch.
    private func finishPasses(while hasTime: () -> Bool) -> Bool {
        while let cohort = passes.last {
            let cut = cohort.pass?.cut
            while let cut, let member = cohort.nextMember() {
                guard member.batch != batch else { continue }
                if member.take(cut, batch: batch) {
                    counters.cuts += 1
                    counters.dataFrames += UInt64(cut.dataFrames)
                } else if case .synced = member.session.state {
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
