import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeWire

@testable import MarqueeScreens

/// A section as decoded by a client.
struct ShownSection {
    var head: SectionHead
    var items: [Item]

    var ids: [String] { items.map(\.id) }
    var contents: [ItemContent] { items.map { BodyCodec.decode(kind: $0.kind, bytes: $0.body) } }
    var presets: [PresetContent?] { contents.map(\.preset) }
    var movies: [MovieContent] {
        presets.compactMap { if case .movie(let movie) = $0 { movie } else { nil } }
    }
}

extension Screens {
    /// Plans the screen and evaluates one of its sections.
    mutating func section(
        _ id: String, of screen: String = "home", locale: String = "en", sort: String? = nil, window: UInt32? = nil,
        user: String? = nil, favorites: [StoredMember] = []
    ) throws -> ShownSection {
        let plan = try plan(
            screen: screen, locale: locale, parameters: [SectionParameters(section: id, sort: sort, window: window)],
            user: user)
        guard let section = plan.sections.first(where: { $0.id == id }) else { throw TestFailure("no section \(id)") }
        return try shown(section.variant, favorites: favorites)
    }

    mutating func shown(_ variant: VariantKey, favorites: [StoredMember] = []) throws -> ShownSection {
        let version = try evaluate(variant, members: favorites).version
        guard let head = BodyCodec.decodeSectionHead(version.head) else { throw TestFailure("an unreadable head") }
        return ShownSection(head: head, items: Array(version.items))
    }

    /// Commits the changes as the next revision.
    @discardableResult
    mutating func commit(_ changes: [Change]) throws -> CommitEffect {
        try apply(CatalogueCommit(revision: head.revision + 1, key: nil, changes: changes))
    }
}

extension ScreenCounters {
    func since(_ before: ScreenCounters) -> ScreenCounters {
        var difference = ScreenCounters()
        difference.comparisons = comparisons - before.comparisons
        difference.renewals = renewals - before.renewals
        difference.members = members - before.members
        difference.items = items - before.items
        difference.heads = heads - before.heads
        return difference
    }

    var withoutComparisons: ScreenCounters {
        var counters = self
        counters.comparisons = 0
        return counters
    }
}

struct TestFailure: Error {
    var message: String
    init(_ message: String) { self.message = message }
}
