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
    }

    /// A version that no join has named yet.
    struct StagedVersion {
        var version: Version
        /// Of its frames.
        var bytes: Int
    }

    /// The parts of a staged patch that came so far.
    struct UnfinishedStage {
        var target: UInt64
        var assembler = PatchAssembler()
        var bytes = 0
    }

    // MARK: - Staged versions

    /// Takes in a part of a staged version, which stays invisible until its view joins.
    mutating func stage(_ part: Part, bytes: Int) -> [Action] {
        guard part.base == nil else { return broken(.outOfRange, "OUT_OF_RANGE", "a staged part has a base") }
        var unfinished = UnfinishedStage(target: part.target)
        if let known = staging.removeValue(forKey: part.handle), part.head == nil, known.target == part.target {
            unfinished = known
        }
        unfinished.bytes += bytes
        // What is wrong here is found by the join that needs it, and repaired from there.
        guard let patch = try? unfinished.assembler.append(part) else {
            if unfinished.assembler.isUnfinished { staging[part.handle] = unfinished }
            return stagedTooMuch()
        }
        if let version = try? Version.empty.applying(patch) {
            staged[part.handle] = StagedVersion(version: version, bytes: unfinished.bytes)
        }
        return stagedTooMuch()
    }

    private func stagedTooMuch() -> [Action] {
        let bytes = staged.values.reduce(0) { $0 + $1.bytes } + staging.values.reduce(0) { $0 + $1.bytes }
        guard bytes > Int(clamping: limits.cutBytes) else { return [] }
        return broken(.resourceExhausted, "CUT_TOO_LARGE", "more is staged than was allowed")
    }

    /// Forgets what was staged.
    mutating func dropStaged() {
        staged.removeAll()
        staging.removeAll()
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
        if cut.openHandle != nil { cut.problem = Problem(handle: cut.openHandle, message: "a patch is not complete") }
        return finish(cut)
    }

    private mutating func finish(_ cut: IncomingCut) -> [Action] {
        if let awaited = awaitedRepair {
            // What comes before the repair stands on what was refused.
            guard cut.repair == awaited else { return [] }
        }
        do throws(Problem) {
            return [.apply(try evaluate(cut))]
        } catch {
            return refuse(error)
        }
    }

    /// Applies a cut to what is held, without changing anything.
    private func evaluate(_ cut: IncomingCut) throws(Problem) -> CutResult {
        if let problem = cut.problem { throw problem }
        var bindings = places
        var contents: [UInt32: ViewContent] = [:]
        var joined: [UInt32: UInt32] = [:]
        for join in cut.joins {
            guard let id = views[join.subscription], let view = wanted[id] else { continue }
            // A lower generation is shown until the join of the newest, which is on its way.
            guard join.generation <= view.generation else {
                throw Problem(handle: nil, message: "a join has an unknown generation")
            }
            contents[join.subscription] = try bind(join, view, &bindings)
            joined[join.subscription] = join.generation
        }
        for (handle, patch) in cut.patches {
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
            guard let held else { throw Problem(handle: handle, message: "a patch has no base") }
            do throws(PatchError) {
                let version = try held.applying(patch)
                if place.section.isEmpty { content.list = version } else { content.sections[place.section] = version }
            } catch {
                throw Problem(handle: handle, message: "section '\(place.section)' of \(id): \(error)")
            }
            contents[place.subscription] = content
        }
        return try result(cut, contents, bindings, joined)
    }

    private func result(
        _ cut: IncomingCut, _ contents: [UInt32: ViewContent], _ bindings: [UInt64: Place],
        _ joined: [UInt32: UInt32]
    ) throws(Problem) -> CutResult {
        var changes: [CutResult.ViewChange] = []
        for (subscription, content) in contents.sorted(by: { $0.key < $1.key }) {
            guard let id = views[subscription], let view = wanted[id] else { continue }
            guard Set(content.list.items.map(\.id)) == Set(content.sections.keys) else {
                throw Problem(handle: nil, message: "the sections of \(id) are not those of its list")
            }
            changes.append(
                CutResult.ViewChange(
                    id: id, parameters: view.parameters(joinedAs: joined[subscription]), before: view.content,
                    after: content))
        }
        let live = wanted.values.filter { view in
            view.isLive || view.subscription.map { joined[$0] != nil } ?? false
        }
        return CutResult(
            cut: position.advanced(by: cut.change), views: changes, live: live.map(\.id), bindings: bindings,
            joined: joined, repaired: cut.repair != nil)
    }

    /// The content that a join starts from: versions that are held or staged.
    private func bind(
        _ join: Join, _ view: Wanted, _ bindings: inout [UInt64: Place]
    ) throws(Problem) -> ViewContent {
        func version(_ sum: UInt64, _ handle: UInt64, _ held: Version?) throws(Problem) -> Version {
            if let held, held.sum == sum { return held }
            if let staged = staged[handle]?.version, staged.sum == sum { return staged }
            if sum == Version.empty.sum { return .empty }
            throw Problem(handle: handle, message: "\(view.id) joins with a version that is not held")
        }
        for (handle, place) in bindings where place.subscription == join.subscription { bindings[handle] = nil }
        bindings[join.viewHandle] = Place(subscription: join.subscription, section: "")
        var content = ViewContent(
            list: try version(join.viewSum, join.viewHandle, view.content?.list), sections: [:])
        for binding in join.sections {
            guard bindings[binding.handle] == nil, content.sections[binding.section] == nil else {
                throw Problem(handle: binding.handle, message: "\(view.id) binds a section twice")
            }
            bindings[binding.handle] = Place(subscription: join.subscription, section: binding.section)
            content.sections[binding.section] = try version(
                binding.sum, binding.handle, view.content?.sections[binding.section])
        }
        return content
    }

    /// The shell has stored the cut: it is the state now.
    package mutating func applied(_ result: CutResult) -> [Action] {
        position = result.cut
        durable = result.cut
        places = result.bindings
        for change in result.views { wanted[change.id]?.content = change.after }
        for (subscription, generation) in result.joined {
            guard let id = views[subscription] else { continue }
            wanted[id]?.isLive = true
            wanted[id]?.joined(generation)
            for (handle, place) in places where place.subscription == subscription { staged[handle] = nil }
        }
        if result.repaired { awaitedRepair = nil }
        nacksInARow = 0
        return []
    }

    /// The mirror could not store the cut; the connection starts anew from what is stored.
    package mutating func applyFailed(_ reason: String) -> [Action] {
        [.close(.retry(reason))]
    }

    private mutating func refuse(_ problem: Problem) -> [Action] {
        nacksInARow += 1
        guard nacksInARow <= Self.maximumNacks else {
            // Not even what was sent whole holds: begin anew, with nothing to resume from.
            nacksInARow = 0
            for id in wanted.keys where wanted[id]?.subscription != nil { wanted[id]?.content = nil }
            let what = "a cut stays wrong after \(Self.maximumNacks) repairs: \(problem.message)"
            return [
                .send(.close(Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: what))),
                .close(.retry(what)),
            ]
        }
        lastNack += 1
        awaitedRepair = lastNack
        dropStaged()
        let held = places.keys.sorted().map { handle in
            HeldVersion(handle: handle, sum: handle == problem.handle ? nil : self.held(handle)?.sum)
        }
        let status = Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: problem.message)
        return [.send(.nack(Nack(number: lastNack, good: position, held: held, status: status)))]
    }
}

extension SyncCore.CutResult.ViewChange {
    /// What the mirror has to write: what differs, by sums.
    package var write: ViewWrite {
        ViewWrite(
            id: id,
            parameters: parameters.map {
                StoredParameters(section: $0.section, sort: $0.sort, window: $0.window)
            },
            list: before?.list.sum == after.list.sum ? nil : (before?.list, after.list),
            sections: after.sections.compactMap { id, version in
                let old = before?.sections[id]
                return old?.sum == version.sum ? nil : (id, old, version)
            },
            removedSections: before?.sections.keys.filter { after.sections[$0] == nil } ?? [])
    }
}

extension SyncCore.Wanted {
    /// Notes what was asked for with the generation that is shown now.
    fileprivate mutating func joined(_ generation: UInt32) {
        joined = (generation, parameters(joinedAs: generation))
        asked = asked.filter { $0.key > generation }
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
