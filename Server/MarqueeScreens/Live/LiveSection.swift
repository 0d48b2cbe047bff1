package import MarqueeDiff
import MarqueeModel
import MarqueeStore

/// One section variant with its content, and the state needed to keep it current at a cost proportional to the change.
package struct LiveSection: Sendable {
    package let key: VariantKey
    /// The content as of the last renewal.
    package private(set) var version = Version.empty
    private(set) var definition: SectionDefinition
    private var query: any SectionQuery
    /// The members shown by `version`, in order.
    private var shown: [Member] = []
    /// The inputs of the head of `version`; `nil` before the first renewal.
    private var headline: Headline?
    /// The inputs of the items shown besides their members, such as records that a shown record refers to.
    private var dependencies = MemberDependencies()
    /// The work for the next renewal.
    private var touch = SectionTouch.everything

    init(key: VariantKey, definition: SectionDefinition, members: [StoredMember]) {
        self.key = key
        self.definition = definition
        query = definition.query(members: members)
    }

    /// Replaces the definition. This changes `triggers` and `watches`.
    mutating func redefine(as definition: SectionDefinition) {
        self.definition = definition
        query = definition.query(members: query.members)
        headline = nil
        dependencies = MemberDependencies()
        touch = .everything
    }

    /// Replaces the members of the user's collections. This changes `triggers`.
    mutating func replaceMembers(_ members: [StoredMember]) {
        query = definition.query(members: members)
        touch = .everything
    }

    /// Applies changes of the user's collections, at most one per member.
    ///
    /// - Returns: the changes to its triggers.
    mutating func apply(
        _ moves: [MemberMove], in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> TriggerChange {
        let taken = query.apply(moves, in: catalogue, &work)
        touch.add(taken.reaction)
        var change = taken.triggers
        for trigger in change.removed where isListening(to: trigger) { change.add(trigger) }
        return change
    }

    /// Whether the title, an item or the query depends on the trigger.
    private func isListening(to trigger: Trigger) -> Bool {
        if definition.listens(to: trigger) || dependencies.contains(trigger) { return true }
        return query.listens(to: trigger)
    }

    /// The changes that the section listens to. `renew` and `apply` report how this set changes.
    var triggers: Set<Trigger> {
        query.triggers.union(definition.triggers).union(dependencies.triggers)
    }

    /// The beginnings of orders that the section listens to. `renew` reports how they change.
    var watches: [OrderWatch] { query.watches }

    /// Processes a change that the section listens to.
    ///
    /// - Returns: whether the section has to be renewed.
    mutating func follow(_ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters) -> Bool {
        // The next renewal rebuilds everything anyway.
        if touch.allItems { return true }
        if case .trigger(let trigger) = event, case .count = trigger {
            // Only items depend on it.
            touch.add(.items(dependencies.members(dependingOn: trigger)))
            return !touch.isEmpty
        }
        touch.add(query.follow(event, in: catalogue, &work))
        var changesTitle = false
        switch event {
        case .record(let move):
            let trigger = Trigger.record(.typed(move.id))
            changesTitle = definition.screen.trigger == trigger
            touch.add(.items(dependencies.members(dependingOn: trigger)))
        case .trigger(let trigger):
            changesTitle = definition.screen.trigger == trigger
            if trigger == .record(.time), headline?.isShown != definition.isInSeason(at: catalogue.now) {
                touch.add(.members(except: []))
            }
            let counting = dependencies.members(dependingOn: trigger)
            if !counting.isEmpty { touch.add(.items(counting)) }
        case .recordOrder, .journal, .list, .facet: break
        }
        return changesTitle || !touch.isEmpty
    }

    // MARK: - Renewing

    /// Rebuilds the touched content.
    ///
    /// - Returns: the changes to its triggers and watches.
    mutating func renew(
        _ catalogue: inout Catalogue, _ maker: inout ItemMaker, _ work: inout ScreenCounters
    ) -> ListeningChange {
        work.renewals += 1
        var change = ListeningChange()
        if touch.members {
            let reloadsTriggers = query.reloadsTriggers
            let (before, watches) = (reloadsTriggers ? query.triggers : [], query.watches)
            query.reload(&catalogue)
            if !query.reread.isEmpty { touch.add(.items(query.reread)) }
            let after = reloadsTriggers ? query.triggers : []
            for trigger in after.subtracting(before) { change.triggers.add(trigger) }
            for trigger in before.subtracting(after) { change.triggers.remove(trigger) }
            if watches != query.watches { change.watches = (watches, query.watches) }
        }
        if let headline, headline.isShown != isShown(in: catalogue) { touch.add(.members(except: [])) }
        if touch.isOfHead {
            touch = SectionTouch()
            version = version.editing(head: newHead(in: catalogue, fault: query.fault, &work), [])
        } else if let edits = makeEdits(catalogue, &maker, &work) {
            touch = SectionTouch()
            version = version.editing(head: newHead(in: catalogue, fault: query.fault, &work), edits)
        } else {
            let list = makeList(catalogue, &maker, &work)
            // A list that can't be sent is rebuilt from scratch at the next renewal.
            touch = list == nil ? .everything : SectionTouch()
            if list == nil { shown = [] }
            let fault = list == nil ? .unusable : query.fault
            version = version.replacing(head: newHead(in: catalogue, fault: fault, &work), list: list ?? [])
        }

        change.triggers.add(dependencies.takeChange())
        for trigger in change.triggers.removed where isListening(to: trigger) { change.triggers.add(trigger) }
        return change
    }

    /// Whether it has items and texts now: it is in its season, and there are enough items. If its record is gone, it
    /// says so.
    private func isShown(in catalogue: Catalogue) -> Bool {
        guard definition.isInSeason(at: catalogue.now) else { return false }
        return query.total >= Int(definition.section.minimum) || query.fault == .recordIsGone
    }

    /// The head, if it changed.
    private mutating func newHead(
        in catalogue: Catalogue, fault: SectionFault?, _ work: inout ScreenCounters
    ) -> [UInt8]? {
        let isShown = isShown(in: catalogue)
        let headline = Headline(
            screenTitle: definition.screen.title(in: catalogue), edition: query.edition,
            total: isShown ? query.total : 0, isCapped: isShown && query.isCapped, count: shown.count,
            place: isShown ? query.shownPlace : nil, fault: isShown ? fault : nil, isShown: isShown)
        guard headline != self.headline else { return nil }
        self.headline = headline
        work.heads += 1
        return Bodies.sectionHead(definition.section.head(of: headline, key: key))
    }

    /// The edits from the previous version to the next if members were only inserted and removed; updates `shown`. The
    /// cost doesn't depend on the length of the list.
    ///
    /// - Returns: `nil` if the whole list has to be examined.
    private mutating func makeEdits(
        _ catalogue: Catalogue, _ maker: inout ItemMaker, _ work: inout ScreenCounters
    ) -> [ListEdit]? {
        guard isShown(in: catalogue), let edits = touch.onlyEdits, !edits.isEmpty,
            query.total <= definition.window ?? .max
        else { return nil }
        // Member indices are list indices only while every member is shown.
        let growth = edits.reduce(0) { if case .insert = $1 { $0 + 1 } else { $0 - 1 } }
        guard shown.count == query.total - growth, shown.count <= definition.window ?? .max else { return nil }
        var made: [ListEdit] = []
        var madeOf: [[Trigger]] = []
        for edit in edits {
            switch edit {
            case .remove(let place): made.append(.remove(at: place))
            case .insert(let member, let place):
                guard let item = query.item(of: member, &maker, in: catalogue),
                    item.item.body.count <= CanonicalBody.maximumLength
                else { return nil }
                madeOf.append(item.dependencies)
                made.append(.insert(item.item, bodyHash: item.bodyHash, at: place))
            }
        }
        work.members += UInt64(edits.count)
        for edit in edits {
            switch edit {
            case .remove(let place): dependencies.set([], of: shown.remove(at: place))
            case .insert(let member, let place):
                shown.insert(member, at: place)
                dependencies.set(madeOf.removeFirst(), of: member)
            }
        }
        return made
    }

    /// The list of items: unchanged ones are kept from the previous version, others are rebuilt. Updates `shown`.
    ///
    /// - Returns: `nil` if the items can't be sent.
    private mutating func makeList(
        _ catalogue: Catalogue, _ maker: inout ItemMaker, _ work: inout ScreenCounters
    ) -> [ItemOrigin]? {
        let members = isShown(in: catalogue) ? query.members(first: definition.window ?? .max) : []
        work.members += UInt64(members.count)
        let before = MemberPlaces(old: touch.allItems ? [] : shown, new: members)
        var list: [ItemOrigin] = []
        if touch.allItems { dependencies.removeAll() }
        dependencies.remove(from: shown, except: members)
        shown.removeAll(keepingCapacity: true)
        for (index, member) in members.enumerated() {
            let place = before.place(of: member, at: index)
            if let place, !touch.covers(member) {
                list.keep(place)
            } else if let made = query.item(of: member, &maker, in: catalogue) {
                guard made.item.body.count <= CanonicalBody.maximumLength else { return nil }
                dependencies.set(made.dependencies, of: member)
                append(made, before: place, to: &list)
            } else {
                continue
            }
            shown.append(member)
        }
        return hasUniqueIDs(list) ? list : nil
    }

    /// Whether all ids differ. Keys too long for an id are hashed, and such an id may equal another.
    private func hasUniqueIDs(_ list: [ItemOrigin]) -> Bool {
        guard list.contains(where: { if case .added = $0 { true } else { false } }) else { return true }
        var ids: Set<String> = []
        for origin in list {
            switch origin {
            case .kept(let places):
                for item in version.items[places] where !ids.insert(item.id).inserted { return false }
            case .updated(_, let item, _), .added(let item, _):
                guard ids.insert(item.id).inserted else { return false }
            }
        }
        return true
    }

    /// Appends an item, with its place in the previous list if it was there.
    private func append(_ made: MadeItem, before place: Int?, to list: inout [ItemOrigin]) {
        guard let place, version.items[place].id == made.item.id else {
            return list.append(.added(made.item, bodyHash: made.bodyHash))
        }
        if version.bodyHash(at: place) == made.bodyHash, version.items[place] == made.item { return list.keep(place) }
        list.append(.updated(place, made.item, bodyHash: made.bodyHash))
    }
}

/// The previous positions of a list's members. If nothing moved, this only compares numbers.
private struct MemberPlaces {
    private var start = 0
    private let newEnd: Int
    /// Maps a position after `newEnd` to its previous one.
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
