package import MarqueeWire

/// What a session needs of the connection that it belongs to.
package protocol SessionShell: AnyObject {
    /// Writes a cut to the connection if that takes more now.
    /// - Returns: whether it did; otherwise nothing of the cut was written.
    func write(_ cut: CohortCut) -> Bool
    /// Passes on what other threads have done for the session until now.
    func takeResults()
    func run(_ actions: [SessionCore.Action])
    /// Something may have to be written, or the session may have become synced.
    func askForTurn()
}

/// One session of an event loop. While there is something to decide it has a `SessionCore`; a synced one is a member of
/// a cohort.
///
/// Lives on the loop.
package final class Session {
    /// A core is large, and most sessions have none most of the time.
    final class Own {
        var core: SessionCore
        /// The session's place among those of the loop that have cores.
        var index = 0

        init(_ core: SessionCore) { self.core = core }
    }

    enum State {
        case own(Own)
        case synced(CohortMember)
    }

    /// Changed by `LoopSessions` alone.
    var state: State
    /// Whose publications concern it.
    private(set) var user: String?

    private let sessions: LoopSessions
    unowned let shell: any SessionShell

    /// - Parameter settings: those of the moment.
    package init(_ sessions: LoopSessions, shell: any SessionShell, settings: SessionSettings, now: UInt64) {
        self.sessions = sessions
        self.shell = shell
        let own = Own(SessionCore(library: sessions.library, settings: settings, budgets: sessions.budgets, now: now))
        state = .own(own)
        sessions.add(self, own)
    }

    /// The connection is gone.
    package func end() { sessions.remove(self) }

    // MARK: - Own core

    package var isSynced: Bool {
        if case .synced = state { true } else { false }
    }

    /// The session's core. A synced session leaves its cohort to get one.
    package var core: SessionCore {
        _read { yield own.core }
        _modify { yield &own.core }
    }

    private var own: Own {
        switch state {
        case .own(let own): own
        case .synced(let member): sessions.takeOut(member)
        }
    }

    /// Joins those that show and hold the same, if this session is synced. Called when its turn is over.
    package func settle() {
        if case .own(let own) = state, let (synced, views) = own.core.parked() {
            sessions.join(self, own, synced, views)
        }
    }

    // MARK: - Events

    /// See `SessionCore.heard`.
    package func heard(now: UInt64) {
        switch state {
        case .own(let own): own.core.heard(now: now)
        case .synced(let member): member.synced.liveness.heard(now: now)
        }
    }

    /// See `SessionCore.hasCut`.
    package func hasCut(frames: Int, isWithinFrame: Bool, now: UInt64) {
        switch state {
        case .own(let own): own.core.hasCut(frames: frames, isWithinFrame: isWithinFrame, now: now)
        case .synced(let member):
            member.synced.liveness.hasCut(frames: frames, isWithinFrame: isWithinFrame, now: now)
        }
    }

    /// A frame was received and decoded.
    package func received(_ message: Message, now: UInt64) -> [SessionCore.Action] {
        if case .synced(let member) = state {
            switch message {
            case .pong: return []
            case .ack(let bytes, let cut):
                // One that can't be is for the core to refuse.
                if member.synced.acknowledge(bytes, cut, revision: sessions.revision) { return [] }
            default: break
            }
        }
        return core.received(message, now: now)
    }

    /// See `SessionCore.identified`. Called before anybody looks up where the user's log is, so that no move is missed.
    package func identified(_ identity: Identity) {
        core.identified(identity)
        if user != identity.user {
            sessions.forgetUser(of: self)
            user = identity.user
            sessions.noteUser(of: self)
        }
    }

    /// Time passes; called at the session's deadline.
    package func tick(now: UInt64) -> [SessionCore.Action] {
        if case .synced = state, let deadline, now < deadline { return [] }
        return core.tick(now: now)
    }

    // MARK: - What shells ask

    /// When `tick` has something to do, at the earliest.
    package var deadline: UInt64? {
        switch state {
        case .own(let own): own.core.deadline
        case .synced(let member): member.synced.liveness.deadline(sessions.settings)
        }
    }

    package var frameLimit: UInt32 {
        switch state {
        case .own(let own): own.core.frameLimit
        case .synced: sessions.settings.limits.frameBytes
        }
    }

    /// Questions that the hub hasn't answered.
    package var waitingOpens: Int {
        switch state {
        case .own(let own): own.core.waitingOpens
        case .synced: 0
        }
    }

    package var hasSomethingToSay: Bool {
        switch state {
        case .own(let own): own.core.hasSomethingToSay
        case .synced: false
        }
    }

    /// What it holds for its client.
    package var load: SessionLoad {
        switch state {
        case .own(let own): own.core.load
        case .synced(let member): member.synced.load
        }
    }
}
