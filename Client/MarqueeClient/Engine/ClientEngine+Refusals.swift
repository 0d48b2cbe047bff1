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
            if Self.aboutOptions.contains(status.reason) {
                if watched[id]?.remembered.isEmpty == false { return forgetOptions(of: id) }
                if refuseReadersWithOptions(of: id, status) { return }
            }
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

    /// Forgets the options chosen last time, which the programme no longer has: the screen is shown with its defaults.
    private func forgetOptions(of id: ViewID) {
        run(core.unwant(id))
        guard var view = watched[id] else { return }
        view.remembered = []
        watched[id] = view
        run(core.want(id, parameters: view.parameters, stored: view.content, cut: view.cut))
    }

    /// Ends the readers that brought options; the others continue with the defaults.
    /// - Returns: whether there are others.
    private func refuseReadersWithOptions(of id: ViewID, _ status: Status) -> Bool {
        guard var view = watched[id], view.readers.values.contains(where: { !$0.hasOptions }) else { return false }
        for reader in view.readers.values where reader.hasOptions { reader.observer.finish(ClientError(status)) }
        view.readers = view.readers.filter { !$0.value.hasOptions }
        view.asked = []
        settleOptions(of: id, .failure(ClientError(status)))
        run(core.unwant(id))
        watched[id] = view
        run(core.want(id, parameters: view.parameters, stored: view.content, cut: view.cut))
        return true
    }

    /// Handles refused options: the screen stays as it is, and so do the remembered options.
    func optionsRefused(_ id: ViewID, _ kept: [SectionParameters], _ status: Status) {
        keepOptions(of: id, kept)
        watched[id]?.error = ClientError(status)
        note(.screen, status.message, screen: id.screen)
        hub.send(.optionsRefused(ScreenID(id.screen), ClientError(status)))
        if core.isAnswered(id) { settleOptions(of: id, .failure(ClientError(status))) }
        notifyStatus()
    }

    func keepOptions(of id: ViewID, _ kept: [SectionParameters]) {
        watched[id]?.keep(kept.map { SectionOptions($0.section, sort: $0.sort, window: $0.window, place: $0.place) })
    }

    private func finishWatchers(of id: ViewID, _ status: Status) {
        for reader in watched[id]?.readers.values.map({ $0 }) ?? [] { reader.observer.finish(ClientError(status)) }
    }
}
