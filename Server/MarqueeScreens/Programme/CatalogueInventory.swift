package import MarqueeCatalogue
import MarqueeModel
package import MarqueeTypes

/// The things in a catalogue that a programme can name.
package struct CatalogueInventory: Sendable {
    /// Whether there is a section on them.
    private var pages: [String: Bool] = [:]
    /// Whether there is an entry in them.
    private var lists: [ListName: Bool] = [:]
    private var shownEditions: [String: String] = [:]
    /// Types that have records.
    private var types: Set<String> = []
    /// The types in force.
    package private(set) var typesInForce: TypeSet?
    /// The text of the programme in force.
    private var programme: String?

    package init() {}

    /// Takes in a part of a catalogue's snapshot.
    package mutating func add(_ change: Change) {
        switch change {
        case .page(let page): pages[page.id] = !page.sections.isEmpty
        case .list(let list): lists[list.name] = !list.entries.isEmpty
        case .put(let id, _): types.insert(id.type)
        case .show(let list, let edition): shownEditions[list] = edition
        // The store has already validated them.
        case .types(let document): typesInForce = try? TypeSet(document, file: "types")
        case .programme(let text): programme = text
        default: break
        }
    }

    /// Warns about things that a programme names and this catalogue doesn't have.
    package func warnings(of references: [ProgrammeReference]) -> [FileMistake] {
        references.compactMap { reference in
            guard var reason = fault(of: reference.target) else { return nil }
            if let pool = reference.pool { reason = "the pool '\(pool)' can't be filled: \(reason)" }
            return FileMistake(file: reference.file, line: reference.line, reason: reason)
        }
    }

    /// Why types can't replace those in force: what is stored depends on these.
    ///
    /// - Parameter collections: those in which users have members.
    package func refusals(of new: TypeSet, collections: Set<String>) -> [String] {
        let inUse = TypesInUse(records: types, collections: collections, lists: Set(lists.keys.map(\.declared)))
        return typesInForce?.changes(to: new, inUse: inUse).incompatible ?? []
    }

    /// What the programme in force lacks with types that are to replace those in force: they can take effect only in
    /// one commit with a programme that does without it.
    ///
    /// - Parameter text: such a programme's.
    package func warnings(of new: TypeSet, with text: String) -> [FileMistake] {
        guard let programme, programme != text, ProgrammeJudge.check(programme, typesInForce).isEmpty else { return [] }
        return ProgrammeJudge.check(programme, new).map {
            FileMistake(
                file: "the programme in force", line: $0.line,
                reason: "with these types, \($0.reason); put both in force in one commit")
        }
    }

    private func fault(of target: ProgrammeReference.Target) -> String? {
        switch target {
        case .page(let id):
            guard let hasSections = pages[id] else {
                return "the catalogue has no page '\(id)'\(hint(id, pages.keys))"
            }
            return hasSections ? nil : "the page '\(id)' is empty"
        case .list(let name):
            guard let hasEntries = lists[name] else {
                return lists.keys.contains { $0.list == name.list }
                    ? "the list '\(name.list)' has no edition '\(name.edition ?? "")'"
                        + hint(name.edition ?? "", lists.keys.filter { $0.list == name.list }.compactMap(\.edition))
                    : "the catalogue has no list '\(name.list)'\(hint(name.list, lists.keys.map(\.list)))"
            }
            return hasEntries ? nil : "the list '\(name)' is empty"
        case .records(let type): return types.contains(type) ? nil : "the catalogue has no records of '\(type)'"
        case .shownEdition(let list):
            guard lists.keys.contains(where: { $0.list == list }) else {
                return "the catalogue has no list '\(list)'\(hint(list, lists.keys.map(\.list)))"
            }
            guard let edition = shownEditions[list] else { return "the list '\(list)' shows none of its editions" }
            return fault(of: .list(ListName(list, edition: edition)))
        }
    }

    private func hint(_ name: String, _ known: some Sequence<String>) -> String {
        NearestName.hint(for: name, among: known.sorted())
    }
}
