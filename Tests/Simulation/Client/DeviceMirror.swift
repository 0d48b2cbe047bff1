import MarqueeDiff
import MarqueeMirror
import MarqueeModel

/// A mirror as opened by one process: records what becomes durable, fills up, and dies between any two writes.
final class DeviceMirror: MirrorEngine {
    enum Crash {
        case beforeWriting
        case afterWriting
    }

    private let inner: any MirrorEngine
    private unowned let device: Device
    private var isSuspended = false

    init(_ inner: any MirrorEngine, device: Device) {
        self.inner = inner
        self.device = device
    }

    var recovery: MirrorRecovery? { inner.recovery }
    var identity: MirrorIdentity { inner.identity }
    var seen: Cut? { inner.seen }
    var proven: Cut? { inner.proven }
    var durable: Cut? { inner.durable }
    var answeredThrough: UInt64 { inner.answeredThrough }
    var lastNumber: UInt64 { inner.lastNumber }
    var lastAnswered: UInt64 { inner.lastAnswered }

    /// One write that is durable when it returns, unless the disk is full or the process dies.
    private func write<Value>(_ body: () throws(MirrorError) -> Value) throws(MirrorError) -> Value {
        guard !device.isDead else { throw MirrorError(.io, "the process has died") }
        guard !isSuspended else { throw MirrorError(.suspended, "the mirror is suspended") }
        if device.diskIsFull {
            device.judge.count(.clientDiskFull)
            throw MirrorError(.diskFull, "the simulated disk is full")
        }
        if device.dies(.beforeWriting) { throw MirrorError(.io, "the process has died") }
        return try body()
    }

    /// The write is durable; the process may die before it learns of that.
    private func wrote(_ event: Event?) {
        if let event { device.judge.record(event) }
        _ = device.dies(.afterWriting)
    }

    func bind(cluster: String, user: String?) throws(MirrorError) {
        guard identity.cluster == nil else { return try inner.bind(cluster: cluster, user: user) }
        try write { () throws(MirrorError) in try inner.bind(cluster: cluster, user: user) }
        wrote(nil)
    }

    func close() { inner.close() }

    func suspend() {
        inner.suspend()
        isSuspended = true
    }

    func resume(newClientID: () -> [UInt8]) throws(MirrorError) {
        if isSuspended { try inner.resume(newClientID: newClientID) }
        isSuspended = false
    }

    func commit(_ transaction: MirrorTransaction) throws(MirrorError) {
        do throws(MirrorError) {
            try write { () throws(MirrorError) in try inner.commit(transaction) }
        } catch {
            if !device.isDead { device.judge.record(.kept(device: device.number, transaction)) }
            throw error
        }
        wrote(.stored(device: device.number, transaction))
    }

    func forgetUnproven() throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.forgetUnproven() }
        wrote(nil)
    }

    func sync() throws(MirrorError) { try inner.sync() }

    func view(_ id: ViewID) throws(MirrorError) -> StoredView? { try inner.view(id) }
    func content(of id: ViewID) throws(MirrorError) -> StoredContent? { try inner.content(of: id) }
    func views() throws(MirrorError) -> [ViewSummary] { try inner.views() }

    func rewrite(_ view: ViewID, _ versions: [String: Version]) throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.rewrite(view, versions) }
        wrote(.mended(device: device.number, view, versions.keys.sorted()))
    }

    func scrub(_ cursor: inout ScrubCursor) throws(MirrorError) -> [ScrubFinding] { try inner.scrub(&cursor) }

    func setMember(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double
    ) throws(MirrorError) -> OutboxEntry {
        let entry = try write { () throws(MirrorError) in
            try inner.setMember(subject, of: collection, on: on, value: value, at: at)
        }
        wrote(.queued(device: device.number, client: identity.clientID, entry))
        return entry
    }

    func outbox() throws(MirrorError) -> [OutboxEntry] { try inner.outbox() }
    func firstWaiting() throws(MirrorError) -> OutboxEntry? { try inner.firstWaiting() }
    func rejections() throws(MirrorError) -> [RejectedMutation] { try inner.rejections() }
    func incidents() throws(MirrorError) -> [Incident] { try inner.incidents() }

    func forgetRejections() throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.forgetRejections() }
        wrote(nil)
    }

    func note(_ incident: Incident) throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.note(incident) }
        wrote(nil)
    }

    func markSent(_ numbers: [UInt64]) throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.markSent(numbers) }
        wrote(.froze(device: device.number, numbers))
    }

    func answered(number: UInt64, cut: Cut, changed: Bool) throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.answered(number: number, cut: cut, changed: changed) }
        wrote(.answered(device: device.number, number: number, cut: cut))
    }

    func rejected(number: UInt64, code: String?, reason: String) throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.rejected(number: number, code: code, reason: reason) }
        wrote(.rejected(device: device.number, number: number, reason: reason))
    }

    func finished(containedIn cut: Cut) throws(MirrorError) -> [UInt64] { try inner.finished(containedIn: cut) }

    func renumber(
        _ scope: RenumberScope, above: UInt64, newClientID: [UInt8]?
    ) throws(MirrorError) -> Renumbering {
        let result = try write { () throws(MirrorError) in
            try inner.renumber(scope, above: above, newClientID: newClientID)
        }
        wrote(.renumbered(device: device.number, client: identity.clientID, result))
        return result
    }

    func takeNumber() throws(MirrorError) -> UInt64 {
        let number = try write { () throws(MirrorError) in try inner.takeNumber() }
        wrote(nil)
        return number
    }

    func bestBody(of subject: String) throws(MirrorError) -> Item? { try inner.bestBody(of: subject) }
}
