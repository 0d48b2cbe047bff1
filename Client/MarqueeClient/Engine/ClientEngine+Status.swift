import Foundation
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import NIOCore

extension ClientEngine {
    // MARK: - The status of a screen

    /// The reason why a screen is not current, or not as requested.
    func error(of id: ViewID) -> ClientError? {
        watched[id]?.error ?? mirrorError ?? (core.isLive(id) ? nil : retries.error)
    }

    /// - Returns: `nil` when the view isn't watched.
    func status(of id: ViewID) -> ScreenStatus? {
        guard let view = watched[id] else { return nil }
        return ScreenStatus(
            isLive: core.isLive(id), revision: view.cut,
            asOf: view.asOf == 0 ? nil : Date(timeIntervalSince1970: view.asOf),
            isStored: view.unstored == nil, pendingFavorites: overlay.favorites.pendingCount,
            pendingChanges: overlay.pendingCount == 0 ? 0 : state(of: id)?.pendingChanges ?? 0,
            lastError: error(of: id), sectionErrors: view.sectionErrors, damagedSections: view.damaged)
    }

    /// Notifies the observers of screens that are no longer live, have another error, or still report pending changes
    /// when there are none. A repeated failure with the same reason is not reported again.
    func notifyStatus() {
        showCollectionsStatus()
        notify(screensWithOtherStatus())
    }

    /// The watched screens with a status other than the last one given to their observers. A screen that doesn't show a
    /// change is not notified of the number of pending changes.
    func screensWithOtherStatus() -> [ViewID] {
        watched.keys.filter { id in
            guard let last = watched[id]?.lastStatus, let now = status(of: id) else { return false }
            return last.isLive != now.isLive || last.lastError != now.lastError
                || last.sectionErrors != now.sectionErrors || last.isStored != now.isStored
                || last.pendingFavorites > 0 && now.pendingFavorites == 0
                || last.pendingChanges > 0 && now.pendingChanges == 0
        }
    }

    // MARK: - What went wrong

    /// Records an incident in the mirror. A repetition of the last one of its kind is not written again.
    func note(_ kind: Incident.Kind, _ message: String, screen: String = "") {
        let text = screen.isEmpty ? message : "\(screen): \(message)"
        guard noted[kind] != text else { return }
        noted[kind] = text
        // If the mirror can't be written, this is lost too.
        try? mirror.note(Incident(kind, screen: screen, message: message, at: now()))
    }

    /// Records the patches refused since the last call.
    func noteEvidence() {
        let ring = core.evidence
        guard ring.total > notedEvidence else { return }
        let new = Int(clamping: ring.total - notedEvidence)
        notedEvidence = ring.total
        for refused in ring.entries.suffix(new) {
            note(.patch, "\(refused)", screen: refused.place.split(separator: " ").first.map(String.init) ?? "")
        }
    }

    /// Records that the mirror could not be read or written.
    func mirrorFailed(_ error: MirrorError) {
        let failure = ClientError(mirror: error)
        // A disk that stays full is reported once.
        guard mirrorError != failure else { return }
        counters.storageFailures += 1
        mirrorError = failure
        note(.mirror, error.message)
        hub.send(.mirrorProblem(failure))
        notifyStatus()
    }

    /// Reports stored bytes that differ from what was stored.
    func found(_ damage: [(section: String, detail: String)], in id: ViewID) {
        let reports = damage.map {
            MirrorDamage(screen: ScreenID(id.screen), locale: id.locale, section: $0.section, detail: $0.detail)
        }
        counters.damagedSections += reports.count
        for report in reports { note(.damage, "\(report)", screen: id.screen) }
        hub.send(.mirrorDamaged(reports))
    }

    /// Reports how a damaged file was recovered.
    func report(_ recovery: MirrorRecovery) {
        note(.damage, "\(recovery.reason); it is kept at \(recovery.setAside)")
        hub.send(.mirrorRecovered(setAside: recovery.setAside, rescuedChanges: recovery.rescuedMutations))
        if recovery.lostMutations > 0 { hub.send(.changesLost(recovery.lostMutations)) }
    }

    // MARK: - The slow scrub

    func startScrubber() {
        guard scrubber == nil else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        scrubber = loop.scheduleRepeatedTask(initialDelay: Self.scrubInterval, delay: Self.scrubInterval) { _ in
            me.value.scrub()
        }
    }

    /// Checks a few stored sections, and once per round the content held in memory. Stored bytes of a watched screen
    /// are repaired from memory, without the server; those of other screens when they are opened. Content damaged in
    /// memory is read from the mirror again and brought up to date.
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
        // Content that is only in memory is stored in full, with the rest of its view.
        guard watched[id]?.unstored == nil, let content = watched[id]?.content else { return }
        var held: [String: Version] = [:]
        for section in sections {
            // A section that the list no longer names goes with the next cut.
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
            notify([id])
        }
    }
}

extension Version {
    /// Whether its bytes still match its sum.
    fileprivate var isWhole: Bool { Version(head: head, items: Array(items)).sum == sum }
}
