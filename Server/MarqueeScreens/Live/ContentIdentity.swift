import MarqueeModel

/// What makes a section's content the same on many screens, such as "popular now" below each record's details: variants
/// of equal identity always show the same, so it is evaluated once for all of them.
package struct ContentIdentity: Hashable, Sendable {
    /// Variants of different families part when a programme defines one of them otherwise, so they share nothing.
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
    /// - Returns: `nil` for what no other variant shows, and for what the programme doesn't have.
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
    /// Whether what it shows depends on what its screen's name carries, or on the screen's title.
    var dependsOnScreen: Bool {
        if header?.title.mentions(Programme.Header.titlePlaceholder) == true { return true }
        if case .fixed(let footer)? = footer, footer.title.mentions(Programme.Header.titlePlaceholder) { return true }
        return switch source {
        case .items: false
        case .records(let query): query.group != nil || query.excluded.contains(.argument)
        case .record(_, let reference): reference == .argument
        case .nested(let query): query.id == .argument
        // To share too little costs time; to share too much would show what belongs elsewhere.
        default: true
        }
    }
}
