package import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Works out what a list of changes does to the catalogue, before anything is written.
///
/// So a bad change in the middle of a commit needs no undoing, and a change means the same to every engine. A change
/// touches only the record that its key names: removing a movie leaves its credits, charts and favorites as they are.
/// There is one exception: a chart stops showing a day that is removed.
struct CommitPlan {
    /// Why a change is refused.
    struct Refusal: Error {
        var reason: String
    }

    /// The changes that take effect, in order.
    var changes: [Change] = []
    /// The records to write, but for lists; `nil` removes.
    var records: [RecordName: CatalogueRecord?] = [:]
    var planned = PlannedLists()
    private let library: TypeLibrary
    /// Those in force behind the changes so far; `nil` until a change asks for them.
    private(set) var types: TypeSet?

    /// - Parameter library: reads types.
    init(library: TypeLibrary) { self.library = library }

    /// Adds the effect of one change.
    /// - Parameters:
    ///   - stored: reads the record stored under a name.
    ///   - hasRecords: says whether records of a type are stored.
    ///   - hasMembers: says whether any user has a member in a collection.
    ///   - lists: those that are stored; a change of something else needs none.
    /// - Throws: `Refusal`, or what the functions and `lists` throw.
    mutating func add(
        _ change: Change, stored: (RecordName) throws -> CatalogueRecord?,
        hasRecords: (String) throws -> Bool, hasMembers: (CollectionName) throws -> Bool,
        lists: any StoredLists = NoLists()
    ) throws {
        if let reason = CatalogueBounds.refusal(of: change) { throw Refusal(reason: reason) }
        func current(_ name: RecordName) throws -> CatalogueRecord? {
            if let planned = records[name] { return planned }
            switch name {
            case .shelf(let id): return try shelf(id, stored)
            case .shelfItem(let id, let item):
                guard let planned = records[.shelf(id)] else { return try stored(name) }
                guard case .shelf(let shelf)? = planned else { return nil }
                return shelf.items.first { $0.id == item }.map { .shelfItem(shelf: id, $0) }
            default: return try stored(name)
            }
        }

        let name: RecordName
        let record: CatalogueRecord?
        var change = change
        switch change {
        case .movie(let movie): (name, record) = (.movie(movie.id), .movie(movie))
        case .removeMovie(let id): (name, record) = (.movie(id), nil)
        case .movieUpdate(let update):
            guard case .movie(let movie) = try current(.movie(update.id)) else {
                throw Refusal(reason: "there is no movie \(update.id) to update")
            }
            (name, record) = (.movie(update.id), .movie(movie.merged(with: update)))
        case .person(let person): (name, record) = (.person(person.id), .person(person))
        case .removePerson(let id): (name, record) = (.person(id), nil)
        case .credits(let credits): (name, record) = (.credits(credits.movie), .credits(credits))
        case .removeCredits(let movie): (name, record) = (.credits(movie), nil)
        case .genre(let genre): (name, record) = (.genre(genre.id), .genre(genre))
        case .removeGenre(let id): (name, record) = (.genre(id), nil)
        case .chartDay(let day): (name, record) = (.chartDay(chart: day.chart, step: day.step), .chartDay(day))
        case .removeChartDay(let chart, let date, let time):
            let step = ChartStep(date: date, time: time)
            (name, record) = (.chartDay(chart: chart, step: step), nil)
            if try current(.shownDay(chart: chart)) == .shownDay(chart: chart, step: step) {
                records.updateValue(nil, forKey: .shownDay(chart: chart))
            }
        case .showChart(let chart, let date, let time):
            let step = ChartStep(date: date, time: time)
            guard try current(.chartDay(chart: chart, step: step)) != nil else {
                throw Refusal(reason: "the chart '\(chart)' has no \(step) to show")
            }
            (name, record) = (.shownDay(chart: chart), .shownDay(chart: chart, step: step))
        case .choose(let pool, let movie): (name, record) = (.choice(pool: pool), .choice(pool: pool, movie: movie))
        case .chooseItem(let pool, let item):
            (name, record) = (.choice(pool: pool), .chosenItem(pool: pool, item: item))
        case .chooseRecord(let pool, let id):
            (name, record) = (.choice(pool: pool), .chosenRecord(pool: pool, record: id))
        case .removeChoice(let pool): (name, record) = (.choice(pool: pool), nil)
        case .shelf(let shelf): (name, record) = (.shelf(shelf.id), .shelf(shelf))
        case .removeShelf(let id): (name, record) = (.shelf(id), nil)
        case .shelfItem(let id, let item):
            let place = RecordName.shelfItem(shelf: id, item: item.id)
            guard let known = try current(place) else {
                throw Refusal(reason: "there is no item '\(item.id)' on a shelf '\(id)' to replace")
            }
            guard known != .shelfItem(shelf: id, item) else { return }
            if case .shelf(var shelf)?? = records[.shelf(id)], shelf.replace(item) {
                (name, record) = (.shelf(id), .shelf(shelf))
            } else {
                (name, record) = (place, .shelfItem(shelf: id, item))
            }
        case .page(let page): (name, record) = (.page(page.id), .page(page))
        case .removePage(let id): (name, record) = (.page(id), nil)
        case .programme(let text): (name, record) = (.programme, .programme(text))
        case .types(let document):
            let new = try Self.refusing { try library.types(of: document) }
            if let alias = new.types.map(\.alias).first(where: RecordID.reservedTypes.contains) {
                throw Refusal(reason: "a type can't be called '\(alias)': that names items of shelves")
            }
            if let old = try typesInForce(current) {
                let used = try old.types.map(\.alias).filter { try isUsed($0, hasRecords) }
                let collections = try old.collections.map(\.name).filter { try hasMembers(CollectionName($0)) }
                let stored = try old.lists.map(\.name).filter { try isStored(listsDeclaredAs: $0, lists) }
                let changes = old.changes(
                    to: new,
                    inUse: TypesInUse(records: Set(used), collections: Set(collections), lists: Set(stored)))
                if !changes.isCompatible { throw Refusal(reason: changes.incompatible.joined(separator: "\n")) }
            }
            types = new
            (name, record) = (.types, .types(document))
        case .put(let id, let content):
            let known = try neededTypes(current)
            types = known
            (name, record) = (.typed(id), .typed(id, try Self.refusing { try known.record(id, content) }))
        case .merge(let id, let content, let clear):
            let known = try neededTypes(current)
            types = known
            var before: [UInt8]?
            if case .typed(_, let bytes)? = try current(.typed(id)) { before = bytes }
            let merged = try Self.refusing { try known.merged(id, content, clear: clear, into: before) }
            (name, record) = (.typed(id), .typed(id, merged))
        case .remove(let id): (name, record) = (.typed(id), nil)
        case .list, .listItem, .show, .removeList:
            let known = try neededTypes(current)
            types = known
            return try add(change, of: lists, by: known, stored)
        }
        guard try current(name) != record else { return }
        // The log must be readable without the types, so it holds whole records as bytes.
        if case .typed? = record, let whole = record?.change { change = whole }
        records.updateValue(record, forKey: name)
        if case .shelf(let id) = name { forgetItems(of: id) }
        changes.append(change)
    }

    // MARK: - Types

    private func typesInForce(_ current: (RecordName) throws -> CatalogueRecord?) throws -> TypeSet? {
        if let types { return types }
        guard case .types(let document)? = try current(.types) else { return nil }
        return try Self.refusing { try library.types(of: document) }
    }

    private func neededTypes(_ current: (RecordName) throws -> CatalogueRecord?) throws -> TypeSet {
        if let types = try typesInForce(current) { return types }
        throw Refusal(reason: "there are no types yet; put 'types' first")
    }

    private func isUsed(_ alias: String, _ hasRecords: (String) throws -> Bool) throws -> Bool {
        for (name, record) in records {
            if case .typed(let id) = name, id.type == alias, record != nil { return true }
        }
        // Records that this commit removes still count; the type can go in a later commit.
        return try hasRecords(alias)
    }

    /// What the types say against a change becomes its refusal.
    static func refusing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as RecordError {
            throw Refusal(reason: "\(error)")
        } catch let error as FileMistakes {
            throw Refusal(reason: "\(error)")
        }
    }

    /// The charts that this commit adds a day to.
    var chartsOfDays: Set<String> {
        Set(changes.compactMap { if case .chartDay(let day) = $0 { day.chart } else { nil } })
    }

    /// Removes the oldest days of charts, as changes of the same commit.
    ///
    /// - Parameters:
    ///   - limit: days to keep, besides the one shown.
    ///   - days: reads a chart's stored days.
    mutating func dropDays(
        beyond limit: Int, of charts: Set<String>, stored: (RecordName) throws -> CatalogueRecord?,
        days: (String) throws -> [ChartStep]
    ) throws {
        for chart in charts.sorted() {
            var steps = Set(try days(chart))
            for (name, record) in records {
                guard case .chartDay(chart, let step) = name else { continue }
                if record == nil { steps.remove(step) } else { steps.insert(step) }
            }
            let shownName = RecordName.shownDay(chart: chart)
            let shown = try records[shownName] ?? stored(shownName)
            for step in steps.sorted().dropLast(max(1, limit)) where shown != .shownDay(chart: chart, step: step) {
                try add(
                    .removeChartDay(chart: chart, date: step.date, time: step.time), stored: stored,
                    hasRecords: { _ in false }, hasMembers: { _ in false })
            }
        }
    }

    /// The stored shelf with the items planned since.
    private func shelf(_ id: String, _ stored: (RecordName) throws -> CatalogueRecord?) throws -> CatalogueRecord? {
        guard case .shelf(var shelf)? = try stored(.shelf(id)) else { return nil }
        for case .shelfItem(let owner, let item)? in records.values where owner == id { _ = shelf.replace(item) }
        return .shelf(shelf)
    }

    /// A shelf that is written whole carries its items.
    private mutating func forgetItems(of shelf: String) {
        for case .shelfItem(shelf, let item) in Array(records.keys) {
            records[.shelfItem(shelf: shelf, item: item)] = nil
        }
    }
}

extension Movie {
    /// The movie after an update.
    package func merged(with update: MovieUpdate) -> Movie {
        var movie = self
        movie.popularity = update.popularity ?? popularity
        movie.revenue = update.revenue ?? revenue
        movie.voteAverage = update.voteAverage ?? voteAverage
        movie.voteCount = update.voteCount ?? voteCount
        return movie
    }
}

extension Shelf {
    /// Replaces the item that has the same id.
    /// - Returns: whether there was one.
    package mutating func replace(_ item: ShelfItem) -> Bool {
        guard let index = items.firstIndex(where: { $0.id == item.id }) else { return false }
        items[index] = item
        return true
    }
}
