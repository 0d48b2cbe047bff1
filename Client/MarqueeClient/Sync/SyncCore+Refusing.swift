import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire

/// Handles a cut that can't be applied: the server is told which versions are held and repairs it; after several
/// repairs, fewer versions are offered.
extension SyncCore {
    mutating func refuse(_ problems: [Problem], _ cut: IncomingCut) -> [Action] {
        for problem in problems {
            note(
                problem.handle, cut, base: problem.base, target: problem.target, computed: problem.computed,
                message: problem.message)
        }
        let message = problems.first?.message ?? ""
        let refused = Set(problems.compactMap(\.handle))
        nacksInARow += 1
        guard nacksInARow <= Self.maximumNacks else {
            nacksInARow = 0
            var place: (ViewID, String)?
            if let handle = problems.first?.handle, let first = self.place(of: handle, in: cut),
                let id = link.subscriptions[first.subscription]
            {
                place = (id, first.section)
            }
            dropBases(around: place)
            let what = "a cut is still wrong after \(Self.maximumNacks) repairs: \(message)"
            return [
                .send(.close(Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: what))),
                .close(.retry(what)),
            ]
        }
        let number = link.repairs.ask()
        link.staged.dropUnfinished()
        for handle in refused { link.staged.drop(handle) }
        let status = Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: message)
        let nack = Nack(
            number: number, good: position, held: held(refused, cut),
            staged: link.staged.held, status: status)
        return [.send(.nack(nack))]
    }

    /// Where a handle's content is shown, or would be after a cut.
    private func place(of handle: UInt64, in cut: IncomingCut?) -> Place? {
        if let place = link.subscriptions.places[handle] { return place }
        for join in cut?.joins ?? [] {
            if join.viewHandle == handle { return Place(subscription: join.subscription, section: "") }
            if let binding = join.sections.first(where: { $0.handle == handle }) {
                return Place(subscription: join.subscription, section: binding.section)
            }
        }
        return nil
    }

    /// Returns the versions held under each handle, and under those that the refused cut would have bound.
    private func held(_ refused: Set<UInt64>, _ cut: IncomingCut) -> [HeldVersion] {
        var sums = link.subscriptions.places.mapValues { place in self.base(at: place)?.sum }
        for join in cut.joins where link.subscriptions[join.subscription] != nil {
            let list = Binding(section: "", handle: join.viewHandle, sum: join.viewSum)
            for binding in [list] + join.sections where sums[binding.handle] == nil {
                let place = Place(subscription: join.subscription, section: binding.section)
                if let base = base(at: place) { sums[binding.handle] = base.sum }
            }
        }
        for handle in refused where sums[handle] == nil { sums[handle] = .some(nil) }
        return sums.keys.sorted().map {
            HeldVersion(handle: $0, sum: sums[$0] ?? nil, refused: refused.contains($0))
        }
    }

    /// The version that a patch of the section at a place could start from.
    private func base(at place: Place) -> Version? {
        link.subscriptions[place.subscription].flatMap { wanted[$0]?.content?.base(of: place.section) }
    }

    mutating func note(
        _ handle: UInt64?, _ cut: IncomingCut?, base: UInt64?, target: UInt64?, computed: UInt64? = nil, message: String
    ) {
        var name = ""
        if let handle, let place = place(of: handle, in: cut) {
            name = "\(link.subscriptions[place.subscription]?.screen ?? "?") \(place.section)"
        }
        evidence.append(
            RefusedPatch(
                handle: handle ?? 0, place: name, base: base, target: target, computed: computed, cut: position,
                message: message))
    }

    /// Offers fewer held versions the next time, after repairs from them failed. First only the refused section is left
    /// out, then its whole view, then everything. Connections that end soon don't count as successes, so the pauses
    /// between them grow. The outbox is not affected.
    /// - Parameter place: the refused section; `nil` if it isn't known.
    mutating func dropBases(around place: (view: ViewID, section: String)?) {
        setbacks = (setbacks.count + 1, place?.view ?? setbacks.view)
        if setbacks.count == 1, let place, !place.section.isEmpty {
            wanted[place.view]?.content?.sections[place.section] = nil
            wanted[place.view]?.content?.damaged[place.section] = nil
        } else if setbacks.count <= 2, let place {
            wanted[place.view]?.content = nil
        } else {
            for id in wanted.keys where wanted[id]?.subscription != nil { wanted[id]?.content = nil }
        }
    }
}
