import MarqueeModel
import MarqueeStore

/// Both logs between two restores, as they were written: every state of the catalogue and of every user's favorites.
struct Lineage {
    let catalogueEpoch: UInt64
    let userEpoch: UInt64
    /// By revision; 0 is the empty catalogue.
    private(set) var catalogue: [CatalogueState]
    /// By user, then revision: the subjects with the revisions that set them.
    private var favorites: [String: [[String: UInt64]]]

    init(catalogueEpoch: UInt64, userEpoch: UInt64) {
        self.catalogueEpoch = catalogueEpoch
        self.userEpoch = userEpoch
        catalogue = [CatalogueState()]
        favorites = [:]
    }

    /// The same content under new epochs, as after a backup was restored.
    init(restoring other: Lineage, catalogueEpoch: UInt64, userEpoch: UInt64) {
        self.catalogueEpoch = catalogueEpoch
        self.userEpoch = userEpoch
        catalogue = other.catalogue
        favorites = other.favorites
    }

    var newest: UInt64 { UInt64(catalogue.count - 1) }

    func newest(of user: String?) -> UInt64 {
        user.flatMap { favorites[$0] }.map { UInt64($0.count - 1) } ?? 0
    }

    /// - Returns: `nil` when the log never came there.
    func favorites(of user: String?, at revision: UInt64) -> [Favorite]? {
        guard let user, let log = favorites[user] else { return revision == 0 ? [] : nil }
        guard revision < log.count else { return nil }
        return log[Int(revision)].map { Favorite(subject: $0.key, revision: $0.value) }
            .sorted { $0.revision > $1.revision }
    }

    /// - Returns: whether the revision follows the one before.
    mutating func apply(_ changes: [Change], revision: UInt64) -> Bool {
        guard revision == newest + 1 else { return false }
        var next = catalogue[catalogue.count - 1]
        for change in changes { next.apply(change) }
        catalogue.append(next)
        return true
    }

    /// - Returns: whether the revision follows the one before.
    mutating func apply(_ subject: String, _ on: Bool, of user: String, revision: UInt64) -> Bool {
        var log = favorites[user] ?? [[:]]
        guard revision == UInt64(log.count), var next = log.last, (next[subject] != nil) != on else { return false }
        next[subject] = on ? revision : nil
        log.append(next)
        favorites[user] = log
        return true
    }
}
