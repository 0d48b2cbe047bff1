import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeWire

// After a connection was lost: everything that is shown comes again before anything is published.

extension RelayCore {
    /// A connection has begun: introduces guests and asks for everything that is shown. What nobody shows is forgotten.
    func comeBack() {
        while let handle = variants.idle.popFirst() { drop(handle) }
        let shown = Set(variants.all.values.map(\.plan))
        connection.returning = Returning(plans: shown, before: plans.all, variants: Set(variants.all.keys))
        plans.forgetAll()
        introduceEverybodyAgain()
        let present = Set(guests.all.values.map(\.reader))
        for key in shown.sorted(by: { $0.sortKey < $1.sortKey }) {
            switch key.audience {
            case .everybody, .reader(.anonymous): ask(again: key, guest: nil)
            case .reader(let reader):
                // Asked for once one of them has been introduced.
                if !present.contains(reader) { lose(key) }
            }
        }
        flush()
    }

    /// Asks for views that are shown to some readers, as one of them.
    func askAgain(of reader: Reader, guest: UInt32) {
        for key in connection.returning.plans.sorted(by: { $0.sortKey < $1.sortKey })
        where key.audience == .reader(reader) {
            ask(again: key, guest: guest)
        }
    }

    /// One of some readers has left. If it was the last, nobody can ask for what they were shown.
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
            // Whether it shows something else now, or one may not see it any more.
            guard case .success(let plan) = result, let before = connection.returning.before[key], plan.shows(before)
            else {
                return lose(key)
            }
            plans.remember(plan, as: key, limit: bounds.plans, now: now)
            for handle in plan.handles {
                subscribe(handle)
                // Another view that shows it may have been lost before.
                if variants[handle]?.hasJoined == false {
                    connection.returning.expect(handle)
                }
            }
            flush()
        }
    }

    /// A view can't be shown as it was: nothing waits for what it showed, and sessions plan it again when everything
    /// else has come.
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

    /// For an order that is the same in every run.
    fileprivate var sortKey: String { "\(request.screen) \(request.locale ?? "") \(request.sections) \(audience)" }
}

extension PlanAnswer {
    /// Whether it shows the same as another one.
    fileprivate func shows(_ other: PlanAnswer) -> Bool {
        screen == other.screen && locale == other.locale && viewHandle == other.viewHandle
            && sections == other.sections && isShared == other.isShared
    }
}
