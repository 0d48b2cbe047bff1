import MarqueeCatalogue
package import MarqueeDiff
import MarqueeModel
package import MarqueeStore

/// A section with members of a user's collections, before it is evaluated. That can be done on any thread: a set of a
/// collection's members needs nothing from the catalogue, and a section that shows their records has a copy of it.
package struct UnevaluatedSet: Sendable {
    package let key: VariantKey
    fileprivate let definition: SectionDefinition
    /// The source of the records; `nil` for a set of members.
    fileprivate let records: Records?

    fileprivate struct Records: Sendable {
        var catalogue: Catalogue
        var maker: ItemMaker
        var head: LogHead
    }

    /// The most records of a catalogue that is copied for this: while the copy exists, a commit copies the tables that
    /// it changes, which costs the hub some 30 nanoseconds a record.
    package static let maximumRecords = 200_000

    /// Whether it has a copy of the catalogue.
    package var hasRecords: Bool { records != nil }

    /// - Parameter members: members of the user's collections, in any order.
    package func evaluate(_ members: some Collection<StoredMember>) -> EvaluatedSet {
        let own = members.filter { definition.section.collections.contains($0.collection) }
        var section = LiveSection(key: key, definition: definition, members: Array(own))
        var work = ScreenCounters()
        var (catalogue, maker) = (records?.catalogue ?? Catalogue(), records?.maker ?? ItemMaker())
        _ = section.renew(&catalogue, &maker, &work)
        return EvaluatedSet(section: section, triggers: section.triggers, head: records?.head)
    }

    /// The minimum number of bytes of an answer with these members: an item contains its subject once, and its record
    /// if that is its body.
    package func leastBytes(_ members: some Collection<StoredMember>) -> Int {
        guard let shown = definition.section.collection else { return 0 }
        let own = members.lazy.filter { $0.collection == shown }
        guard let records else { return own.reduce(0) { $0 + $1.subject.utf8.count } }
        guard definition.showsAll(own.count) else { return 0 }
        return own.reduce(0) { $0 + definition.leastBytes(of: $1.subject, in: records.catalogue) }
    }
}

extension SectionDefinition {
    /// Whether the section shows all members if there are this many.
    fileprivate func showsAll(_ count: Int) -> Bool {
        guard place == nil, case .collection(let query) = section.source else { return false }
        return count <= min(query.limit ?? .max, window ?? .max)
    }

    /// The minimum number of bytes of a member's item; 0 for a member that isn't shown.
    fileprivate func leastBytes(of subject: String, in catalogue: Catalogue) -> Int {
        guard let id = Subject(subject).record, let body = section.bodies[id.type], let bytes = catalogue.records[id]
        else { return 0 }
        if case .record = body.form { return subject.utf8.count + bytes.count }
        return subject.utf8.count
    }
}

extension Programme.Section {
    /// The collection whose members it shows.
    fileprivate var collection: CollectionName? {
        switch source {
        case .collection(let query): query.name
        case .collectionSet(let collection): collection.name
        default: nil
        }
    }
}

/// A section with members of a user's collections, and what it listens to.
package struct EvaluatedSet: Sendable {
    fileprivate let section: LiveSection
    fileprivate let triggers: Set<Trigger>
    /// The position of the catalogue whose records it shows; `nil` if it shows none.
    fileprivate let head: LogHead?

    package var key: VariantKey { section.key }
    package var version: Version { section.version }
}

extension Screens {
    /// The sections of a view that show members of a user's collections and nothing else.
    /// - Parameter withRecords: whether to include those that show the members' records.
    package func sets(in plan: ViewPlan, withRecords: Bool) -> [UnevaluatedSet] {
        plan.sections.compactMap { set($0.variant, withRecords: withRecords) }
    }

    /// A section that shows members of a user's collections and nothing else; `nil` for any other.
    package func set(_ key: VariantKey, withRecords: Bool) -> UnevaluatedSet? {
        // The time is known only with the catalogue.
        guard key.user != nil, let definition = try? definition(of: key), definition.section.season == nil else {
            return nil
        }
        switch definition.section.source {
        case .collectionSet: return UnevaluatedSet(key: key, definition: definition, records: nil)
        case .collection where withRecords && recordCount <= UnevaluatedSet.maximumRecords:
            return UnevaluatedSet(
                key: key, definition: definition, records: .init(catalogue: catalogue, maker: maker, head: head))
        default: return nil
        }
    }

    /// The number of all records.
    package var recordCount: Int { (types?.types ?? []).reduce(0) { $0 + catalogue.records.count(of: $1.alias) } }

    /// Keeps a section current that was evaluated elsewhere, with the user's current members.
    /// - Returns: the current content; `nil` if the changes since then aren't known, or if the programme now defines
    ///   the section differently.
    package mutating func watch(_ set: EvaluatedSet, as handle: UInt64) -> Version? {
        guard (try? definition(of: set.key)) == set.section.definition else { return nil }
        var (section, triggers) = (set.section, set.triggers)
        if let head = set.head, head != self.head {
            guard let events = recent.events(after: head) else { return nil }
            var isTouched = false
            for event in events where section.follow(event, in: catalogue, &work) { isTouched = true }
            if isTouched {
                let change = section.renew(&catalogue, &maker, &work)
                triggers = triggers.subtracting(change.triggers.removed).union(change.triggers.added)
            }
        }
        noteChange(of: [handle])
        add(section, handle, listeningTo: triggers)
        return section.version
    }
}
