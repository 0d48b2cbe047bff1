import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeStore
import MarqueeWire

/// A mutation sent again, by retry, crash or failover, takes effect once; none is invented, and none is lost without a
/// word.
struct G7ExactlyOnce: Validator {
    private struct Effect: Hashable {
        var epoch: UInt64
        /// Of a mirror and of its copy each has its own effect: nobody can know that they were one wish.
        var device: Int
        var stamp: Double
    }

    private struct Asked: Equatable {
        var subject: String
        var on: Bool
    }

    private struct Known {
        var revision: UInt64
        var client: [UInt8]
    }

    private var effects: [Effect: Known] = [:]
    /// Clients that the store still knows, the one that was silent longest first. Of one that it has forgotten it can't
    /// know what took effect.
    private var clients: [[UInt8]] = []
    private let clientLimit: Int
    /// What a mutation asked for that was applied, by client and number.
    private var applied: [MutationID: Asked] = [:]
    /// Of devices that were told that their client id is used by two: that id.
    private var shared: [Int: [UInt8]] = [:]
    /// Client ids, by connection.
    private var ids: [Int: [UInt8]] = [:]
    /// The last mutation that was sent, by connection.
    private var numbers: [Int: UInt64] = [:]

    /// - Parameter clients: that the store remembers.
    init(clients: Int) { clientLimit = clients }

    private mutating func use(_ client: [UInt8]) {
        clients.removeAll { $0 == client }
        clients.append(client)
        while clients.count > clientLimit {
            let forgotten = clients.removeFirst()
            effects = effects.filter { $0.value.client != forgotten }
        }
    }

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .connected(let connection, _, _): numbers[connection] = 0
        case .wrote(let writes, let outcomes):
            for case (.favorite(_, let subject, let on, let mutation), .done) in zip(writes, outcomes) {
                applied[mutation.key] = Asked(subject: subject, on: on)
            }
        case .toServer(let connection, .hello(let hello)): ids[connection] = hello.clientID
        case .toClient(let connection, .answer(let answer), _, _) where answer.status?.reason == "CLIENT_CLONED":
            if let device = scene.device(of: connection) { shared[device] = ids[connection] }
        // What is told is done at once, unless the disk is full or the process dies.
        case .settled(let device, _), .opened(let device, _, _): shared[device] = nil
        case .renumbered(let device, let client, _):
            if shared.removeValue(forKey: device) == client {
                throw violation("device \(device) goes on under a client id that another one uses")
            }
        case .toServer(let connection, .request(let request)): try checkOrder(request, connection)
        case .mutated(let device, let client, let request, .success(let outcome)):
            try judge(outcome, request, client, device, scene, truth)
        default: break
        }
    }

    /// Later ones must not overtake earlier ones: these could never be applied any more.
    private mutating func checkOrder(_ request: Request, _ connection: Int) throws(Violation) {
        guard request.method == .favorite, let body = try? CallBodyCodec.decodeFavoriteRequest(request.body),
            let before = numbers[connection]
        else { return }
        guard body.number >= before else {
            throw violation("connection \(connection): mutation \(body.number) is sent after \(before)")
        }
        numbers[connection] = body.number
    }

    private mutating func judge(
        _ outcome: StoreOutcome, _ request: FavoriteRequest, _ client: [UInt8], _ device: Int, _ scene: Scene,
        _ truth: Truth
    ) throws(Violation) {
        switch outcome {
        case .done(let revision, _):
            guard let wish = scene.wishes.find(request.number, of: client, on: device) else {
                throw violation("mutation \(request.number) of device \(device) took effect, and nobody wished for it")
            }
            guard wish.subject == request.subject, wish.on == request.favorite else {
                throw violation("wish \(request.number) of device \(device) took effect as \(request)")
            }
            guard wish.isSent else {
                throw violation("wish \(request.number) of device \(device) was sent, and its mirror does not know")
            }
            let effect = Effect(epoch: truth.current.userEpoch, device: device, stamp: wish.stamp)
            if let before = effects[effect] {
                throw violation(
                    "wish \(request.number) of device \(device), \(wish.subject) \(wish.on), took effect at revision "
                        + "\(before.revision) and again at \(revision)")
            }
            effects[effect] = Known(revision: revision, client: client)
            use(client)
        case .repeated(let revision, _):
            let asked = Asked(subject: request.subject, on: request.favorite)
            if let first = applied[MutationID(client: client, number: request.number, answeredThrough: 0)],
                first != asked
            {
                throw violation(
                    "mutation \(request.number) of device \(device) gets the answer of another one: \(first)")
            }
            guard let wish = scene.wishes.find(request.number, of: client, on: device) else { return }
            guard wish.subject == request.subject, wish.on == request.favorite else {
                throw violation("wish \(request.number) of device \(device) was answered as \(request)")
            }
            // Given now what was given then.
            let effect = Effect(epoch: truth.current.userEpoch, device: device, stamp: wish.stamp)
            if let before = effects[effect], before.revision != revision {
                throw violation(
                    "wish \(request.number) of device \(device) took effect at \(before.revision) and is said to have at \(revision)"
                )
            }
        case .cloned, .forgotten, .refused, .failed: break
        }
    }

    mutating func judgeEnd(_ end: End, _ scene: Scene, _ truth: Truth) throws(Violation) {
        for device in end.devices {
            // What a process did not live to say is found in the mirror by the next one, until somebody wishes anew.
            var told = scene.wishes.told[device.number] + device.rejections.map(\.subject)
            let wishes = scene.wishes.byDevice[device.number]
            for (index, wish) in wishes.enumerated() {
                let what = "\(device.name)'s wish \(wish.number), \(wish.subject) \(wish.on),"
                switch wish.state {
                case .waiting, .answered: throw violation("\(what) still waits")
                case .left where wish.effects.isEmpty: throw violation("\(what) was confirmed and had no effect")
                case .left, .folded: break
                case .rolledBack:
                    if wishes[(index + 1)...].contains(where: { $0.subject == wish.subject }) { continue }
                    guard let index = told.firstIndex(of: wish.subject) else {
                        throw violation("\(what) was taken back, and the app was not told")
                    }
                    told.remove(at: index)
                }
            }
        }
        // What the store holds is what its outcomes said.
        for user in end.favorites.keys.sorted() {
            let expected = truth.current.favorites(of: user, at: truth.current.newest(of: user)) ?? []
            let found = (end.favorites[user] ?? []).sorted { $0.revision > $1.revision }
            guard found == expected else { throw violation("the store has \(found) of \(user), not \(expected)") }
        }
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .exactlyOnce, message: message) }
}

extension MutationID {
    /// The same for every sending.
    fileprivate var key: MutationID { MutationID(client: client, number: number, answeredThrough: 0) }
}
