import MarqueeDiff
import MarqueeMirror
package import MarqueeModel

/// All collections of the user. Mutations are found by number alone, without naming the collection.
package struct CollectionsOverlay: Sendable {
    private var overlays: [CollectionName: CollectionOverlay] = [:]

    package init() {}

    package subscript(collection: CollectionName) -> CollectionOverlay { overlays[collection] ?? CollectionOverlay() }

    /// The collection that stars show.
    package var favorites: CollectionOverlay { self[.favorites] }

    /// Members with pending changes, in all collections.
    package var pendingCount: Int { overlays.values.reduce(0) { $0 + $1.pendingCount } }

    /// Rises with each change: within one overlay, equal stamps mean equal contents.
    package var stamp: UInt64 { overlays.values.reduce(0) { $0 + $1.stamp } }

    /// The number of each pending change, and the latest one of each member.
    var pendingNumbers: (all: Set<UInt64>, latest: [Member: UInt64], of: [UInt64: Member]) {
        var numbers: (all: Set<UInt64>, latest: [Member: UInt64], of: [UInt64: Member]) = ([], [:], [:])
        for (name, overlay) in overlays {
            for entry in overlay.pending {
                let member = Member(collection: name, subject: ExactString(entry.subject))
                numbers.all.insert(entry.number)
                numbers.of[entry.number] = member
                numbers.latest[member] = max(numbers.latest[member] ?? 0, entry.number)
            }
        }
        return numbers
    }

    struct Member: Hashable {
        var collection: CollectionName
        var subject: ExactString
    }

    // MARK: - Changes

    /// Replaces the confirmed members with the server's, by collection; those not named have no members.
    mutating func confirm(_ confirmed: [CollectionName: Confirmed]) {
        for name in Set(overlays.keys).union(confirmed.keys) {
            let members = confirmed[name] ?? Confirmed()
            overlays[name, default: CollectionOverlay()].confirm(members.subjects, values: members.values)
        }
    }

    /// The members of one collection.
    struct Confirmed {
        /// Newest first.
        var subjects: [String] = []
        var values: [String: CollectionValue] = [:]
    }

    mutating func put(_ entry: CollectionOverlay.Pending, in collection: CollectionName) {
        overlays[collection, default: CollectionOverlay()].put(entry)
    }

    mutating func freeze(_ number: UInt64) {
        for name in overlays.keys { overlays[name]?.freeze(number) }
    }

    mutating func remove(_ numbers: [UInt64]) {
        if numbers.isEmpty { return }
        for name in overlays.keys { overlays[name]?.remove(numbers) }
    }

    mutating func reject(_ number: UInt64, of subject: String, in collection: CollectionName, _ error: ClientError) {
        overlays[collection, default: CollectionOverlay()].reject(number, subject: subject, error)
    }

    /// Replaces all pending changes after they were renumbered.
    mutating func replacePending(_ entries: [CollectionName: [CollectionOverlay.Pending]]) {
        for name in Set(overlays.keys).union(entries.keys) {
            overlays[name, default: CollectionOverlay()].replacePending(entries[name] ?? [])
        }
    }

    mutating func remember(_ rejections: [RejectedMutation]) {
        for (name, rejected) in Dictionary(grouping: rejections, by: \.collection) {
            overlays[name, default: CollectionOverlay()].remember(rejected: rejected.map { ($0.subject, $0.error) })
        }
    }

    mutating func forgetRejections() {
        for name in overlays.keys { overlays[name]?.forgetRejections() }
    }

    /// Subjects that are shown without an item, the newest few of each collection.
    func lackingPlaceholders(_ count: Int) -> Set<String> {
        overlays.values.reduce(into: []) { $0.formUnion($1.lackingPlaceholders(count)) }
    }

    mutating func setPlaceholder(_ item: Item, of subject: String) {
        for name in overlays.keys { overlays[name]?.setPlaceholder(item, of: subject) }
    }

    /// Returns the changes since the last call.
    mutating func takeChanges() -> Changes {
        var changes = Changes()
        for name in overlays.keys {
            guard let taken = overlays[name]?.takeChanges() else { continue }
            if taken.touched { changes.collections.insert(name) }
            if name == .favorites { changes.stars = taken.subjects }
        }
        return changes
    }

    struct Changes {
        /// Subjects whose star looks different.
        var stars: Set<String> = []
        /// Collections whose lists may look different.
        var collections: Set<CollectionName> = []
    }
}
