package import MarqueeCatalogue
package import MarqueeModel
import MarqueeTypes

/// The parts of the catalogue's state that a commit's plan needs.
package protocol CatalogueState {
    var types: TypesDocument? { get }
    /// The text of the programme in force, as it was written.
    var programmeText: String? { get }
    /// The canonical bytes of a record.
    func record(_ id: RecordID) -> [UInt8]?
    func hasRecords(ofType alias: String) -> Bool
    func page(_ id: String) -> Page?
    /// The change that makes the choice for a pool.
    func choosing(of pool: String) -> Change?
    /// The entries of a list or of an edition, in order.
    func entries(of list: ListName) -> [ListEntry]?
    /// The names of all lists and editions.
    var listNames: [ListName] { get }
    func shownEdition(of list: String) -> String?
    /// The newest moment that was committed.
    var now: Moment? { get }
}

extension CommitPlan {
    /// The changes that a commit of `changes` would store, by the rules shared by all engines. Nothing is stored here.
    ///
    /// A store has further rules that aren't applied here: a collection's declaration can't be removed while users have
    /// members in it, and a list keeps only so many editions.
    ///
    /// - Throws: `invalidArgument` for a change that would be refused.
    package static func effect(
        of changes: [Change], on state: some CatalogueState, programmeCheck: ProgrammeCheck?
    ) throws(Status) -> [Change] {
        let planned = PlannedState(state: state)
        var plan = CommitPlan(of: changes, library: TypeLibrary(programmeCheck: programmeCheck))
        for (index, change) in changes.enumerated() {
            do {
                try plan.add(
                    change, stored: planned.record, hasRecords: state.hasRecords, hasMembers: { _ in false },
                    lists: planned)
            } catch {
                throw .changeInvalid(index, (error as? Refusal)?.reason ?? "\(error)")
            }
        }
        return plan.changes
    }
}

/// Answers a plan's questions from a state in memory.
struct PlannedState<State: CatalogueState>: StoredLists {
    let state: State

    func record(_ name: RecordName) -> CatalogueRecord? {
        switch name {
        case .choice(let pool):
            switch state.choosing(of: pool) {
            case .chooseEntry(_, let entry)?: .chosenEntry(pool: pool, entry: entry)
            case .chooseRecord(_, let record)?: .chosenRecord(pool: pool, record: record)
            default: nil
            }
        case .page(let id): state.page(id).map { .page($0) }
        case .programme: state.programmeText.map { .programme($0) }
        case .types: state.types.map { .types($0) }
        case .typed(let id): state.record(id).map { .typed(id, $0) }
        case .list(let name): state.entries(of: name).map { .list(RecordList(name, entries: $0)) }
        case .listEntry(let name, let key):
            state.entries(of: name)?.first { $0.key == key }.map { .listEntry(name, $0) }
        case .shownEdition(let list):
            state.shownEdition(of: list).map { .shownEdition(list: list, edition: $0) }
        case .time: state.now.map { .time($0) }
        // Positions of sources are never shown, and only the store moves them.
        case .source: nil
        }
    }

    func entryCount(of list: ListName) -> Int? { state.entries(of: list)?.count }

    func entryKey(of list: ListName, at rank: Int) -> String? {
        state.entries(of: list).flatMap { $0.indices.contains(rank - 1) ? $0[rank - 1].key : nil }
    }

    func editions(of list: String) -> [String?] { state.listNames.filter { $0.list == list }.map(\.edition) }

    func hasList(declaredAs name: String) -> Bool { state.listNames.contains { $0.declared == name } }
}
