import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire

extension SyncCore {
    mutating func receivedCutFrame(_ message: Message, flags: FrameFlags, bytes: Int) -> [Action] {
        if flags.contains(.first) {
            guard link.incoming == nil else { return cutOrder("a cut begins within a cut") }
            link.incoming = IncomingCut()
        }
        guard var cut = link.incoming else { return cutOrder("part of a cut came outside one") }
        // Taken out here and put back below, so that it isn't copied for each frame.
        link.incoming = nil
        cut.bytes += bytes
        guard cut.bytes <= Int(clamping: limits.cutBytes) else {
            return broken(.resourceExhausted, "CUT_TOO_LARGE", "a cut is larger than was allowed")
        }
        switch message {
        case .repair(let number): cut.repair = number
        case .join(let join):
            cut.joins.append(join)
            cut.change = cut.change.joined(join.cut)
        case .data(let part): cut.append(part)
        default: return cutOrder("a message that doesn't belong in a cut came within one")
        }
        guard flags.contains(.last) else {
            link.incoming = cut
            return []
        }
        guard !namesAnotherEpoch(cut.change) else { return cutOrder("a cut names an epoch that isn't welcome's") }
        if cut.openHandle != nil { cut.problem = Problem(handle: cut.openHandle, message: "a patch is not complete") }
        return finish(cut)
    }

    /// Whether a position names an epoch other than the welcome's: epochs can't change within a connection.
    func namesAnotherEpoch(_ change: CutChange) -> Bool {
        change.catalogueEpoch ?? position.catalogueEpoch != position.catalogueEpoch
            || change.userEpoch ?? position.userEpoch != position.userEpoch
    }

    private mutating func finish(_ cut: IncomingCut) -> [Action] {
        if let awaited = link.repairs.awaited {
            // Cuts before the repair build on the refused one.
            guard cut.repair == awaited else { return [] }
        }
        do throws(Refusal) {
            return [.apply(try evaluate(cut))]
        } catch {
            return refuse(error.problems, cut)
        }
    }

    /// Applies a cut to the content held, without changing any state.
    private func evaluate(_ cut: IncomingCut) throws(Refusal) -> CutResult {
        if let problem = cut.problem { throw Refusal([problem]) }
        var problems: [Problem] = []
        // A join replaces everything bound to its subscription, whatever the cut's other joins bind.
        let joining = Set(cut.joins.lazy.map(\.subscription))
        var bindings = link.subscriptions.places.filter { !joining.contains($0.value.subscription) }
        var proven = CutChange()
        var contents: [UInt32: ViewContent] = [:]
        var missed: [UInt32: Set<String>] = [:]
        var joined: [UInt32: UInt32] = [:]
        for join in cut.joins {
            guard let id = link.subscriptions[join.subscription], let view = wanted[id] else { continue }
            // A lower generation is shown until the join of the newest arrives.
            guard join.generation <= view.generation else {
                throw Refusal([Problem(handle: join.viewHandle, message: "a join has an unknown generation")])
            }
            proven = proven.joined(join.cut)
            contents[join.subscription] = bind(join, view, &bindings, &problems)
            missed[join.subscription] = Set(join.sections.lazy.filter { $0.sum == nil }.map(\.section))
            joined[join.subscription] = join.generation
        }
        for (handle, patch, change) in cut.patches where !problems.contains(where: { $0.handle == handle }) {
            // Frames of a subscription that has been ended here may still arrive.
            guard let place = bindings[handle], let id = link.subscriptions[place.subscription],
                var content = contents[place.subscription] ?? wanted[id]?.content
            else { continue }
            let held: Version?
            if patch.base == Version.empty.sum {
                held = .empty
            } else {
                held = place.section.isEmpty ? content.list : content.sections[place.section]
            }
            guard let held else {
                problems.append(Problem(handle: handle, message: "a patch has no base", target: patch.target))
                continue
            }
            do throws(PatchError) {
                let version = try held.applying(patch)
                if place.section.isEmpty { content.list = version } else { content.sections[place.section] = version }
                missed[place.subscription, default: wanted[id]?.missed ?? []].remove(place.section)
            } catch {
                problems.append(
                    Problem(
                        handle: handle, message: "section '\(place.section)' of \(id): \(error)", base: patch.base,
                        target: patch.target, computed: error.computed))
            }
            contents[place.subscription] = content
            proven = proven.joined(change)
        }
        guard problems.isEmpty else { throw Refusal(problems) }
        do throws(Problem) {
            return try result(cut, proven, contents, missed, bindings, joined)
        } catch {
            throw Refusal([error])
        }
    }

    private func result(
        _ cut: IncomingCut, _ proven: CutChange, _ contents: [UInt32: ViewContent], _ missed: [UInt32: Set<String>],
        _ bindings: [UInt64: Place], _ joined: [UInt32: UInt32]
    ) throws(Problem) -> CutResult {
        var changes: [CutResult.ViewChange] = []
        for (subscription, content) in contents.sorted(by: { $0.key < $1.key }) {
            guard let id = link.subscriptions[subscription], let view = wanted[id] else { continue }
            guard Set(content.list.items.map(\.id)) == Set(content.sections.keys) else {
                let list = bindings.first { $0.value == Place(subscription: subscription, section: "") }?.key
                throw Problem(handle: list, message: "the sections of \(id) are not those of its list")
            }
            changes.append(
                CutResult.ViewChange(
                    id: id, parameters: view.parameters(joinedAs: joined[subscription]), before: view.content,
                    after: content, missed: missed[subscription] ?? view.missed))
        }
        let live = wanted.values.filter { view in
            view.isLive || view.subscription.map { joined[$0] != nil } ?? false
        }
        let complete = live.filter { view in
            (view.subscription.flatMap { missed[$0] } ?? view.missed).isEmpty
        }
        let hasRejoined =
            cut.repair == nil
            && live.contains { view in
                guard view.isLive, let known = view.joined?.generation else { return false }
                return view.subscription.flatMap { joined[$0] } == known
            }
        return CutResult(
            cut: position.advanced(by: cut.change), proven: proven, views: changes, live: live.map(\.id).sorted(),
            complete: complete.map(\.id).sorted(), bindings: bindings, joined: joined, repaired: cut.repair != nil,
            hasRejoined: hasRejoined)
    }

    /// The content that a join starts from: held or staged versions.
    private func bind(
        _ join: Join, _ view: Wanted, _ bindings: inout [UInt64: Place], _ problems: inout [Problem]
    ) -> ViewContent {
        func version(_ sum: UInt64, _ handle: UInt64, _ section: String) -> Version {
            if let held = view.content?.base(of: section), held.sum == sum { return held }
            if let staged = link.staged.version(of: handle), staged.sum == sum { return staged }
            if sum == Version.empty.sum { return .empty }
            let what = section.isEmpty ? "a list of sections" : "a version of '\(section)'"
            problems.append(
                Problem(handle: handle, message: "\(view.id) joins with \(what) that is not held", target: sum))
            return .empty
        }
        if bindings[join.viewHandle] != nil {
            problems.append(Problem(handle: join.viewHandle, message: "\(view.id) has a handle that is bound already"))
        }
        bindings[join.viewHandle] = Place(subscription: join.subscription, section: "")
        var content = ViewContent(
            list: version(join.viewSum, join.viewHandle, ""), sections: [:])
        for binding in join.sections {
            guard bindings[binding.handle] == nil, content.sections[binding.section] == nil else {
                problems.append(Problem(handle: binding.handle, message: "\(view.id) binds a section twice"))
                continue
            }
            bindings[binding.handle] = Place(subscription: join.subscription, section: binding.section)
            if let sum = binding.sum {
                content.sections[binding.section] = version(sum, binding.handle, binding.section)
            } else {
                // The server can't update it: it stays as it is.
                content.sections[binding.section] = view.content?.sections[binding.section] ?? .empty
            }
        }
        return content
    }

    /// Makes a cut the current state, once the shell has taken it.
    /// - Parameter durable: the position that the mirror would have after a power cut.
    package mutating func applied(_ result: CutResult, durable: Cut?) -> [Action] {
        position = result.cut
        self.durable = durable
        link.subscriptions.places = result.bindings
        for change in result.views {
            wanted[change.id]?.content = change.after
            wanted[change.id]?.missed = change.missed
        }
        var actions: [Action] = []
        for (subscription, generation) in result.joined.sorted(by: { $0.key < $1.key }) {
            guard let id = link.subscriptions[subscription] else { continue }
            wanted[id]?.isLive = true
            wanted[id]?.failures = 0
            if let kept = wanted[id]?.joined(subscription, generation) { actions.append(.parametersKept(id, kept)) }
            for (handle, place) in result.bindings where place.subscription == subscription {
                link.staged.drop(handle)
            }
            link.subscriptions.forgetDescribed(by: subscription)
        }
        if result.repaired { link.repairs.settle() }
        nacksInARow = 0
        if setbacks.view.map({ id in wanted[id] == nil || result.views.contains { $0.id == id } }) ?? true {
            setbacks = (0, nil)
        }
        return actions
    }

    /// Called when the shell has recorded the last progress.
    /// - Parameter durable: the position that the mirror would have after a power cut.
    package mutating func progressTaken(durable: Cut?) -> [Action] {
        self.durable = durable
        return isLive ? acknowledge(always: true) : []
    }
}
