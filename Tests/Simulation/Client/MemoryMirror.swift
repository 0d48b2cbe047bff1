import MarqueeDiff
import MarqueeMirror
import MarqueeModel

/// A disk that lives as long as the simulation, and survives the processes that use it.
final class MemoryDisk {
    var state: MirrorState

    init(_ state: MirrorState) { self.state = state }
}

/// A mirror on a memory disk. A call's effects are durable when it returns.
final class MemoryMirror: MirrorEngine {
    private let disk: MemoryDisk

    init(_ disk: MemoryDisk) { self.disk = disk }

    var recovery: MirrorRecovery? { nil }
    var identity: MirrorIdentity { disk.state.identity }
    var seen: Cut? { disk.state.seen }
    var proven: Cut? { disk.state.proven }
    var answeredThrough: UInt64 { disk.state.answeredThrough }
    var lastNumber: UInt64 { disk.state.lastNumber }
    var lastAnswered: UInt64 { disk.state.lastAnswered }

    func bind(cluster: String, user: String?) throws(MirrorError) {
        guard let bound = identity.cluster else {
            disk.state.identity.cluster = cluster
            disk.state.identity.user = user
            return
        }
        guard bound == cluster, identity.user == user else {
            throw MirrorError(.belongsToOtherCluster, "the mirror belongs to \(identity.user ?? "nobody") at \(bound)")
        }
    }

    func close() {}

    func commit(_ transaction: MirrorTransaction) throws(MirrorError) { disk.state.commit(transaction) }
    func forgetUnproven() throws(MirrorError) { disk.state.seen = disk.state.proven }
    func view(_ id: ViewID) throws(MirrorError) -> StoredView? { disk.state.content(of: id)?.shown }
    func content(of id: ViewID) throws(MirrorError) -> StoredContent? { disk.state.content(of: id) }
    func rewrite(_ view: ViewID, _ versions: [String: Version]) throws(MirrorError) {
        disk.state.rewrite(view, versions)
    }
    /// It is small enough to check completely each time.
    func scrub(_ cursor: inout ScrubCursor) throws(MirrorError) -> [ScrubFinding] { disk.state.damage }
    func views() throws(MirrorError) -> [ViewSummary] { [] }

    func setMember(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double
    ) throws(MirrorError) -> OutboxEntry {
        disk.state.setMember(subject, of: collection, on: on, value: value, at: at)
    }

    func outbox() throws(MirrorError) -> [OutboxEntry] { disk.state.outbox }

    func markSent(_ numbers: [UInt64]) throws(MirrorError) {
        for number in numbers { disk.state.change(number) { if $0.state == .pending { $0.state = .sent } } }
    }

    func answered(number: UInt64, cut: Cut, changed: Bool) throws(MirrorError) {
        var lastAnswered = disk.state.lastAnswered
        disk.state.change(number) { entry in
            guard !entry.isAnswered else { return }
            entry.state = .answered(cut)
            entry.changed = changed
            lastAnswered = max(lastAnswered, number)
        }
        disk.state.lastAnswered = lastAnswered
    }

    func firstWaiting() throws(MirrorError) -> OutboxEntry? { disk.state.outbox.first { !$0.isAnswered } }
    func rejections() throws(MirrorError) -> [RejectedMutation] { disk.state.rejections }
    func forgetRejections() throws(MirrorError) { disk.state.rejections.removeAll() }

    func note(_ incident: Incident) throws(MirrorError) {
        disk.state.incidents.append(incident)
        disk.state.incidents.removeFirst(max(0, disk.state.incidents.count - MirrorLimit.incidents))
    }

    func incidents() throws(MirrorError) -> [Incident] { disk.state.incidents }

    func rejected(number: UInt64, code: String?, reason: String) throws(MirrorError) {
        disk.state.reject(number, code: code, reason: reason)
    }

    func finished(containedIn cut: Cut) throws(MirrorError) -> [UInt64] { disk.state.finished(containedIn: cut) }

    func renumber(
        _ scope: RenumberScope, above: UInt64, newClientID: [UInt8]?
    ) throws(MirrorError) -> Renumbering {
        disk.state.renumber(scope, above: above, newClientID: newClientID)
    }

    func takeNumber() throws(MirrorError) -> UInt64 { disk.state.takeNumber() }

    func bestBody(of subject: String) throws(MirrorError) -> Item? { disk.state.bestBody(of: subject) }
}
