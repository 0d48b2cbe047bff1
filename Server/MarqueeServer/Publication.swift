package import MarqueeDiff
package import MarqueeModel
package import MarqueeScreens
package import MarqueeWire

/// What the hub tells every session after a commit.
package struct Publication: Sendable {
    /// The catalogue's newest revision.
    package var catalogueRevision: UInt64
    /// The newest revision of one user's log, when it is that which moved.
    package var user: String?
    package var userRevision: UInt64?
    /// The variants that have a new version, by handle.
    package var changes: [UInt64: CurrentVersion]
    /// The screens whose definition changed: their views have to be planned anew before a session may move on.
    package var replans: ChangedScreens
    /// Handles of the own lists of views whose screens are gone, as what they were about was removed.
    package var gone: [UInt64]

    package init(
        catalogueRevision: UInt64, user: String? = nil, userRevision: UInt64? = nil,
        changes: [UInt64: CurrentVersion], replans: ChangedScreens = .none, gone: [UInt64] = []
    ) {
        self.catalogueRevision = catalogueRevision
        self.user = user
        self.userRevision = userRevision
        self.changes = changes
        self.replans = replans
        self.gone = gone
    }
}

/// A version with the position since which it is its variant's newest.
package struct CurrentVersion: Sendable {
    package var version: Version
    package var since: CutChange

    package init(version: Version, since: CutChange) {
        self.version = version
        self.since = since
    }
}

/// What a session asks the hub for when a client subscribes.
package struct OpenRequest: Sendable {
    package var screen: String
    package var locale: String?
    package var parameters: [SectionParameters]
    package var user: String?

    package init(screen: String, locale: String?, parameters: [SectionParameters], user: String?) {
        self.screen = screen
        self.locale = locale
        self.parameters = parameters
        self.user = user
    }
}

/// A view whose variants the hub keeps current until they are released.
package struct OpenedView: Sendable {
    package struct Member: Sendable {
        /// Of the section; empty for the view's own list.
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
    package var list: Member
    package var sections: [Member]
    /// The position at which the versions are current.
    package var cut: Cut

    package init(screen: String, locale: String, list: Member, sections: [Member], cut: Cut) {
        self.screen = screen
        self.locale = locale
        self.list = list
        self.sections = sections
        self.cut = cut
    }

    package var handles: [UInt64] { [list.handle] + sections.map(\.handle) }
}
