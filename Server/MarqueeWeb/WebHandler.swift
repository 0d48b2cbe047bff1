import DequeModule
import MarqueeModel
import MarqueeServer
import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A connection that speaks HTTP/1.1: one request after another, until one makes it a WebSocket.
final class WebHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request, as far as it has come.
    private struct Asked {
        var head: HTTPRequestHead
        /// When the client had to begin to ask, by the server's clock.
        var since: UInt64
        var pass = WebGate.Pass()
        /// Whether all of it has come.
        var isWhole = false

        /// Whether the client sends a body.
        var hasBody: Bool {
            head.headers.contains(name: "transfer-encoding")
                || head.headers.first(name: "content-length").map { $0 != "0" } == true
        }
    }

    /// Somebody who publishes, and what has come of it.
    private struct Publisher {
        var subject: WebPublication.Subject
        var caller: DoorCaller
        var body: WebBody
        var ticket: DoorTicket
    }

    private enum State {
        case awaitingHead
        case receiving(Asked, WebRoute)
        /// A body is coming from somebody who may publish.
        case collecting(Asked, Publisher)
        /// The answer is being made.
        case asking(Asked)
        /// The answer is being sent.
        case answering
        case ended
    }

    private let connection: DoorConnection
    private let gate: WebGate
    private let encoder: HTTPResponseEncoder
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    private var state = State.awaitingHead
    /// Parts of requests that wait for the answer before them.
    private var waiting: Deque<HTTPServerRequestPart> = []
    private var timer: Scheduled<Void>?
    private var isReading = true
    /// Whether the first request has come: until then the client is a stranger with little time.
    private var isFirst = true

    init(
        _ connection: DoorConnection, _ gate: WebGate, encoder: HTTPResponseEncoder,
        decoder: ByteToMessageHandler<HTTPRequestDecoder>
    ) {
        self.connection = connection
        self.gate = gate
        self.encoder = encoder
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
        connection.onDrain = {}
    }

    // MARK: - Events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ended = state { return }
        guard waiting.count < WebBounds.waitingParts else { return context.close(promise: nil) }
        waiting.append(unwrapInboundIn(data))
        takeParts(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .ended
        timer?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is RoomNeeded { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let problem = WebProblem(reading: error) else { return context.close(promise: nil) }
        switch state {
        case .awaitingHead, .receiving, .collecting:
            connection.hit(.webHeads, problem.reason)
            answer(problem, context)
        // What was asked before is still being answered; the client finds that its connection ends there.
        case .asking, .answering, .ended: context.close(promise: nil)
        }
    }

    /// The server asks its clients to leave: one that isn't asking anything can go.
    private func drain(_ context: ChannelHandlerContext) {
        if case .awaitingHead = state { context.close(promise: nil) }
    }

    // MARK: - Requests

    private func takeParts(_ context: ChannelHandlerContext) {
        while mayTake, let part = waiting.popFirst() {
            switch (part, state) {
            case (.head(let head), .awaitingHead): begin(head, context)
            case (.body(let bytes), .receiving):
                if bytes.readableBytes > 0 { answer(.bodyUnexpected, context) }
            case (.end, .receiving(var asked, let route)):
                asked.isWhole = true
                respond(to: asked, route, context)
            case (.body(let bytes), .collecting(_, let publisher)): collect(bytes, publisher, context)
            case (.end, .collecting(var asked, let publisher)):
                asked.isWhole = true
                publish(publisher, asked, context)
            default: break
            }
        }
        read(mayTake)
    }

    /// Stops reading from a client whose parts aren't taken.
    private func read(_ reads: Bool) {
        if case .ended = state { return }
        guard reads != isReading else { return }
        isReading = reads
        connection.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
    }

    private var mayTake: Bool {
        switch state {
        case .awaitingHead, .receiving, .collecting: true
        case .asking, .answering, .ended: false
        }
    }

    /// A request that is refused is refused before its body comes.
    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var asked = Asked(head: head, since: isFirst ? connection.opened : connection.now())
        if !isFirst { schedule(connection.helloTimeoutMilliseconds, context) }
        isFirst = false
        state = .receiving(asked, .connect)
        do throws(WebProblem) {
            asked.pass = try pass(head)
            state = .receiving(asked, .connect)
            let route = try WebRoute(head)
            state = .receiving(asked, route)
            if case .publish(let subject) = route { try admit(subject, asked, context) }
        } catch {
            answer(error, context)
        }
    }

    private func pass(_ head: HTTPRequestHead) throws(WebProblem) -> WebGate.Pass {
        do throws(WebProblem) {
            return try gate.check(head, isEncrypted: connection.isEncrypted)
        } catch {
            connection.hit(.webOrigins, error.detail)
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
            // Taken care of when it began.
            case .publish: break
            case .screens, .screen, .search:
                let credentials = try WebCredentials(asked.head.headers)
                guard let reading = try WebReading(route, asked.head, credentials) else { return }
                try ask(reading, credentials, asked, context)
            }
        } catch {
            answer(error, context)
        }
    }

    /// Asks who the client is, then for what it wants.
    private func ask(
        _ reading: WebReading, _ credentials: WebCredentials, _ asked: Asked, _ context: ChannelHandlerContext
    ) throws(WebProblem) {
        guard let ticket = connection.takeTicket() else { throw .tooManyRequests }
        state = .asking(asked)
        schedule(WebBounds.answerMilliseconds, context)
        connection.set(isUsed: true)
        let deadline = connection.now() + WebBounds.answerMilliseconds
        connection.identify(user: credentials.user, token: credentials.token) { [self] result in
            let identity: Identity
            switch result {
            case .success(let known): identity = known
            case .failure(let status): return answer(asked: WebAnswer(WebProblem(status)), context)
            }
            var reading = reading
            // A certificate says who somebody is, too.
            reading.isForAll =
                reading.isForAll && identity.user == nil && TLSServer.certificate(of: context.channel) == nil
            let caller = DoorCaller(identity: identity, agent: credentials.agent)
            connection.perform(reading.request, by: caller, deadline: deadline, making: reading.answer) {
                [self] answer, room in
                identity.grant.leave()
                withExtendedLifetime(ticket) { self.answer(asked: answer, holding: room, context) }
            }
        }
    }

    /// Sends an answer that was waited for.
    private func answer(asked answer: WebAnswer, holding room: AnyObject? = nil, _ context: ChannelHandlerContext) {
        // It may have come too late.
        guard case .asking = state else { return }
        connection.set(isUsed: false)
        self.answer(answer, holding: room, context)
    }

    // MARK: - Publishing

    /// Finds out who wants to publish before anything is kept of it.
    private func admit(
        _ subject: WebPublication.Subject, _ asked: Asked, _ context: ChannelHandlerContext
    ) throws(WebProblem) {
        let credentials = try WebCredentials(asked.head.headers)
        guard let ticket = connection.takeTicket() else { throw .tooManyRequests }
        state = .asking(asked)
        schedule(WebBounds.answerMilliseconds, context)
        connection.set(isUsed: true)
        connection.identify(user: credentials.user, token: credentials.token) { [self] result in
            guard case .asking(let asked) = state else { return }
            do throws(WebProblem) {
                let identity: Identity
                switch result {
                case .success(let known): identity = known
                case .failure(let status): throw WebProblem(status)
                }
                guard identity.scopes.allowsPublishing else { throw .publishDenied }
                guard let room = connection.roomForPublication() else { throw .publicationsWait }
                let body = try WebBody(asked.head.headers, limit: WebBounds.bodyBytes, room: room)
                let caller = DoorCaller(identity: identity, agent: credentials.agent)
                let publisher = Publisher(subject: subject, caller: caller, body: body, ticket: ticket)
                state = .collecting(asked, publisher)
                schedule(WebBounds.bodyMilliseconds, context)
                if asked.head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) {
                    let go = HTTPResponseHead(version: .http1_1, status: .continue)
                    context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
                }
                takeParts(context)
            } catch {
                refuse(error, context)
            }
        }
    }

    private func collect(_ bytes: ByteBuffer, _ publisher: Publisher, _ context: ChannelHandlerContext) {
        do throws(WebProblem) {
            try publisher.body.append(bytes)
        } catch {
            publisher.caller.identity.grant.leave()
            refuse(error, context)
        }
    }

    /// Refuses a body, of which the rest isn't read.
    private func refuse(_ problem: WebProblem, _ context: ChannelHandlerContext) {
        if problem.status == 413 { connection.hit(.webBodies, problem.reason) }
        connection.set(isUsed: false)
        answer(problem, context)
    }

    /// Publishes a body that has come.
    private func publish(_ publisher: Publisher, _ asked: Asked, _ context: ChannelHandlerContext) {
        state = .asking(asked)
        schedule(WebBounds.answerMilliseconds, context)
        let (subject, headers) = (publisher.subject, asked.head.headers)
        let body: [UInt8]
        do throws(WebProblem) {
            body = try publisher.body.end()
        } catch {
            return finish(publisher, WebAnswer(error), context)
        }
        connection.work({ () -> Result<WebPublication, WebProblem> in
            do throws(WebProblem) {
                return .success(try WebPublication(subject, headers, body))
            } catch {
                return .failure(error)
            }
        }) { [self] result in
            switch result {
            case .failure(let problem): finish(publisher, WebAnswer(problem), context)
            case .success(let publication) where publication.isDryRun: check(publication, nil, publisher, context)
            case .success(let publication): commit(publication, publisher, context)
            }
        }
    }

    private func commit(_ publication: WebPublication, _ publisher: Publisher, _ context: ChannelHandlerContext) {
        let request = DoorRequest.publish(key: publication.key, changes: publication.documents)
        let deadline = connection.now() + WebBounds.answerMilliseconds
        connection.perform(request, by: publisher.caller, deadline: deadline, making: { $0 }) { [self] result, _ in
            switch result {
            case .failure(let status) where status.isAboutContent: check(publication, status, publisher, context)
            case .failure(let status): finish(publisher, WebAnswer(WebProblem(publishing: status)), context)
            case .success(let body):
                finish(publisher, publication.done(try? CallBodyCodec.decodeMutationAnswer(body)), context)
            }
        }
    }

    /// Finds all mistakes of a publication.
    /// - Parameter status: why it was refused; `nil` if nobody has tried.
    private func check(
        _ publication: WebPublication, _ status: Status?, _ publisher: Publisher, _ context: ChannelHandlerContext
    ) {
        connection.check(publication.documents, by: publisher.caller.identity) { [self] result in
            switch (result, status) {
            case (.success(let mistakes), nil) where mistakes.isEmpty:
                finish(publisher, publication.done(nil), context)
            case (.success(let mistakes), _): finish(publisher, publication.refused(mistakes, status), context)
            case (.failure(let failure), _):
                finish(publisher, WebAnswer(WebProblem(publishing: status ?? failure)), context)
            }
        }
    }

    private func finish(_ publisher: Publisher, _ answer: WebAnswer, _ context: ChannelHandlerContext) {
        publisher.caller.identity.grant.leave()
        withExtendedLifetime(publisher.ticket) { self.answer(asked: answer, context) }
    }

    // MARK: - Answers

    private func answer(_ problem: WebProblem, _ context: ChannelHandlerContext) {
        answer(WebAnswer(problem), context)
    }

    /// - Parameter room: kept until the answer has been sent.
    private func answer(_ answer: WebAnswer, holding room: AnyObject? = nil, _ context: ChannelHandlerContext) {
        var answer = answer
        let asked = asked
        let head = asked?.head
        let isWhole = asked?.isWhole == true || asked?.hasBody == false
        let keepsAlive = head?.isKeepAlive == true && head?.isUpgrade == false && !answer.endsConnection && isWhole
        answer.protect(foreignOrigin: asked?.pass.foreignOrigin)
        if answer.status.mayHaveResponseBody {
            answer.fields.replaceOrAdd(name: "Content-Length", value: "\(answer.body.readableBytes)")
        }
        if !keepsAlive { answer.fields.add(name: "Connection", value: "close") }
        state = .answering
        schedule(WebBounds.idleMilliseconds, context)
        let response = HTTPResponseHead(version: .http1_1, status: answer.status, headers: answer.fields)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        if head?.method != .HEAD, answer.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        }
        let me = NIOLoopBound((self, context, room), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { result in
            let (handler, context, _) = me.value
            guard case .success = result, keepsAlive, !handler.connection.isDraining else {
                return handler.finish(context)
            }
            handler.isAnswered(context)
        }
    }

    /// The request that is being received or answered.
    private var asked: Asked? {
        switch state {
        case .receiving(let asked, _), .collecting(let asked, _), .asking(let asked): asked
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
    private func finish(_ context: ChannelHandlerContext) {
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
    private func schedule(_ milliseconds: UInt64, _ context: ChannelHandlerContext) {
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
        case .collecting(_, let publisher):
            connection.hit(.webBodies, WebProblem.bodyTooLate.reason)
            publisher.caller.identity.grant.leave()
            refuse(.bodyTooLate, context)
        case .asking: answer(asked: WebAnswer(.answerLate), context)
        case .answering, .ended: context.close(promise: nil)
        }
    }

    // MARK: - WebSocket

    /// Confirms the WebSocket and hands the connection over to a session.
    private func becomeWebSocket(_ fields: HTTPHeaders, since: UInt64, _ context: ChannelHandlerContext) {
        state = .ended
        timer?.cancel()
        let response = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: fields)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandlers([WebSocketFrameEncoder(), WebSocketHandler(connection)])
            try connection.beginSession(opened: since, inMessages: true)
            pipeline.removeHandler(encoder, promise: nil)
            pipeline.removeHandler(context: context, promise: nil)
            // Last, as it passes on what has come behind the request.
            pipeline.removeHandler(decoder, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }
}

extension HTTPRequestHead {
    /// The path that is asked for, without a query.
    var path: String { String(uri.prefix { $0 != "?" }) }

    /// Whether the decoder reads nothing more after this request, as another protocol may follow.
    var isUpgrade: Bool { headers.contains(name: "upgrade") }
}

extension Status {
    /// Whether a publication was refused for what is in it.
    fileprivate var isAboutContent: Bool {
        code == .invalidArgument || code == .permissionDenied || code == .notFound || code == .failedPrecondition
    }
}

extension WebProblem {
    static let publishDenied = WebProblem(
        status: 403, reason: "PUBLISH_DENIED",
        detail: "this client may not publish; show a token with the scope 'publish', or start the server with --open",
        endsConnection: true)

    static let bodyTooLate = WebProblem(
        status: 408, reason: "BODY_TOO_LATE", detail: "the body didn't come in time; send it again, in several",
        endsConnection: true)

    /// - Returns: `nil` for an error that nobody can be told about.
    init?(reading error: any Error) {
        switch error {
        // The client has gone.
        case HTTPParserError.invalidEOFState: return nil
        case HTTPParserError.headerOverflow, is ByteToMessageDecoderError: self = .headTooLarge
        case is HTTPParserError: self = .headMalformed
        default: return nil
        }
    }
}
