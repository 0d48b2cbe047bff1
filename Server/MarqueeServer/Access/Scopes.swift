package import MarqueeCatalogue
import MarqueeModel
import MarqueeWire

/// A set of permissions. Each rule is an action, and a pattern for the names it applies to.
///
/// | rule | allows |
/// | --- | --- |
/// | `read home`, `read detail/*`, `read *` | subscribing to and fetching these screens |
/// | `search` | searching |
/// | `favorites`, `collection watched`, `collection *` | changing one's own collections |
/// | `publish movie`, `publish list/*`, `publish *` | publishing records of a type, lists, pages, pools |
/// | `publish source/shop` | moving the source of that name |
/// | `publish :programme`, `publish :types` | replacing the programme and seeing screens as others do; the types |
/// | `draft spring`, `draft *` | seeing and dropping that draft; what goes into it has to be publishable, too |
/// | `relay` | passing on what others may see, on their behalf |
///
/// A pattern that ends in `*` matches everything that begins with the text before it.
package struct Scopes: Hashable, Sendable {
    /// The most rules, and the most bytes of a rule.
    package static let maximumRules = 64
    package static let maximumRuleBytes = 256

    /// An action that a client asks for.
    package enum Action: Hashable, Sendable {
        /// To see a screen, by its full name.
        case read(screen: String)
        /// To learn that screens of this family exist.
        case readSome(family: String)
        case search
        /// To see screens as other readers do, and at other moments.
        case preview
        /// To know a draft, and to see screens with it.
        case draft(String)
        /// To change one's own members of a collection.
        case change(collection: String)
        /// To publish something, see `Change.subjectOfPublishing`.
        case publish(String)
        /// To be a relay.
        case relay
    }

    private enum Verb: String, CaseIterable {
        case read, search, collection, publish, draft, relay

        /// Whether a pattern follows.
        var hasPattern: Bool {
            switch self {
            case .read, .collection, .publish, .draft: true
            case .search, .relay: false
            }
        }
    }

    private struct Rule: Hashable {
        var verb: Verb
        /// Empty for a verb without one.
        var pattern = ""

        func covers(_ verb: Verb, _ name: String) -> Bool {
            guard verb == self.verb else { return false }
            guard pattern.hasSuffix("*") else { return name == pattern }
            return name.hasPrefix(pattern.dropLast())
        }

        var text: String { pattern.isEmpty ? verb.rawValue : "\(verb.rawValue) \(pattern)" }
    }

    private var rules: Set<Rule> = []

    package static let nothing = Scopes(rules: [])
    package static let everything = Scopes(
        rules: [
            Rule(verb: .read, pattern: "*"), Rule(verb: .search), Rule(verb: .collection, pattern: "*"),
            Rule(verb: .publish, pattern: "*"), Rule(verb: .draft, pattern: "*"), Rule(verb: .relay),
        ])
    /// Seeing everything, and changing nothing.
    package static let readOnly = Scopes(rules: [Rule(verb: .read, pattern: "*"), Rule(verb: .search)])

    private init(rules: Set<Rule>) { self.rules = rules }

    /// Reads rules as people write them.
    /// - Throws: `ScopeMistake`, which says what is wrong with one of them.
    package init(_ texts: [String]) throws(ScopeMistake) {
        guard texts.count <= Self.maximumRules else {
            throw ScopeMistake("there are \(texts.count) scopes, at most \(Self.maximumRules) are possible")
        }
        for text in texts { rules.insert(try Self.rule(text)) }
    }

    private static func rule(_ text: String) throws(ScopeMistake) -> Rule {
        guard text.utf8.count <= maximumRuleBytes else {
            throw ScopeMistake("a scope has at most \(maximumRuleBytes) bytes")
        }
        if text == "favorites" { return Rule(verb: .collection, pattern: CollectionName.favorites.name) }
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard let first = words.first, let verb = Verb(rawValue: first) else {
            throw ScopeMistake(
                "'\(text)' isn't a scope; scopes are 'read SCREEN', 'search', 'favorites', 'collection NAME', "
                    + "'publish WHAT', 'draft NAME' and 'relay'")
        }
        guard words.count == (verb.hasPattern ? 2 : 1) else {
            throw ScopeMistake(
                verb.hasPattern
                    ? "'\(text)' needs one name or pattern, such as '\(first) *'" : "'\(first)' takes no pattern")
        }
        let pattern = verb.hasPattern ? words[1] : ""
        guard !pattern.dropLast().contains("*") else {
            throw ScopeMistake("'\(text)' has a * that isn't at its end")
        }
        return Rule(verb: verb, pattern: pattern)
    }

    package func allows(_ action: Action) -> Bool {
        switch action {
        case .read(let screen):
            // A client that may change collections has to be able to list them.
            covers(.read, screen) || screen == ScreenID.collectionSet.name && rules.contains { $0.verb == .collection }
        case .readSome(let family):
            rules.contains { rule in
                rule.covers(.read, family) || rule.verb == .read && rule.pattern.hasPrefix("\(family)/")
            }
        case .search: covers(.search, "")
        // A client that may replace the programme already decides what readers see and when.
        case .preview: covers(.publish, Change.programme("").subjectOfPublishing)
        case .draft(let name): covers(.draft, name)
        case .change(let collection): covers(.collection, collection)
        case .publish(let subject): covers(.publish, subject)
        case .relay: covers(.relay, "")
        }
    }

    /// Whether anything at all may be published, or done about a draft.
    package var allowsPublishing: Bool { rules.contains { $0.verb == .publish || $0.verb == .draft } }

    /// Whether counts of everything may be known: by a client that may see everything, or by a relay, which passes them
    /// on.
    package var allowsCounts: Bool { rules.contains(Rule(verb: .read, pattern: "*")) || allows(.relay) }

    /// Whether others' activity may be known, such as who published what and from where: only by a client that may see
    /// and publish everything.
    package var allowsOversight: Bool {
        rules.contains(Rule(verb: .read, pattern: "*")) && rules.contains(Rule(verb: .publish, pattern: "*"))
    }

    private func covers(_ verb: Verb, _ name: String) -> Bool { rules.contains { $0.covers(verb, name) } }

    /// The rules as people write them, sorted.
    package var texts: [String] { rules.map(\.text).sorted() }
}

/// A mistake in the text of a scope.
package struct ScopeMistake: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}

extension Change {
    package static func subjectOfPublishing(source: String) -> String { "source/\(source)" }

    /// The subject that a scope has to cover before this may be published: a record's type, `list/…`, `page/…`,
    /// `pool/…`, `source/…`, `:programme` or `:types`.
    package var subjectOfPublishing: String {
        switch self {
        case .put(let id, _), .merge(let id, _, _, _), .remove(let id): id.type
        case .list(let list): "list/\(list.name.list)"
        case .listItem(let edit): "list/\(edit.list.list)"
        case .show(let list, _): "list/\(list)"
        case .removeList(let name): "list/\(name.list)"
        case .chooseEntry(let pool, _), .chooseRecord(let pool, _), .removeChoice(let pool): "pool/\(pool)"
        case .page(let page): "page/\(page.id)"
        case .removePage(let id): "page/\(id)"
        case .programme: ":programme"
        case .types: ":types"
        case .time: ":time"
        case .source(let position): Self.subjectOfPublishing(source: position.source)
        }
    }
}

/// Decides whether an identity is refused something, and words the refusal. Everything that clients ask for is checked
/// here and nowhere else.
enum Authoriser {
    /// - Returns: the answer to give instead of a screen; `nil` if it is allowed.
    static func refusal(of request: GetScreenRequest, to identity: Identity) -> Status? {
        refusal(of: .read(screen: request.screen), to: identity)
            ?? (request.isImagined ? refusal(of: .preview, to: identity) : nil)
            ?? request.draft.flatMap { refusal(of: .draft($0), to: identity) }
    }

    /// - Returns: the answer to give instead; `nil` if it is allowed.
    static func refusal(of action: Scopes.Action, to identity: Identity) -> Status? {
        guard !identity.scopes.allows(action) else { return nil }
        switch action {
        // A screen that may not be seen is answered like one that doesn't exist.
        case .read(let screen): return .unknownScreen(screen)
        case .readSome(let family): return .unknownScreen(family)
        case .search: return denied("this client may not search")
        case .preview:
            return denied(
                "this client may see screens neither as other readers do nor at other moments; that needs the scope "
                    + "'publish :programme'")
        case .draft(let name):
            let name = name.prefix(GetScreenRequest.maximumDraftBytes)
            return denied("this client may not see or change the draft '\(name)'; that needs the scope 'draft \(name)'")
        case .change(let collection): return denied("this client may not change the collection '\(collection)'")
        case .publish(let subject): return denied("this client may not publish '\(subject.prefix(64))'")
        case .relay: return denied("this client may not be a relay")
        }
    }

    private static func denied(_ message: String) -> Status {
        Status(.permissionDenied, reason: Status.Reason.scopeTooSmall, remedy: .fatal, message: message)
    }
}
