import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWire

/// A mutation sent again, by retry, crash or failover, takes effect once; none is invented, and none is silently lost.
struct G7ExactlyOnce: Validator {
    private struct Effect: Hashable {
        var epoch: UInt64
        /// A mirror and its copy each have their own effect: no one can know they were the same operation.
        var device: Int
        var stamp: Double
    }

    private struct Known {
        var revision: UInt64
        var client: [UInt8]
    }

    private var effects: [Effect: Known] = [:]
    /// The mutations that the store has applied, whether or not a node learnt of them: the log by client and number.
    private var done: [MutationID: UInt64] = [:]
    /// Clients the store still remembers, the longest silent first. It can't know what took effect for a forgotten one.
    private var clients: [[UInt8]] = []
    private let clientLimit: Int
    /// The requests of applied mutations, by client and number, and by log: a mirror and its copy may make different
    /// ones in logs that follow each other after restores, and in one log once the store has forgotten their client.
    /// A backup may have been made after each of them.
    private var applied: [MutationID: [UInt64: [MemberChange]]] = [:]
    /// The client ids of devices told that theirs is used twice.
    private var shared: [Int: [UInt8]] = [:]
    /// Client ids, by connection.
    private var ids: [Int: [UInt8]] = [:]
    /// The last mutation sent, by connection.
    private var numbers: [Int: UInt64] = [:]

    /// - Parameter clients: how many the store remembers.
    init(clients: Int) { clientLimit = clients }

    private mutating func use(_ client: [UInt8]) {
        clients.removeAll { $0 == client }
        clients.append(client)
        while clients.count > clientLimit {
            let forgotten = clients.removeFirst()
            effects = effects.filter { $0.value.client != forgotten }
            done = done.filter { $0.key.client != forgotten }
        }
    }

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .connected(let connection, _, _): numbers[connection] = 0
        case .wrote(let writes, let outcomes):
            for case (.member(_, let change, let mutation), .done) in zip(writes, outcomes) {
                let log = truth.current.userEpoch
                applied[mutation.key, default: [:]][log, default: []].append(change)
                use(mutation.client)
                if done.updateValue(log, forKey: mutation.key) == log {
                    throw violation("the store does mutation \(mutation.number), \(change), twice")
                }
            }
        case .remembered(let lastMutation):
            // However the clocks leap.
            let log = truth.current.userEpoch
            for client in clients where lastMutation(client) == nil {
                guard done.contains(where: { $0.key.client == client && $0.value == log }) else { continue }
                throw violation("the store has forgotten a client that has just made a change")
            }
        case .toServer(let connection, .hello(let hello)): ids[connection] = hello.clientID
        case .toClient(let connection, .answer(let answer), _, _) where answer.status?.reason == "CLIENT_CLONED":
            if let device = scene.device(of: connection) { shared[device] = ids[connection] }
        // The device acts on it immediately, unless the disk is full or the process dies.
        case .settled(let device, _), .opened(let device, _, _): shared[device] = nil
        case .renumbered(let device, let client, _):
            if shared.removeValue(forKey: device) == client {
                throw violation("device \(device) keeps using a client id that another one uses")
            }
        case .toServer(let connection, .request(let request)): try checkOrder(request, connection)
        case .mutated(let device, _, let client, let request, .success(let outcome)):
            try judge(outcome, request, client, device, scene, truth)
        default: break
        }
    }

    /// Later ones must not overtake earlier ones: those could then never be applied.
    private mutating func checkOrder(_ request: Request, _ connection: Int) throws(Violation) {
        guard request.method == .collection, let body = try? CallBodyCodec.decodeCollectionRequest(request.body),
            let before = numbers[connection]
        else { return }
        guard body.number >= before else {
            throw violation("connection \(connection): mutation \(body.number) is sent after \(before)")
        }
        numbers[connection] = body.number
    }

    private mutating func judge(
        _ outcome: StoreOutcome, _ request: CollectionRequest, _ client: [UInt8], _ device: Int, _ scene: Scene,
        _ truth: Truth
    ) throws(Violation) {
        switch outcome {
        case .done(let revision, _):
            guard let operation = scene.operations.find(request.number, of: client, on: device) else {
                throw violation("mutation \(request.number) of device \(device) took effect, but no one requested it")
            }
            guard operation.isAsked(by: request) else {
                throw violation("operation \(request.number) of device \(device) took effect as \(request)")
            }
            guard operation.isSent else {
                throw violation(
                    "operation \(request.number) of device \(device) was sent, but its mirror doesn't know it")
            }
            let effect = Effect(epoch: truth.current.userEpoch, device: device, stamp: operation.stamp)
            if let before = effects[effect] {
                throw violation(
                    "operation \(request.number) of device \(device), \(operation.subject) \(operation.on), took effect at revision "
                        + "\(before.revision) and again at \(revision)")
            }
            // Later writes of its batch may have made the store forget it already.
            let known = MutationID.client(client, of: scene.devices[device].user)
            if clients.contains(known) { effects[effect] = Known(revision: revision, client: known) }
        case .repeated(let revision, _):
            let asked = try? request.change(by: Types.set)
            let known = MutationID.client(client, of: scene.devices[device].user)
            let all = applied[MutationID(client: known, number: request.number, answeredThrough: 0)] ?? [:]
            // A restore brings content of one of the logs before.
            let possible = all[truth.current.userEpoch].map { Array($0.suffix(1)) } ?? all.values.flatMap(\.self)
            guard possible.isEmpty || possible.contains(where: { $0 == asked }) else {
                throw violation(
                    "mutation \(request.number) of device \(device) gets another one's answer: \(possible)")
            }
            guard let operation = scene.operations.find(request.number, of: client, on: device) else { return }
            guard operation.isAsked(by: request) else {
                throw violation("operation \(request.number) of device \(device) was answered as \(request)")
            }
            // The same answer as before.
            let effect = Effect(epoch: truth.current.userEpoch, device: device, stamp: operation.stamp)
            if let before = effects[effect], before.revision != revision {
                throw violation(
                    "operation \(request.number) of device \(device) took effect at \(before.revision) and is said to have at \(revision)"
                )
            }
        case .cloned, .forgotten, .keyReused, .tooManyClients, .elsewhere, .refused, .failed: break
        }
    }

    mutating func judgeEnd(_ end: End, _ scene: Scene, _ truth: Truth) throws(Violation) {
        for device in end.devices {
            // The next process finds in the mirror a rollback that one didn't live to report, unless there is a new
            // operation.
            var reported = scene.operations.reportedRollbacks[device.number] + device.rejections.map(\.name)
            let operations = scene.operations.byDevice[device.number]
            for (index, operation) in operations.enumerated() {
                let what = "\(device.name)'s operation \(operation.number), \(operation.subject) \(operation.on),"
                switch operation.state {
                // A confirmed change waits for collections that show it, which the device may not see.
                case .answered where !device.seesCollections: break
                case .waiting, .answered: throw violation("\(what) still waits")
                case .left where operation.effects.isEmpty: throw violation("\(what) was confirmed but had no effect")
                case .left, .folded: break
                case .rolledBack:
                    if operations[(index + 1)...].contains(where: { $0.name == operation.name }) { continue }
                    guard let index = reported.firstIndex(of: operation.name) else {
                        throw violation("\(what) was rolled back, but the app was not notified")
                    }
                    reported.remove(at: index)
                }
            }
        }
        // The store's content matches its outcomes.
        for user in end.members.keys.sorted() {
            let expected = truth.current.members(of: user, at: truth.current.newest(of: user)) ?? []
            let found = (end.members[user] ?? []).sorted { $0.revision > $1.revision }
            guard found == expected else { throw violation("the store has \(found) of \(user), not \(expected)") }
        }
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .exactlyOnce, message: message) }
}

extension MutationID {
    /// The same for every attempt.
    fileprivate var key: MutationID { MutationID(client: client, number: number, answeredThrough: 0) }
}
