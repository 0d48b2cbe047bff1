import MarqueeDiff
import MarqueeMirror
import MarqueeModel

/// The content of a mirror's disk, as a value: an independent implementation of what `Mirror` promises, small enough to
/// inspect.
struct MirrorState {
    struct List {
        var head: [UInt8]
        var items: [Item]
        /// The hash of each body when it was stored.
        let hashes: [UInt64]
        /// The sum when it was stored.
        var sum: UInt64

        init(_ version: Version) {
            head = version.head
            items = Array(version.items)
            hashes = version.items.indices.map { version.bodyHash(at: $0) }
            sum = version.sum
        }

        /// The current bytes.
        var bytes: Version { Version(head: head, items: items) }

        /// - Returns: `nil` if the bytes no longer match the sum.
        var version: Version? {
            let version = bytes
            return version.sum == sum ? version : nil
        }

        /// Of the items with that subject whose bytes are intact, the one of the lowest kind.
        func body(of subject: String) -> Item? {
            zip(items, hashes).filter { item, hash in
                item.subject == subject && item.kind != .member && item.kind != .other && XXH64.hash(item.body) == hash
            }.map(\.0).min { $0.kind.rawValue < $1.kind.rawValue }
        }
    }

    struct View {
        var parameters: [StoredParameters]
        var cut: Cut
        var savedAt: Double
        var list: List?
        var sections: [String: List] = [:]
    }

    var identity: MirrorIdentity
    var lastNumber: UInt64 = 0
    var lastAnswered: UInt64 = 0
    var seen: Cut?
    var proven: Cut?
    var views: [ViewID: View] = [:]
    /// By number.
    var outbox: [OutboxEntry] = []
    var rejections: [RejectedMutation] = []
    var incidents: [Incident] = []

    init(clientID: [UInt8]) { identity = MirrorIdentity(cluster: nil, user: nil, clientID: clientID) }

    var answeredThrough: UInt64 { (outbox.first { !$0.isAnswered }?.number).map { $0 - 1 } ?? lastNumber }

    mutating func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: - Cuts

    mutating func commit(_ transaction: MirrorTransaction) {
        for write in transaction.views {
            var view =
                views[write.id] ?? View(parameters: [], cut: transaction.cut, savedAt: transaction.savedAt)
            view.parameters = write.parameters
            view.cut = transaction.cut
            view.savedAt = transaction.savedAt
            if let list = write.list { view.list = List(list.target) }
            for section in write.sections { view.sections[section.id] = List(section.target) }
            for name in write.removedSections { view.sections[name] = nil }
            views[write.id] = view
        }
        for id in transaction.currentViews {
            views[id]?.cut = transaction.cut
            views[id]?.savedAt = transaction.savedAt
        }
        outbox.removeAll { transaction.finishedMutations.contains($0.number) }
        seen = (seen ?? transaction.cut).advanced(by: CutChange(transaction.cut))
        proven = (proven ?? Cut()).advanced(by: transaction.proven, at: transaction.cut)
    }

    /// Returns the part of a view that may be shown, and the damaged part, judging by its current bytes.
    func content(of id: ViewID) -> StoredContent? {
        guard let view = views[id] else { return nil }
        var whole: [String: Version] = [:]
        var damaged: [String: Version] = [:]
        for (name, list) in view.sections {
            if let version = list.version { whole[name] = version } else { damaged[name] = list.bytes }
        }
        guard let list = view.list?.version else {
            if let list = view.list { damaged[""] = list.bytes }
            return StoredContent(shown: nil, bases: whole.merging(damaged) { whole, _ in whole })
        }
        return StoredContent(
            shown: StoredView(
                id: id, parameters: view.parameters, list: list, sections: whole, cut: view.cut, savedAt: view.savedAt,
                damaged: list.items.map(\.id).filter { whole[$0] == nil }),
            bases: damaged)
    }

    /// Lists whose bytes differ from what was stored.
    var damage: [ScrubFinding] {
        views.keys.sorted().flatMap { id -> [ScrubFinding] in
            guard let view = views[id] else { return [] }
            let names = view.sections.keys.sorted().filter { view.sections[$0]?.version == nil }
            let lists = view.list?.version == nil ? [""] : []
            return (lists + names).map {
                ScrubFinding(view: id, section: $0, detail: "its bytes no longer match its sum")
            }
        }
    }

    mutating func rewrite(_ id: ViewID, _ versions: [String: Version]) {
        for (name, version) in versions {
            if name.isEmpty { views[id]?.list = List(version) } else { views[id]?.sections[name] = List(version) }
        }
    }

    // MARK: - Outbox

    mutating func setMember(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double
    ) -> OutboxEntry {
        outbox.removeAll { $0.subject == subject && $0.collection == collection && $0.state == .pending }
        rejections.removeAll { $0.subject == subject && $0.collection == collection }
        let entry = OutboxEntry(
            number: takeNumber(), collection: collection, subject: subject, on: on, value: on ? value : nil,
            createdAt: at)
        outbox.append(entry)
        return entry
    }

    mutating func change(_ number: UInt64, _ body: (inout OutboxEntry) -> Void) {
        guard let index = outbox.firstIndex(where: { $0.number == number }) else { return }
        body(&outbox[index])
    }

    mutating func reject(_ number: UInt64, code: String?, reason: String) {
        guard let index = outbox.firstIndex(where: { $0.number == number }) else { return }
        remember(outbox.remove(at: index), code: code, reason)
    }

    private mutating func remember(_ entry: OutboxEntry, code: String?, _ reason: String) {
        rejections.append(
            RejectedMutation(
                number: entry.number, collection: entry.collection, subject: entry.subject, on: entry.on,
                value: entry.value, code: code, reason: reason, createdAt: entry.createdAt))
        rejections.removeFirst(max(0, rejections.count - MirrorLimit.rejections))
    }

    func finished(containedIn cut: Cut) -> [UInt64] {
        guard cut.userEpoch != 0 else { return [] }
        return outbox.filter { entry in
            guard case .answered(let answer) = entry.state else { return false }
            return answer.userEpoch != cut.userEpoch || answer.userRevision <= cut.userRevision
        }.map(\.number)
    }

    mutating func renumber(_ scope: RenumberScope, above: UInt64, newClientID: [UInt8]?) -> Renumbering {
        if let newClientID {
            identity.clientID = newClientID
            lastAnswered = 0
        }
        lastNumber = max(lastNumber, above)
        var result = Renumbering(entries: [], rolledBack: [])
        let waiting = outbox.filter { !$0.isAnswered }
        outbox.removeAll { !$0.isAnswered }
        for entry in waiting {
            if entry.state == .sent, scope == .unsentOnly {
                result.rolledBack.append(entry)
                remember(entry, code: nil, Renumbering.rollbackReason)
            } else if entry.state == .sent, scope == .afterSent {
                outbox.append(entry)
                result.entries.append(entry)
            } else if waiting.last(where: { $0.name == entry.name })?.number == entry.number {
                var fresh = entry
                fresh.number = takeNumber()
                fresh.state = .pending
                outbox.append(fresh)
                result.entries.append(fresh)
            }
        }
        outbox.sort { $0.number < $1.number }
        return result
    }

    /// Of the items with this subject the one of the lowest kind, then the one whose view was saved last, then by
    /// section name if a view has several.
    func bestBody(of subject: String) -> Item? {
        var best: (savedAt: Double, name: String, item: Item)?
        for id in views.keys.sorted(by: { $0.description < $1.description }) {
            guard let view = views[id] else { continue }
            for name in view.sections.keys.sorted() {
                guard let found = view.sections[name]?.body(of: subject) else { continue }
                let kind = found.kind.rawValue
                if let known = best, (known.item.kind.rawValue, -known.savedAt) <= (kind, -view.savedAt) { continue }
                best = (view.savedAt, name, found)
            }
        }
        return best?.item
    }
}

extension OutboxEntry {
    var isAnswered: Bool { if case .answered = state { true } else { false } }
}
