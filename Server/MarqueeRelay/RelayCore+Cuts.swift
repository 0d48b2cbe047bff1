import MarqueeDiff
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeWire
import NIOCore

// Arriving cuts and staged versions are verified as by a client, and their frames are kept unchanged. A relay shows
// thousands of variants, too many to name in a nack: if anything is wrong, it starts a new connection, and doesn't
// offer the faulty content for resuming.

extension RelayCore {
    /// The frames of a cut that is still incomplete.
    struct IncomingFrames {
        var joins: [Join] = []
        /// Complete patches, with the bodies of their frames.
        var patches: [(handle: UInt64, patch: Patch, cut: CutChange, bodies: [ByteBuffer])] = []
        /// The handles of the patches' variants; each has at most one patch.
        var patched: Set<UInt64> = []
        /// The position that the frames have named so far.
        var change = CutChange()
        var bytes = 0
        /// The incomplete patch, the bodies of its frames, and its handle; `nil` between patches.
        var assembler = PatchAssembler()
        var bodies: [ByteBuffer] = []
        var open: UInt64?
    }

    // MARK: - Cuts

    func receivedCutFrame(_ message: Message, _ frame: Frame) {
        if frame.flags.contains(.first) {
            guard connection.arrivals.incoming == nil else { return failProtocol("a cut begins within a cut") }
            connection.arrivals.incoming = IncomingFrames()
        }
        guard var cut = connection.arrivals.incoming else { return failProtocol("part of a cut came outside one") }
        // Moved out here and put back below, to avoid a copy for each frame.
        connection.arrivals.incoming = nil
        cut.bytes += frame.wireBytes
        guard cut.bytes <= Int(clamping: Self.limits.cutBytes) else {
            return failProtocol("a cut is larger than was allowed")
        }
        switch message {
        case .join(let join):
            cut.joins.append(join)
            cut.change = cut.change.joined(join.cut)
        case .data(let part):
            if let wrong = cut.add(part, frame.body) { return refuse(part.handle, wrong) }
        default: return failProtocol("a message that doesn't belong in a cut came within one")
        }
        guard frame.flags.contains(.last) else {
            connection.arrivals.incoming = cut
            return
        }
        if let open = cut.open { return refuse(open, "a patch is not complete") }
        apply(cut)
        for join in cut.joins { answered(subscription: join.subscription) }
    }

    private func apply(_ cut: IncomingFrames) {
        forgetIdle(changedBy: cut)
        var applied: [UInt64: CurrentVersion] = [:]
        var joined: [UInt64] = []
        for join in cut.joins {
            // The relay may have ended the subscription since.
            guard let handle = connection.subscriptions.handles[join.subscription], handle == join.viewHandle,
                let variant = variants[handle]
            else { continue }
            guard
                let current = variant.current(
                    with: join, connection.arrivals.staged.version(of: handle), content: handle)
            else {
                return refuse(handle, "it joins with a version that is not held")
            }
            applied[handle] = current
            joined.append(handle)
        }
        for (handle, patch, change, bodies) in cut.patches {
            // The variant may have been dropped and asked for again since the cut began.
            guard let variant = variants[handle], variant.hasJoined || applied[handle] != nil else { continue }
            guard let base = patch.base == Version.empty.sum ? .empty : (applied[handle] ?? variant.held)?.version
            else {
                return refuse(handle, "a patch has no base")
            }
            do throws(PatchError) {
                let version = try base.applying(patch)
                let since = CutChange(
                    catalogueRevision: change.catalogueRevision, userRevision: change.userRevision)
                applied[handle] = CurrentVersion(version: version, since: since, content: handle)
                library.adopt(
                    bodies, of: handle, base: patch.base == Version.empty.sum ? nil : patch.base, target: patch.target,
                    since: since)
            } catch {
                library.note(
                    RefusedPatch(
                        handle: handle, place: variant.name.description, base: patch.base, target: patch.target,
                        computed: error.computed, cut: connection.arrivals.cut, message: error.message))
                return refuse(handle, "\(variant.name): \(error)")
            }
        }
        for handle in joined {
            variants[handle]?.hasJoined = true
            connection.arrivals.staged.drop(handle)
            connection.returning.forget(handle)
        }
        for (handle, current) in applied { take(current, of: handle) }
        arrive(cut.change.catalogueEpoch, cut.change.catalogueRevision)
        flush()
    }

    /// Stores a variant's new version, and marks it for publication unless it is shown already.
    private func take(_ current: CurrentVersion, of handle: UInt64) {
        variants[handle]?.held = current
        variants[handle]?.offersNothing = false
        variants[handle]?.described = nil
        // A version that arrives unchanged on a new connection is current since the same position as before.
        let last = connection.arrivals.versions[handle] ?? variants[handle]?.current
        let isOutdated = variants[handle]?.isOutdated == true
        if connection.arrivals.versions[handle] == nil, !isOutdated, last?.version.sum == current.version.sum { return }
        // The frames of a version that was current before, too, name the position at which it first was, and a join
        // names no user's position. But no version is older than the one it replaces.
        var current = current
        current.since = last?.since.joined(current.since) ?? current.since
        connection.arrivals.versions[handle] = current
    }

    /// Records that everything up to a position of the catalogue has arrived.
    func arrive(_ epoch: UInt64?, _ revision: UInt64?) {
        if let epoch, epoch != connection.arrivals.cut.catalogueEpoch {
            return failProtocol("a cut names an epoch that isn't welcome's")
        }
        connection.arrivals.cut.catalogueRevision = max(connection.arrivals.cut.catalogueRevision, revision ?? 0)
    }

    /// Publishes what has arrived, unless something that is shown has yet to arrive again on this connection.
    func flush() {
        guard isLive, connection.returning.isOver else { return }
        staleSince = nil
        var changes: [UInt64: CurrentVersion] = [:]
        var revisions: [String: UInt64] = [:]
        for (handle, current) in connection.arrivals.versions {
            guard let variant = variants[handle] else { continue }
            variants[handle]?.current = current
            variants[handle]?.isOutdated = false
            library.record(current.version, of: handle)
            changes[handle] = current
            if let user = variant.user, let revision = current.since.userRevision {
                revisions[user] = max(revisions[user] ?? 0, revision)
            }
        }
        connection.arrivals.versions = [:]
        for user in connection.returning.users {
            if let newest = guests.users[user]?.arrived { revisions[user] = max(revisions[user] ?? 0, newest) }
        }
        for (user, revision) in revisions { guests.users[user]?.moved(to: revision) }
        let isAhead = connection.arrivals.cut.catalogueRevision > position.catalogueRevision
        position = connection.arrivals.cut
        // Plans of views that can't be shown as before are dropped before sessions get the new position.
        let families = connection.returning.lost
        let lost: ChangedScreens = families.isEmpty ? .none : .families(families)
        let ended = connection.returning.givenUp
        connection.returning.settle()
        if lost != .none { forgetPlans(lost, gone: []) }
        if isAhead || !changes.isEmpty || !revisions.isEmpty || lost != .none || !ended.isEmpty {
            outlet.publish(
                Publication(
                    catalogueRevision: position.catalogueRevision, users: revisions, isOnlyTheirs: false,
                    changes: changes, replans: lost, ended: ended))
        }
        openWhatIsReady(changes.keys)
    }

    /// Closes the connection, because a variant's data can't be applied. The held version isn't offered again.
    private func refuse(_ handle: UInt64, _ what: String) {
        variants[handle]?.offersNothing = true
        outlet.report("what the server upstream sent is wrong: \(what)")
        outlet.send(.close(Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: what)))
        disconnect(Disconnection("what it sent is wrong: \(what)"))
    }

    // MARK: - Staging

    func stage(_ part: Part, _ frame: Frame) {
        if frame.flags.contains(.first) { connection.arrivals.stagedBodies = [] }
        connection.arrivals.stagedBodies.append(frame.body)
        do throws(WireError) {
            guard
                let complete = try connection.arrivals.staged.append(
                    part, isFirst: frame.flags.contains(.first), bytes: frame.wireBytes)
            else { return }
            let bodies = connection.arrivals.stagedBodies
            connection.arrivals.stagedBodies = []
            keep(complete.patch, of: part, bodies, bytes: complete.bytes)
        } catch {
            return refuse(part.handle, "staged: \(error)")
        }
        guard connection.arrivals.staged.fit(into: Int(clamping: Self.limits.cutBytes)) else {
            return failProtocol("more was staged than is allowed")
        }
    }

    private func keep(_ patch: Patch, of part: Part, _ bodies: [ByteBuffer], bytes: Int) {
        // The relay may have dropped the variant since.
        guard let variant = variants[part.handle] else { return }
        let isWhole = patch.base == Version.empty.sum
        let described = variant.described.flatMap { $0.sum == patch.base ? $0 : nil }
        guard let base = isWhole ? .empty : described else {
            return refuse(part.handle, "a staged patch starts from a version that was not described")
        }
        do throws(PatchError) {
            connection.arrivals.staged.keep(try base.applying(patch), of: part.handle, bytes: bytes)
            variants[part.handle]?.stagedSince = CutChange(
                catalogueRevision: part.cut.catalogueRevision, userRevision: part.cut.userRevision)
        } catch {
            return refuse(part.handle, "staged: \(error.message)")
        }
        // Only a whole version is of use to clients: any other patch starts from what this relay's manifest described.
        if isWhole {
            library.adopt(bodies, of: part.handle, base: nil, target: patch.target, since: part.cut)
        }
    }

    /// Answers a rebase with manifests of the held versions.
    func describe(_ rebase: Rebase) {
        for section in rebase.sections {
            let held = variants[section.handle]?.held?.version
            variants[section.handle]?.described = held
            let parts = Manifest.parts(
                of: ContentManifest(held ?? .empty), handle: section.handle, limits: welcome?.limits ?? .server)
            for part in parts { outlet.send(.manifest(part)) }
        }
    }
}

extension RelayCore.IncomingFrames {
    /// Adds a part of a patch; the parts of one patch are consecutive.
    /// - Returns: what is wrong with it; `nil` if nothing is.
    mutating func add(_ part: Part, _ body: ByteBuffer) -> String? {
        // Users' positions arrive in messages of their own.
        change = change.joined(
            CutChange(catalogueEpoch: part.cut.catalogueEpoch, catalogueRevision: part.cut.catalogueRevision))
        if let open, open != part.handle { return "the parts of two patches are mixed" }
        open = part.handle
        bodies.append(body)
        do throws(WireError) {
            guard let patch = try assembler.append(part) else { return nil }
            guard patched.insert(part.handle).inserted else { return "a cut has two patches for one handle" }
            patches.append((part.handle, patch, part.cut, bodies))
            (open, bodies, assembler) = (nil, [], PatchAssembler())
            return nil
        } catch {
            return "\(error)"
        }
    }
}
