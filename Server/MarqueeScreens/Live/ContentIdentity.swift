import MarqueeModel

/// Identifies section content that is the same on many screens, such as "popular now" below each record's details.
/// Variants of equal identity always show the same content, so it is evaluated once for all of them.
package struct ContentIdentity: Hashable, Sendable {
    /// Part of the identity, so that different families share nothing: a new programme may redefine one family's
    /// section and not another's.
    private let family: String
    private let definition: SectionDefinition

    /// - Returns: `nil` for a section that depends on its screen or on a user.
    fileprivate init?(of key: VariantKey, _ definition: SectionDefinition) {
        guard key.user == nil, !definition.section.dependsOnScreen else { return nil }
        family = ScreenID(key.screen).family
        self.definition = definition
    }
}

extension Screens {
    /// - Returns: `nil` if no other variant can share the content, or if the programme doesn't have it.
    package func identity(of key: ContentKey) -> ContentIdentity? {
        guard case .section(let key) = key, let definition = try? definition(of: key) else { return nil }
        return ContentIdentity(of: key, definition)
    }

    /// Whether the programme has this view or variant.
    package func has(_ key: ContentKey) -> Bool {
        switch key {
        case .view(let key): (try? definition(of: key)) != nil
        case .section(let key): (try? definition(of: key)) != nil
        }
    }
}

extension Programme.Section {
    /// Whether the content depends on the argument in the screen's name, or on the screen's title.
    var dependsOnScreen: Bool {
        if showsScreenTitle { return true }
        return switch source {
        case .items: false
        case .records(let query): query.group != nil || query.excluded.contains(.argument)
        case .record(_, let reference): reference == .argument
        case .nested(let query): query.id == .argument
        // When in doubt, don't share: that only costs time, whereas sharing wrongly would show another screen's
        // content.
        default: true
        }
    }

    /// Whether one of its texts is, or contains, the screen's title.
    var showsScreenTitle: Bool {
        if header?.title.mentions(Programme.Header.titlePlaceholder) == true { return true }
        if case .fixed(let footer)? = footer, footer.title.mentions(Programme.Header.titlePlaceholder) { return true }
        return supplements.values.contains { $0.title.mentions(Programme.Header.titlePlaceholder) }
    }
}
