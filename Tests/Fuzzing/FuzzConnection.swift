import Foundation
import HubSupport
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeWire
import NIOCore

/// A session of a fuzzed server, with the frames that it has written.
///
/// Every frame has to be one that a client accepts, and the frames of a cut have to follow each other.
final class FuzzConnection: SessionShell, CutOutput {
    private unowned let server: FuzzServer
    private(set) lazy var session = Session(server.loop, shell: self, settings: server.settings, now: server.now)
    private var frames = FrameDecoder()
    /// The number of further cuts that it takes as a member of a cohort.
    var room = Int.max
    /// Messages written and not taken yet.
    private var written: [(message: Message, flags: FrameFlags, bytes: Int)] = []
    /// Bytes of all data and stage frames.
    private(set) var dataBytes: UInt64 = 0
    private(set) var isClosing = false
    private var isInCut = false

    init(_ server: FuzzServer) {
        self.server = server
        // Lazy: it exists from here on.
        _ = session
    }

    /// The connection is gone.
    func end() {
        run(session.core.shut())
        session.end()
    }

    // MARK: - In

    func receive(_ message: Message) {
        guard !isClosing else { return }
        session.heard(now: server.now)
        run(session.received(message, now: server.now))
        session.received(frames: 1, isWithinFrame: frames.pendingBytes > 0, now: server.now)
    }

    /// Bytes arrive, as `SessionHandler` takes them.
    func receive(_ bytes: [UInt8]) {
        guard !isClosing else { return }
        session.heard(now: server.now)
        frames.append(ByteBuffer(bytes: bytes))
        var taken = 0
        do throws(WireError) {
            while !isClosing {
                frames.maximumLength = session.frameLimit
                guard let frame = try frames.next() else { break }
                taken += 1
                guard let message = try MessageCodec.decode(frame, limits: server.settings.limits) else { continue }
                run(session.received(message, now: server.now))
            }
        } catch {
            run(session.core.receivedGarbage(error.status))
        }
        session.received(frames: taken, isWithinFrame: frames.pendingBytes > 0, now: server.now)
    }

    /// A frame's body arrives, as if its checksum were right.
    func receive(kind: FrameKind, body: [UInt8]) {
        guard !isClosing else { return }
        let frame = Frame(kind: kind, body: ByteBuffer(bytes: body))
        do throws(WireError) {
            guard let message = try MessageCodec.decode(frame, limits: server.settings.limits) else { return }
            receive(message)
        } catch {
            run(session.core.receivedGarbage(error.status))
        }
    }

    func tick() { run(session.tick(now: server.now)) }

    // MARK: - Out

    /// Writes at most `limit` data frames.
    func pump(_ limit: Int = .max) {
        guard !session.isSynced else { return }
        writeControl()
        var count = 0
        while !isClosing, count < limit, let frame = session.core.nextDataFrame(now: server.now) {
            note(frame)
            writeControl()
            count += 1
        }
        run(session.core.takeDeferredActions())
        writeControl()
        if !isClosing { session.settle() }
    }

    private func writeControl() { for frame in session.core.takeControlFrames() { note(frame) } }

    var output: any CutOutput { self }

    func write(_ cut: CohortCut) -> Bool {
        guard !isClosing, room > 0 else { return false }
        room -= 1
        var bytes = cut.bytes
        while let length = bytes.getInteger(at: bytes.readerIndex, as: UInt32.self),
            let frame = bytes.readSlice(length: Int(length) + Frame.lengthBytes)
        {
            note(frame)
        }
        return true
    }

    func takeResults() {}

    /// The input says whose turn it is.
    func askForTurn() {}

    func takeWritten() -> [(message: Message, flags: FrameFlags, bytes: Int)] {
        defer { written = [] }
        return written
    }

    private func note(_ bytes: ByteBuffer) {
        var decoder = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
        decoder.append(bytes)
        guard let frame = try? decoder.next(), decoder.pendingBytes == 0,
            let message = try? MessageCodec.decode(frame, limits: .client)
        else { fatalError("a client accepts every frame of the server") }
        switch message {
        case .join, .repair, .data:
            require(frame.flags.contains(.first) != isInCut, "a cut begins once")
            isInCut = !frame.flags.contains(.last)
        case .welcome, .stage, .progress: require(!isInCut, "a cut is not interrupted by \(message)")
        default: break
        }
        switch message {
        case .data, .stage: dataBytes += UInt64(bytes.readableBytes)
        default: break
        }
        written.append((message, frame.flags, bytes.readableBytes))
    }

    // MARK: - Actions

    func run(_ actions: [SessionCore.Action]) {
        for action in actions { run(action) }
    }

    private func run(_ action: SessionCore.Action) {
        switch action {
        case .authenticate(let user, _): authenticate(user)
        case .open(let ticket, let request):
            server.onHub { [self] in
                let result = server.hub.open(request, reading: server.store)
                // The hub's answers don't overtake what it has published.
                server.deliver()
                run(session.core.opened(ticket: ticket, result))
            }
        case .release(let handles): server.onHub { [self] in server.hub.release(handles) }
        case .perform(let call, let request, let caller):
            server.onHub { [self] in session.core.answered(call: call, answer(request, caller), now: server.now) }
        case .renew(let call, let token):
            let identity = Identity(user: session.core.identity.user, scopes: token.isEmpty ? .nothing : .readOnly)
            server.onHub { [self] in
                run(session.core.renewed(call: call, .success(identity), standing: .until(1_000), now: server.now))
            }
        case .introduce(let call, let introduction):
            let identity = Identity(user: introduction.user ?? FuzzServer.user, scopes: .readOnly)
            server.onHub { [self] in
                run(session.core.met(call: call, introduction, .success(identity), now: server.now))
            }
        case .locate(let call, let guest, let caller):
            server.onHub { [self] in
                let cut = server.position(of: caller.user)
                run(
                    session.core.introduced(
                        call: call, guest: guest, .success((cut: cut, lastMutation: nil)), standing: .untilRevoked,
                        now: server.now))
            }
        case .follow(let user): session.follow(user)
        case .unfollow(let user): session.unfollow(user)
        case .drop: break
        case .hit, .note, .refusedPublication: break
        case .close: isClosing = true
        }
    }

    private func authenticate(_ user: String?) {
        let user = user ?? FuzzServer.user
        guard CatalogueBounds.isIdentifier(user, limit: CatalogueBounds.userName) else {
            let status = Status(.unauthenticated, reason: "USER_INVALID", remedy: .fatal, message: "")
            run(session.core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: server.now))
            return
        }
        let identity = Identity(user: user, grant: .everything)
        let client = session.core.helloClientID
        session.identified(identity)
        server.onHub { [self] in
            let (cut, last) = FuzzServer.reading { () throws(StoreError) in
                (server.position(of: user), try server.store.lastMutation(of: client))
            }
            run(
                session.core.authenticated(.success(identity), newest: cut, lastMutation: last, now: server.now))
        }
    }

    private func answer(_ call: ContentCall, _ caller: ContentCaller) -> Result<[UInt8], Status> {
        func open(_ request: GetScreenRequest) -> OpenRequest { OpenRequest(request, user: caller.user) }
        switch call {
        case .health: return .success([])
        case .describe(let locale): return .success(CallBodyCodec.encode(server.hub.describe(locale: locale)))
        case .getScreen(let request):
            return server.hub.get(open(request), reading: server.store).map { CallBodyCodec.encode($0) }
        case .plan(let request):
            return server.hub.plan(open(request), reading: server.store).map { CallBodyCodec.encode($0) }
        case .search(let request):
            do throws(Status) {
                return .success(
                    CallBodyCodec.encode(
                        try Search.answer(request, programme: server.hub.programme, in: server.store)))
            } catch {
                return .failure(error)
            }
        case .collection(let request):
            guard let user = caller.user else { fatalError("everybody has a user here") }
            let change: MemberChange
            do throws(Status) { change = try request.change(by: PodcastWorld.typeSet) } catch { return .failure(error) }
            let mutation = MutationID(
                client: caller.clientID, number: request.number, answeredThrough: request.answeredThrough)
            return server.write(change, user: user, mutation: mutation).mutationAnswer(request.number) { revision, _ in
                CutChange(userRevision: revision)
            }
        case .report: return .failure(.unimplemented(.report))
        case .source, .recordSums, .drafts: return .failure(.unimplemented(.source))
        case .publish(let number, let answeredThrough, _, _, let documents, _):
            let changes: [Change]
            do { changes = try documents.map { try Change(document: Array($0)) } } catch {
                return .failure(Status(.invalidArgument, reason: "CHANGE_INVALID", remedy: .fatal, message: ""))
            }
            let mutation = MutationID(
                client: caller.clientID, number: number, answeredThrough: answeredThrough)
            return server.commit(changes, mutation: mutation).mutationAnswer(number) { revision, _ in
                CutChange(catalogueRevision: revision)
            }
        }
    }
}
