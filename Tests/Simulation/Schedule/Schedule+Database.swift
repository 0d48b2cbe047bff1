import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

// Faults of a database's servers, and between them and the nodes.

extension Schedule {
    /// A transaction of a node is about to do a step. Anything may happen before it, by other hands.
    func stepped(_ store: NodeStore, _ step: CommitCourse.Step) {
        guard plan.hasDatabase, !isCalm, !isWithinStep else { return }
        let isPause = if case .pause = step { true } else { false }
        guard store.troubles > 0 || isPause, random.chance(isPause ? 12 : store.isInDoubt ? 40 : 20) else { return }
        isWithinStep = true
        defer { isWithinStep = false }
        switch random.int(0...9) {
        case 0...3 where !database.present.isUp: restartDatabase()
        case 0, 1:
            // Others go on meanwhile.
            let others = nodes.filter { $0.isUp && $0.stored?.store.isWriting == false }
            if let node = random.pick(others) { write(node) }
        case 2 where store.isInDoubt && random.chance(30): store.isUnreachable = true
        case 2: store.glance()
        case 3, 4: failOver()
        default: databaseMischief()
        }
    }

    /// Operators mend what doesn't mend itself.
    func operate() {
        if !database.present.isUp, random.chance(30) { restartDatabase() }
        for store in stores where store.store.isUnreachable && random.chance(20) { store.store.isUnreachable = false }
        if database.present.settings != DatabaseServer.durable {
            switch random.int(0...9) {
            case 0, 1:
                judge.note("the database's settings are as they were")
                database.present.settings = DatabaseServer.durable
            case 2: crashDatabase()
            default: break
            }
        }
        if database.hasFormer, random.chance(12) {
            if random.chance(60) { returnFormer() } else { stopFormer() }
        }
    }

    func databaseMischief() {
        switch random.int(0...11) {
        case 0...2: failOver()
        case 3, 4: if database.present.isUp { crashDatabase() } else { restartDatabase() }
        case 5, 6: endConnection()
        case 7, 8: changeSetting()
        case 9: leap()
        default: if database.hasFormer { returnFormer() }
        }
    }

    private func crashDatabase() {
        judge.note("the database crashes")
        database.crash(database.present)
    }

    private func restartDatabase() {
        judge.note("the database starts again")
        database.restart()
    }

    /// A former primary comes back. Some of the nodes' connections end, and new ones may lead there.
    private func returnFormer() {
        judge.note("a former primary comes back")
        database.returnFormer()
        for connection in stores.flatMap(\.store.connections) where random.chance(30) { connection.isEnded = true }
    }

    private func stopFormer() {
        judge.note("a former primary becomes a standby")
        database.stopFormer()
    }

    /// One connection of a node ends, the others last.
    private func endConnection() {
        guard let connection = random.pick(stores.flatMap(\.store.connections)) else { return }
        judge.note("a connection to the database ends")
        judge.count(.databaseConnectionEnded)
        connection.isEnded = true
    }

    private func changeSetting() {
        guard let index = random.pick(Array(CommitDurability.settings.indices) + [2, 2]) else { return }
        judge.note("\(CommitDurability.settings[index]) is off")
        judge.count(.databaseSettingChanged)
        database.present.settings[index] = "off"
    }

    /// The database's clock leaps by days, and a new client comes, for which others could be forgotten.
    private func leap() {
        let days = random.int(-30...400)
        judge.note("the database's clock leaps by \(days) days")
        judge.count(.databaseClockLeapt)
        database.present.leap += Int64(days) * 86_400_000
        guard let node = random.pick(nodes.filter { $0.isUp && $0.stored != nil }) else { return }
        newcomers += 1
        let id = [UInt8](repeating: UInt8(clamping: 100 + newcomers), count: MutationID.clientLength)
        let mutation = MutationID(client: MutationID.client(id, of: "eve"), number: 1, answeredThrough: 0)
        let change = MemberChange(
            collection: .favorites, subject: "film/\(newcomers)", effect: .set(value: []))
        _ = node.stored?.submit(.member(user: "eve", change, mutation: mutation)) { _ in }
    }

    // MARK: - Failovers

    /// A standby begins to lag, or is promoted. Nodes lose their connections, and find another database.
    private func failOver() {
        guard newEpochsAt == nil else { return }
        guard database.standby != nil, random.chance(50) else {
            guard database.present.isUp else { return }
            database.beginToLag(seed: random.next())
            judge.truth.mark(Self.standby)
            standbyLacks = 0
            return
        }
        let isBehind = standbyLacks > 0
        guard database.canFailOver, !isBehind || judge.counts[.epochChanged] < 2 else { return }
        judge.note("a standby that has \(isBehind ? "not everything" : "everything") is promoted")
        judge.count(isBehind ? .failoverLost : .failover)
        if isWithinStep { judge.count(.failoverInCommit) }
        database.failOver(isCutOff: random.chance(40))
        for store in stores { store.databaseChanged() }
        if isBehind { wait(forEpochs: random.int(3...15)) }
        if random.chance(30) {
            for store in stores { store.store.glance() }
            returnFormer()
        }
    }

    /// The operator hasn't decided yet what to do with a standby that lacks commits. Nodes that have seen less couldn't
    /// tell, so they don't reach it; those that have seen more refuse it.
    private func wait(forEpochs steps: Int) {
        newEpochsAt = step + steps
        promoted = try? MemoryStore(crashed: database.engine, seed: random.next())
        for store in stores { store.store.isMute = !store.hasSeen(moreThan: database.engine) }
        // Somebody else reuses the revisions that were lost.
        if random.chance(50) { database.useAgain(random.int(1...12), &random) }
    }

    /// Its number among the marks.
    static let standby = 1

    /// The operator gives a database that has lost commits new epochs. All nodes are down afterwards.
    func giveNewEpochs() {
        newEpochsAt = nil
        judge.note("the database gets new epochs")
        guard let promoted else { return }
        restore(promoted, Self.standby)
    }
}
