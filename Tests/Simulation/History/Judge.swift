import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeServer
import MarqueeStore

/// Records what happens and checks every guarantee.
///
/// Unchecked because a schedule runs on a single thread.
final class Judge: @unchecked Sendable {
    private(set) var scene: Scene
    let truth: Truth
    private let authority: TokenAuthority?
    private var validators: [any Validator]
    private var resumable = G5Resumable()
    /// `nil` unless tokens name plans.
    private var audience: G8Audience?
    private let relaysFrom: Int
    private(set) var counts = Counts()
    /// Events so far.
    private(set) var recorded: UInt64 = 0
    /// Bytes of data and stage frames written by nodes.
    private(set) var dataBytes: UInt64 = 0
    private(set) var violation: Violation?
    /// `nil` if no one will read it.
    var trace: Trace?
    /// By device, the lowest position it can be at.
    private var floors: [Int: (epochs: [UInt64], position: Move.Position)] = [:]
    private var hasConnected: Set<Int> = []
    /// By device, the client id it stated.
    private var client: [Int: [UInt8]] = [:]

    /// - Parameters:
    ///   - clients: how many clients' mutations the store remembers.
    ///   - authority: `nil` if servers believe everybody.
    ///   - relaysFrom: the number of the first node that is a relay, if any is.
    ///   - limits: of each server; `nil` if they can't be hit.
    init(
        truth: Truth, users: [String?], clients: Int, authority: TokenAuthority?, relaysFrom: Int, limits: ServerLimits?
    ) {
        self.truth = truth
        validators = [
            G10ForwardCompatible(), G1Monotone(), G4Verified(), G9Bookmarked(), G3Atomic(), G2Convergent(),
            G6ReadYourWrites(), G7ExactlyOnce(clients: clients), G8Bounded(),
        ]
        self.authority = authority
        self.relaysFrom = relaysFrom
        validators.append(G1Relayed(relaysFrom: relaysFrom))
        if let authority { validators.append(G8Permitted(authority, relaysFrom: relaysFrom)) }
        if let authority, authority.hasPlans { audience = G8Audience(authority, relaysFrom: relaysFrom) }
        if let limits { validators.append(G8Charged(limits)) }
        scene = Scene(users: users)
    }

    func count(_ occurrence: Occurrence) { counts[occurrence] += 1 }

    /// Reports a failure detected without a validator.
    func fail(_ guarantee: Guarantee, _ message: String) {
        if violation == nil { violation = Violation(guarantee: guarantee, message: message) }
    }

    /// Records what a schedule does, for a trace.
    func note(_ text: @autoclosure () -> String) { trace?.note(text()) }

    /// Adds a device that starts with a copy of another one's disk.
    func copy(_ device: Int) { scene.copy(device) }

    func record(_ event: Event) {
        guard violation == nil else { return }
        trace?.note(event)
        recorded += 1
        do throws(Violation) {
            switch event {
            case .stored(let device, _), .kept(let device, _), .settled(let device, _): try finishMove(of: device)
            case .wrote(let writes, let outcomes):
                for (write, outcome) in zip(writes, outcomes) {
                    if let wrong = truth.follow(write, outcome) {
                        throw Violation(guarantee: .exactlyOnce, message: wrong)
                    }
                    if case .catalogue = write, case .done(_, changed: true) = outcome { counts[.commit] += 1 }
                }
            case .toServer(_, .subscribe(let subscribe)):
                for section in subscribe.sections { truth.note(section.place, of: section.section) }
            case .mutated(Connection.nobody, let connection, _, let request, _):
                throw Violation(
                    guarantee: .exactlyOnce, message: "connection \(connection) makes nobody's change: \(request)")
            case .fromServer(let connection, .close(let status), _, _, _)
            where authority == nil && status.remedy == .reauthenticate:
                throw Violation(
                    guarantee: .convergent,
                    message: "connection \(connection) is told \(status), and nobody has a token")
            default: break
            }
            // Content held only in memory is gone: the next process starts with what is stored.
            if case .opened(let device, _, _) = event, scene.devices[device].isAhead { floors[device] = nil }
            scene.apply(event, userEpoch: truth.current.userEpoch)
            if case .admitted(let connection, let token) = event {
                // A relay may know one as whom the token named before it was revised.
                for reader in authority?.readers(of: token) ?? [] { scene.admit(reader, on: connection) }
            }
            count(event)
            for index in validators.indices { try validators[index].judge(event, scene, truth) }
            try audience?.judge(event, scene, truth)
            try resumable.judge(event, scene, truth)
            if let wrong = truth.disagreement { throw Violation(guarantee: .convergent, message: wrong) }
        } catch {
            violation = error
        }
    }

    /// The last transaction's content is now shown.
    private func finishMove(of device: Int) throws(Violation) {
        guard let transaction = scene.devices[device].unfinished else { return }
        scene.finishMove(of: device)
        let place = scene.devices[device]
        let states = transaction.currentViews.filter { !place.incomplete.contains($0) }.sorted()
            .compactMap { place.shown[$0] }
        let cut = transaction.cut
        let epochs = [cut.catalogueEpoch, cut.userEpoch]
        let start = Move.Position(revision: 0, userRevision: 0)
        let floor = floors[device].flatMap { $0.epochs == epochs ? $0.position : nil } ?? start
        let lineage = truth.lineage(ofCatalogue: cut.catalogueEpoch).flatMap {
            place.user == nil || $0.userEpoch == cut.userEpoch ? $0 : nil
        }
        let move = Move(
            device: device, readers: place.readers, cut: cut, states: states, floor: floor, lineage: lineage)
        if let position = move.position(of: states, from: move.start, truth) {
            floors[device] = (epochs, position)
            return
        }
        for index in validators.indices { try validators[index].judge(move, scene, truth) }
        throw Violation(
            guarantee: .convergent, message: "device \(device) at \(cut) shows \(states.map(\.id)) of no position")
    }

    /// Judges the final state, once everything is quiet.
    func judgeEnd(_ end: End) {
        guard violation == nil else { return }
        do throws(Violation) {
            for index in validators.indices { try validators[index].judgeEnd(end, scene, truth) }
        } catch {
            violation = error
        }
        counts[.guestRevised] += audience?.revised ?? 0
        counts[.tier0] += UInt64(resumable.tiers[0])
        counts[.tier1] += UInt64(resumable.tiers[1])
        counts[.tier2] += UInt64(resumable.tiers[2])
        counts[.tier3] += UInt64(resumable.tiers[3])
    }

    private func countRenewal(on connection: Int) {
        // The one before and the new one.
        let tokens = scene.connections[connection]?.tokens.suffix(2) ?? []
        if Set(tokens.compactMap { authority?.reader(of: $0) }).count == 2 {
            counts[.audienceSwitched] += 1
            if scene.connections[connection]?.node ?? 0 >= relaysFrom { counts[.guestSwitched] += 1 }
        }
        let permissions = tokens.compactMap { authority?.permissions(of: $0) }
        guard permissions.count == 2 else { return }
        if permissions[0].exceeds(permissions[1]) { counts[.tokenNarrowed] += 1 }
        if permissions[1].exceeds(permissions[0]) { counts[.tokenWidened] += 1 }
    }

    private func count(_ event: Event) {
        switch event {
        case .hit(let limit, _, _): if let occurrence = Occurrence(limit) { counts[occurrence] += 1 }
        case .admitted(let connection, _): countRenewal(on: connection)
        case .toClient(_, .answer(let answer), _, _) where answer.status?.reason == "SCOPE_TOO_SMALL":
            counts[.changeForbidden] += 1
        case .connected(_, let device, _): if !hasConnected.insert(device).inserted { counts[.reconnect] += 1 }
        case .toClient(let connection, .welcome(let welcome), _, _):
            guard let device = scene.device(of: connection) else { return }
            let applied = scene.operations.byDevice[device].filter { $0.effects[truth.current.userEpoch] != nil }
            if applied.contains(where: { $0.number > welcome.lastMutation ?? 0 && $0.client == client[device] }) {
                counts[.clientForgotten] += 1
            }
        case .toServer(let connection, .hello(let hello)):
            if let device = scene.device(of: connection) { client[device] = hello.clientID }
        case .fromServer(_, let message, _, let bytes, _):
            if message.kind == .data || message.kind == .stage { dataBytes += UInt64(bytes) }
        case .toServer(_, .nack): counts[.nack] += 1
        case .toServer(_, .close(let status)), .toClient(_, .close(let status), _, _):
            if status.reason == "NODE_BEHIND" { counts[.nodeBehind] += 1 }
        case .toClient(_, .repair, _, _): counts[.repair] += 1
        case .mutated(_, _, _, _, .success(let outcome)):
            switch outcome {
            case .repeated: counts[.mutationRepeated] += 1
            case .cloned: counts[.clientCloned] += 1
            case .forgotten: counts[.mutationForgotten] += 1
            case .done, .keyReused, .tooManyClients, .elsewhere, .refused, .failed: break
            }
        case .mended: counts[.mended] += 1
        case .kept: counts[.keptInMemory] += 1
        case .toServer(_, .manifest): counts[.manifest] += 1
        case .toClient(_, .subscriptionError(let error), _, _):
            if error.section != nil { counts[.sectionFailed] += 1 }
        case .rejected: counts[.mutationRejected] += 1
        case .renumbered(_, _, let result): counts[.rolledBack] += UInt64(result.rolledBack.count)
        case .shown(_, let state): if !state.damaged.isEmpty { counts[.damagedSection] += 1 }
        default: break
        }
    }
}
