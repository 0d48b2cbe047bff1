package import MarqueeCatalogue
import MarqueeModel
package import MarqueeTypes

/// An inventory of everything in a catalogue that a programme can name.
package struct CatalogueInventory: Sendable {
    /// Whether each page has sections.
    private var pages: [String: Bool] = [:]
    /// Whether each list has entries.
    private var lists: [ListName: Bool] = [:]
    private var shownEditions: [String: String] = [:]
    /// Types that have records.
    private var types: Set<String> = []
    /// The current types.
    package private(set) var typesInForce: TypeSet?
    /// The text of the current programme.
    private var programme: String?

    package init() {}

    /// Adds one change of a catalogue's snapshot.
    package mutating func add(_ change: Change) {
        switch change {
        case .page(let page): pages[page.id] = !page.sections.isEmpty
        case .list(let list): lists[list.name] = !list.entries.isEmpty
        case .put(let id, _): types.insert(id.type)
        case .show(let list, let edition): shownEditions[list] = edition
        // The store has already validated the types.
        case .types(let document): typesInForce = try? TypeSet(document, file: "types")
        case .programme(let text): programme = text
        default: break
        }
    }

    /// Warnings about everything that a programme names and this catalogue doesn't have.
    package func warnings(of references: [ProgrammeReference]) -> [FileMistake] {
        references.compactMap { reference in
            guard var reason = fault(of: reference.target) else { return nil }
            if let pool = reference.pool { reason = "the pool '\(pool)' can't be filled: \(reason)" }
            return FileMistake(file: reference.file, line: reference.line, reason: reason)
        }
    }

    /// The reasons why types can't replace the current ones, on which stored content depends.
    ///
    /// - Parameter collections: names of the collections in which users have members.
    package func refusals(of new: TypeSet, collections: Set<String>) -> [String] {
        let inUse = TypesInUse(records: types, collections: collections, lists: Set(lists.keys.map(\.declared)))
        return typesInForce?.changes(to: new, inUse: inUse).incompatible ?? []
    }

    /// Warnings about the current programme under types that are to replace the current ones. Such types must be
    /// committed together with a programme that is valid under them.
    ///
    /// - Parameter text: the text of the new programme.
    package func warnings(of new: TypeSet, with text: String) -> [FileMistake] {
        guard let programme, programme != text, ProgrammeValidator.check(programme, typesInForce).isEmpty else {
            return []
        }
        return ProgrammeValidator.check(programme, new).map {
            FileMistake(
                file: "the current programme", line: $0.line,
                reason: "with these types, \($0.reason); commit them together with a programme that fits")
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
