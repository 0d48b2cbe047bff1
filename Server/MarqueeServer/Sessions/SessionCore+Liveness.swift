import MarqueeModel
import MarqueeWire

// Timeouts: a session gives up on a client that is silent, or that doesn't read.

extension SessionCore {
    /// Called about once a second.
    package mutating func tick(now: UInt64) -> [Action] {
        switch phase {
        case .closed: return []
        case .awaitingHello, .authenticating:
            if now >= lasting.liveness.opened + settings.helloTimeoutMilliseconds {
                return [.hit(.hello)] + fail(.helloTimeout)
            }
            return []
        case .catchingUp(let hello, _, _): return locateAgain(hello)
        case .live: break
        }
        // A client that waits for a commit may be silent.
        if now >= lasting.liveness.lastHeard + lasting.liveness.silence(settings), calls.committing.isEmpty {
            return fail(
                Status(
                    .deadlineExceeded, reason: "SILENT", remedy: .retrySame,
                    message: "nothing was received for too long"))
        }
        if let began = lasting.liveness.frameBegan, now >= began + lasting.liveness.silence(settings) {
            return fail(
                Status(
                    .deadlineExceeded, reason: "FRAME_UNFINISHED", remedy: .retrySame,
                    message: "a frame was not completed in time"))
        }
        // Checked here as well: if the socket accepts nothing, no frame is requested.
        waitingSince = hasWork ? waitingSince ?? now : nil
        if let since = waitingSince, now >= since + settings.dataTimeoutMilliseconds {
            return fail(
                Status(
                    .deadlineExceeded, reason: "DATA_NOT_TAKEN", remedy: .retrySame,
                    message: "data was not taken for \(settings.dataTimeoutMilliseconds / 1_000) seconds"))
        }
        manifests.awaitedSince = manifests.questions.isEmpty ? nil : manifests.awaitedSince ?? now
        if let since = manifests.awaitedSince, now >= since + settings.manifestTimeoutMilliseconds {
            return fail(
                Status(
                    .deadlineExceeded, reason: "DATA_NOT_TAKEN", remedy: .retrySame,
                    message: "a manifest was not sent for \(settings.manifestTimeoutMilliseconds / 1_000) seconds"))
        }
        if !calls.deadlines.isEmpty { endOverdueCalls(now: now) }
        calls.answersWaitingSince = calls.answers.isEmpty ? nil : calls.answersWaitingSince ?? now
        if let since = calls.answersWaitingSince, now >= since + answerTimeout {
            return fail(
                Status(
                    .deadlineExceeded, reason: "DATA_NOT_TAKEN", remedy: .retrySame,
                    message: "an answer was not taken for \(answerTimeout / 1_000) seconds"))
        }
        // Later parts of the publication are refused as out of order.
        if let deadline = calls.publishing?.deadline, now >= deadline { calls.publishing = nil }
        if !variants.failed.isEmpty { tryFailedSections(now: now) }
        if now >= lasting.liveness.lastProgress + lasting.liveness.progressInterval(settings), outgoing.isEmpty {
            sayProgress(now: now)
        }
        return []
    }

    /// How long answers may currently wait for the client to accept them.
    private var answerTimeout: UInt64 {
        budgets.answers.isScarce
            ? min(settings.scarceAnswerMilliseconds, settings.dataTimeoutMilliseconds)
            : settings.dataTimeoutMilliseconds
    }

    /// The earliest time at which `tick` has work to do, in milliseconds; 0 for its next call. An event may bring it
    /// forward.
    package var deadline: UInt64? {
        switch phase {
        case .closed: return nil
        case .awaitingHello, .authenticating: return lasting.liveness.opened + settings.helloTimeoutMilliseconds
        case .catchingUp: return 0
        case .live: break
        }
        var deadline = lasting.liveness.deadline(settings)
        func consider(_ time: UInt64) { deadline = min(deadline, time) }
        // These have timestamps that ticks set and clear, so every tick looks at them until they are gone.
        if !variants.failed.isEmpty || !calls.answers.isEmpty || calls.answersWaitingSince != nil { return 0 }
        if waitingSince != nil || hasWork {
            guard let waitingSince, hasWork else { return 0 }
            consider(waitingSince + settings.dataTimeoutMilliseconds)
        }
        if manifests.awaitedSince != nil || !manifests.questions.isEmpty {
            guard let since = manifests.awaitedSince, !manifests.questions.isEmpty else { return 0 }
            consider(since + settings.manifestTimeoutMilliseconds)
        }
        if let publishing = calls.publishing { consider(publishing.deadline) }
        if let overdue = calls.deadlines.values.min() { consider(overdue) }
        return deadline
    }

    mutating func ping(_ nonce: UInt64, now: UInt64) -> [Action] {
        if lasting.liveness.pinged(now: now, minimum: settings.pingMinimumMilliseconds) {
            return fail(
                Status(
                    .resourceExhausted, reason: "TOO_MANY_PINGS", remedy: .retrySame,
                    message: "pings come closer together than \(settings.pingMinimumMilliseconds) ms"))
        }
        say(.pong(nonce: nonce))
        return []
    }
}

extension Status {
    /// The client didn't identify itself in time, or its identity couldn't be determined in time.
    static let helloTimeout = Status(
        .deadlineExceeded, reason: "HELLO_TIMEOUT", remedy: .retrySame, message: "no hello came in time")
}
