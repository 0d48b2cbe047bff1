package import MarqueeDiff
package import MarqueeModel
package import MarqueeStore

/// A section with all members of one of a user's collections, before it is evaluated. That needs the members and
/// nothing of the catalogue, so it can be done on any thread.
package struct UnevaluatedSet: Sendable {
    package let key: VariantKey
    fileprivate let definition: SectionDefinition

    /// - Parameter members: of the user's collections, in any order.
    package func evaluate(_ members: some Collection<StoredMember>) -> EvaluatedSet {
        var section = LiveSection(
            key: key, definition: definition, members: members.filter { $0.collection == collection })
        var (catalogue, maker, work) = (Catalogue(), ItemMaker(), ScreenCounters())
        _ = section.renew(&catalogue, &maker, &work)
        return EvaluatedSet(section: section)
    }

    private var collection: CollectionName? { definition.section.collections.first }

    /// The least bytes of an answer with these members: an item says its subject once.
    package func leastBytes(_ members: some Collection<StoredMember>) -> Int {
        members.reduce(0) { $1.collection == collection ? $0 + $1.subject.utf8.count : $0 }
    }
}

/// A section with all members of one of a user's collections.
package struct EvaluatedSet: Sendable {
    fileprivate let section: LiveSection

    package var key: VariantKey { section.key }
}

extension Screens {
    /// The sections of a screen that show a user's collections and nothing else.
    package func sets(on screen: String, locale: String?, user: String) -> [UnevaluatedSet] {
        guard let found = try? findScreen(screen) else { return [] }
        let locale = programme.locale(for: locale)
        return found.sections.compactMap { section in
            guard case .collectionSet = section.source else { return nil }
            return set(VariantKey(screen: screen, section: section.id, locale: locale, user: user))
        }
    }

    /// A section that shows a user's collection and nothing else; `nil` for any other.
    package func set(_ key: VariantKey) -> UnevaluatedSet? {
        guard let definition = try? definition(of: key), case .collectionSet = definition.section.source else {
            return nil
        }
        return UnevaluatedSet(key: key, definition: definition)
    }

    /// Keeps a set current that was evaluated elsewhere, with the members that the user has.
    /// - Returns: the current content; `nil` if the programme defines it in another way by now.
    package mutating func watch(_ set: EvaluatedSet, as handle: UInt64) -> Version? {
        guard (try? definition(of: set.key)) == set.section.definition else { return nil }
        noteChange(of: [handle])
        add(set.section, handle)
        return set.section.version
    }
}
