import MarqueeDiff
import MarqueeModel
import MarqueeWire

/// The content of a scripted server: its screens, and the data of its users.
struct ScriptedContent {
    /// A screen as one reader sees it.
    struct View {
        var list: Version
        var sections: [(id: String, version: Version)]

        /// The list of sections under an empty id, followed by the sections.
        var versions: [(id: String, version: Version)] { [("", list)] + sections }
    }

    var screens: [ScreenID: SampleScreen] = [:]
    var users: [String: ScriptedUser] = [:]
    /// The collections that the server has.
    var collections: [CollectionName] = [.favorites]
    /// Rises with every change of screens.
    var revision: UInt64 = 1
    /// New for every server, so that a mirror never mistakes one server for an earlier one.
    let epoch = UInt64.random(in: 1...UInt64(Int64.max))

    func cut(of user: String?) -> Cut {
        guard let user else { return Cut(catalogueEpoch: epoch, catalogueRevision: revision) }
        return Cut(
            catalogueEpoch: epoch, catalogueRevision: revision, userEpoch: epoch,
            userRevision: users[user]?.revision ?? 1)
    }

    /// - Returns: the view, or the reason why there is none.
    func view(
        _ screen: ScreenID, _ parameters: [SectionParameters], of user: String?
    ) -> Result<View, Refusal> {
        if screen == .collectionSet { return user.map { .success(collectionSet(of: $0)) } ?? .failure(.needsUser) }
        guard let sample = screens[screen] else { return .failure(.notFound) }
        for wanted in parameters {
            guard let section = sample[section: wanted.section] else {
                return .failure(.unknown("SECTION", "there is no section '\(wanted.section)'"))
            }
            guard wanted.place == nil else {
                return .failure(.unknown("WINDOW", "the windows of section '\(section.id)' can't be anywhere"))
            }
            let sort = wanted.sort ?? ""
            guard sort.isEmpty || section.head.sorts.contains(where: { $0.id == sort }) else {
                return .failure(.unknown("SORT", "section '\(section.id)' has no order '\(sort)'"))
            }
        }
        let left = user == nil ? sample.sections.filter { $0.head.collection != nil }.map(\.id) : []
        let shown = sample.sections.filter { !left.contains($0.id) }
        guard !shown.isEmpty || sample.sections.isEmpty else { return .failure(.needsUser) }
        return .success(
            View(
                list: sample.list(leavingOut: left),
                sections: shown.map { section in
                    let wanted = parameters.first { $0.section == section.id }
                    let sort = wanted?.sort.flatMap { $0.isEmpty ? nil : $0 }
                    let version = section.version(
                        of: items(of: section, user), sort: sort, window: wanted?.window ?? 0)
                    return (section.id, version)
                }))
    }

    private func items(of section: SampleSection, _ user: String?) -> [SampleItem] {
        guard let collection = section.head.collection else { return section.items }
        let members = user.flatMap { users[$0] }?.members[collection] ?? []
        guard !members.isEmpty else { return [] }
        let known = itemsBySubject
        return members.compactMap { member in
            guard var item = known[member.subject] else { return nil }
            item.id = member.subject.name
            return item
        }
    }

    /// The first item of each subject.
    private var itemsBySubject: [Subject: SampleItem] {
        var known: [Subject: SampleItem] = [:]
        for item in allItems { if let subject = item.subject, known[subject] == nil { known[subject] = item } }
        return known
    }

    /// All items, in the order of screens and sections.
    private var allItems: some Sequence<SampleItem> {
        screens.values.sorted { $0.id.name < $1.id.name }.lazy.flatMap(\.sections).flatMap(\.items)
    }

    private func collectionSet(of user: String) -> View {
        let sections = collections.map { name in
            var head = SectionHead(kind: .collectionSet)
            head.collection = name
            let members = users[user]?.members[name] ?? []
            head.total = UInt32(clamping: members.count)
            let items = members.map { member in
                Item(
                    id: member.subject.name, kind: .member, subject: member.subject.name,
                    body: BodyCodec.encode(.member(revision: member.revision, value: member.value)))
            }
            return (id: name.name, version: Version(head: BodyCodec.encode(head), items: items))
        }
        let references = sections.map {
            Item(id: $0.id, kind: .section, body: BodyCodec.encode(SectionReference(isPrivate: true)))
        }
        return View(list: Version(head: BodyCodec.encode(ViewHead(title: "")), items: references), sections: sections)
    }

    /// Returns the results of a search: cards with a text that contains the query, and items with an id that does. Each
    /// subject once.
    func matches(_ query: String) -> [SampleItem] {
        let query = query.lowercased()
        var seen: Set<String> = []
        return allItems.filter { item in
            var texts = [item.id]
            if case .card(let card) = item.content { texts += [card.title, card.subtitle ?? "", card.overline ?? ""] }
            return texts.contains { $0.lowercased().contains(query) }
        }.compactMap { item in
            var found = item
            found.id = item.subject?.name ?? item.id
            return seen.insert(found.id).inserted ? found : nil
        }
    }
}

/// The data of one user of a scripted server.
struct ScriptedUser {
    struct Member {
        var subject: Subject
        var value: CollectionValue?
        var revision: UInt64
    }

    var revision: UInt64 = 1
    /// The members of each collection, newest first.
    var members: [CollectionName: [Member]] = [:]

    /// - Returns: whether anything has changed.
    mutating func set(
        _ subject: Subject, in collection: CollectionName, _ isMember: Bool, value: CollectionValue?
    ) -> Bool {
        let known = members[collection, default: []].first { $0.subject == subject }
        guard isMember ? known == nil || known?.value != value : known != nil else { return false }
        revision += 1
        members[collection, default: []].removeAll { $0.subject == subject }
        if isMember {
            members[collection, default: []].insert(
                Member(subject: subject, value: value, revision: revision), at: 0)
        }
        return true
    }
}

extension Refusal: Error {
    static let needsUser = Refusal(
        Status(
            .unauthenticated, reason: "USER_REQUIRED", remedy: .reauthenticate,
            message: "this screen needs a user"))

    static func unknown(_ what: String, _ message: String) -> Refusal {
        Refusal(Status(.invalidArgument, reason: "UNKNOWN_\(what)", remedy: .fatal, message: message))
    }
}
