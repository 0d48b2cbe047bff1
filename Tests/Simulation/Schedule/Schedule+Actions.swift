import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeStore

extension Schedule {
    /// Performs one random action or fault.
    func act() {
        if let newEpochsAt, step >= newEpochsAt { giveNewEpochs() }
        if database.hasDoubtful, random.chance(20) { random.chance(70) ? database.complete() : database.abandon() }
        if plan.hasDatabase { operate() }
        // Operators start no server over a database that lacks commits.
        for node in nodes where (newEpochsAt == nil || node.stored == nil) && !node.isUp && random.chance(30) {
            start(node)
        }
        for device in devices where !device.isRunning && random.chance(25) { start(device) }
        for device in devices where device.isSuspended && random.chance(20) {
            judge.note("\(device.name) is resumed")
            device.resume()
        }
        for device in devices where device.hasFailed && random.chance(10) { device.refresh() }
        guard let device = random.pick(devices) else { return }
        switch random.int(0...99) {
        case 0...19: publish()
        case 20...33: changeCollection(device)
        case 34...41: showOrHide(device)
        case 42...49: choose(device)
        default: mischief(device)
        }
    }

    // MARK: - Actions

    private func publish() {
        if plan.has(.programmes), random.chance(8) {
            judge.count(.programmeChanged)
            return commit(RandomChanges.programme(&random, plan))
        }
        if plan.hasTimes, random.chance(40) {
            judge.count(.timePassed)
            return commit(RandomChanges.time(after: judge.truth.current.catalogue.last?.now, &random))
        }
        if random.chance(25) {
            let known = judge.truth.current.catalogue.last?.ids(of: "film") ?? []
            if let id = random.pick(known) { return commit([RandomChanges.update(id, &random)]) }
        }
        commit(RandomChanges.commit(&random))
    }

    private func changeCollection(_ device: Device) {
        guard device.user != nil, device.isRunning else { return }
        let isFavorite = random.chance(65)
        let operation = random.chance(60)
        guard isFavorite else { return progress(device, operation) }
        let subject = "film/\(random.int(RandomChanges.films))"
        judge.note("\(device.name) operations \(subject) \(operation)")
        if device.set(subject, in: .favorites, operation, nil) { judge.count(.favorite) }
    }

    /// Few values, so that some change nothing.
    private func progress(_ device: Device, _ operation: Bool) {
        let subject = "clip/\(random.pick(Collections.clips) ?? "a")"
        let value = operation ? CollectionValue(random.int(0...2)) : nil
        judge.note("\(device.name) operations \(subject) \(operation) \(value.map { "\($0)" } ?? "")")
        if device.set(subject, in: Collections.progress, operation, value) { judge.count(.progress) }
    }

    private func showOrHide(_ device: Device) {
        guard device.isRunning else { return }
        var screens = ["home", "detail/1", "detail/2", "topic/1", "topic/2"]
        if device.user != nil { screens += ["favorites", "progress"] }
        let id = ViewID(screen: random.pick(screens) ?? "home", locale: "en")
        if device.isShowing(id) {
            judge.count(.screenHidden)
            device.hide(id)
        } else {
            judge.count(.screenShown)
            device.show(id)
        }
    }

    private func choose(_ device: Device) {
        guard device.isRunning else { return }
        if plan.hasWindows, random.chance(70) { return scroll(device) }
        guard device.isShowing(Self.home) else { return }
        if random.chance(50) {
            judge.count(.sortChosen)
            let sort = random.pick(["rating", "released", "title"])
            device.choose(SectionOptions(section: "rank", sort: sort), on: Self.home)
        } else {
            judge.count(.windowChosen)
            device.choose(SectionOptions(section: "basic", window: random.int(1...9)), on: Self.home)
        }
    }

    // MARK: - Faults

    private func mischief(_ device: Device) {
        guard let mischief = random.pick(plan.mischiefs) else { return }
        switch mischief {
        case .cuts:
            guard let connection = device.connection else { return }
            judge.note("connection \(connection.number) breaks")
            judge.count(.connectionCut)
            connection.cut()
        case .halfOpen:
            guard let connection = device.connection, random.chance(40) else { return }
            judge.note("connection \(connection.number) is half open")
            judge.count(.halfOpen)
            connection.becomeHalfOpen()
        case .stalls:
            guard let connection = device.connection else { return }
            judge.note("\(device.name) stalls")
            judge.count(.stall)
            connection.stalledUntil = step + random.int(1...40)
        case .damage:
            switch random.int(0...3) {
            case 0: device.connection?.damagesNextToServer = true
            case 1: device.connection?.damage = .bit
            default: device.connection?.damage = .content
            }
        case .garbage: if random.chance(30) { device.connection?.damage = .garbage }
        case .unknown: device.connection?.damage = random.chance(50) ? .unknownKind : .unknownField
        case .kills, .crashes, .fullDisks, .rot, .sleep, .suspensions, .copies: deviceMischief(mischief, device)
        case .serverCrashes, .serverFullDisks, .storeUnreachable, .drains, .lag, .restores, .doubts, .databases:
            serverMischief(mischief)
        case .relayLinks: linkMischief()
        case .arrivals: arriveInLoss()
        case .revocations:
            guard let user = device.user, random.chance(15) else { return }
            judge.note("the tokens of \(user) are revoked")
            judge.count(.tokenRevoked)
            authority?.revoke(of: user)
        case .revisions: reviseInLoss()
        case .crowds: if crowd.isEmpty || random.chance(60) { gather() } else { scatter() }
        case .programmes: break
        }
    }

    private func deviceMischief(_ mischief: Plan.Mischief, _ device: Device) {
        switch mischief {
        case .kills:
            guard device.isRunning, random.chance(40) else { return }
            if random.chance(30) {
                judge.note("\(device.name) shuts down cleanly")
                judge.count(.clientRestarted)
                device.stop()
            } else {
                judge.count(.clientKilled)
                device.kill()
            }
        case .crashes:
            guard device.isRunning, device.crash == nil, random.chance(50) else { return }
            device.crash = (random.int(0...3), random.chance(50) ? .beforeWriting : .afterWriting)
        case .fullDisks:
            device.diskIsFull.toggle()
            judge.note("the disk of \(device.name) is \(device.diskIsFull ? "full" : "free again")")
        case .rot: rot(device)
        case .sleep:
            guard random.chance(30) else { return }
            judge.note("\(device.name) sleeps")
            judge.count(.clientSlept)
            device.sleepsUntil = step + random.int(5...30)
        case .suspensions:
            guard device.isRunning, !device.isSuspended, random.chance(50) else { return }
            judge.note("\(device.name) is suspended")
            judge.count(.clientSuspended)
            device.suspend()
        case .copies: copyMirror(of: device)
        default: break
        }
    }

    private func serverMischief(_ mischief: Plan.Mischief) {
        let number = random.int(0...nodes.count - 1)
        let node = nodes[number]
        let stored = nodes[number % plan.servers].stored
        switch mischief {
        case .serverCrashes:
            guard node.isUp, random.chance(40) else { return }
            if random.chance(50) {
                judge.note("node \(node.number) crashes")
                judge.count(node.stored == nil ? .relayCrashed : .serverCrashed)
                node.crash()
            } else {
                node.stored?.store.crash = crash()
            }
        case .serverFullDisks:
            database.isFull.toggle()
            if database.isFull { judge.count(.serverDiskFull) }
            judge.note("the store's disk is \(database.isFull ? "full" : "free again")")
        case .storeUnreachable: stored?.store.isUnreachable.toggle()
        case .drains:
            guard node.isUp, random.chance(30) else { return }
            judge.note("node \(node.number) drains")
            judge.count(.serverDrained)
            node.drain()
        case .lag:
            guard let stored else { return }
            stored.isLagging.toggle()
            judge.note("node \(stored.node.number) is \(stored.isLagging ? "lagging" : "catching up")")
            if stored.isLagging { judge.count(.nodeLagging) }
        case .restores: backUpOrRestore()
        case .doubts:
            judge.count(.commitInDoubt)
            stored?.store.troubles = random.int(1...4)
        case .databases: databaseMischief()
        default: break
        }
    }

    /// When a node dies in its next write.
    private func crash() -> NodeStore.Crash {
        guard plan.hasDatabase, random.chance(50) else { return random.chance(50) ? .beforeWriting : .afterWriting }
        return .inStep(random.int(0...7))
    }

    /// A relay loses its server, mostly while something is published. Clients come to it and to those behind it, and
    /// open what others show there.
    private func arriveInLoss() {
        guard let link = random.pick(relays.compactMap(\.link)), let number = link.relay?.number else { return }
        judge.note("relay \(number) loses connection \(link.number), and clients arrive")
        judge.count(.arrivedInLoss)
        link.cut()
        if random.chance(70) { publish() }
        for device in devices where device.isRunning && random.chance(50) {
            if random.chance(50) {
                arrivals[device.number] = random.int(number...nodes.count - 1)
                device.connection?.cut()
            } else {
                showOrHide(device)
            }
        }
    }

    /// The token of a relay's guest says another plan of its user while the relay has lost its server.
    private func reviseInLoss() {
        guard let guest = random.pick(devices.filter { link(before: $0) != nil }), let link = link(before: guest) else {
            return
        }
        judge.note("connection \(link.number) of a relay breaks")
        link.cut()
        revise(guest)
    }

    /// The connection upstream of the relay to which a device is connected.
    func link(before device: Device) -> Connection? { device.connection.flatMap { nodes[$0.node].relayed?.link } }

    func revise(_ device: Device) {
        judge.note("the token of \(device.name) is revised")
        judge.count(.tokenRevised)
        authority?.revise(tokenOf: device.number)
    }

    /// Something happens to the connection of a relay.
    private func linkMischief() {
        guard let link = random.pick(relays.compactMap(\.link)) else { return }
        judge.count(.relayLinkFault)
        switch random.int(0...9) {
        case 0...3:
            judge.note("connection \(link.number) of a relay breaks")
            link.cut()
        case 4, 5: link.stalledUntil = step + random.int(1...40)
        case 6: link.becomeHalfOpen()
        case 7: link.damage = .content
        case 8: link.damage = .bit
        default: link.damage = random.chance(50) ? .unknownKind : .unknownField
        }
    }

    // MARK: - Disks

    /// Flips one bit in a device's stored copy of a screen.
    private func rot(_ device: Device) {
        guard case .memory(let disk) = device.disk else { return rotFile(device) }
        let ids = disk.state.views.keys.sorted { $0.description < $1.description }
        guard let id = random.pick(ids), let view = disk.state.views[id],
            let name = random.pick(view.sections.keys.sorted()), let list = view.sections[name],
            let index = random.pick(Array(list.items.indices)), !list.items[index].body.isEmpty
        else { return }
        let place = random.int(0...list.items[index].body.count - 1)
        let bit = UInt8(random.int(0...7))
        judge.note("a bit flips in \(name) of \(id), stored by \(device.name)")
        judge.count(.bitFlipped)
        judge.record(.rotted(device: device.number))
        disk.state.views[id]?.sections[name]?.items[index].body[place] ^= 1 << bit
    }

    private func rotFile(_ device: Device) {
        guard !device.isRunning, case .file(let disk) = device.disk else { return }
        if disk.flipBit(&random) {
            judge.note("a bit flips in what \(device.name) has stored")
            judge.count(.bitFlipped)
            judge.record(.rotted(device: device.number))
        }
    }

    /// Copies the mirror to another device; both run with the same client id.
    private func copyMirror(of device: Device) {
        guard random.chance(20), devices.count <= plan.users.count, device.user != nil else { return }
        // Or one of them could never connect.
        let ofUser = devices.count { $0.user == device.user }
        guard ofUser < plan.limits?.connectionsPerUser ?? .max else { return }
        let disk: Disk
        switch device.disk {
        case .memory(let source): disk = .memory(MemoryDisk(source.state))
        case .file(let source):
            guard let new = newDisk(), case .file(let copy) = new, !device.isRunning else { return }
            do { try source.copy(to: copy) } catch { return }
            disk = new
        }
        judge.note("\(device.name)'s mirror is copied to device \(devices.count)")
        judge.count(.mirrorCopied)
        judge.copy(device.number)
        addDevice("copy of \(device.name)", device.user, disk, device.limits.creditBytes)
        devices[devices.count - 1].copyChoices(of: device)
        start(devices[devices.count - 1])
        devices[devices.count - 1].show(Self.home)
    }

    /// Saves a copy of the logs, or restores one with new epochs.
    private func backUpOrRestore() {
        guard newEpochsAt == nil else { return }
        guard backups[0] != nil, random.chance(40) else {
            if random.chance(40) { backUp() }
            return
        }
        if judge.counts[.epochChanged] < 2 { restoreBackup() }
    }

    func backUp() {
        judge.note("a backup is made")
        backups[0] = try? MemoryStore(restoring: database.engine, seed: random.next())
        judge.truth.mark(0)
    }

    /// The backup takes the place of the logs, with new epochs. All nodes are down afterwards.
    func restoreBackup() {
        if let old = backups[0] { restore(old, 0) }
    }

    /// Restores a copy of the current logs with new epochs. All nodes are down afterwards.
    func restoreCopy() {
        judge.truth.mark(0)
        restore(database.engine, 0)
    }

    func restore(_ old: MemoryStore, _ mark: Int) {
        for node in nodes where node.stored != nil { node.crash() }
        guard let restored = try? MemoryStore(restoring: old, seed: random.next()),
            let head = try? restored.catalogueHead(), let users = try? restored.userHead("")
        else { return }
        judge.count(.epochChanged)
        database.replace(by: restored)
        judge.truth.restore(mark, catalogueEpoch: head.epoch, userEpoch: users.epoch)
        judge.record(.restored(catalogueEpoch: head.epoch, userEpoch: users.epoch))
    }

    // MARK: - Starting again

    func start(_ node: Node) {
        do throws(StoreError) {
            try node.start(now: now)
            judge.note("node \(node.number) starts")
        } catch {
            judge.note("node \(node.number) can't start: \(error)")
        }
    }

    func start(_ device: Device) {
        guard !device.diskIsFull else { return }
        do throws(MirrorError) {
            try device.start(now: now)
        } catch {
            judge.fail(.verified, "\(device.name) can't open its mirror: \(error)")
        }
    }
}
