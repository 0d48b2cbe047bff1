import Synchronization

/// Rules of ICU by locale, each made when it is first asked for. Thread safe.
package final class LocaleCache<Rules: Sendable>: Sendable {
    /// The most locales whose rules are kept.
    private let capacity = 64
    private let kept = Mutex<[String: Rules]>([:])
    private let make: @Sendable (String) -> Rules

    package init(_ make: @escaping @Sendable (String) -> Rules) { self.make = make }

    package subscript(locale: String) -> Rules {
        kept.withLock { kept in
            if let rules = kept[locale] { return rules }
            if kept.count >= capacity { kept.removeAll() }
            let rules = make(locale)
            kept[locale] = rules
            return rules
        }
    }
}
