package import MarqueeDiff
import MarqueeModel
import MarqueeStore

/// One section variant with its content, and what is needed to keep that current at the price of what changes.
package struct LiveSection: Sendable {
    package let key: VariantKey
    /// The content as of the last renewal.
    package private(set) var version = Version.empty
    private(set) var definition: SectionDefinition
    private var query: any SectionQuery
    /// The members that `version` shows, in order.
    private var shown: [Member] = []
    /// What the head of `version` says; `nil` before the first renewal.
    private var headline: Headline?
    /// Genres that items shown name, or have named: hearing of one too many does no harm.
    private var genres: Set<UInt64> = []
    /// What the next renewal has to look at.
    private var touch = SectionTouch.everything

    init(key: VariantKey, definition: SectionDefinition, favorites: [Favorite]) {
        self.key = key
        self.definition = definition
        query = definition.query(favorites: favorites)
    }

    /// Adopts another definition. This changes what the section listens to.
    mutating func redefine(as definition: SectionDefinition) {
        self.definition = definition
        query = definition.query(favorites: query.favorites)
        headline = nil
        genres = []
        touch = .everything
    }

    /// Adopts another set of favorites. This changes what the section listens to.
    mutating func replaceFavorites(_ favorites: [Favorite]) {
        query = definition.query(favorites: favorites)
        touch = .everything
    }

    /// Follows changes of its user's favorites, at most one for each subject.
    ///
    /// - Returns: how that changes what it listens to.
    mutating func take(
        _ moves: [FavoriteMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> TriggerChange {
        let taken = query.take(moves, in: catalogue, &work)
        touch.add(taken.reaction)
        var change = taken.triggers
        if let trigger = definition.screen.trigger, change.removed.contains(trigger) { change.add(trigger) }
        return change
    }

    /// What the section listens to. `renew` reports how that changes.
    var triggers: Set<Trigger> {
        query.triggers.union(genres.map { .record(.genre($0)) }).union(definition.screen.trigger.map { [$0] } ?? [])
    }

    /// The beginnings of orders that it listens to; they never change.
    var watches: [OrderWatch] { query.watches }

    /// Takes in a change that it listens to.
    ///
    /// - Returns: whether the section has to be renewed.
    mutating func follow(_ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters) -> Bool {
        // The next renewal starts from scratch anyway.
        if touch.allItems { return true }
        touch.add(query.follow(event, in: catalogue, &work))
        var changesTitle = false
        switch event {
        case .movie(let move): changesTitle = definition.screen.trigger == .record(.movie(move.id))
        case .trigger(let trigger):
            changesTitle = definition.screen.trigger == trigger
            if case .record(.genre(let genre)) = trigger, genres.contains(genre) { touch.add(.all) }
        case .order: break
        }
        return changesTitle || !touch.isEmpty
    }

    // MARK: - Renewing

    /// Rebuilds what was touched of the content.
    ///
    /// - Returns: triggers that are new, and those that are gone.
    mutating func renew(
        _ catalogue: inout Catalogue, _ maker: inout ItemMaker, _ work: inout ScreenCounters
    ) -> (added: Set<Trigger>, removed: Set<Trigger>) {
        work.renewals += 1
        var changed: (added: Set<Trigger>, removed: Set<Trigger>) = ([], [])
        if touch.members {
            let before = query.triggers
            query.reload(&catalogue)
            let after = query.triggers
            changed = (after.subtracting(before), before.subtracting(after))
        }
        let known = genres
        if let edits = makeEdits(catalogue, &maker, &work) {
            touch = SectionTouch()
            version = version.editing(head: newHead(in: catalogue, fault: query.fault, &work), edits)
        } else {
            let list = makeList(catalogue, &maker, &work)
            // A list that can't be sent is rebuilt from scratch the next time.
            touch = list == nil ? .everything : SectionTouch()
            if list == nil { shown = [] }
            let fault = list == nil ? .unusable : query.fault
            version = version.replacing(head: newHead(in: catalogue, fault: fault, &work), list: list ?? [])
        }

        changed.added.formUnion(genres.subtracting(known).map { .record(.genre($0)) })
        changed.removed.subtract(genres.map { .record(.genre($0)) })
        if let trigger = definition.screen.trigger { changed.removed.remove(trigger) }
        return changed
    }

    /// The head, where it says something else than before.
    private mutating func newHead(
        in catalogue: Catalogue, fault: SectionFault?, _ work: inout ScreenCounters
    ) -> [UInt8]? {
        let headline = Headline(
            screenTitle: definition.screen.title(in: catalogue), step: query.step, total: query.total,
            count: shown.count,
            fault: fault)
        guard headline != self.headline else { return nil }
        self.headline = headline
        work.heads += 1
        return Bodies.sectionHead(definition.section.head(of: headline, key: key))
    }

    /// The edits that lead from the version before to the next one, where members came and went and nothing else
    /// happened; notes which members are shown. Costs what the edits touch, however long the list is.
    ///
    /// - Returns: `nil` when the whole list has to be looked at.
    private mutating func makeEdits(
        _ catalogue: Catalogue, _ maker: inout ItemMaker, _ work: inout ScreenCounters
    ) -> [ListEdit]? {
        guard let edits = touch.onlyEdits, !edits.isEmpty, query.total <= definition.window ?? .max else { return nil }
        // A place among the members is a place in the list only while every member is shown.
        let growth = edits.reduce(0) { if case .insert = $1 { $0 + 1 } else { $0 - 1 } }
        guard shown.count == query.total - growth, shown.count <= definition.window ?? .max else { return nil }
        var made: [ListEdit] = []
        for edit in edits {
            switch edit {
            case .remove(let place): made.append(.remove(at: place))
            case .insert(let member, let place):
                guard let item = query.item(of: member, &maker, in: catalogue),
                    item.item.body.count <= CanonicalBody.maximumLength
                else { return nil }
                genres.formUnion(item.genres)
                made.append(.insert(item.item, bodyHash: item.bodyHash, at: place))
            }
        }
        work.members += UInt64(edits.count)
        for edit in edits {
            switch edit {
            case .remove(let place): shown.remove(at: place)
            case .insert(let member, let place): shown.insert(member, at: place)
            }
        }
        return made
    }

    /// The items: kept from the previous version where they stay, rebuilt otherwise. Notes which members are shown.
    ///
    /// - Returns: `nil` when the items can't be sent.
    private mutating func makeList(
        _ catalogue: Catalogue, _ maker: inout ItemMaker, _ work: inout ScreenCounters
    ) -> [ItemOrigin]? {
        let members = query.members(first: definition.window ?? .max)
        work.members += UInt64(members.count)
        let before = MemberPlaces(old: touch.allItems ? [] : shown, new: members)
        var list: [ItemOrigin] = []
        list.reserveCapacity(members.count)
        shown.removeAll(keepingCapacity: true)
        for (index, member) in members.enumerated() {
            let place = before.place(of: member, at: index)
            if let place, !touch.covers(member) {
                list.append(.kept(place))
            } else if let made = query.item(of: member, &maker, in: catalogue) {
                guard made.item.body.count <= CanonicalBody.maximumLength else { return nil }
                genres.formUnion(made.genres)
                list.append(origin(of: made, before: place))
            } else {
                continue
            }
            shown.append(member)
        }
        if touch.allItems, Set(list.compactMap(\.newID)).count < list.count { return nil }
        return list
    }

    private func origin(of made: MadeItem, before place: Int?) -> ItemOrigin {
        guard let place, version.items[place].id == made.item.id else {
            return .added(made.item, bodyHash: made.bodyHash)
        }
        if version.bodyHashes[place] == made.bodyHash, version.items[place] == made.item { return .kept(place) }
        return .updated(place, made.item, bodyHash: made.bodyHash)
    }
}

extension ItemOrigin {
    fileprivate var newID: String? {
        switch self {
        case .kept: nil
        case .updated(_, let item, _), .added(let item, _): item.id
        }
    }
}

/// Where members of a list stood in the list before. Where nothing moved, numbers are compared and nothing else.
private struct MemberPlaces {
    private var start = 0
    private let newEnd: Int
    /// From a place behind `newEnd` to the one before.
    private let shift: Int
    private var middle: [Member: Int] = [:]

    init(old: [Member], new: [Member]) {
        let shorter = min(old.count, new.count)
        while start < shorter, old[start] == new[start] { start += 1 }
        var tail = 0
        while tail < shorter - start, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        newEnd = new.count - tail
        shift = old.count - new.count
        for place in start..<old.count - tail { middle[old[place]] = place }
    }

    func place(of member: Member, at index: Int) -> Int? {
        if index < start { return index }
        if index >= newEnd { return index + shift }
        return middle[member]
    }
}
