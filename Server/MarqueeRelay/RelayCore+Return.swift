import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeWire

// After a lost connection, everything that is shown arrives again before anything is published.

extension RelayCore {
    /// Restores what is shown on a new connection: introduces the guests and asks for their views. Variants without
    /// subscribers are dropped.
    func resumeGuests() {
        while let handle = variants.idle.popFirst() { drop(handle) }
        let shown = Set(variants.all.values.map(\.plan))
        connection.returning = Returning(plans: shown, before: plans.all, variants: Set(variants.all.keys))
        plans.forgetAll()
        reintroduceAll()
        let present = Set(guests.all.values.map(\.reader))
        for key in shown.sorted(by: { $0.sortKey < $1.sortKey }) {
            switch key.audience {
            case .everybody, .reader(.anonymous): ask(again: key, guest: nil)
            case .reader(let reader):
                // If any of these guests is still here, the view is asked for once one of them has been introduced.
                if !present.contains(reader) { lose(key) }
            }
        }
        flush()
    }

    /// Asks for views that a group of guests sees, on behalf of one of them.
    func askAgain(of reader: Reader, guest: UInt32) {
        for key in connection.returning.plans.sorted(by: { $0.sortKey < $1.sortKey })
        where key.audience == .reader(reader) {
            ask(again: key, guest: guest)
        }
    }

    /// Gives up the views of a group of guests when its last one has left: nobody can ask for them.
    func loseViews(of reader: Reader) {
        guard reader != .anonymous else { return }
        let views = connection.returning.plans.filter { $0.audience == .reader(reader) }
        guard !views.isEmpty, !guests.all.values.contains(where: { $0.reader == reader }) else { return }
        for key in views.sorted(by: { $0.sortKey < $1.sortKey }) { lose(key) }
    }

    private func ask(again key: PlanKey, guest: UInt32?) {
        ask(key.request, guest: guest) { [unowned self] result, isFresh in
            guard connection.returning.plans.contains(key) else { return }
            if !isFresh, case .success = result { return ask(again: key, guest: guest) }
            connection.returning.plans.remove(key)
            // The view may show other variants now, or the guest may no longer see it.
            guard case .success(let plan) = result, let before = connection.returning.before[key], plan.shows(before)
            else {
                return lose(key)
            }
            plans.remember(plan, as: key, limit: bounds.plans, now: now)
            for handle in plan.handles {
                subscribe(handle)
                // It may have been given up before, with another view that shows it.
                if variants[handle]?.hasJoined == false {
                    connection.returning.expect(handle)
                }
            }
            flush()
        }
    }

    /// Gives up a view that can't be shown as before: publishing no longer waits for its variants, and sessions plan it
    /// again when everything else has arrived.
    private func lose(_ key: PlanKey) {
        connection.returning.plans.remove(key)
        connection.returning.lost.insert(key.family)
        for (handle, variant) in variants.all where variant.plan == key && variant.subscription == nil {
            giveUp(handle)
        }
        flush()
    }
}

extension RelayCore.PlanKey {
    fileprivate var family: String { ScreenID(request.screen).family }

    /// Sorting by this gives the same order in every run.
    fileprivate var sortKey: String { "\(request.screen) \(request.locale ?? "") \(request.sections) \(audience)" }
}

extension PlanAnswer {
    /// Whether it shows the same variants as another plan.
    fileprivate func shows(_ other: PlanAnswer) -> Bool {
        screen == other.screen && locale == other.locale && viewHandle == other.viewHandle
            && sections == other.sections && isShared == other.isShared
    }
}
