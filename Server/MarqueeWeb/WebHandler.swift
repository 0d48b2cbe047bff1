import DequeModule
import MarqueeModel
import MarqueeServer
import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOHTTP1

/// A connection that speaks HTTP/1.1: one request after another, until one makes it a WebSocket.
final class WebHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request, as far as it has arrived.
    struct Asked {
        var head: HTTPRequestHead
        /// When the request's time began to count, by the server's clock.
        var since: UInt64
        var pass = WebGate.Pass()
        /// Whether all of it has arrived.
        var isWhole = false

        /// Whether the client sends a body.
        var hasBody: Bool { head.headers.contains(name: "transfer-encoding") || hasLength }

        /// Whether the client says how long its body is, and that it isn't empty.
        var hasLength: Bool { head.headers.first(name: "content-length").map { $0 != "0" } == true }
    }

    /// The sender of a body, and the part that has arrived.
    struct Sender {
        var subject: WebSubject
        var caller: DoorCaller
        var body: WebBody
        var ticket: DoorTicket
    }

    enum State {
        case awaitingHead
        case receiving(Asked, WebRoute)
        /// A body is arriving from a client that may send one.
        case collecting(Asked, Sender)
        /// Lines are arriving, and are answered one by one.
        case streaming(Asked, WebStream)
        /// The answer is being made.
        case asking(Asked)
        /// A screen that the client wants to follow is being opened.
        case opening(Asked, EventStreamHandler)
        /// The answer is being sent.
        case answering
        case ended
    }

    let connection: DoorConnection
    let door: WebDoor
    private let encoder: HTTPResponseEncoder
    private let wire: WireCounter
    let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    var state = State.awaitingHead
    /// Parts of requests that wait for the answer before them.
    private var waiting: Deque<HTTPServerRequestPart> = []
    /// Why nothing after them can be read; the client is told once they are answered.
    private var fault: WebProblem?
    /// The body that is arriving, even while its parts wait.
    private var arriving = BodyWire()
    private var timer: Scheduled<Void>?
    private var isReading = true
    /// Whether the first request has still to come: until then the connection is unauthenticated, with little time.
    private var isFirst = true

    init(
        _ connection: DoorConnection, _ door: WebDoor, encoder: HTTPResponseEncoder, wire: WireCounter,
        decoder: ByteToMessageHandler<HTTPRequestDecoder>
    ) {
        self.connection = connection
        self.door = door
        self.encoder = encoder
        self.wire = wire
        self.decoder = decoder
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let me = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        connection.onDrain = { me.value.0.drain(me.value.1) }
        schedule(connection.helloTimeoutMilliseconds, context)
        if connection.isDraining { drain(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    // MARK: - Events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ended = state { return }
        guard fault == nil else { return }
        let part = unwrapInboundIn(data)
        arriving.take(part, received: wire.received)
        if case .body(var bytes) = part, case .body(var before)? = waiting.last {
            // However small its chunks are, a body that waits is one part.
            waiting.removeLast()
            before.writeBuffer(&bytes)
            waiting.append(.body(before))
        } else {
            guard waiting.count < WebBounds.waitingParts else { return context.close(promise: nil) }
            waiting.append(part)
        }
        takeParts(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if arriving.isPadded(received: wire.received) { stop(.bodyPadded, context) }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        state = .ended
        timer?.cancel()
        context.fireChannelInactive()
    }

    /// Leaves the grant of a request in progress, as the client has gone.
    private func leave() {
        switch state {
        case .collecting(_, let sender): sender.caller.identity.grant.leave()
        case .streaming(_, let stream): stream.caller.identity.grant.leave()
        case .opening(_, let stream): stream.leave()
        case .awaitingHead, .receiving, .asking, .answering, .ended: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is RoomNeeded { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // More has arrived after what can't be read. It is dropped: closing now could cost the client its answer.
        if case ByteToMessageDecoderError.dataReceivedInErrorState = error { return }
        guard let problem = WebProblem(reading: error, withinBody: arriving.isOpen) else {
            return context.close(promise: nil)
        }
        stop(problem, context)
    }

    /// Takes nothing more of what the client sends. What it asked before is answered first.
    private func stop(_ problem: WebProblem, _ context: ChannelHandlerContext) {
        guard fault == nil else { return }
        fault = problem
        takeParts(context)
    }

    /// Tells the client why its request isn't read to the end.
    private func fail(_ problem: WebProblem, _ context: ChannelHandlerContext) {
        switch state {
        case .awaitingHead:
            connection.hit(.webHeads, problem.reason)
            answer(problem, context)
        case .receiving:
            connection.hit(.webBodies, problem.reason)
            answer(problem, context)
        case .collecting(_, let sender):
            connection.hit(.webBodies, problem.reason)
            sender.caller.identity.grant.leave()
            refuse(problem, context)
        case .streaming(_, let stream): end(stream, problem, context)
        case .asking, .opening, .answering, .ended: break
        }
    }

    /// Ends a connection without a request, and a stream, because the server asks its clients to leave.
    private func drain(_ context: ChannelHandlerContext) {
        switch state {
        case .awaitingHead: context.close(promise: nil)
        case .streaming(_, let stream):
            stream.isEnding = true
            goOn(stream, context)
        case .receiving, .collecting, .asking, .opening, .answering, .ended: break
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .streaming(_, let stream) = state, context.channel.isWritable {
            stream.blockedSince = nil
            goOn(stream, context)
            takeParts(context)
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: - Requests

    func takeParts(_ context: ChannelHandlerContext) {
        while canReceive, let part = waiting.popFirst() {
            switch (part, state) {
            case (.head(let head), .awaitingHead): begin(head, context)
            case (.body(let bytes), .receiving):
                if bytes.readableBytes > 0 { answer(.bodyUnexpected, context) }
            case (.end, .receiving(var asked, let route)):
                asked.isWhole = true
                respond(to: asked, route, context)
            case (.body(let bytes), .collecting(_, let sender)): collect(bytes, sender, context)
            case (.end, .collecting(var asked, let sender)):
                asked.isWhole = true
                take(sender, asked, context)
            case (.body(let bytes), .streaming(_, let stream)): take(bytes, stream, context)
            case (.end, .streaming(_, let stream)):
                stream.end()
                goOn(stream, context)
            default: break
            }
        }
        if canReceive, let fault { fail(fault, context) }
        read(canReceive)
    }

    /// Stops reading from a client while its parts aren't taken.
    func read(_ reads: Bool) {
        if case .ended = state { return }
        guard reads != isReading else { return }
        isReading = reads
        connection.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
    }

    private var canReceive: Bool {
        switch state {
        case .awaitingHead, .receiving, .collecting: true
        case .streaming(_, let stream): !stream.isBusy && stream.isEmpty && stream.blockedSince == nil
        case .asking, .opening, .answering, .ended: false
        }
    }

    /// Begins a request. If it is refused, that happens before its body arrives.
    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = head
        head.trimValues()
        var asked = Asked(head: head, since: isFirst ? connection.opened : connection.now())
        if !isFirst { schedule(connection.helloTimeoutMilliseconds, context) }
        isFirst = false
        state = .receiving(asked, .connect)
        do throws(WebProblem) {
            asked.pass = try pass(head)
            state = .receiving(asked, .connect)
            try checkFraming(head)
            let route = try WebRoute(head, door.hooks)
            state = .receiving(asked, route)
            if case .send(let subject) = route {
                try admit(subject, asked, context)
            } else if asked.hasLength {
                throw .bodyUnexpected
            }
        } catch {
            answer(error, context)
        }
    }

    private func pass(_ head: HTTPRequestHead) throws(WebProblem) -> WebGate.Pass {
        do throws(WebProblem) {
            return try door.gate.check(head, isEncrypted: connection.isEncrypted)
        } catch {
            connection.hit(.webOrigins, error.detail)
            throw error
        }
    }

    private func checkFraming(_ head: HTTPRequestHead) throws(WebProblem) {
        do throws(WebProblem) {
            try WebFraming.check(head)
        } catch {
            connection.hit(.webHeads, error.reason)
            throw error
        }
    }

    private func respond(to asked: Asked, _ route: WebRoute, _ context: ChannelHandlerContext) {
        do throws(WebProblem) {
            switch route {
            case .connect:
                let fields = try WebSocketHandshake.accept(asked.head)
                becomeWebSocket(fields, since: asked.since, context)
            case .methods(let methods): answer(WebAnswer(methods: methods), context)
            // Handled when the request began.
            case .send: break
            case .openAPI: try describe(asked, context)
            case .screen(let screen) where EventStreamHandler.isWanted(by: asked.head):
                let seen = asked.head.headers.first(name: "last-event-id").flatMap(EventID.screen)
                try follow(asked, context) { [connection, door] caller throws(Status) in
                    ScreenEvents(connection, screen, by: caller, from: seen, door.events)
                }
            case .window(let asset): answer(asset.answer(asked.head), context)
            case .inspection(.commits) where EventStreamHandler.isWanted(by: asked.head):
                let last = asked.head.headers.first(name: "last-event-id")
                try follow(asked, context) { [connection] caller throws(Status) in
                    let history = try connection.history(for: caller.identity)
                    return CommitEvents(connection, history, by: caller.identity, after: last)
                }
            case .inspection(let inspection): try inspect(inspection, asked, context)
            case .screens, .screen, .search:
                let credentials = try WebCredentials(asked.head.headers)
                guard let reading = try WebReading(route, asked.head, credentials) else { return }
                try ask(reading, credentials, asked, context)
            }
        } catch {
            answer(error, context)
        }
    }

    /// Identifies the client before anything is done for it. A client that isn't admitted is told why.
    /// - Parameter then: called if the client still waits. It has to make sure that the identity's grant is left.
    func identify(
        _ credentials: WebCredentials, _ asked: Asked, _ context: ChannelHandlerContext,
        then: @escaping (DoorCaller, DoorTicket) -> Void
    ) throws(WebProblem) {
        guard let ticket = connection.takeTicket(isSending: asked.hasBody) else { throw .tooManyRequests }
        state = .asking(asked)
        schedule(WebBounds.answerMilliseconds, context)
        connection.set(isUsed: true)
        connection.identify(user: credentials.user, token: credentials.token) { [self] result in
            switch result {
            case .failure(let status): answer(asked: WebAnswer(WebProblem(status)), context)
            case .success(let identity):
                guard case .asking = state else { return identity.grant.leave() }
                then(DoorCaller(identity: identity, agent: credentials.agent), ticket)
            }
        }
    }

    /// Identifies the client, then performs its request.
    private func ask(
        _ reading: WebReading, _ credentials: WebCredentials, _ asked: Asked, _ context: ChannelHandlerContext
    ) throws(WebProblem) {
        let deadline = connection.now() + WebBounds.answerMilliseconds
        try identify(credentials, asked, context) { [self] caller, ticket in
            var reading = reading
            // A certificate identifies a client, too.
            reading.isForAll =
                reading.isForAll && caller.identity.user == nil && TLSServer.certificate(of: context.channel) == nil
            connection.perform(
                reading.request, by: caller, deadline: deadline,
                making: { [door, reading] in reading.answer($0, door.screens) },
                then: { [self] answer, room in
                    caller.identity.grant.leave()
                    withExtendedLifetime(ticket) { self.answer(asked: answer, holding: room, context) }
                })
        }
    }

    /// Sends an answer that the client was waiting for.
    func answer(asked answer: WebAnswer, holding room: AnyObject? = nil, _ context: ChannelHandlerContext) {
        // It may have come too late.
        guard case .asking = state else { return }
        connection.set(isUsed: false)
        self.answer(answer, holding: room, context)
    }

    // MARK: - Answers

    func answer(_ problem: WebProblem, _ context: ChannelHandlerContext) {
        answer(WebAnswer(problem), context)
    }

    /// - Parameter room: kept until the answer has been sent.
    func answer(_ answer: WebAnswer, holding room: AnyObject? = nil, _ context: ChannelHandlerContext) {
        var answer = answer
        let asked = asked
        let head = asked?.head
        let isWhole = asked?.isWhole == true || asked?.hasBody == false
        let keepsAlive = head?.isKeepAlive == true && head?.isUpgrade == false && !answer.endsConnection && isWhole
        answer.protect(foreignOrigin: asked?.pass.foreignOrigin)
        if answer.status.mayHaveResponseBody {
            answer.fields.replaceOrAdd(name: "Content-Length", value: "\(answer.bodyBytes)")
        }
        answer.fields.add(name: "Date", value: HTTPDate.now)
        let ending = keepsAlive ? (head?.version == .http1_0 ? ["keep-alive"] : []) : ["close"]
        let options = ending + answer.fields[canonicalForm: "connection"].map(String.init)
        if !options.isEmpty { answer.fields.replaceOrAdd(name: "Connection", value: options.joined(separator: ", ")) }
        state = .answering
        schedule(WebBounds.idleMilliseconds, context)
        let response = HTTPResponseHead(version: .http1_1, status: answer.status, headers: answer.fields)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        let me = NIOLoopBound((self, context, room), eventLoop: context.eventLoop)
        send(head?.method == .HEAD ? [] : Deque(answer.body), context) { isSent in
            let (handler, context, _) = me.value
            guard isSent, keepsAlive, !handler.connection.isDraining else { return handler.finish(context) }
            handler.isAnswered(context)
        }
    }

    /// The request that is being received or answered.
    private var asked: Asked? {
        switch state {
        case .receiving(let asked, _), .collecting(let asked, _), .streaming(let asked, _), .asking(let asked),
            .opening(let asked, _):
            asked
        case .awaitingHead, .answering, .ended: nil
        }
    }

    private func isAnswered(_ context: ChannelHandlerContext) {
        guard case .answering = state else { return }
        state = .awaitingHead
        schedule(WebBounds.idleMilliseconds, context)
        takeParts(context)
    }

    /// Ends this direction, and drops what still comes: otherwise the answer could be lost.
    func finish(_ context: ChannelHandlerContext) {
        read(true)
        state = .ended
        waiting.removeAll()
        let channel = context.channel
        channel.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
        schedule(Self.closeMilliseconds, context)
    }

    /// How long a client may take to close after its last answer, in milliseconds.
    private static let closeMilliseconds: UInt64 = 1_000

    // MARK: - Time

    /// Ends the connection if nothing else happens in time.
    func schedule(_ milliseconds: UInt64, _ context: ChannelHandlerContext) {
        timer?.cancel()
        let me = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: .milliseconds(Int64(clamping: milliseconds))) {
            me.value.0.isLate(me.value.1)
        }
    }

    private func isLate(_ context: ChannelHandlerContext) {
        switch state {
        case .awaitingHead where !isFirst: context.close(promise: nil)
        case .awaitingHead, .receiving:
            connection.hit(.webHeads, WebProblem.headTooLate.reason)
            answer(.headTooLate, context)
        case .collecting: fail(.bodyTooLate, context)
        case .streaming(_, let stream): pulse(stream, context)
        case .asking: answer(asked: WebAnswer(.answerLate), context)
        case .opening(_, let stream):
            stream.leave()
            answer(.answerLate, context)
        case .answering, .ended: context.close(promise: nil)
        }
    }

    // MARK: - Connections that last

    /// Hands the connection over to a handler that needs nothing of HTTP, as soon as the head of the response is sent.
    func become(_ handlers: [any ChannelHandler], _ response: HTTPResponseHead, _ context: ChannelHandlerContext) throws
    {
        state = .ended
        timer?.cancel()
        context.writeAndFlush(wrapOutboundOut(.head(response)), promise: nil)
        let pipeline = context.pipeline.syncOperations
        try pipeline.addHandlers(handlers)
        pipeline.removeHandler(encoder, promise: nil)
        pipeline.removeHandler(wire, promise: nil)
        pipeline.removeHandler(context: context, promise: nil)
    }
}

extension HTTPRequestHead {
    /// The path of the request, without a query.
    var path: String { String(WebTarget.fromPath(uri).prefix { $0 != "?" }) }

    /// Removes white space after the values of fields, which isn't part of them (RFC 9110 section 5.5). The decoder
    /// removes white space before them.
    mutating func trimValues() {
        func trimmed(_ value: String) -> Substring {
            var rest = value[...]
            while let last = rest.utf8.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
                rest.removeLast()
            }
            return rest
        }
        guard headers.contains(where: { trimmed($0.value).utf8.count < $0.value.utf8.count }) else { return }
        headers = HTTPHeaders(headers.map { ($0.name, String(trimmed($0.value))) })
    }

    /// Whether the decoder reads nothing more after this request, as another protocol may follow.
    var isUpgrade: Bool { headers.contains(name: "upgrade") }
}

extension WebProblem {
    /// - Parameter withinBody: whether a head had arrived, and not all of its body.
    /// - Returns: `nil` for an error that nobody can be told about.
    init?(reading error: any Error, withinBody: Bool) {
        switch error {
        // The client has gone.
        case HTTPParserError.invalidEOFState: return nil
        case HTTPParserError.headerOverflow, is ByteToMessageDecoderError.PayloadTooLargeError: self = .headTooLarge
        case is HTTPParserError where withinBody: self = .bodyMalformed
        case HTTPParserError.unexpectedContentLength, HTTPParserError.invalidContentLength: self = .framingUnclear
        case is HTTPParserError: self = .headMalformed
        default: return nil
        }
    }
}
