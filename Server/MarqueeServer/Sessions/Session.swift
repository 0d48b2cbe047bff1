package import MarqueeWire

/// An output for a connection's cuts.
package protocol CutOutput: AnyObject {
    /// Writes a cut if the connection accepts more now. Calls no session.
    /// - Returns: `false` if nothing was written; a cut is never written in part.
    func write(_ cut: CohortCut) -> Bool
}

/// The connection, as its session sees it.
package protocol SessionShell: AnyObject {
    /// Stays the same for as long as the session lasts.
    var output: any CutOutput { get }
    /// Hands the session the results that other threads have delivered so far.
    func takeResults()
    func run(_ actions: [SessionCore.Action])
    /// Requests a turn for the session, because it may have something to write or may have become synced.
    func askForTurn()
}

/// One session of an event loop. It has a `SessionCore` of its own while there is something to decide, and is a member
/// of a cohort while it is synced.
///
/// Lives on the loop.
package final class Session {
    /// A session's core, in an object of its own: a core is large, and most sessions have none most of the time.
    final class Separate {
        var core: SessionCore
        /// The session's index among the loop's sessions that have cores.
        var index = 0

        init(_ core: consuming SessionCore) { self.core = core }
    }

    enum State {
        case separate(Separate)
        case synced(CohortMember)
    }

    /// Changed only by `LoopSessions`.
    var state: State
    /// The users whose publications this session receives: the client's own or, for a relay, those of its guests.
    package private(set) var users: Set<String> = []

    let sessions: LoopSessions
    unowned let shell: any SessionShell

    /// - Parameter settings: the current settings.
    package init(_ sessions: LoopSessions, shell: any SessionShell, settings: SessionSettings, now: UInt64) {
        self.sessions = sessions
        self.shell = shell
        let separate = Separate(
            SessionCore(library: sessions.library, settings: settings, budgets: sessions.budgets, now: now))
        state = .separate(separate)
        sessions.add(self, separate)
    }

    /// Ends the session when the connection is gone.
    package func end() { sessions.remove(self) }

    // MARK: - Separate sessions

    package var isSynced: Bool {
        if case .synced = state { true } else { false }
    }

    /// The session's core. A synced session leaves its cohort to get one.
    package var core: SessionCore {
        _read { yield separate.core }
        _modify { yield &separate.core }
    }

    private var separate: Separate {
        switch state {
        case .separate(let separate): separate
        case .synced(let member): sessions.takeOut(member)
        }
    }

    /// Joins the cohort with the same views and versions if this session is synced. Called at the end of its turn.
    package func settle() {
        if case .separate(let separate) = state, let (synced, progress, views) = separate.core.partsForCohort() {
            sessions.join(self, separate, synced, progress, views)
        }
    }

    // MARK: - Events

    /// See `SessionCore.heard`.
    package func heard(now: UInt64) {
        switch state {
        case .separate(let separate): separate.core.heard(now: now)
        case .synced(let member): member.liveness.heard(now: now)
        }
    }

    /// See `SessionCore.hasCut`.
    package func received(frames: Int, isWithinFrame: Bool, now: UInt64) {
        switch state {
        case .separate(let separate): separate.core.received(frames: frames, isWithinFrame: isWithinFrame, now: now)
        case .synced(let member):
            member.liveness.received(frames: frames, isWithinFrame: isWithinFrame, now: now)
        }
    }

    /// Handles a message that was received and decoded.
    package func received(_ message: Message, now: UInt64) -> [SessionCore.Action] {
        if case .synced(let member) = state {
            switch message {
            case .pong: return []
            case .ack(let bytes, let cut):
                // The core refuses an impossible ack.
                if member.acknowledge(bytes, cut, revision: sessions.revision) { return [] }
            default: break
            }
        }
        return core.received(message, now: now)
    }

    /// See `SessionCore.identified`. Called before the position of the user's log is looked up, so that no move is
    /// missed.
    package func identified(_ identity: Identity) {
        core.identified(identity)
        for user in users where user != identity.user { unfollow(user) }
        if let user = identity.user { follow(user) }
    }

    /// Makes this session receive publications about a user.
    package func follow(_ user: String) {
        if users.insert(user).inserted { sessions.follow(user, self) }
    }

    package func unfollow(_ user: String) {
        if users.remove(user) != nil { sessions.unfollow(user, self) }
    }

    /// The client's identity.
    package var identity: Identity {
        switch state {
        case .separate(let separate): separate.core.identity
        case .synced(let member): member.synced.lasting.identity
        }
    }

    /// Called at the session's deadline.
    package func tick(now: UInt64) -> [SessionCore.Action] {
        if case .synced = state, let deadline, now < deadline { return [] }
        return core.tick(now: now)
    }

    // MARK: - For the shell

    /// The earliest time at which `tick` has work to do, in milliseconds of the monotonic clock.
    package var deadline: UInt64? {
        switch state {
        case .separate(let separate): separate.core.deadline
        case .synced(let member): member.liveness.deadline(sessions.settings)
        }
    }

    package var frameLimit: UInt32 {
        switch state {
        case .separate(let separate): separate.core.frameLimit
        case .synced: sessions.settings.limits.frameBytes
        }
    }

    /// Requests to open a view that the hub hasn't answered.
    package var waitingOpens: Int {
        switch state {
        case .separate(let separate): separate.core.waitingOpens
        case .synced: 0
        }
    }

    package var hasSomethingToSay: Bool {
        switch state {
        case .separate(let separate): separate.core.hasSomethingToSay
        case .synced: false
        }
    }

    /// The session's load, without the connection's write buffer.
    package var load: SessionLoad {
        switch state {
        case .separate(let separate): separate.core.load
        case .synced(let member): member.load
        }
    }
}
