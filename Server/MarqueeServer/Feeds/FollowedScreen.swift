import MarqueeDiff
import MarqueeModel
import MarqueeWire

/// A view that is open, as publications change it.
struct FollowedScreen {
    /// The effect of a publication.
    enum Change: Hashable {
        /// The view shows what it did.
        case none
        case content
        /// Which variants the view shows has to be asked again.
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

    /// A publication may have been made before the view was opened; then the view has what is in it.
    private func renew(_ variant: inout OpenedView.Variant, by publication: Publication) -> Bool {
        guard let new = publication.changes[variant.current.content], variant.current.isOlder(than: new) else {
            return false
        }
        let isOther = new.version.sum != variant.current.version.sum
        variant.current = new
        return isOther
    }

    /// The screen as it is now.
    /// - Parameter revision: the catalogue's, of which everything is in the view.
    func state(at revision: UInt64) -> FeedState {
        var cut = view.cut
        cut.catalogueRevision = max(cut.catalogueRevision, revision)
        let versions = view.sections.map { ($0.section, Version?.some($0.current.version)) }
        return FeedState(
            screen: view.screen, locale: view.locale, cut: cut, list: view.list.current.version,
            versions: Dictionary(versions) { first, _ in first })
    }

    /// The screen that a reader has seen, as far as the library remembers it.
    /// - Returns: `nil` if too little is known to change it.
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
