package import MarqueeDiff
package import MarqueeModel
package import MarqueeStore

/// Views and variants that are kept current, each under a handle of the caller's.
///
/// A commit is followed change by change: what listens to a change is touched by it, and nothing else is looked at.
/// `renew` then brings what was touched up to date, once, however many changes there were.
extension Screens {
    /// Keeps a view or variant current until `unwatch`.
    ///
    /// - Parameters:
    ///   - handle: not in use.
    ///   - favorites: of the key's user, in any order; ignored where it is not private.
    /// - Returns: the content now.
    /// - Throws: `notFound` or `invalidArgument` when the programme has no such thing; nothing is watched then.
    package mutating func watch(
        _ key: ContentKey, as handle: UInt64, favorites: [Favorite]
    ) throws(Status) -> Version {
        switch key {
        case .view(let key):
            let view = try evaluate(view: key)
            add(view, handle)
            return view.version
        case .section(let key):
            let section = try evaluate(key, favorites: favorites)
            add(section, handle)
            return section.version
        }
    }

    package mutating func unwatch(_ handle: UInt64) {
        lost[handle] = nil
        touched.remove(handle)
        if let view = views.removeValue(forKey: handle) { listeners.remove(handle, from: view.triggers) }
        if let section = sections.removeValue(forKey: handle) {
            listeners.remove(handle, from: section.triggers)
            listeners.remove(handle, from: section.watches)
        }
    }

    /// The user of these private variants has another set of favorites. Costs the whole set.
    package mutating func replaceFavorites(_ favorites: [Favorite], of handles: some Sequence<UInt64>) {
        for handle in handles {
            lost[handle]?.replaceFavorites(favorites)
            guard var section = sections[handle] else { continue }
            unwatch(handle)
            section.replaceFavorites(favorites)
            add(section, handle)
            touched.insert(handle)
        }
    }

    /// The user of these private variants has set or unset favorites. Costs what these moves touch.
    ///
    /// - Parameter moves: at most one for each subject, ascending.
    package mutating func moveFavorites(_ moves: [FavoriteMove], of handles: some Sequence<UInt64>) {
        for handle in handles {
            _ = lost[handle]?.take(moves, in: catalogue, &work)
            guard let change = sections[handle]?.take(moves, in: catalogue, &work) else { continue }
            listeners.remove(handle, from: change.removed)
            listeners.add(handle, to: change.added)
            touched.insert(handle)
        }
    }

    /// Brings what was touched up to date.
    ///
    /// What the programme does not have any more stays as it was, and so does everything else that can't be evaluated.
    ///
    /// - Returns: those whose content is another one now.
    package mutating func renew() -> [UInt64: Version] {
        var renewed: [UInt64: Version] = [:]
        for handle in touched {
            if let before = views[handle]?.version.sum {
                views[handle]?.renew(in: catalogue, &work)
                if let version = views[handle]?.version, version.sum != before { renewed[handle] = version }
            } else if let before = sections[handle]?.version.sum {
                if let change = sections[handle]?.renew(&catalogue, &maker, &work) {
                    listeners.remove(handle, from: change.removed)
                    listeners.add(handle, to: change.added)
                }
                if let version = sections[handle]?.version, version.sum != before { renewed[handle] = version }
            }
        }
        touched.removeAll()
        return renewed
    }

    private mutating func add(_ view: LiveView, _ handle: UInt64) {
        views[handle] = view
        listeners.add(handle, to: view.triggers)
    }

    private mutating func add(_ section: LiveSection, _ handle: UInt64) {
        sections[handle] = section
        listeners.add(handle, to: section.triggers)
        listeners.add(handle, to: section.watches)
    }

    // MARK: - Following changes

    mutating func follow(_ change: Change) {
        let listeners = listeners
        guard let move = catalogue.apply(change, isWatched: { listeners.isWatched($0) }) else {
            if case .genre = change.key { maker.forgetMovies() }
            tell(.record(change.key), .trigger(.record(change.key)))
            return
        }
        maker.forget(movie: move.id)
        tell(.record(.movie(move.id)), .movie(move))
        for order in move.orders {
            for handle in listeners.watchers(of: order.order, beyond: order.firstRank) {
                tell(handle, .order(order, move))
            }
        }
        for genre in Set(move.old?.genres ?? []).symmetricDifference(move.new?.genres ?? []) {
            tell(.movieCount(genre), .trigger(.movieCount(genre)))
        }
    }

    private mutating func tell(_ trigger: Trigger, _ event: SectionEvent) {
        for handle in listeners.listeners(to: trigger) { tell(handle, event) }
    }

    private mutating func tell(_ handle: UInt64, _ event: SectionEvent) {
        // A view listens to nothing but what its title is taken from.
        if views[handle] != nil || sections[handle]?.follow(event, in: catalogue, &work) == true {
            touched.insert(handle)
        }
    }

    // MARK: - Another programme

    /// Gives every view and variant its new definition. Where the definition is the same, nothing is touched.
    mutating func redefine() {
        catalogue.keepOrders(
            programme.orders(genres: catalogue.knownGenres).union(listeners.watchedOrders))
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
                section.redefine(as: definition)
                add(section, handle)
                touched.insert(handle)
            } else {
                lost[handle] = section
            }
        }
    }
}
