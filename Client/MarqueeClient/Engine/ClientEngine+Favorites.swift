import MarqueeMirror
package import MarqueeModel
import MarqueeWire
import NIOCore

extension ClientEngine {
    /// Puts the confirmed favorites and the outbox together.
    func renewOverlay() {
        let confirmed = watched[favoriteSet]?.content?.sections.values.first?.items.map(\.subject) ?? []
        do throws(MirrorError) {
            overlay = try FavoriteOverlay(confirmed: confirmed, waitingIn: mirror)
        } catch {
            hub.send(.mirrorProblem(ClientError(mirror: error)))
        }
    }

    package func setFavorite(_ subject: Subject, _ on: Bool) throws(ClientError) {
        guard !isStopped else { throw ClientError(.closed, "the client was closed") }
        do throws(MirrorError) {
            _ = try mirror.setFavorite(subject: subject.name, on: on, at: now())
        } catch {
            throw ClientError(mirror: error)
        }
        renewOverlay()
        tell(Array(watched.keys))
        sendFavorites()
        connectIfNeeded()
    }

    func favoriteList() -> [(subject: Subject, mark: FavoriteMark)] { overlay.list }

    func hasUnconfirmedFavorites() -> Bool { !overlay.pending.isEmpty }

    /// Sends the first that waits in the outbox. One is under way at a time: were a later one taken while an earlier one is put off, the earlier
    /// one could never be applied any more.
    func sendFavorites() {
        guard core.isLive, sentFavorite == nil, resend == nil else { return }
        do throws(MirrorError) {
            let waiting = try mirror.outbox().first { entry in
                if case .answered = entry.state { false } else { true }
            }
            guard let entry = waiting else { return }
            // Frozen before it is sent: what the server may have seen never changes any more (G7).
            if entry.state == .pending { try mirror.markSent([entry.number]) }
            let body = CallBodyCodec.encode(
                FavoriteRequest(
                    number: entry.number, answeredThrough: answeredThrough, subject: entry.subject, favorite: entry.on))
            guard let (call, action) = core.call(.favorite, body: body, deadlineMilliseconds: nil) else {
                return sendFavoritesLater(after: .milliseconds(200))
            }
            sentFavorite = (call, entry.number)
            run([action])
        } catch {
            hub.send(.mirrorProblem(ClientError(mirror: error)))
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

    func favoriteAnswered(_ number: UInt64, _ result: Result<[UInt8], Status>) {
        do throws(MirrorError) {
            switch result {
            case .success(let body):
                guard let answer = try? CallBodyCodec.decodeMutationAnswer(body) else {
                    return end(.retry("an answer can't be read"))
                }
                try mirror.answered(
                    number: number, cut: core.position.advanced(to: answer.cut), changed: answer.changed)
                let finished = try finishedFavorites(at: core.position, isSetLive: core.isLive(favoriteSet))
                if !finished.isEmpty {
                    try mirror.commit(
                        MirrorTransaction(cut: core.position, savedAt: now(), finishedMutations: finished))
                }
            case .failure(let status):
                try favoriteFailed(number, status)
            }
        } catch {
            hub.send(.mirrorProblem(ClientError(mirror: error)))
            sendFavoritesLater(after: Self.retryPause)
        }
        renewOverlay()
        tell(Array(watched.keys))
        sendFavorites()
    }

    /// The answered rows that leave at a position: a live favorite set has to hold what they did, or the star would flicker (G6).
    /// Of a log that is gone nothing more will come.
    func finishedFavorites(at cut: Cut, isSetLive: Bool) throws(MirrorError) -> [UInt64] {
        let isOtherLog = mirror.seen.map { $0.userEpoch != cut.userEpoch } ?? false
        return isSetLive || isOtherLog ? try mirror.finished(containedIn: cut) : []
    }

    /// Gives what was never sent fresh numbers; what was sent is rolled back, as nobody knows whether it took effect.
    func renumber(above last: UInt64) throws(MirrorError) {
        for entry in try mirror.renumber(.unsentOnly, above: last).rolledBack {
            let reason = "the server does not know any more whether it took effect"
            hub.send(.favoriteRejected(Subject(entry.subject), reason: reason))
        }
    }

    func favoriteFailed(_ number: UInt64, _ status: Status) throws(MirrorError) {
        switch status.reason {
        case "CLIENT_CLONED":
            // Two mirrors share one client id: this one takes a new id and new numbers.
            _ = try mirror.renumber(.all, newClientID: surroundings.newClientID())
            end(.retry(status.message))
        case "MUTATION_FORGOTTEN":
            try renumber(above: 0)
        default:
            guard status.remedy == .fatal else {
                // It stays frozen in the outbox and is sent again, as it is.
                let pause = status.retryAfterMilliseconds.map { TimeAmount.milliseconds(Int64($0)) }
                return sendFavoritesLater(after: pause ?? Self.retryPause)
            }
            let entry = try mirror.outbox().first { $0.number == number }
            try mirror.rejected(number: number, reason: status.message)
            if let entry { hub.send(.favoriteRejected(Subject(entry.subject), reason: status.message)) }
        }
    }
}
