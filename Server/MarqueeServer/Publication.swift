package import MarqueeDiff
package import MarqueeModel
package import MarqueeScreens
package import MarqueeWire

/// The hub's announcement to the sessions after a commit.
package struct Publication: Sendable {
    /// The catalogue's newest revision.
    package var catalogueRevision: UInt64
    /// The newest revision of a user's log, if this publication is about one.
    package var user: String?
    package var userRevision: UInt64?
    /// The contents that have a new version, by their numbers: see `CurrentVersion.content`.
    package var changes: [UInt64: CurrentVersion]
    /// The screens whose definition changed: their views must be planned again before a session may move on.
    package var replans: ChangedScreens
    /// Handles of the section lists of views whose screens are gone, because their subject was removed.
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

/// A version, and the position since which it is the newest of its content.
package struct CurrentVersion: Sendable {
    package var version: Version
    package var since: CutChange
    /// The number of the content, here and in the library. Variants that always show the same share one content; the
    /// content of a variant that shares nothing usually has the variant's handle as its number.
    package var content: UInt64

    package init(version: Version, since: CutChange, content: UInt64) {
        self.version = version
        self.since = since
        self.content = content
    }
}

extension CurrentVersion {
    /// Whether this version has been replaced by another one of the same content.
    func isOlder(than other: CurrentVersion) -> Bool {
        since.catalogueRevision ?? 0 < other.since.catalogueRevision ?? 0
            || since.userRevision ?? 0 < other.since.userRevision ?? 0
    }
}

/// A session's request to the hub when a client subscribes.
package struct OpenRequest: Hashable, Sendable {
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

    package init(screen: String, locale: String, list: Variant, sections: [Variant], cut: Cut) {
        self.screen = screen
        self.locale = locale
        self.list = list
        self.sections = sections
        self.cut = cut
    }

    package var handles: [UInt64] { [list.handle] + sections.map(\.handle) }
}
