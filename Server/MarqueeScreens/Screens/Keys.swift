package import MarqueeModel

/// Identifies one section variant: the unit of evaluation, versioning, patching, caching and repair.
package struct VariantKey: Hashable, Sendable {
    /// The screen's full name, such as `episode/e1`.
    package var screen: String
    package var section: String
    /// Empty for a section without sorts.
    package var sort: String
    /// 0 for a section without windows.
    package var window: UInt32
    /// Only for a section whose windows can start anywhere.
    package var place: WindowPlace?
    /// One of the programme's locales.
    package var locale: String
    /// Only for a private section.
    package var user: String?
    /// The rendition shown of a section that isn't the same for all its readers.
    package var rendition: RenditionName

    package init(
        screen: String, section: String, sort: String = "", window: UInt32 = 0, place: WindowPlace? = nil,
        locale: String, user: String? = nil, rendition: RenditionName = .fallback
    ) {
        self.screen = screen
        self.section = section
        self.sort = sort
        self.window = window
        self.place = place
        self.locale = locale
        self.user = user
        self.rendition = rendition
    }
}

/// Identifies a view's own list of sections, which doesn't depend on parameters. It depends on users and their claims
/// only as far as they change the sections: readers who see the same sections share it.
package struct ViewKey: Hashable, Sendable {
    package var screen: String
    package var locale: String
    /// Which title is shown, of a screen whose title differs by audience.
    package var title: RenditionName
    /// Whether private sections are omitted, as they are for clients without a user.
    package var omitsPrivate: Bool
    /// The sections shown that are restricted to some readers, in the screen's order. Other restricted sections are
    /// omitted, including those that a newer programme adds.
    package var targeted: [String]

    package init(
        screen: String, locale: String, title: RenditionName = .fallback, omitsPrivate: Bool = false,
        targeted: [String] = []
    ) {
        self.screen = screen
        self.locale = locale
        self.title = title
        self.omitsPrivate = omitsPrivate
        self.targeted = targeted
    }
}

/// The content of a subscription: a view with its variants, in order.
package struct ViewPlan: Hashable, Sendable {
    package struct Section: Hashable, Sendable {
        package var id: String
        package var variant: VariantKey

        package init(id: String, variant: VariantKey) {
            self.id = id
            self.variant = variant
        }
    }

    package var view: ViewKey
    package var sections: [Section]

    package init(view: ViewKey, sections: [Section]) {
        self.view = view
        self.sections = sections
    }
}

/// Identifies anything that has a version: a section variant or a view's own list.
package enum ContentKey: Hashable, Sendable {
    case view(ViewKey)
    case section(VariantKey)

    /// The user, for a private section.
    package var user: String? {
        if case .section(let key) = self { key.user } else { nil }
    }

    package var screen: String {
        switch self {
        case .view(let key): key.screen
        case .section(let key): key.screen
        }
    }

    package var locale: String {
        switch self {
        case .view(let key): key.locale
        case .section(let key): key.locale
        }
    }
}
