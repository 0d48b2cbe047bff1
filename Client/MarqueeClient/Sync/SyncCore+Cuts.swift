import MarqueeDiff
package import MarqueeMirror
import MarqueeModel
import MarqueeWire

extension SyncCore {
    /// The frames of a cut whose last one has not come yet.
    struct IncomingCut {
        var joins: [Join] = []
        var patches: [(handle: UInt64, patch: Patch)] = []
        var assembler = PatchAssembler()
        var openHandle: UInt64?
        var change = CutChange()
        var repair: UInt32?
        var bytes = 0
        /// Why the cut can't be applied; it is read to its end and then refused.
        var problem: Problem?
    }

    /// What is wrong with a cut, and with which variant.
    struct Problem: Error {
        var handle: UInt64?
        var message: String
        /// Of the patch that is wrong, as far as it is one.
        var base: UInt64?
        var target: UInt64?
        var computed: UInt64?
    }

    /// All that is wrong with a cut, as far as it could be found; not empty.
    struct Refusal: Error {
        var problems: [Problem]

        init(_ problems: [Problem]) { self.problems = problems }
    }

    /// A version that no join has named yet.
    struct StagedVersion {
        var version: Version
        /// Of its frames.
        var bytes: Int
        /// Rises with each one.
        var serial: UInt64
    }

    /// The parts of a staged patch that came so far.
    struct UnfinishedStage {
        var assembler = PatchAssembler()
        var bytes = 0
    }

    // MARK: - Staged versions

    /// Takes in a part of a staged version, which stays invisible until its view joins.
    mutating func stage(_ part: Part, flags: FrameFlags, bytes: Int) -> [Action] {
        if flags.contains(.first) {
            // What had begun before it was given up.
            dropUnfinished()
            unfinished = UnfinishedStage()
        }
        // The rest of what was refused here.
        guard var stage = unfinished else { return [] }
        unfinished = nil
        stage.bytes += bytes
        stagedBytes += bytes
        do {
            if let patch = try stage.assembler.append(part) {
                complete(patch, of: part.handle, bytes: stage.bytes)
            } else {
                unfinished = stage
            }
        } catch {
            // What is wrong here is found by the join that needs it, and repaired from there.
            stagedBytes -= stage.bytes
            note(part.handle, nil, base: part.base, target: part.target, message: "staged: \(error)")
        }
        return boundStaged()
    }

    private mutating func complete(_ patch: Patch, of handle: UInt64, bytes: Int) {
        dropStaged(handle)
        do throws(PatchError) {
            guard let base = stageBase(patch, handle: handle) else {
                throw PatchError(.otherBase, "it starts from a version that the server was not told about")
            }
            let version = try base.applying(patch)
            stagedSerial += 1
            staged[handle] = StagedVersion(version: version, bytes: bytes, serial: stagedSerial)
        } catch {
            stagedBytes -= bytes
            note(
                handle, nil, base: patch.base, target: patch.target, computed: error.computed,
                message: "staged: \(error.message)")
        }
    }

    /// What was staged longest ago and no join has named has been given up by the server, most likely: it goes when
    /// there is too much. If a join names it all the same, that is repaired.
    private mutating func boundStaged() -> [Action] {
        let limit = Int(clamping: limits.cutBytes)
        while stagedBytes > limit, let oldest = staged.min(by: { $0.value.serial < $1.value.serial })?.key {
            dropStaged(oldest)
        }
        guard stagedBytes > limit else { return [] }
        return broken(.resourceExhausted, "CUT_TOO_LARGE", "more is staged than was allowed")
    }

    /// Forgets the staged version of a handle.
    mutating func dropStaged(_ handle: UInt64) {
        if let version = staged.removeValue(forKey: handle) { stagedBytes -= version.bytes }
    }

    /// Forgets a staged patch that is not complete.
    mutating func dropUnfinished() {
        stagedBytes -= unfinished?.bytes ?? 0
        unfinished = nil
    }

    /// Forgets everything that was staged.
    mutating func dropStaged() {
        staged.removeAll()
        unfinished = nil
        stagedBytes = 0
    }

    // MARK: - Cuts

    mutating func receivedCutFrame(_ message: Message, flags: FrameFlags, bytes: Int) -> [Action] {
        if flags.contains(.first) {
            guard incoming == nil else { return cutOrder("a cut begins within a cut") }
            incoming = IncomingCut()
        }
        guard var cut = incoming else { return cutOrder("part of a cut came outside of one") }
        // Given up here and put back below, so that nothing is copied for each frame.
        incoming = nil
        cut.bytes += bytes
        guard cut.bytes <= Int(clamping: limits.cutBytes) else {
            return broken(.resourceExhausted, "CUT_TOO_LARGE", "a cut is larger than was allowed")
        }
        switch message {
        case .repair(let number): cut.repair = number
        case .join(let join):
            cut.joins.append(join)
            cut.change = cut.change.joined(join.cut)
        case .data(let part): cut.take(part)
        default: return cutOrder("a message that is no part of a cut stands in one")
        }
        guard flags.contains(.last) else {
            incoming = cut
            return []
        }
        guard !namesAnotherEpoch(cut.change) else { return cutOrder("a cut names an epoch that isn't welcome's") }
        if cut.openHandle != nil { cut.problem = Problem(handle: cut.openHandle, message: "a patch is not complete") }
        return finish(cut)
    }

    /// Epochs stay those of welcome for as long as the connection lasts.
    func namesAnotherEpoch(_ change: CutChange) -> Bool {
        change.catalogueEpoch ?? position.catalogueEpoch != position.catalogueEpoch
            || change.userEpoch ?? position.userEpoch != position.userEpoch
    }

    private mutating func finish(_ cut: IncomingCut) -> [Action] {
        if let awaited = awaitedRepair {
            // What comes before the repair stands on what was refused.
            guard cut.repair == awaited else { return [] }
        }
        do throws(Refusal) {
            return [.apply(try evaluate(cut))]
        } catch {
            return refuse(error.problems, cut)
        }
    }

    /// Applies a cut to what is held, without changing anything.
    private func evaluate(_ cut: IncomingCut) throws(Refusal) -> CutResult {
        if let problem = cut.problem { throw Refusal([problem]) }
        var problems: [Problem] = []
        var bindings = places
        var contents: [UInt32: ViewContent] = [:]
        var left: [UInt32: Set<String>] = [:]
        var joined: [UInt32: UInt32] = [:]
        for join in cut.joins {
            guard let id = views[join.subscription], let view = wanted[id] else { continue }
            // A lower generation is shown until the join of the newest, which is on its way.
            guard join.generation <= view.generation else {
                throw Refusal([Problem(handle: nil, message: "a join has an unknown generation")])
            }
            contents[join.subscription] = bind(join, view, &bindings, &problems)
            left[join.subscription] = Set(join.sections.lazy.filter { $0.sum == nil }.map(\.section))
            joined[join.subscription] = join.generation
        }
        for (handle, patch) in cut.patches where !problems.contains(where: { $0.handle == handle }) {
            // A subscription that was ended here may still be on its way.
            guard let place = bindings[handle], let id = views[place.subscription],
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
                left[place.subscription, default: wanted[id]?.left ?? []].remove(place.section)
            } catch {
                problems.append(
                    Problem(
                        handle: handle, message: "section '\(place.section)' of \(id): \(error)", base: patch.base,
                        target: patch.target, computed: error.computed))
            }
            contents[place.subscription] = content
        }
        guard problems.isEmpty else { throw Refusal(problems) }
        do throws(Problem) {
            return try result(cut, contents, left, bindings, joined)
        } catch {
            throw Refusal([error])
        }
    }

    private func result(
        _ cut: IncomingCut, _ contents: [UInt32: ViewContent], _ left: [UInt32: Set<String>],
        _ bindings: [UInt64: Place], _ joined: [UInt32: UInt32]
    ) throws(Problem) -> CutResult {
        var changes: [CutResult.ViewChange] = []
        for (subscription, content) in contents.sorted(by: { $0.key < $1.key }) {
            guard let id = views[subscription], let view = wanted[id] else { continue }
            guard Set(content.list.items.map(\.id)) == Set(content.sections.keys) else {
                let list = bindings.first { $0.value == Place(subscription: subscription, section: "") }?.key
                throw Problem(handle: list, message: "the sections of \(id) are not those of its list")
            }
            changes.append(
                CutResult.ViewChange(
                    id: id, parameters: view.parameters(joinedAs: joined[subscription]), before: view.content,
                    after: content, left: left[subscription] ?? view.left))
        }
        let live = wanted.values.filter { view in
            view.isLive || view.subscription.map { joined[$0] != nil } ?? false
        }
        let complete = live.filter { view in
            (view.subscription.flatMap { left[$0] } ?? view.left).isEmpty
        }
        let hasRejoined =
            cut.repair == nil
            && live.contains { view in
                guard view.isLive, let known = view.joined?.generation else { return false }
                return view.subscription.flatMap { joined[$0] } == known
            }
        return CutResult(
            cut: position.advanced(by: cut.change), named: cut.change, views: changes, live: live.map(\.id).sorted(),
            complete: complete.map(\.id).sorted(), bindings: bindings, joined: joined, repaired: cut.repair != nil,
            hasRejoined: hasRejoined)
    }

    /// The content that a join starts from: versions that are held or staged.
    private func bind(
        _ join: Join, _ view: Wanted, _ bindings: inout [UInt64: Place], _ problems: inout [Problem]
    ) -> ViewContent {
        func version(_ sum: UInt64, _ handle: UInt64, _ section: String) -> Version {
            if let held = view.content?.base(of: section), held.sum == sum { return held }
            if let staged = staged[handle]?.version, staged.sum == sum { return staged }
            if sum == Version.empty.sum { return .empty }
            let what = section.isEmpty ? "a list of sections" : "a version of '\(section)'"
            problems.append(
                Problem(handle: handle, message: "\(view.id) joins with \(what) that is not held", target: sum))
            return .empty
        }
        for (handle, place) in bindings where place.subscription == join.subscription { bindings[handle] = nil }
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
                // The server can't bring it up to date: it stays what it is.
                content.sections[binding.section] = view.content?.sections[binding.section] ?? .empty
            }
        }
        return content
    }

    /// The shell has taken the cut: it is the state now.
    /// - Parameter durable: the position that the mirror would have after a power cut.
    package mutating func applied(_ result: CutResult, durable: Cut?) -> [Action] {
        position = result.cut
        self.durable = durable
        places = result.bindings
        for change in result.views {
            wanted[change.id]?.content = change.after
            wanted[change.id]?.left = change.left
        }
        var actions: [Action] = []
        for (subscription, generation) in result.joined.sorted(by: { $0.key < $1.key }) {
            guard let id = views[subscription] else { continue }
            wanted[id]?.isLive = true
            wanted[id]?.failures = 0
            if let kept = wanted[id]?.joined(generation) { actions.append(.parametersKept(id, kept)) }
            for (handle, place) in places where place.subscription == subscription { dropStaged(handle) }
            for place in described.keys where place.subscription == subscription { described[place] = nil }
        }
        if result.repaired { awaitedRepair = nil }
        nacksInARow = 0
        setbacks = 0
        return actions
    }

    /// The shell has noted the last progress.
    /// - Parameter durable: the position that the mirror would have after a power cut.
    package mutating func progressTaken(durable: Cut?) -> [Action] {
        self.durable = durable
        return isLive ? acknowledge(always: true) : []
    }

    private mutating func refuse(_ problems: [Problem], _ cut: IncomingCut) -> [Action] {
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
                let id = views[first.subscription]
            {
                place = (id, first.section)
            }
            dropBases(around: place)
            let what = "a cut stays wrong after \(Self.maximumNacks) repairs: \(message)"
            return [
                .send(.close(Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: what))),
                .close(.retry(what)),
            ]
        }
        lastNack += 1
        awaitedRepair = lastNack
        dropUnfinished()
        for handle in refused { dropStaged(handle) }
        let status = Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: message)
        let nack = Nack(
            number: lastNack, good: position, held: held(refused, cut),
            staged: staged.keys.sorted().map { HeldVersion(handle: $0, sum: staged[$0]?.version.sum) }, status: status)
        return [.send(.nack(nack))]
    }

    /// Where a handle's content is shown, or would be after a cut.
    private func place(of handle: UInt64, in cut: IncomingCut?) -> Place? {
        if let place = places[handle] { return place }
        for join in cut?.joins ?? [] {
            if join.viewHandle == handle { return Place(subscription: join.subscription, section: "") }
            if let binding = join.sections.first(where: { $0.handle == handle }) {
                return Place(subscription: join.subscription, section: binding.section)
            }
        }
        return nil
    }

    /// What is held under each handle, and under those that the refused cut would have bound.
    private func held(_ refused: Set<UInt64>, _ cut: IncomingCut) -> [HeldVersion] {
        var sums = places.mapValues { place in self.base(at: place)?.sum }
        for join in cut.joins where views[join.subscription] != nil {
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

    /// What a patch of the section at a place could start from.
    private func base(at place: Place) -> Version? {
        views[place.subscription].flatMap { wanted[$0]?.content?.base(of: place.section) }
    }

    private mutating func note(
        _ handle: UInt64?, _ cut: IncomingCut?, base: UInt64?, target: UInt64?, computed: UInt64? = nil, message: String
    ) {
        var name = ""
        if let handle, let place = place(of: handle, in: cut) {
            name = "\(views[place.subscription]?.screen ?? "?") \(place.section)"
        }
        evidence.append(
            RefusedPatch(
                handle: handle ?? 0, place: name, base: base, target: target, computed: computed, cut: position,
                message: message))
    }
}

extension SyncCore.CutResult.ViewChange {
    /// What the mirror has to write: what differs, by sums.
    package var write: ViewWrite {
        let isListStored = before?.list.sum == after.list.sum && before?.damaged[""] == nil
        return ViewWrite(
            id: id,
            parameters: parameters.map {
                StoredParameters(section: $0.section, sort: $0.sort, window: $0.window)
            },
            list: isListStored ? nil : (before?.list, after.list),
            // In order, so that what is stored by a schedule of the simulation is the same whenever it is played.
            sections: after.sections.compactMap { id, version in
                let old = before?.sections[id]
                return old?.sum == version.sum ? nil : (id, old, version)
            }.sorted { $0.id < $1.id },
            removedSections: before.map { before in
                Set(before.sections.keys).union(before.damaged.keys)
                    .filter { !$0.isEmpty && after.sections[$0] == nil }.sorted()
            } ?? [])
    }
}

extension SyncCore.Wanted {
    /// Notes what was asked for with the generation that is shown now.
    /// - Returns: the parameters that hold on where they are others than those thought of: a newer wish was refused
    ///   before this one was brought.
    fileprivate mutating func joined(_ generation: UInt32) -> [SectionParameters]? {
        let shown = parameters(joinedAs: generation)
        joined = (generation, shown)
        asked = asked.filter { $0.key > generation }
        guard isAnswered, parameters != shown else { return nil }
        parameters = shown
        return shown
    }

    /// What was asked for with a join's generation, or with that of the last join.
    fileprivate func parameters(joinedAs generation: UInt32?) -> [SectionParameters] {
        generation.flatMap { asked[$0] } ?? joined?.parameters ?? parameters
    }
}

extension SyncCore.IncomingCut {
    /// Takes in a part of a patch; the parts of one patch follow each other.
    mutating func take(_ part: Part) {
        guard problem == nil else { return }
        change = change.joined(part.cut)
        if let openHandle, openHandle != part.handle {
            problem = SyncCore.Problem(handle: openHandle, message: "the parts of two patches are mixed")
            return
        }
        do {
            openHandle = part.handle
            if let patch = try assembler.append(part) {
                guard !patches.contains(where: { $0.0 == part.handle }) else {
                    problem = SyncCore.Problem(handle: part.handle, message: "a cut has two patches for one handle")
                    return
                }
                patches.append((part.handle, patch))
                openHandle = nil
                assembler = PatchAssembler()
            }
        } catch {
            problem = SyncCore.Problem(handle: part.handle, message: "\(error)")
        }
    }
}

extension CutChange {
    /// Both changes; a component named twice counts with its higher value.
    fileprivate func joined(_ other: CutChange) -> CutChange {
        func higher(_ a: UInt64?, _ b: UInt64?) -> UInt64? {
            guard let a else { return b }
            return b.map { max(a, $0) } ?? a
        }
        return CutChange(
            catalogueEpoch: other.catalogueEpoch ?? catalogueEpoch,
            catalogueRevision: higher(catalogueRevision, other.catalogueRevision),
            userEpoch: other.userEpoch ?? userEpoch, userRevision: higher(userRevision, other.userRevision))
    }
}
