import MarqueeClient
import MarqueeDiff
import MarqueeModel
import MarqueeWire
import NIOCore

/// A scripted server and the network to it, on one virtual loop. It doesn't use the real server's code: it follows the
/// script, and speaks the same protocol.
final class ScriptedWorld {
    /// The most versions kept as bases of patches; when a base is older, the content is sent in full.
    static let maximumVersions = 4_096
    /// The most answers to changes kept for a client.
    static let maximumAnswers = 64

    /// How long an attempt to connect takes when nothing answers.
    private static let connectTimeout = TimeAmount.seconds(10)

    let loop: VirtualLoop
    var content = ScriptedContent()
    var locales = ["en"]
    var imageBaseURL: String?
    private(set) var network = ScriptedNetwork.online
    private(set) var sessions: [ScriptedSession] = []
    var refusedScreens: [ScreenID: Refusal] = [:]
    private(set) var refusedSections: [ScreenID: [String: Refusal]] = [:]
    var refusedChanges: (@Sendable (CollectionName, Subject) -> Refusal?)?
    var refusedTokens: (@Sendable (String?) -> Bool)?
    /// Whether the next patch is sent with a wrong sum.
    var isNextPatchWrong = false
    /// The number of repairs that clients have requested.
    var repairs = 0
    private var versions: [UInt64: Version] = [:]
    private var versionOrder: [UInt64] = []
    private var answers: [[UInt8]: [(request: CollectionRequest, answer: MutationAnswer)]] = [:]

    init(loop: VirtualLoop) { self.loop = loop }

    // MARK: - The network

    func set(_ network: ScriptedNetwork) {
        let wasSilent = self.network == .silent
        self.network = network
        if network == .offline || wasSilent && network != .silent { disconnect() }
    }

    /// Breaks all connections.
    func disconnect() {
        let open = sessions
        sessions.removeAll()
        for session in open { session.cut("the connection was closed") }
    }

    func connect(_ reader: ConnectionReader) -> EventLoopFuture<Void> {
        switch network {
        case .online, .slow: break
        case .offline: return loop.makeFailedFuture(ClientError(.unavailable, "the scripted server is offline"))
        case .silent:
            return loop.scheduleTask(in: Self.connectTimeout) {
                throw ClientError(.unavailable, "the scripted server doesn't answer")
            }.futureResult
        }
        let session = ScriptedSession(world: self, reader: reader)
        sessions.append(session)
        session.open()
        return loop.makeSucceededVoidFuture()
    }

    func forget(_ session: ScriptedSession) { sessions.removeAll { $0 === session } }

    // MARK: - What is shown

    /// Sends all changes to every reader.
    func publish() {
        for session in sessions { session.bring() }
    }

    func change(_ work: (inout ScriptedContent) -> Void) {
        content.revision += 1
        work(&content)
        publish()
    }

    func refuse(_ screen: ScreenID, _ refusal: Refusal?) {
        refusedScreens[screen] = refusal
        publish()
    }

    func refuse(_ section: String, of screen: ScreenID, _ refusal: Refusal?) {
        refusedSections[screen, default: [:]][section] = refusal
        publish()
    }

    /// A version that was sent to some client, by its sum.
    func version(_ sum: UInt64) -> Version? { sum == Version.empty.sum ? .empty : versions[sum] }

    func remember(_ version: Version) {
        guard versions.updateValue(version, forKey: version.sum) == nil else { return }
        versionOrder.append(version.sum)
        if versionOrder.count > Self.maximumVersions { versions[versionOrder.removeFirst()] = nil }
    }

    // MARK: - Changes of collections

    func lastMutation(of client: [UInt8]) -> UInt64? { answers[client]?.last?.request.number }

    func apply(_ request: CollectionRequest, of client: [UInt8], user: String?) -> Result<MutationAnswer, Refusal> {
        guard let user else { return .failure(.needsUser) }
        let known = answers[client] ?? []
        if let kept = known.first(where: { $0.request.number == request.number }) { return .success(kept.answer) }
        guard request.number > known.last?.request.number ?? 0 else { return .failure(.forgotten) }
        let subject = Subject(request.subject)
        guard content.collections.contains(request.collection) else {
            return .failure(.unknownCollection(request.collection))
        }
        if let refusal = refusedChanges?(request.collection, subject) { return .failure(refusal) }
        let changed = content.users[user, default: ScriptedUser()].set(
            subject, in: request.collection, request.isMember, value: request.value)
        let revision = content.users[user]?.revision
        let answer = MutationAnswer(
            number: request.number, cut: CutChange(userRevision: revision), changed: changed)
        answers[client] = (known + [(request, answer)]).suffix(Self.maximumAnswers)
        return .success(answer)
    }
}

extension Refusal {
    static let forgotten = Refusal(
        Status(
            .aborted, reason: "MUTATION_FORGOTTEN", remedy: .fatal, message: "the answer to this change is not kept"))

    static func unknownCollection(_ name: CollectionName) -> Refusal {
        Refusal(
            Status(
                .notFound, reason: "COLLECTION_UNKNOWN", remedy: .fatal, message: "there is no collection '\(name)'"))
    }
}

/// A client's environment in the scripted world.
final class ScriptedEnvironment: ClientEnvironment {
    private let world: ScriptedWorld
    /// Seconds since 1970 when the loop's clock was at zero.
    private let start: Double
    private let number: UInt8
    private var ids: UInt8 = 0

    init(_ world: ScriptedWorld, start: Double, number: UInt8) {
        self.world = world
        self.start = start
        self.number = number
    }

    func uptime() -> UInt64 { world.loop.now.uptimeNanoseconds / 1_000_000 }
    func wallTime() -> Double { start + Double(world.loop.now.uptimeNanoseconds) / 1e9 }
    /// Always the upper bound, so pauses are as long as they can be.
    func fraction() -> Double { 1 }

    func newClientID() -> [UInt8] {
        ids &+= 1
        return [number, ids] + [UInt8](repeating: 7, count: Hello.clientIDBytes - 2)
    }

    func connect(
        _ reader: ConnectionReader, to configuration: ClientConfiguration, on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        world.connect(reader)
    }
}
