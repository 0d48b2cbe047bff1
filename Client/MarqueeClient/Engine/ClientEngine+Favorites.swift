import MarqueeMirror
package import MarqueeModel
import MarqueeWire
import NIOCore

extension ClientEngine {
    /// The mutation of the outbox that is on the wire.
    struct SentFavorite {
        var call: UInt32
        var number: UInt64
        var subject: String
        /// Whether no server can have seen it before.
        var isFirstTry: Bool
    }

    /// Reads what waits in the outbox, and what was refused: once, and when all of it got other numbers.
    func loadOutbox() {
        do throws(MirrorError) {
            overlay.replacePending(try FavoriteOverlay.pending(in: mirror))
            overlay.remember(rejected: try mirror.rejections().map { ($0.subject, $0.reason) })
        } catch {
            mirrorFailed(error)
        }
    }

    private func placeholder(of subject: String) throws(MirrorError) -> Item? {
        try mirror.bestBody(of: subject).map { Item(id: subject, kind: $0.kind, subject: subject, body: $0.body) }
    }

    /// Looks again for items to show pending favorites with, now that other screens are stored.
    func fillPlaceholders() {
        let lacking = overlay.lackingPlaceholders(Self.placeholderLookups)
        for subject in lacking {
            if let item = try? placeholder(of: subject) { overlay.setPlaceholder(item, of: subject) }
        }
    }

    /// What the server has confirmed, laid under what waits.
    func renewConfirmed() {
        // An item of a kind that is not known here is carried along and means nothing to stars.
        let items = watched[favoriteSet]?.content?.sections.values.first?.items ?? []
        overlay.confirm(items.filter { $0.kind == .favorite }.map(\.subject))
    }

    /// Tells those who watch a screen on which some favorite looks different now.
    func tellFavorites(also ids: [ViewID] = []) {
        let changes = overlay.takeChanges()
        var told = Set(ids)
        if changes.touched {
            for (id, view) in watched where view.shows(changes) { told.insert(id) }
        }
        tell(told)
    }

    package func setFavorite(_ subject: Subject, _ on: Bool) throws(ClientError) {
        guard !isStopped else { throw ClientError(.closed, "the client was closed") }
        do throws(MirrorError) {
            let entry = try mirror.setFavorite(subject: subject.name, on: on, at: now())
            overlay.put(try FavoriteOverlay.Pending(entry, in: mirror))
        } catch {
            throw ClientError(mirror: error)
        }
        tellFavorites()
        sendFavorites()
        connectIfNeeded()
    }

    package func favoriteList() -> [(subject: Subject, mark: FavoriteMark)] { overlay.list }

    func hasUnconfirmedFavorites() -> Bool { !overlay.pending.isEmpty }

    /// The server's refusal is final: nothing is tried again by itself.
    var hasGivenUp: Bool { if case .failed = link { reconnect == nil } else { false } }

    func favoriteStatus() throws(ClientError) -> FavoriteStatus {
        do throws(MirrorError) {
            return FavoriteStatus(
                pending: overlay.pendingCount, since: try mirror.firstWaiting()?.createdAt, lastError: favoriteError,
                rejected: try mirror.rejections().map(RejectedFavorite.init))
        } catch {
            throw ClientError(mirror: error)
        }
    }

    func forgetRejections() throws(ClientError) {
        do throws(MirrorError) { try mirror.forgetRejections() } catch { throw ClientError(mirror: error) }
        overlay.forgetRejections()
        tellFavorites()
    }

    // MARK: - Sending

    /// Sends the first that waits in the outbox. One is under way at a time: were a later one taken while an earlier
    /// one is put off, the earlier one could never be applied any more.
    func sendFavorites() {
        guard core.isLive, isSettled, sentFavorite == nil, resend == nil else { return }
        do throws(MirrorError) {
            guard let entry = try mirror.firstWaiting() else { return }
            // Frozen before it is sent: what the server may have seen must never change (G7).
            let isFirstTry = entry.state == .pending
            if isFirstTry {
                try mirror.markSent([entry.number])
                overlay.freeze(entry.number)
            }
            let body = CallBodyCodec.encode(
                FavoriteRequest(
                    number: entry.number, answeredThrough: answeredThrough, subject: entry.subject, favorite: entry.on))
            guard let (call, action) = core.call(.favorite, body: body, deadlineMilliseconds: nil) else {
                return sendFavoritesLater(after: Self.fullCallsPause)
            }
            sentFavorite = SentFavorite(
                call: call, number: entry.number, subject: entry.subject, isFirstTry: isFirstTry)
            run([action])
        } catch {
            mirrorFailed(error)
            sendFavoritesLater(after: Self.retryPause)
        }
    }

    /// Puts off what waits; until then nothing of the outbox is sent.
    private func sendFavoritesLater(after pause: TimeAmount) {
        resend?.cancel()
        let me = NIOLoopBound(self, eventLoop: loop)
        resend = loop.scheduleTask(in: pause) {
            me.value.resend = nil
            me.value.sendFavorites()
        }
    }

    func favoriteAnswered(_ sent: SentFavorite, _ result: Result<[UInt8], Status>) {
        do throws(MirrorError) {
            switch FavoriteVerdict(result) {
            case .confirmed(let answer): try confirmed(sent, answer)
            case .refused(let status): try rollBack(sent.number, sent.subject, ClientError(status))
            case .later(let status): holdUp(status)
            case .cloned: try goOnUnderNewID("two mirrors share one client id; this one goes on under a new one")
            case .forgotten:
                // What no server can have seen before has not taken effect for sure.
                if !sent.isFirstTry { try rollBack(sent.number, sent.subject, Self.forgotten) }
                try goOnUnderNewID(Self.unknownToServer)
            case .unreadable: end(.retry("an answer can't be read"))
            }
        } catch {
            mirrorFailed(error)
            sendFavoritesLater(after: Self.retryPause)
        }
        tellFavorites()
        sendFavorites()
    }

    private func confirmed(_ sent: SentFavorite, _ answer: MutationAnswer) throws(MirrorError) {
        try mirror.answered(
            number: sent.number, cut: core.position.advanced(to: answer.cut), changed: answer.changed)
        favoriteError = nil
        favoriteBackoff.reset()
        backoff.reset()
        // What memory alone holds would not be there to show what leaves.
        guard unstoredCut == nil else { return }
        let live = watched.keys.filter { core.isLive($0) }
        let finished = try finishedFavorites(
            at: core.position, live: live, complete: live.filter { core.isComplete($0) })
        guard !finished.isEmpty else { return }
        try mirror.commit(MirrorTransaction(cut: core.position, savedAt: now(), finishedMutations: finished))
        overlay.remove(finished)
    }

    /// Tried again as it is, and told: nothing is stuck silently.
    private func holdUp(_ status: Status) {
        let error = ClientError(status)
        if favoriteError != error {
            favoriteError = error
            hub.send(.favoritesHeldUp(pending: overlay.pendingCount, error))
            note(.favorite, error.message)
        }
        let asked = Duration.milliseconds(status.retryAfterMilliseconds ?? 0)
        sendFavoritesLater(
            after: TimeAmount(favoriteBackoff.next(fraction: surroundings.fraction()) + max(asked, Self.shortestHoldUp))
        )
    }

    private func rollBack(_ number: UInt64, _ subject: String, _ error: ClientError) throws(MirrorError) {
        try mirror.rejected(number: number, reason: error.message)
        rolledBack(number, subject, error.message)
    }

    private func rolledBack(_ number: UInt64, _ subject: String, _ reason: String) {
        overlay.reject(number, subject: subject, reason: reason)
        note(.favorite, "\(subject) is rolled back: \(reason)")
        hub.send(.favoriteRejected(Subject(subject), reason: reason))
    }

    /// Why a mirror takes a new client id when the server lacks what it had answered: one of these happened, and
    /// nobody can tell which.
    private static let unknownToServer =
        "the server does not know what this mirror sent before: it was restored, or forgot it, or a copy of the mirror was used; "
        + "the mirror goes on under a new client id"

    static let forgotten = ClientError(.refused, Renumbering.rollbackReason)

    // MARK: - Numbers

    private func goOnUnderNewID(_ reason: String) throws(MirrorError) {
        _ = try mirror.renumber(.all, newClientID: surroundings.newClientID())
        loadOutbox()
        end(.retry(reason))
    }

    /// What the server knows of this client decides under which numbers the outbox goes on.
    /// - Returns: whether this connection is of use.
    func settle(_ standing: MirrorStanding) throws(MirrorError) -> Bool {
        switch standing {
        case .known: return true
        case .overtaken(let last):
            _ = try mirror.renumber(.afterSent, above: last)
            loadOutbox()
            return true
        case .forgotten:
            // What was sent is rolled back: there is no telling whether it took effect.
            for entry in try mirror.renumber(
                .unsentOnly, above: 0, newClientID: surroundings.newClientID()
            ).rolledBack {
                rolledBack(entry.number, entry.subject, Renumbering.rollbackReason)
            }
            loadOutbox()
            tellFavorites()
            end(.retry(Self.unknownToServer))
            return false
        case .refused: return false
        }
    }

    /// The answered rows that leave at a position: the live favorite set has to hold what they did. A list of
    /// favorites that is still on its way holds them back as well, or the star would flicker (G6); one that failed,
    /// or a section that failed beside it, does not.
    ///
    /// - Parameters:
    ///   - live: views that are at the position.
    ///   - complete: those of them that are there with all their sections.
    func finishedFavorites(
        at cut: Cut, live: some Collection<ViewID>, complete: some Collection<ViewID>
    ) throws(MirrorError) -> [UInt64] {
        guard watched[favoriteSet] != nil else { return [] }
        let isBehind =
            !complete.contains(favoriteSet)
            || watched.contains { id, view in
                id != favoriteSet && view.showsFavorites && view.error == nil && !live.contains(id)
            }
        return isBehind ? [] : try mirror.finished(containedIn: cut)
    }

    // MARK: - The favorite set

    /// Subscribes to the favorite set again after the server refused it for good. Called when what it was refused for
    /// may have changed.
    func wantFavoriteSetAgain() {
        guard configuration.user != nil, let view = watched[favoriteSet], !core.isWanted(favoriteSet) else { return }
        run(core.want(favoriteSet, parameters: [], stored: view.content, cut: view.cut))
    }

    /// Whether the mirror has the favorites, as far as they were ever confirmed to it.
    var favoritesAreKnown: Bool {
        watched[favoriteSet].map { $0.content != nil && $0.damaged.isEmpty } ?? false
    }

    /// Calls back with the favorites to lay over an answer: at once if they are known, else when they come or can't
    /// come for now.
    func whenFavoritesKnown(_ completion: @escaping (FavoriteOverlay) -> Void) {
        guard !isStopped, !favoritesAreKnown, case .up = link, core.isWanted(favoriteSet),
            favoriteReaders.count < Self.maximumCalls
        else { return completion(overlay) }
        nextFavoriteReader += 1
        let id = nextFavoriteReader
        let me = NIOLoopBound(self, eventLoop: loop)
        let timeout = loop.scheduleTask(in: TimeAmount(configuration.callTimeout)) {
            let engine = me.value
            engine.favoriteReaders.removeValue(forKey: id)?.completion(engine.overlay)
        }
        favoriteReaders[id] = (timeout, completion)
    }

    func answerFavoriteReaders() {
        let readers = favoriteReaders.sorted { $0.key < $1.key }.map(\.value)
        favoriteReaders.removeAll()
        for reader in readers {
            reader.timeout.cancel()
            reader.completion(overlay)
        }
    }
}
