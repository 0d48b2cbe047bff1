import MarqueeModel
import MarqueeServer
import SeededRandom

/// The permissions of a token, as the simulation understands them: without the server's code.
struct Permissions: Hashable {
    /// The first parts of the names of the screens that may be seen.
    var families: Set<String>
    var collections: Set<CollectionName>

    private static let allFamilies = ["home", "detail", "topic", "favorites", "progress"]
    static let everything = Permissions(families: Set(allFamilies), collections: Set(Collections.all))

    /// Most screens and collections.
    static func drawn(_ random: inout SeededGenerator) -> Permissions {
        let families = allFamilies.filter { _ in random.chance(75) }
        return Permissions(
            families: Set(families), collections: Set(Collections.all.filter { _ in random.chance(70) }))
    }

    func allowsReading(_ screen: String) -> Bool {
        // Whoever may change one collection sees them all.
        if screen == ScreenID.collectionSet.name { return !collections.isEmpty }
        return families.contains(String(screen.prefix { $0 != "/" }))
    }

    func allowsChanging(_ collection: CollectionName) -> Bool { collections.contains(collection) }

    /// Whether they allow something that the others don't.
    func exceeds(_ others: Permissions) -> Bool {
        !families.isSubset(of: others.families) || !collections.isSubset(of: others.collections)
    }

    /// The rules to give to a server.
    var scopes: Scopes {
        let screens = families.sorted().flatMap { ["read \($0)", "read \($0)/*"] }
        do {
            return try Scopes(screens + collections.map { "collection \($0.name)" }.sorted())
        } catch {
            preconditionFailure("the simulation's own scopes can't be read: \(error)")
        }
    }
}
