import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import NIOCore

extension ClientEngine {
    // MARK: - What is told of a screen beside its content

    /// Why a screen is not as it should be.
    func error(of id: ViewID) -> ClientError? {
        watched[id]?.error ?? mirrorError ?? (core.isLive(id) ? nil : connectionError)
    }

    /// - Returns: `nil` when the view isn't watched.
    func status(of id: ViewID) -> ScreenStatus? {
        guard let view = watched[id] else { return nil }
        return ScreenStatus(
            isFromCache: !core.isLive(id), revision: view.cut, asOf: view.asOf,
            isStored: view.unstored == nil, pendingFavorites: overlay.pendingCount, lastError: error(of: id),
            sectionErrors: view.sectionErrors, damagedSections: view.damaged)
    }

    /// Tells those who watch a screen that is not live any more, or is not as it should be for another reason than
    /// before. An attempt that fails like the one before is no news.
    func tellStatus() {
        tell(
            watched.keys.filter { id in
                guard let told = watched[id]?.told, let now = status(of: id) else { return false }
                return told.isFromCache != now.isFromCache || told.lastError != now.lastError
                    || told.sectionErrors != now.sectionErrors || told.isStored != now.isStored
            })
    }

    // MARK: - What went wrong

    /// Remembers an incident for whoever looks at the mirror later. The same as the last one of its kind is not
    /// written again.
    func note(_ kind: Incident.Kind, _ message: String, screen: String = "") {
        let text = screen.isEmpty ? message : "\(screen): \(message)"
        guard noted[kind] != text else { return }
        noted[kind] = text
        // Where nothing can be written, this can't be either.
        try? mirror.note(Incident(kind, screen: screen, message: message, at: now()))
    }

    /// Notes patches that were refused since this was called the last time.
    func noteEvidence() {
        let ring = core.evidence
        guard ring.total > notedEvidence else { return }
        let new = Int(clamping: ring.total - notedEvidence)
        notedEvidence = ring.total
        for refused in ring.entries.suffix(new) {
            note(.patch, "\(refused)", screen: refused.place.split(separator: " ").first.map(String.init) ?? "")
        }
    }

    /// The mirror could not be read or written.
    func mirrorFailed(_ error: MirrorError) {
        let failure = ClientError(mirror: error)
        // A disk that stays full is told once.
        guard mirrorError != failure else { return }
        mirrorError = failure
        note(.mirror, error.message)
        hub.send(.mirrorProblem(failure))
        tellStatus()
    }

    /// Stored bytes are not what was stored.
    func found(_ damage: [(section: String, detail: String)], in id: ViewID) {
        let reports = damage.map {
            MirrorDamage(screen: ScreenID(id.screen), locale: id.locale, section: $0.section, detail: $0.detail)
        }
        for report in reports { note(.damage, "\(report)", screen: id.screen) }
        hub.send(.mirrorDamaged(reports))
    }

    /// What became of a file that could not be opened.
    func tell(_ recovery: MirrorRecovery) {
        note(.damage, "\(recovery.reason); it is kept at \(recovery.setAside)")
        hub.send(.mirrorRecovered(setAside: recovery.setAside, rescuedFavorites: recovery.rescuedMutations))
        if recovery.lostMutations > 0 { hub.send(.favoritesLost(recovery.lostMutations)) }
    }

    // MARK: - The slow scrub

    func startScrubber() {
        guard scrubber == nil else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        scrubber = loop.scheduleRepeatedTask(initialDelay: Self.scrubInterval, delay: Self.scrubInterval) { _ in
            me.value.scrub()
        }
    }

    /// Checks a few stored sections, and with a round of them what is held in memory. Stored bytes of a screen that
    /// is watched are mended from memory, without the server; those of another one when it is opened. What rotted in
    /// memory is read again and brought up to date.
    func scrub() {
        do throws(MirrorError) {
            try mirror.sync()
            let rounds = scrubbing.rounds
            let findings = try mirror.scrub(&scrubbing)
            for (view, found) in Dictionary(grouping: findings, by: \.view).sorted(by: { $0.key < $1.key }) {
                self.found(found.map { ($0.section, $0.detail) }, in: view)
                try mend(view, found.map(\.section))
            }
            if scrubbing.rounds != rounds { checkMemory() }
        } catch {
            mirrorFailed(error)
        }
    }

    private func mend(_ id: ViewID, _ sections: [String]) throws(MirrorError) {
        // What is in memory alone is stored whole, with all else of its view.
        guard watched[id]?.unstored == nil, let content = watched[id]?.content else { return }
        var held: [String: Version] = [:]
        for section in sections {
            // One that the list no longer names is gone with the next cut.
            guard let version = section.isEmpty ? content.list : content.sections[section], version.isWhole
            else { continue }
            held[section] = version
        }
        try mirror.rewrite(id, held)
    }

    private func checkMemory() {
        for (id, view) in watched.sorted(by: { $0.key < $1.key }) {
            guard let content = view.content,
                !content.list.isWhole || content.sections.values.contains(where: { !$0.isWhole })
            else { continue }
            found([("", "its copy in memory is not what was received")], in: id)
            run(core.unwant(id))
            let stored = reload(id)
            run(
                core.want(id, parameters: watched[id]?.parameters ?? [], stored: stored, cut: watched[id]?.cut ?? Cut())
            )
            tell([id])
        }
    }
}

extension Version {
    /// Whether its bytes still give its sum.
    fileprivate var isWhole: Bool { Version(head: head, items: items).sum == sum }
}
