package import MarqueeDiff
package import MarqueeModel
package import MarqueeScreens
package import MarqueeWire

/// The hub's announcement to the sessions after a commit.
package struct Publication: Sendable {
    /// The catalogue's newest revision.
    package var catalogueRevision: UInt64
    /// The newest revisions of the users' logs that this publication covers.
    package var users: [String: UInt64]
    /// Whether it concerns only these users.
    package var isOnlyTheirs: Bool
    /// The contents that have a new version, by their numbers: see `CurrentVersion.content`.
    package var changes: [UInt64: CurrentVersion]
    /// The screens whose definition changed: their views must be planned again before a session may move on.
    package var replans: ChangedScreens
    /// Handles of the section lists of views whose screens are gone, because their subject was removed.
    package var gone: [UInt64]
    /// Variants that are not kept current until a client asks for them again. A relay, which shows each of them alone,
    /// has to learn of that before it learns of the position; views that show them are among the replans.
    package var ended: Set<UInt64>
    /// If set, all sessions end with this status, because the logs were replaced: positions before and after that can't
    /// be compared.
    package var end: Status?

    /// - Parameter isOnlyTheirs: by default, a publication with users concerns nobody else.
    package init(
        catalogueRevision: UInt64, users: [String: UInt64] = [:], isOnlyTheirs: Bool? = nil,
        changes: [UInt64: CurrentVersion], replans: ChangedScreens = .none, gone: [UInt64] = [],
        ended: Set<UInt64> = []
    ) {
        self.catalogueRevision = catalogueRevision
        self.users = users
        self.isOnlyTheirs = isOnlyTheirs ?? !users.isEmpty
        self.changes = changes
        self.replans = replans
        self.gone = gone
        self.ended = ended
    }

    /// Creates a publication that ends all sessions.
    package init(end: Status) {
        self.init(catalogueRevision: 0, changes: [:])
        self.end = end
    }
}

/// A version, and the position since which it is the newest of its content.
package struct CurrentVersion: Sendable {
    package var version: Version
    package var since: CutChange
    /// The content's number, here and in the library. Variants that always show the same thing share one content.
    package var content: UInt64

    package init(version: Version, since: CutChange, content: UInt64) {
        self.version = version
        self.since = since
        self.content = content
    }
}

extension CurrentVersion {
    /// Whether another version of the same content has replaced this one.
    func isOlder(than other: CurrentVersion) -> Bool {
        since.catalogueRevision ?? 0 < other.since.catalogueRevision ?? 0
            || since.userRevision ?? 0 < other.since.userRevision ?? 0
    }
}

/// A session's request to the hub for a view, made when a client subscribes.
package struct OpenRequest: Hashable, Sendable {
    package var screen: String
    package var locale: String?
    package var parameters: [SectionParameters]
    package var user: String?
    /// The asking user's claims.
    package var claims: Claims
    /// A single variant to show alone, for a relay; the screen is empty then.
    package var handle: UInt64?

    package init(
        screen: String, locale: String?, parameters: [SectionParameters], user: String?, claims: Claims = .none,
        handle: UInt64? = nil
    ) {
        self.screen = screen
        self.locale = locale
        self.parameters = parameters
        self.user = user
        self.claims = claims
        self.handle = handle
    }

    package init(_ request: GetScreenRequest, user: String?, claims: Claims = .none) {
        self.init(
            screen: request.screen, locale: request.locale, parameters: request.sections, user: user, claims: claims)
    }
}

/// A view whose variants the hub keeps current until they are released.
package struct OpenedView: Sendable {
    package struct Variant: Sendable {
        /// The section's id; empty for the view's own list.
        package var section: String
        package var handle: UInt64
        package var current: CurrentVersion

        package init(section: String, handle: UInt64, current: CurrentVersion) {
            self.section = section
            self.handle = handle
            self.current = current
        }
    }

    package var screen: String
    package var locale: String
    package var list: Variant
    package var sections: [Variant]
    /// The position at which the versions are current.
    package var cut: Cut
    /// The section's user, if it is a single variant of a private section.
    package var user: String?

    package init(
        screen: String, locale: String, list: Variant, sections: [Variant], cut: Cut, user: String? = nil
    ) {
        self.screen = screen
        self.locale = locale
        self.list = list
        self.sections = sections
        self.cut = cut
        self.user = user
    }

    package var handles: [UInt64] { [list.handle] + sections.map(\.handle) }
}
