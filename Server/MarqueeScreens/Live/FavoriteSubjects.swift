import MarqueeModel
import MarqueeStore

/// Every subject that a user has marked, whether the catalogue has it or not: those set last first; by subject where one revision set several.
struct FavoriteSubjects: SectionQuery {
    private var subjects: [String] = []
    private var revisions: [String: UInt64] = [:]

    init(_ favorites: [Favorite]) { set(favorites) }

    private mutating func set(_ favorites: [Favorite]) {
        subjects = favorites.sorted { ($1.revision, $0.subject) < ($0.revision, $1.subject) }.map(\.subject)
        revisions = Dictionary(favorites.map { ($0.subject, $0.revision) }, uniquingKeysWith: max)
    }

    var triggers: Set<Trigger> { [] }
    var total: Int { subjects.count }

    func members(first limit: Int) -> [Member] { subjects.prefix(limit).map { .text($0) } }

    mutating func reload(_ catalogue: inout Catalogue) {}

    mutating func take(_ favorites: [Favorite]) -> Set<Member> {
        let known = revisions
        set(favorites)
        // What was unset and set again has another revision.
        return Set(favorites.filter { known[$0.subject] != $0.revision }.map { .text($0.subject) })
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let subject) = member, let revision = revisions[subject] else { return nil }
        return maker.make(subject, subject: subject, .favorite(revision: revision))
    }
}
