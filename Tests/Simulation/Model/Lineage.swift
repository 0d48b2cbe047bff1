import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// Both logs between two restores, as written: every state of the catalogue and of every user's collections.
struct Lineage {
    let catalogueEpoch: UInt64
    let userEpoch: UInt64
    /// By revision; 0 is the empty catalogue.
    private(set) var catalogue: [CatalogueState]
    /// By user, then revision.
    private var members: [String: [[MemberName: StoredMember]]]

    init(catalogueEpoch: UInt64, userEpoch: UInt64) {
        self.catalogueEpoch = catalogueEpoch
        self.userEpoch = userEpoch
        catalogue = [CatalogueState()]
        members = [:]
    }

    /// The same content with new epochs, as after restoring a backup.
    init(restoring other: Lineage, catalogueEpoch: UInt64, userEpoch: UInt64) {
        self.catalogueEpoch = catalogueEpoch
        self.userEpoch = userEpoch
        catalogue = other.catalogue
        members = other.members
    }

    var newest: UInt64 { UInt64(catalogue.count - 1) }

    func newest(of user: String?) -> UInt64 {
        user.flatMap { members[$0] }.map { UInt64($0.count - 1) } ?? 0
    }

    /// - Returns: `nil` if the log never got there.
    func members(of user: String?, at revision: UInt64) -> [StoredMember]? {
        guard let user, let log = members[user] else { return revision == 0 ? [] : nil }
        guard revision < log.count else { return nil }
        return log[Int(revision)].values.sorted { $0.revision > $1.revision }
    }

    /// - Returns: whether the revision follows the previous one.
    mutating func apply(_ changes: [Change], revision: UInt64) -> Bool {
        guard revision == newest + 1 else { return false }
        var next = catalogue[catalogue.count - 1]
        for change in changes { next.apply(change) }
        catalogue.append(next)
        return true
    }

    /// - Returns: whether the revision follows the previous one.
    mutating func apply(_ change: MemberChange, of user: String, revision: UInt64) -> Bool {
        var log = members[user] ?? [[:]]
        guard revision == UInt64(log.count), var next = log.last else { return false }
        let after = MemberMove(change, revision: revision).member
        // A commit without changes makes no revision.
        guard next[change.name]?.value != after?.value else { return false }
        next[change.name] = after
        log.append(next)
        members[user] = log
        return true
    }
}
