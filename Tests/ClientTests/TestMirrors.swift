import MarqueeMirror
import MarqueeModel

/// A mirror for tests that forwards everything to another one, except what its own type defines.
protocol ForwardingMirror: MirrorEngine {
    var inner: Mirror { get }
}

extension ForwardingMirror {
    var recovery: MirrorRecovery? { inner.recovery }
    var identity: MirrorIdentity { inner.identity }
    var seen: Cut? { inner.seen }
    var proven: Cut? { inner.proven }
    var answeredThrough: UInt64 { inner.answeredThrough }
    var lastNumber: UInt64 { inner.lastNumber }
    var lastAnswered: UInt64 { inner.lastAnswered }
    func bind(cluster: String, user: String?) throws(MirrorError) { try inner.bind(cluster: cluster, user: user) }
    func close() { inner.close() }
    func commit(_ transaction: MirrorTransaction) throws(MirrorError) { try inner.commit(transaction) }
    func forgetUnproven() throws(MirrorError) { try inner.forgetUnproven() }
    func view(_ id: ViewID) throws(MirrorError) -> StoredView? { try inner.view(id) }
    func views() throws(MirrorError) -> [ViewSummary] { try inner.views() }
    func setMember(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double
    ) throws(MirrorError) -> OutboxEntry {
        try inner.setMember(subject, of: collection, on: on, value: value, at: at)
    }
    func outbox() throws(MirrorError) -> [OutboxEntry] { try inner.outbox() }
    func firstWaiting() throws(MirrorError) -> OutboxEntry? { try inner.firstWaiting() }
    func markSent(_ numbers: [UInt64]) throws(MirrorError) { try inner.markSent(numbers) }
    func answered(number: UInt64, cut: Cut, changed: Bool) throws(MirrorError) {
        try inner.answered(number: number, cut: cut, changed: changed)
    }
    func rejected(number: UInt64, code: String?, reason: String) throws(MirrorError) {
        try inner.rejected(number: number, code: code, reason: reason)
    }
    func rejections() throws(MirrorError) -> [RejectedMutation] { try inner.rejections() }
    func finished(containedIn cut: Cut) throws(MirrorError) -> [UInt64] { try inner.finished(containedIn: cut) }
    func renumber(
        _ scope: RenumberScope, above: UInt64, newClientID: [UInt8]?
    ) throws(MirrorError) -> Renumbering {
        try inner.renumber(scope, above: above, newClientID: newClientID)
    }
    func takeNumber() throws(MirrorError) -> UInt64 { try inner.takeNumber() }
    func add(_ observations: [ObservationEntry]) throws(MirrorError) -> Int { try inner.add(observations) }
    func waitingReports() throws(MirrorError) -> (any: Bool, first: UInt64?) { try inner.waitingReports() }
    func freezeReport() throws(MirrorError) -> FrozenReport? { try inner.freezeReport() }
    func reportAnswered(number: UInt64, kept: Bool) throws(MirrorError) {
        try inner.reportAnswered(number: number, kept: kept)
    }
    func dropReport(number: UInt64) throws(MirrorError) -> Int { try inner.dropReport(number: number) }
    func bestBody(of subject: String) throws(MirrorError) -> Item? { try inner.bestBody(of: subject) }
}

/// A mirror on a disk that can be full.
final class FullDisk: ForwardingMirror {
    let inner: Mirror
    var isFull = false

    init(_ inner: Mirror) { self.inner = inner }

    private func write<Value>(_ body: () throws(MirrorError) -> Value) throws(MirrorError) -> Value {
        if isFull { throw MirrorError(.diskFull, "the disk is full") }
        return try body()
    }

    func bind(cluster: String, user: String?) throws(MirrorError) {
        if inner.identity.cluster == nil, isFull { throw MirrorError(.diskFull, "the disk is full") }
        try inner.bind(cluster: cluster, user: user)
    }
    func commit(_ transaction: MirrorTransaction) throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.commit(transaction) }
    }
    func setMember(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double
    ) throws(MirrorError) -> OutboxEntry {
        try write { () throws(MirrorError) in try inner.setMember(subject, of: collection, on: on, value: value, at: at)
        }
    }
    func markSent(_ numbers: [UInt64]) throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.markSent(numbers) }
    }
    func answered(number: UInt64, cut: Cut, changed: Bool) throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.answered(number: number, cut: cut, changed: changed) }
    }
    func rejected(number: UInt64, code: String?, reason: String) throws(MirrorError) {
        try write { () throws(MirrorError) in try inner.rejected(number: number, code: code, reason: reason) }
    }
    func renumber(
        _ scope: RenumberScope, above: UInt64, newClientID: [UInt8]?
    ) throws(MirrorError) -> Renumbering {
        try write { () throws(MirrorError) in try inner.renumber(scope, above: above, newClientID: newClientID) }
    }
    func takeNumber() throws(MirrorError) -> UInt64 { try write { () throws(MirrorError) in try inner.takeNumber() } }
}

/// A mirror that counts what an outbox of thousands would make expensive.
final class CountingMirror: ForwardingMirror {
    let inner: Mirror
    private(set) var wholeReads = 0
    private(set) var lookups = 0

    init(_ inner: Mirror) { self.inner = inner }

    func outbox() throws(MirrorError) -> [OutboxEntry] {
        wholeReads += 1
        return try inner.outbox()
    }
    func bestBody(of subject: String) throws(MirrorError) -> Item? {
        lookups += 1
        return try inner.bestBody(of: subject)
    }
}
