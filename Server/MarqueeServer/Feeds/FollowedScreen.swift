import MarqueeDiff
import MarqueeModel
import MarqueeWire

/// An open view, kept up to date by publications.
struct FollowedScreen {
    /// The effect of a publication.
    enum Change: Hashable {
        /// The view shows the same as before.
        case none
        case content
        /// The variants of the view have to be planned again.
        case plan
    }

    private(set) var view: OpenedView
    /// The user for whom it is open.
    let user: String?

    init(_ view: OpenedView, user: String?) {
        self.view = view
        self.user = user
    }

    var contents: Set<UInt64> { Set(([view.list] + view.sections).map(\.current.content)) }

    mutating func follow(_ publication: Publication) -> Change {
        if let revision = user.flatMap({ publication.users[$0] }) {
            view.cut.userRevision = max(view.cut.userRevision, revision)
        }
        if !publication.ended.isDisjoint(with: view.handles) || publication.replans.contains(view.screen)
            || publication.gone.contains(view.list.handle)
        {
            return .plan
        }
        var hasChanged = renew(&view.list, by: publication)
        for index in view.sections.indices where renew(&view.sections[index], by: publication) { hasChanged = true }
        return hasChanged ? .content : .none
    }

    /// A publication may be older than the view, which then already contains its changes.
    private func renew(_ variant: inout OpenedView.Variant, by publication: Publication) -> Bool {
        guard let new = publication.changes[variant.current.content], variant.current.isOlder(than: new) else {
            return false
        }
        let isOther = new.version.sum != variant.current.version.sum
        variant.current = new
        return isOther
    }

    /// The screen as it is now.
    /// - Parameter revision: a revision of the catalogue; the view contains all changes up to it.
    func state(at revision: UInt64) -> FeedState {
        var cut = view.cut
        cut.catalogueRevision = max(cut.catalogueRevision, revision)
        let versions = view.sections.map { ($0.section, Version?.some($0.current.version)) }
        return FeedState(
            screen: view.screen, locale: view.locale, cut: cut, list: view.list.current.version,
            versions: Dictionary(versions) { first, _ in first })
    }

    /// The screen that a reader has seen, as far as the library remembers its versions.
    /// - Returns: `nil` if too little is remembered to build on it.
    func state(_ seen: SeenScreen, in library: VersionLibrary) -> FeedState? {
        func version(_ sum: UInt64, of variant: OpenedView.Variant) -> Version? {
            let current = variant.current
            return current.version.sum == sum ? current.version : library.version(sum, of: current.content)
        }
        guard let list = version(seen.list, of: view.list) else { return nil }
        let variants = Dictionary(view.sections.map { ($0.section, $0) }) { first, _ in first }
        let shown = list.items.compactMap { variants[$0.id] }
        guard shown.count == seen.sections.count else { return nil }
        let versions = zip(shown, seen.sections).map { ($0.section, version($1, of: $0)) }
        return FeedState(
            screen: view.screen, locale: view.locale, cut: seen.cut, list: list,
            versions: Dictionary(versions) { first, _ in first })
    }
}
