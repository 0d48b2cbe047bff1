import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

/// Sends the outbox: when a change goes to the server, what its answer means, and which numbers changes have.
extension ClientEngine {
    /// The mutation of the outbox that is on the wire.
    struct SentChange {
        var call: UInt32
        var number: UInt64
        var collection: CollectionName
        var subject: String
        /// Whether no server can have seen it before.
        var isFirstTry: Bool
        /// Milliseconds of the monotonic clock.
        var sentAt: UInt64
    }

    /// Reads the outbox and the refusals: at the start, and whenever the outbox was renumbered.
    func loadOutbox() {
        // First, so that the outbox read below includes what companions have stored.
        takeInbox()
        let before = overlay.pendingNumbers
        do throws(MirrorError) {
            overlay.replacePending(try CollectionsOverlay.pending(in: mirror))
            overlay.remember(try mirror.rejections())
        } catch {
            mirrorFailed(error)
        }
        guard !before.all.isEmpty else { return }
        let after = overlay.pendingNumbers
        for (number, member) in before.of.sorted(by: { $0.key < $1.key }) where !after.all.contains(number) {
            if mirror.isCompanion, before.latest[member] == number, after.latest[member] == nil {
                // The owner has sent it, and the server answered.
                do throws(MirrorError) {
                    ledger.finish([number], try answer(about: member))
                } catch {
                    mirrorFailed(error)
                }
                continue
            }
            // The last change of a member replaces its earlier ones.
            ledger.renumber(number, as: before.latest[member] == number ? after.latest[member] : nil)
        }
    }

    // MARK: - Sending

    /// Sends the first entry waiting in the outbox. Only one is in flight at a time: if a later one were applied while
    /// an earlier one is postponed, the earlier one could never be applied.
    func sendChanges() {
        guard core.isLive, isSettled, sentChange == nil, reporting.sent == nil, resend == nil else { return }
        // The answer may be a rejection, and every listener must have room for it.
        guard !hub.isFull else { return sendChangesLater(after: Self.retryPause) }
        do throws(MirrorError) {
            let first = try mirror.firstWaiting()
            guard try !sendReport(before: first?.number), let entry = first else { return }
            // Frozen before it is sent: what the server may have seen must never change (G7).
            let isFirstTry = entry.state == .pending
            if isFirstTry {
                try mirror.markSent([entry.number])
                overlay.freeze(entry.number)
            }
            let body = CallBodyCodec.encode(
                CollectionRequest(
                    number: entry.number, answeredThrough: answeredThrough, collection: entry.collection,
                    subject: entry.subject, isMember: entry.on, value: entry.value))
            guard let (call, action) = core.call(.collection, body: body, deadlineMilliseconds: nil) else {
                return sendChangesLater(after: Self.fullCallsPause)
            }
            sentChange = SentChange(
                call: call, number: entry.number, collection: entry.collection, subject: entry.subject,
                isFirstTry: isFirstTry, sentAt: environment.uptime())
            run([action])
        } catch {
            mirrorFailed(error)
            sendChangesLater(after: Self.retryPause)
        }
    }

    /// Pauses the outbox.
    func sendChangesLater(after pause: TimeAmount) {
        resend?.cancel()
        let me = NIOLoopBound(self, eventLoop: loop)
        resend = loop.scheduleTask(in: pause) {
            me.value.resend = nil
            me.value.sendChanges()
        }
    }

    func changeAnswered(_ sent: SentChange, _ result: Result<[UInt8], Status>) {
        counters.changes.add(environment.uptime() - min(sent.sentAt, environment.uptime()))
        do throws(MirrorError) {
            switch MutationVerdict(result) {
            case .confirmed(let answer): try confirmed(sent, answer)
            case .refused(let status): try rollBack(sent, ClientError(status))
            case .later(let status): holdUp(status)
            case .cloned: try continueUnderNewID(Self.cloned)
            case .forgotten:
                // A change that no server can have seen before certainly hasn't taken effect.
                if !sent.isFirstTry { try rollBack(sent, Self.forgotten) }
                try continueUnderNewID(Self.unknownToServer)
            case .unreadable: end(.retry("an answer can't be read"))
            }
        } catch {
            mirrorFailed(error)
            sendChangesLater(after: Self.retryPause)
        }
        notifyCollections()
        sendChanges()
    }

    private func confirmed(_ sent: SentChange, _ answer: MutationAnswer) throws(MirrorError) {
        try mirror.answered(
            number: sent.number, cut: core.position.advanced(to: answer.cut), changed: answer.changed)
        ledger.finish([sent.number], .confirmed)
        counters.confirmedChanges += 1
        outboxError = nil
        outboxBackoff.reset()
        provedUseful()
        // Rows may leave only after the content that contains their effect is stored.
        guard unstored.cut == nil else { return }
        let live = watched.keys.filter { core.isLive($0) }
        let finished = try finishedChanges(
            at: core.position, live: live, complete: live.filter { core.isComplete($0) })
        guard !finished.isEmpty else { return }
        try mirror.commit(MirrorTransaction(cut: core.position, savedAt: now(), finishedMutations: finished))
        left(finished)
    }

    /// Called when changes have left the outbox: the server's content contains them.
    func left(_ finished: [UInt64]) {
        ledger.finish(finished, .confirmed)
        overlay.remove(finished)
    }

    /// Retries later, unchanged, and reports the delay, so that nothing gets stuck silently.
    private func holdUp(_ status: Status) {
        let error = ClientError(status)
        if outboxError != error {
            outboxError = error
            hub.send(.changesHeldUp(pending: overlay.pendingCount, error))
            note(.collection, error.message)
        }
        sendChangesLater(as: status)
    }

    /// Pauses the outbox for as long as the server asks, and longer each time.
    func sendChangesLater(as status: Status) {
        let asked = Duration.milliseconds(status.retryAfterMilliseconds ?? 0)
        sendChangesLater(
            after: TimeAmount(outboxBackoff.next(fraction: environment.fraction()) + max(asked, Self.shortestHoldUp)))
    }

    private func rollBack(_ sent: SentChange, _ error: ClientError) throws(MirrorError) {
        try mirror.rejected(number: sent.number, code: error.code.description, reason: error.message)
        rolledBack(sent.number, sent.subject, of: sent.collection, error)
    }

    private func rolledBack(_ number: UInt64, _ subject: String, of collection: CollectionName, _ error: ClientError) {
        ledger.finish([number], .rejected(error))
        counters.rejectedChanges += 1
        overlay.reject(number, of: subject, in: collection, error)
        note(.collection, "\(subject) in \(collection) is rolled back: \(error.message)")
        hub.send(.changeRejected(collection, Subject(subject), error))
    }

    /// Why a mirror takes a new client id when another one has used its own.
    static let cloned = "two mirrors share one client id; this one continues under a new one"
    /// The reason for a new client id when the server doesn't know its last answer to this mirror. The client can't
    /// tell which of these happened.
    static let unknownToServer =
        "the server doesn't know what this mirror sent before: the server was restored or has forgotten it, or a copy of the mirror "
        + "was used; the mirror continues under a new client id"

    static let forgotten = ClientError(.changeRefused, Renumbering.rollbackReason)

    // MARK: - Numbers

    func continueUnderNewID(_ reason: String) throws(MirrorError) {
        _ = try mirror.renumber(.all, newClientID: environment.newClientID())
        loadOutbox()
        end(.retry(reason))
    }

    /// Renumbers the outbox if the server's knowledge of this client requires it.
    /// - Returns: whether to go on with this connection.
    func settle(_ verdict: WelcomeVerdict) throws(MirrorError) -> Bool {
        switch verdict {
        case .known: return true
        case .overtaken(let last):
            _ = try mirror.renumber(.afterSent, above: last)
            loadOutbox()
            return true
        case .forgotten:
            // Roll back everything sent: it is unknown whether it took effect.
            let renumbering = try mirror.renumber(.unsentOnly, above: 0, newClientID: environment.newClientID())
            drop(renumbering.droppedObservations, Renumbering.rollbackReason)
            for entry in renumbering.rolledBack {
                rolledBack(entry.number, entry.subject, of: entry.collection, Self.forgotten)
            }
            loadOutbox()
            notifyCollections()
            end(.retry(Self.unknownToServer))
            return false
        case .refused: return false
        }
    }

    /// The answered rows that leave at a position: the live set of collections has to contain their effects. A list of
    /// members that is still in transit holds them back too, or the star would flicker (G6); a failed view or section
    /// doesn't.
    ///
    /// - Parameters:
    ///   - live: views that are at the position.
    ///   - complete: those of them that have all their sections.
    func finishedChanges(
        at cut: Cut, live: some Collection<ViewID>, complete: some Collection<ViewID>
    ) throws(MirrorError) -> [UInt64] {
        guard watched[collectionSet] != nil else { return [] }
        let isBehind =
            !complete.contains(collectionSet)
            || watched.contains { id, view in
                id != collectionSet && !view.listed.isEmpty && view.error == nil && !live.contains(id)
            }
        return isBehind ? [] : try mirror.finished(containedIn: cut)
    }
}
