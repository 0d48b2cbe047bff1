import MarqueeMirror
import MarqueeModel
import MarqueeStore

extension Schedule {
    /// Maximum milliseconds until everything is quiet: enough to detect a half-open connection, plus the longest pauses
    /// after that.
    private static let calmMilliseconds: UInt64 = 10 * 60_000
    /// Turns in which everyone does all pending work, at one moment.
    private static let turns = 2_000

    /// Nothing new happens, everything works, and in the end everything is equal.
    func calmDown() {
        guard judge.violation == nil else { return }
        isCalm = true
        if plan.hasScopes { authority?.generosity = .steady }
        judge.note("from here on all is well")
        repairStore()
        for node in nodes {
            node.stored?.store.crash = nil
            if !node.isUp { start(node) }
            node.stored?.isLagging = false
            node.relayed?.link?.recover()
        }
        for device in devices {
            device.diskIsFull = false
            device.crash = nil
            device.sleepsUntil = 0
            device.connection?.recover()
            if !device.isRunning { start(device) }
            if device.isSuspended { device.resume() }
            // An app that shows nothing needs no connection.
            if device.shown.isEmpty { device.show(Self.home) }
        }
        scatter()
        showLess()
        let end = now + Self.calmMilliseconds
        while now < end {
            for device in devices {
                if device.hasFailed { device.refresh() }
                if device.shown.isEmpty { device.show(Self.home) }
            }
            settle()
            guard judge.violation == nil else { return }
            if isQuiet {
                if plan.hasAudiences, !relays.isEmpty { reviseInPeace() }
                if plan.tokenMilliseconds != nil { renewInPeace() }
                if plan.hasScopes, random.chance(50) { allowEverything() }
                return judge.violation == nil ? finish() : ()
            }
            waitForNextTimer()
        }
        judge.fail(
            .convergent, "no quiet after \(Self.calmMilliseconds / 60_000) minutes: \(unrest.joined(separator: "; "))")
    }

    /// Nothing is wrong with the store any more.
    func repairStore() {
        database.repair()
        for store in stores {
            store.store.isUnreachable = false
            store.store.troubles = 0
        }
        if newEpochsAt != nil { giveNewEpochs() }
    }

    /// Relays lose their servers, and know some of their guests as other readers afterwards.
    private func reviseInPeace() {
        for device in devices where random.chance(50) {
            link(before: device)?.cut()
            revise(device)
        }
        live(for: Self.reconnection)
    }

    /// The longest pause before a relay connects again, in milliseconds.
    private static let reconnection: UInt64 = 10_000

    /// Tokens end twice, and no connection does: clients renew theirs.
    private func renewInPeace() {
        guard let milliseconds = plan.tokenMilliseconds else { return }
        // A welcome that was long on its way says how long an identity was valid when it was sent.
        live(for: milliseconds)
        let before = devices.map { $0.connection.flatMap { $0.isDoomed ? nil : $0 } }
        live(for: 2 * milliseconds)
        for case (let device, let connection?) in zip(devices, before)
        where device.connection !== connection && judge.violation == nil {
            judge.fail(.convergent, "\(device.name) lost its connection although its token could be renewed")
        }
    }

    /// Wider tokens come by renewal, and apps show again what they were refused.
    private func allowEverything() {
        guard let milliseconds = plan.tokenMilliseconds, judge.violation == nil else { return }
        judge.note("from here on tokens allow everything")
        authority?.generosity = .boundless
        live(for: 2 * milliseconds)
        for device in devices { device.showRefused() }
        showLess()
        live(for: 0)
    }

    /// Where limits are small, an app shows one screen, so that all fits.
    private func showLess() {
        guard plan.limits != nil else { return }
        for device in devices {
            for shown in device.shown.dropFirst() { device.hide(shown.id) }
        }
    }

    private func seesCollections(_ device: Device) -> Bool {
        device.user != nil && permissions(of: device).allowsReading(Self.collectionSet.screen)
    }

    /// Time passes, and in the end all is quiet.
    private func live(for milliseconds: UInt64) {
        let end = now + milliseconds
        while now < end || !isQuiet {
            settle()
            guard judge.violation == nil else { return }
            guard now < end + Self.calmMilliseconds else { return judge.fail(.convergent, "no quiet among renewals") }
            waitForNextTimer()
        }
        settle()
    }

    /// Advances the clock to the next timer, by at most a second.
    func waitForNextTimer() {
        let due = devices.compactMap(\.loop.nextDue).filter { $0 > now }.min() ?? now + 1_000
        beginStep(after: max(1, min(due, (now / 1_000 + 1) * 1_000) - now))
    }

    /// Everyone does all work pending now.
    func settle() {
        for _ in 0..<Self.turns {
            var hasMoved = false
            for node in nodes {
                hasMoved = run(node) || hasMoved
                for session in node.sessions {
                    let before = session.connection.toServer.readableBytes + session.connection.toClient.readableBytes
                    serve(session.connection, .max, 64)
                    let after = session.connection.toServer.readableBytes + session.connection.toClient.readableBytes
                    hasMoved = hasMoved || before != after
                }
            }
            for relay in relays where relay.link?.stalledUntil ?? 0 <= step {
                hasMoved = relay.read(now: now) || hasMoved
            }
            for device in devices {
                let said = device.connection?.toServer.readableBytes
                device.advance(to: now)
                // A message that a client's timer has sent arrives at this moment too.
                hasMoved = hasMoved || device.connection?.toServer.readableBytes != said
                guard let connection = device.connection, connection.stalledUntil <= step else { continue }
                if connection.toClient.readableBytes > 0 || connection.toClient.isAtEnd {
                    let before = connection.toClient.readableBytes
                    device.read()
                    hasMoved = hasMoved || before != connection.toClient.readableBytes || device.connection == nil
                }
            }
            guard hasMoved, judge.violation == nil else { return }
        }
        judge.fail(.convergent, "endless work at one moment")
    }

    /// Runs all pending work of a node's threads.
    ///
    /// - Returns: whether there was any.
    @discardableResult
    func run(_ node: Node) -> Bool {
        var hasMoved = false
        while node.hasWork || node.stored?.hasNews == true, judge.violation == nil {
            hasMoved = true
            if let stored = node.stored {
                look(stored, limit: 2)
                stored.runReads(overtakes: false)
            }
            node.runJob(now: now)
            write(node)
            for loop in node.loops { loop.runEvent(now: now, members: 2, overtakes: false) }
        }
        return hasMoved
    }

    var isQuiet: Bool { unrest.isEmpty }

    /// The views that a device should have.
    private func wanted(by device: Device) -> [ViewID] {
        device.shown.map(\.id) + (seesCollections(device) ? [Self.collectionSet] : [])
    }

    /// Everything not yet as it should be.
    private var unrest: [String] {
        var found: [String] = []
        let logs = judge.truth.current
        for device in devices {
            let place = judge.scene.devices[device.number]
            guard let stored = place.stored, stored.catalogueEpoch == logs.catalogueEpoch,
                stored.catalogueRevision == logs.newest,
                device.user == nil
                    || stored.userRevision == logs.newest(of: device.user) && stored.userEpoch == logs.userEpoch
            else {
                found.append(
                    "\(device.name) is at \(place.stored.map { "\($0)" } ?? "nothing"), the logs at \(logs.newest), "
                        + "\(logs.newest(of: device.user))")
                continue
            }
            let (permissions, seesCollections) = (permissions(of: device), seesCollections(device))
            let wanted = wanted(by: device)
            let forbidden = wanted.filter { !permissions.allowsReading($0.screen) }
            if !forbidden.isEmpty { found.append("\(device.name) shows \(forbidden), which its token doesn't allow") }
            let missing = wanted.filter { id in
                !place.live.contains(id) || (id != Self.collectionSet && place.shown[id]?.origin != .live)
            }
            if !missing.isEmpty { found.append("\(device.name) lacks \(missing)") }
            // If no one hears of it, it has to be checked here.
            let unanswered = wanted.filter { device.engine?.isAnswered($0) == false }
            if !unanswered.isEmpty { found.append("\(device.name) has no answer about \(unanswered)") }
            // Goes to the mirror with the next progress, which may name the position that is there already.
            if device.engine?.isStored == false { found.append("\(device.name) keeps content in memory") }
            if !place.incomplete.isEmpty { found.append("\(device.name) lacks sections of \(place.incomplete)") }
            let waiting = judge.scene.operations.byDevice[device.number]
                .filter { $0.isPending && (seesCollections || $0.state == .waiting) }
            if !waiting.isEmpty { found.append("\(device.name) waits for \(waiting.map(\.number))") }
        }
        guard found.isEmpty else { return found }
        // The slow scrub finds and repairs it. Reading all is slow, too, so it comes last.
        for device in devices {
            let rotten = wanted(by: device).filter { (try? device.mirror?.view($0)?.damaged.isEmpty) != true }
            if !rotten.isEmpty { found.append("\(device.name) has rotten bytes in \(rotten)") }
        }
        return found
    }

    private func finish() {
        var end = End(devices: [], members: [:])
        do {
            for device in devices {
                guard let mirror = device.mirror else { continue }
                var place = End.DeviceEnd(
                    number: device.number, name: device.name, user: device.user,
                    reader: judge.scene.devices[device.number].readers.last ?? Reader(user: device.user), wanted: [],
                    stored: [:],
                    outbox: try mirror.outbox(), rejections: try mirror.rejections(),
                    seesCollections: seesCollections(device))
                for shown in device.shown {
                    var options: [String: End.Chosen] = [:]
                    for option in shown.options {
                        options[option.section] = End.Chosen(
                            sort: option.sort, window: option.window.map { UInt32($0) }, place: option.place)
                    }
                    place.wanted.append((shown.id, options))
                }
                if place.seesCollections { place.wanted.append((Self.collectionSet, [:])) }
                for (id, _) in place.wanted { place.stored[id] = try mirror.view(id) }
                end.devices.append(place)
            }
            // Messages on a doomed connection may not arrive, and neither side knows yet.
            for session in nodes.flatMap(\.sessions) where !session.connection.isDoomed {
                let number = session.connection.number
                let live: Int
                if session.connection.device == Connection.nobody {
                    // A relay's connection; the relay may have moved on to another.
                    guard let relay = session.connection.relay, relay.link === session.connection else { continue }
                    live = relay.subscriptionCount
                    end.guests.append((number, session.session.core.guestIdentities.count, relay.guestCount))
                } else {
                    live = judge.scene.connections[number]?.views.count ?? 0
                }
                end.subscriptions.append((number, session.session.core.subscriptionCount, live))
            }
            for user in ["ana", "ben"] { end.members[user] = try database.engine.members(of: user).members }
        } catch {
            return judge.fail(.convergent, "the end can't be read: \(error)")
        }
        judge.judgeEnd(end)
    }
}
