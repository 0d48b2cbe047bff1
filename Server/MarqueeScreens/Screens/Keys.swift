/// Names one section variant: the unit of evaluation, version, patch, cache and repair.
package struct VariantKey: Hashable, Sendable {
    /// The full name, such as `episode/e1`.
    package var screen: String
    package var section: String
    /// Empty for a section without sorts.
    package var sort: String
    /// 0 for a section without windows.
    package var window: UInt32
    /// One of the programme's.
    package var locale: String
    /// Only for a private section.
    package var user: String?

    package init(
        screen: String, section: String, sort: String = "", window: UInt32 = 0, locale: String, user: String? = nil
    ) {
        self.screen = screen
        self.section = section
        self.sort = sort
        self.window = window
        self.locale = locale
        self.user = user
    }
}

/// Names a view's own list of sections, which is the same for every user and every parameter.
package struct ViewKey: Hashable, Sendable {
    package var screen: String
    package var locale: String
    /// Whether it leaves out private sections: the list for clients without a user.
    package var omitsPrivate: Bool

    package init(screen: String, locale: String, omitsPrivate: Bool = false) {
        self.screen = screen
        self.locale = locale
        self.omitsPrivate = omitsPrivate
    }
}

/// What a subscription shows: a view with its variants, in order.
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

/// Names anything that has a version: a section variant or a view's own list.
package enum ContentKey: Hashable, Sendable {
    case view(ViewKey)
    case section(VariantKey)

    /// Its user, if it is private.
    package var user: String? {
        if case .section(let key) = self { key.user } else { nil }
    }
}
