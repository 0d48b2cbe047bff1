import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

/// Handles what the server refuses: a section, a view, or a view's options. Everything else continues.
extension ClientEngine {
    /// Called when the server can't update a section: it stays as it is, and the server retries.
    func sectionFailed(_ section: String, of id: ViewID, _ status: Status) {
        watched[id]?.sectionErrors[section] = ClientError(status)
        note(.screen, "section '\(section)': \(status.message)", screen: id.screen)
        notifyStatus()
    }

    func viewFailed(_ id: ViewID, _ status: Status) {
        let error = ClientError(status)
        watched[id]?.error = error
        note(.screen, error.message, screen: id.screen)
        switch status.remedy {
        case .retrySame, .retryOther, .resync:
            // Only this view, and after a pause; the others continue.
            let pause = status.retryAfterMilliseconds.map { TimeAmount.milliseconds(Int64($0)) } ?? Self.retryPause
            let me = NIOLoopBound(self, eventLoop: loop)
            loop.scheduleTask(in: pause) { me.value.run(me.value.core.subscribeAgain(id)) }
            notifyStatus()
        case .reauthenticate, .fatal:
            if Self.aboutOptions.contains(status.reason), subscribe(again: id, without: status) { return }
            giveUp(id, status)
        }
    }

    /// Ends a view that the server refuses for good, and nothing else.
    func giveUp(_ id: ViewID, _ status: Status) {
        finishWatchers(of: id, status)
        settleOptions(of: id, .failure(ClientError(status)))
        run(core.unwant(id))
        guard id == collectionSet else {
            guard var view = watched.removeValue(forKey: id), view.unstored != nil else { return }
            // The mirror has something older, which must not come back when the view is watched again.
            (view.readers, view.error) = ([:], nil)
            return keepUnstored(id, view)
        }
        note(.collection, "the server refuses the collections: \(status.message)")
        answerOverlayReaders()
    }

    /// Reasons for refusing a view because of its options.
    private static let aboutOptions: Set<String> = [
        "UNKNOWN_SORT", "UNKNOWN_WINDOW", "UNKNOWN_ANCHOR", "UNKNOWN_SECTION", "REPEATED_SECTION",
    ]

    /// Subscribes to a screen again without the options that may be the reason for its refusal: without remembered
    /// ones; then without those of new readers, whose loops end; then without those chosen since. Remaining readers are
    /// told of what they lose.
    /// - Returns: whether anything is left to subscribe to.
    private func subscribe(again id: ViewID, without status: Status) -> Bool {
        let error = ClientError(status)
        let hasForgotten = watched[id]?.leaveOutRemembered() == true
        let hasEnded = !hasForgotten && endUntestedReaders(of: id, error)
        let isReported = hasForgotten || !hasEnded && watched[id]?.leaveOutChosen() == true
        guard var view = watched[id], !view.readers.isEmpty, isReported || hasEnded else { return false }
        if isReported { view.refusal = error }
        view.error = view.refusal
        watched[id] = view
        run(core.unwant(id))
        run(core.want(id, parameters: view.parameters, stored: view.content, cut: view.cut))
        // Calls made before are answered with the next request, unless what they asked for was left out.
        if isReported, !hasForgotten { settleOptions(of: id, .failure(error)) }
        if isReported { hub.send(.optionsRefused(ScreenID(id.screen), error)) }
        notifyStatus()
        return true
    }

    /// Ends the loops that began with options which the server has not accepted.
    /// - Returns: whether there were any.
    private func endUntestedReaders(of id: ViewID, _ error: ClientError) -> Bool {
        guard var view = watched[id] else { return false }
        let ended = view.removeUntested()
        if ended.isEmpty { return false }
        watched[id] = view
        for reader in ended { reader.observer.finish(error) }
        return true
    }

    /// Handles refused options of a live screen: it stays as it is, and so do the remembered options. Loops that began
    /// with refused options end.
    func optionsRefused(_ id: ViewID, _ kept: [SectionParameters], _ status: Status) {
        let error = ClientError(status)
        note(.screen, status.message, screen: id.screen)
        // Options of a newer request aren't judged yet.
        if core.isAnswered(id), endUntestedReaders(of: id, error) {
            if watched[id]?.readers.isEmpty != false { return giveUp(id, status) }
            // The requests of other readers are judged without the options of those that have ended.
            requestParameters(of: id)
            if core.isAnswered(id) { settleOptions(of: id, .success(())) }
            return
        }
        keepOptions(of: id, kept)
        watched[id]?.error = error
        hub.send(.optionsRefused(ScreenID(id.screen), error))
        if core.isAnswered(id) { settleOptions(of: id, .failure(error)) }
        notifyStatus()
    }

    func keepOptions(of id: ViewID, _ kept: [SectionParameters]) {
        watched[id]?.keep(kept.map { SectionOptions($0) })
    }

    private func finishWatchers(of id: ViewID, _ status: Status) {
        for reader in watched[id]?.readers.values.map({ $0 }) ?? [] { reader.observer.finish(ClientError(status)) }
    }
}
