import MarqueeModel

/// The screens that a new programme defines differently.
package enum ChangedScreens: Hashable, Sendable {
    case none
    /// The screens of these families.
    case families(Set<String>)
    case all

    /// - Parameter name: a screen's name, such as `episode/e1`.
    package func contains(_ name: String) -> Bool {
        switch self {
        case .none: false
        case .families(let families): families.contains(ScreenID(name).family)
        case .all: true
        }
    }

    package func union(_ other: ChangedScreens) -> ChangedScreens {
        switch (self, other) {
        case (.all, _), (_, .all): .all
        case (.none, _): other
        case (_, .none): self
        case (.families(let a), .families(let b)): .families(a.union(b))
        }
    }
}

extension Programme {
    /// The screens defined differently from a previous programme, including those that only one of the two has.
    ///
    /// If the locales differ, all screens count, because clients may now be served in a different one.
    package func changedScreens(since before: Programme) -> ChangedScreens {
        guard self != before else { return .none }
        guard locales == before.locales else { return .all }
        func byFamily(_ programme: Programme) -> [String: [Screen]] {
            Dictionary(grouping: programme.screens, by: \.family)
        }
        let (old, new) = (byFamily(before), byFamily(self))
        var families = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
        if collections != before.collections { families.insert(ScreenID.collectionSet.family) }
        // If no family differs, only the order of the screens does, which no view shows.
        return families.isEmpty ? .none : .families(families)
    }
}
