import MarqueeCatalogue
package import MarqueeDiff
package import MarqueeModel
package import MarqueeStore

/// Views and variants kept current, each under a handle chosen by the caller.
///
/// A commit is processed change by change, and each change touches only its listeners. `renew` then updates everything
/// touched, once, however many changes there were.
extension Screens {
    /// Keeps a view or variant current until `unwatch`.
    ///
    /// - Parameters:
    ///   - handle: must not be in use.
    ///   - members: members of the user's collections, in any order; ignored if the variant isn't private.
    /// - Returns: the current content.
    /// - Throws: `notFound` or `invalidArgument` if the programme doesn't have the view or variant; then nothing is
    ///   watched.
    package mutating func watch(
        _ key: ContentKey, as handle: UInt64, members: [StoredMember]
    ) throws(Status) -> Version {
        noteChange(of: [handle])
        // A version that is evaluated now contains moves that haven't been passed on to the others yet.
        tellJournals()
        switch key {
        case .view(let key):
            let view = try evaluate(view: key)
            add(view, handle)
            return view.version
        case .section(let key):
            let section = try evaluate(key, members: members)
            add(section, handle)
            return section.version
        }
    }

    package mutating func unwatch(_ handle: UInt64) {
        noteChange(of: [handle])
        lost[handle] = nil
        touched.remove(handle)
        if let view = views.removeValueAndRoom(forKey: handle) { listeners.remove(handle, from: view.triggers) }
        if let section = sections.removeValueAndRoom(forKey: handle) {
            listeners.remove(handle, from: section.triggers)
            listeners.remove(handle, from: section.watches)
        }
    }

    /// Replaces all members of the user's collections in these private variants. The cost is proportional to the
    /// collections.
    package mutating func replaceMembers(_ members: [StoredMember], of handles: some Sequence<UInt64>) {
        noteChange(of: handles)
        for handle in handles {
            lost[handle]?.replaceMembers(members)
            guard var section = sections[handle] else { continue }
            unwatch(handle)
            section.replaceMembers(members)
            add(section, handle)
            touched.insert(handle)
        }
    }

    /// Applies changes of the user's collections to these private variants. The cost is proportional to the changes.
    ///
    /// - Parameter moves: at most one per member, ascending.
    package mutating func moveMembers(_ moves: [MemberMove], of handles: some Sequence<UInt64>) {
        noteChange(of: handles)
        for handle in handles {
            _ = lost[handle]?.apply(moves, in: catalogue, &work)
            guard let change = sections[handle]?.apply(moves, in: catalogue, &work) else { continue }
            listeners.remove(handle, from: change.removed)
            listeners.add(handle, to: change.added)
            touched.insert(handle)
        }
    }

    /// Updates everything that was touched.
    ///
    /// Views and variants that are no longer in the programme keep their content.
    ///
    /// - Returns: the new versions of those whose content changed.
    package mutating func renew() -> [UInt64: Version] {
        tellJournals()
        var renewed: [UInt64: Version] = [:]
        for handle in touched {
            if let before = views[handle]?.version.sum {
                views[handle]?.renew(in: catalogue, &work)
                if let version = views[handle]?.version, version.sum != before { renewed[handle] = version }
            } else if let before = sections[handle]?.version.sum {
                if let change = sections[handle]?.renew(&catalogue, &maker, &work) {
                    listeners.remove(handle, from: change.triggers.removed)
                    listeners.add(handle, to: change.triggers.added)
                    if let watches = change.watches {
                        listeners.remove(handle, from: watches.before)
                        listeners.add(handle, to: watches.now)
                    }
                }
                if let version = sections[handle]?.version, version.sum != before { renewed[handle] = version }
            }
        }
        touched.removeAll()
        return renewed
    }

    /// Returns, once, the private variants that now show collections whose members they lack.
    package mutating func takeStarved() -> Set<UInt64> {
        defer { starved = [] }
        return starved.filter { sections[$0] != nil }
    }

    private mutating func add(_ view: LiveView, _ handle: UInt64) {
        views[handle] = view
        listeners.add(handle, to: view.triggers)
    }

    mutating func add(_ section: LiveSection, _ handle: UInt64) {
        add(section, handle, listeningTo: section.triggers)
    }

    /// - Parameter triggers: the section's triggers.
    mutating func add(_ section: LiveSection, _ handle: UInt64, listeningTo triggers: Set<Trigger>) {
        sections[handle] = section
        listeners.add(handle, to: triggers)
        listeners.add(handle, to: section.watches)
    }

    // MARK: - Following changes

    mutating func follow(_ change: Change) {
        switch change {
        case .time(let moment): return pass(to: moment)
        // No screen shows the state of sources.
        case .source: return
        default: break
        }
        let listeners = listeners
        switch catalogue.apply(change, isWatched: { listeners.isWatched($0) }) {
        case .record(let move): follow(move)
        case .list(let move):
            tell(move.orders)
            for handle in listeners.watchers(of: .list(move.list), beyond: move.firstRank) { tell(handle, .list(move)) }
        case nil:
            recent.add(.trigger(.record(change.key)), at: head.revision + 1)
            tell(.record(change.key), .trigger(.record(change.key)))
        }
    }

    /// Moves records to the new time one by one, so that an order contains no move that its listeners haven't been told
    /// of.
    private mutating func pass(to moment: Moment) {
        for id in catalogue.beginPassing(to: moment) { tellOrders(of: catalogue.pass(id)) }
        catalogue.endPassing()
        let trigger = Trigger.record(.time)
        maker.forget(trigger)
        recent.add(.trigger(trigger), at: head.revision + 1)
        tell(trigger, .trigger(trigger))
    }

    private mutating func follow(_ move: RecordMove) {
        guard move.old != move.new else { return }
        maker.forget(move.id)
        recent.add(.record(move), at: head.revision + 1)
        tell(.record(.typed(move.id)), .record(move))
        tellOrders(of: move)
        tell(move.entries)
    }

    private mutating func tell(_ moves: [EntryMove]) {
        for move in moves { note(move.key, from: move.from, to: move.to, in: .entries(move.order)) }
    }

    /// Notes a row's move for the windows of its order, if there are any.
    private mutating func note(_ row: String, from: Int?, to: Int?, in order: OrderID) {
        if listeners.journalReaders(of: order) == nil { return }
        journals[order, default: OrderJournal(of: order)].add(row, from: from, to: to)
    }

    private mutating func tellOrders(of move: RecordMove) {
        for order in move.orders {
            if (order.from == nil) != (order.to == nil), programme.counted.contains(order.order.family) {
                let trigger = Trigger.count(order.order)
                maker.forget(trigger)
                recent.add(.trigger(trigger), at: head.revision + 1)
                tell(trigger, .trigger(trigger))
            }
            for handle in listeners.watchers(of: .records(order.order), beyond: order.firstRank) {
                tell(handle, .recordOrder(order, move))
            }
            note(move.id.id, from: order.from, to: order.to, in: .records(order.order))
        }
        for facet in move.facets {
            for handle in listeners.watchers(of: .facet(facet.family), beyond: facet.firstRank) {
                tell(handle, .facet(facet))
            }
        }
    }

    /// Passes the moves in journalled orders on to the variants that show windows of them.
    private mutating func tellJournals() {
        for (order, journal) in journals {
            let journal = journal.closed
            for handle in listeners.journalReaders(of: order) ?? [] { tell(handle, .journal(journal)) }
        }
        journals = [:]
    }

    private mutating func tell(_ trigger: Trigger, _ event: SectionEvent) {
        for handle in listeners.listeners(to: trigger) { tell(handle, event) }
    }

    private mutating func tell(_ handle: UInt64, _ event: SectionEvent) {
        // A view only listens to the source of its title.
        if views[handle] != nil || sections[handle]?.follow(event, in: catalogue, &work) == true {
            touched.insert(handle)
        }
    }

    // MARK: - Another programme

    /// Gives every view and variant its new definition. Unchanged definitions touch nothing.
    mutating func redefine() {
        catalogue.keepOrders(
            programme.recordFamilies.union(listeners.watchedOrders.compactMap(\.records?.family)),
            tallied: programme.facetFamilies.union(listeners.watchedOrders.compactMap(\.facet)),
            entries: Set(listeners.watchedOrders.compactMap(\.entries)))
        for (handle, view) in views {
            guard let definition = try? definition(of: view.key), definition != view.definition else { continue }
            listeners.remove(handle, from: view.triggers)
            views[handle]?.definition = definition
            if let view = views[handle] { listeners.add(handle, to: view.triggers) }
            touched.insert(handle)
        }
        for (handle, section) in sections.merging(lost, uniquingKeysWith: { watched, _ in watched }) {
            let definition = try? definition(of: section.key)
            if definition == section.definition, lost[handle] == nil { continue }
            unwatch(handle)
            if let definition {
                var section = section
                if !definition.section.collections.isSubset(of: section.definition.section.collections) {
                    starved.insert(handle)
                }
                section.redefine(as: definition)
                add(section, handle)
                touched.insert(handle)
            } else {
                lost[handle] = section
            }
        }
    }
}
