import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The members of a user's collection that the catalogue has, movies, records and items of shelves: newest first, by
/// subject where one revision set several.
struct CollectionItems: SectionQuery {
    private let collection: CollectionName
    /// How many are shown, at most.
    private let limit: Int
    private let presentation: MoviePresentation
    private let records: RecordPresentation
    private var revisions: [String: UInt64] = [:]
    private var values: MemberValues
    private var subjectsOfMovies: [UInt64: Set<String>] = [:]
    private var subjectsOfShelves: [String: Set<String>] = [:]
    /// Shelf items that show a movie, by movie; known once the catalogue has been read.
    private var itemsOfMovies: [UInt64: Set<String>] = [:]
    /// The same, by item.
    private var moviesOfItems: [String: UInt64] = [:]
    private var candidates = CandidateList<SortKey>()

    /// - Parameter members: of the collection and of those whose values the bodies print; others are left out.
    init(
        _ query: Programme.CollectionQuery, _ members: [StoredMember], presentation: MoviePresentation,
        records: RecordPresentation
    ) {
        collection = query.name
        limit = query.limit ?? .max
        self.presentation = presentation
        self.records = records
        values = MemberValues(of: records.bodies.values.reduce(into: [query.name]) { $0.formUnion($1.collections) })
        for member in members {
            values.keep(member, of: member.name)
            if member.collection == collection { add(member.subject, setBy: member.revision) }
        }
    }

    /// The record that a subject names; `nil` when its type is none that is shown.
    private func record(_ name: String) -> RecordID? {
        guard !records.bodies.isEmpty, let slash = name.firstIndex(of: "/") else { return nil }
        let type = String(name[..<slash])
        return records.bodies[type].map { _ in RecordID(type: type, id: String(name[name.index(after: slash)...])) }
    }

    private mutating func add(_ name: String, setBy revision: UInt64) {
        revisions[name] = revision
        if record(name) != nil { return }
        let subject = Subject(name)
        if let movie = subject.movie {
            subjectsOfMovies[movie, default: []].insert(name)
        } else if let item = subject.item {
            subjectsOfShelves[item.shelf, default: []].insert(name)
        }
    }

    private mutating func remove(_ name: String) {
        revisions[name] = nil
        if record(name) != nil { return }
        let subject = Subject(name)
        if let movie = subject.movie {
            subjectsOfMovies.remove(name, from: movie)
        } else if let item = subject.item {
            subjectsOfShelves.remove(name, from: item.shelf)
            if let movie = moviesOfItems.removeValue(forKey: name) { itemsOfMovies.remove(name, from: movie) }
        }
    }

    var triggers: Set<Trigger> {
        let movies = Array(subjectsOfMovies.keys) + itemsOfMovies.keys
        let triggers: [Trigger] =
            movies.map { .record(.movie($0)) } + subjectsOfShelves.keys.map { .record(.shelf($0)) }
        guard !records.bodies.isEmpty else { return Set(triggers) }
        return Set(triggers + revisions.keys.compactMap { record($0) }.map { .record(.typed($0)) })
    }
    var total: Int { min(candidates.count, limit) }
    var members: [StoredMember] { values.members }

    private func key(of name: String) -> SortKey? {
        revisions[name].map { SortKey(ordinal: SortKey.descending($0), text: name, id: 0) }
    }

    func members(first limit: Int) -> [Member] { candidates.keys.prefix(min(limit, self.limit)).map { .text($0.text) } }

    mutating func reload(_ catalogue: inout Catalogue) {
        (itemsOfMovies, moviesOfItems) = ([:], [:])
        let present = revisions.keys.filter { find($0, in: catalogue) }
        candidates = CandidateList(present.compactMap { key(of: $0) })
    }

    /// Whether the catalogue has the subject; records which movie an item shows.
    private mutating func find(_ name: String, in catalogue: Catalogue) -> Bool {
        if let record = record(name) { return catalogue.records.contains(record) }
        let subject = Subject(name)
        if let movie = subject.movie { return catalogue.hasMovie(movie) }
        guard let item = subject.item.flatMap({ catalogue.item($0) }) else { return false }
        guard case .movie(let movie) = item.content else { return true }
        itemsOfMovies[movie, default: []].insert(name)
        moviesOfItems[name] = movie
        return catalogue.hasMovie(movie)
    }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        switch event {
        case .movie(let move):
            let subjects = (subjectsOfMovies[move.id] ?? []).union(itemsOfMovies[move.id] ?? [])
            for subject in subjects {
                candidates.replace(
                    move.old.flatMap { _ in key(of: subject) }, by: move.new.flatMap { _ in key(of: subject) }, &work)
            }
            return .items(Set(subjects.map { .text($0) }))
        case .record(let move):
            let subject = move.id.subject.name
            guard revisions[subject] != nil else { return .none }
            candidates.replace(
                move.old.flatMap { _ in key(of: subject) }, by: move.new.flatMap { _ in key(of: subject) }, &work)
            return .item(.text(subject))
        case .trigger(.record(.shelf(let shelf))):
            return .members(except: Set((subjectsOfShelves[shelf] ?? []).map { .text($0) }))
        default: return .none
        }
    }

    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> MembersReaction {
        var edits: [MemberEdit] = []
        var touched: Set<Member> = []
        var triggers = TriggerChange()
        var isCut = candidates.count > limit
        for move in moves {
            let subject = move.change.subject
            let isWanted = values.keep(move.member, of: move.change.name)
            guard move.change.collection == collection else {
                if isWanted, revisions[subject] != nil { touched.insert(.text(subject)) }
                continue
            }
            let before = related(to: subject)
            for trigger in before where listens(to: trigger) { triggers.remove(trigger) }
            if let old = key(of: subject) {
                remove(subject)
                if let place = candidates.remove(old, &work) { edits.append(.remove(at: place)) }
            }
            if let member = move.member {
                add(subject, setBy: member.revision)
                if find(subject, in: catalogue), let key = key(of: subject) {
                    edits.append(.insert(.text(subject), at: candidates.insert(key, &work)))
                }
            }
            for trigger in before.union(related(to: subject)) where listens(to: trigger) { triggers.add(trigger) }
            isCut = isCut || candidates.count > limit
        }
        // Where not all candidates are shown, what comes and goes promotes and evicts others.
        guard isCut || !touched.isEmpty else { return MembersReaction(reaction: .edits(edits), triggers: triggers) }
        for case .insert(let member, _) in edits { touched.insert(member) }
        return MembersReaction(
            reaction: edits.isEmpty && touched.isEmpty ? .none : .items(touched), triggers: triggers)
    }

    /// The triggers a subject requires.
    private func related(to name: String) -> Set<Trigger> {
        if let record = record(name) { return [.record(.typed(record))] }
        let subject = Subject(name)
        let movies = [subject.movie, moviesOfItems[name]].compactMap { $0 }.map { Trigger.record(.movie($0)) }
        let shelf = subject.movie == nil ? subject.item.map { Trigger.record(.shelf($0.shelf)) } : nil
        return Set(movies + [shelf].compactMap { $0 })
    }

    func listens(to trigger: Trigger) -> Bool {
        switch trigger {
        case .record(.movie(let movie)): subjectsOfMovies[movie] != nil || itemsOfMovies[movie] != nil
        case .record(.shelf(let shelf)): subjectsOfShelves[shelf] != nil
        case .record(.typed(let id)): revisions[id.subject.name] != nil && records.bodies[id.type] != nil
        default: false
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        guard case .text(let name) = member else { return nil }
        if let record = record(name) {
            return records.item(of: record, values: values.of(name), &maker, in: catalogue)
        }
        let subject = Subject(name)
        if let movie = subject.movie {
            // Nearly always the same item as in other sections, but a movie's number may be spelled differently.
            if subject == .movie(movie) { return presentation.item(of: movie, &maker, in: catalogue) }
            return maker.item(
                ShelfItem(id: name, content: .movie(movie)), of: "", as: name, locale: presentation.locale,
                prose: presentation.prose, in: catalogue)
        }
        guard let item = subject.item, let found = catalogue.item(item) else { return nil }
        return maker.item(
            found, of: item.shelf, as: name, locale: presentation.locale, prose: presentation.prose, in: catalogue)
    }
}

extension Dictionary where Value == Set<String> {
    /// Removes a text from the set of a key, and the set once it is empty.
    fileprivate mutating func remove(_ text: String, from key: Key) {
        self[key]?.remove(text)
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}

/// The members of some of a user's collections, by subject.
struct MemberValues: Sendable {
    private var values: [CollectionName: [String: StoredMember]]

    /// - Parameter collections: those that are wanted.
    init(of collections: Set<CollectionName>) {
        values = Dictionary(uniqueKeysWithValues: collections.map { ($0, [:]) })
    }

    var members: [StoredMember] { values.values.flatMap(\.values) }

    /// What they keep with one subject.
    func of(_ subject: String) -> [CollectionName: [UInt8]] { values.compactMapValues { $0[subject]?.value } }

    /// - Parameter member: `nil` for one that is gone.
    /// - Returns: whether the collection is wanted.
    @discardableResult
    mutating func keep(_ member: StoredMember?, of name: MemberName) -> Bool {
        guard values[name.collection] != nil else { return false }
        values[name.collection]?[name.subject] = member
        return true
    }
}
