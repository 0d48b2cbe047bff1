import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire

@testable import MarqueeClient

/// What every screen shows at every position: worked out from the logs alone, without a hub, sessions or patches.
final class History {
    struct Content {
        var list: Version
        var sections: [String: Version]
    }

    private struct Key: Hashable {
        var id: ViewID
        var parameters: [SectionParameters]
        var user: String?
        var revision: UInt64
        var userRevision: UInt64
    }

    private let store: MemoryStore
    /// By revision.
    private var screens: [Screens]
    private let first: UInt64
    /// By user, then revision.
    private var favorites: [String: [UInt64: [Favorite]]] = [:]
    private var known: [Key: Content] = [:]

    /// - Parameter programme: in force while the log has none.
    init(store: MemoryStore, programme: Programme) throws {
        self.store = store
        let screens = try Screens(store: store, programmeFallback: programme)
        first = screens.head.revision
        self.screens = [screens]
    }

    var newest: UInt64 { first + UInt64(screens.count) - 1 }

    /// Reads what was committed since. To be called after every commit.
    ///
    /// - Parameter users: whose favorites are noted.
    func follow(_ users: [String]) throws {
        for commit in try store.commits(after: newest, limit: .max) {
            var next = screens[screens.count - 1]
            _ = try next.apply(commit)
            screens.append(next)
        }
        for user in users {
            let (head, set) = try store.favorites(of: user)
            favorites[user, default: [:]][head.revision] = set
        }
    }

    func newest(of user: String?) -> UInt64 { user.flatMap { favorites[$0]?.keys.max() } ?? 0 }

    /// What a view shows. One that was opened goes on when its movie is gone.
    /// - Returns: `nil` where there is no such view.
    func content(
        of id: ViewID, _ parameters: [SectionParameters], user: String?, at revision: UInt64, _ userRevision: UInt64
    ) -> Content? {
        let key = Key(
            id: id, parameters: parameters, user: user, revision: revision, userRevision: userRevision)
        if let content = known[key] { return content }
        guard revision >= first, revision <= newest else { return nil }
        let index = Int(revision - first)
        let marked = user.flatMap { favorites[$0]?[userRevision] } ?? []
        guard let screen = screens[index].programme.screen(named: id.screen)?.screen,
            let list = try? screens[index].evaluate(view: ViewKey(screen: id.screen, locale: id.locale))
        else { return nil }
        var sections: [String: Version] = [:]
        for section in screen.sections {
            let wish = parameters.first { $0.section == section.id }
            let variant = VariantKey(
                screen: id.screen, section: section.id, sort: wish?.sort ?? section.sorts.first?.order.rawValue ?? "",
                window: section.windows.first { $0 >= wish?.window ?? 0 } ?? section.windows.last ?? 0,
                locale: id.locale, user: section.isPrivate ? user : nil)
            sections[section.id] = try? screens[index].evaluate(variant, favorites: marked).version
        }
        let content = Content(list: list.version, sections: sections)
        known[key] = content
        return content
    }
}

extension History.Content {
    func hasSums(of other: SyncCore.ViewContent) -> Bool {
        list.sum == other.list.sum && sections.mapValues(\.sum) == other.sections.mapValues(\.sum)
    }

    /// The same bytes, everywhere.
    func equals(_ otherList: Version, _ otherSections: [String: Version]) -> Bool {
        func same(_ a: Version, _ b: Version) -> Bool { a.sum == b.sum && a.head == b.head && a.items == b.items }
        return same(list, otherList) && sections.count == otherSections.count
            && sections.allSatisfy { id, version in otherSections[id].map { same($0, version) } ?? false }
    }
}
