import MarqueeModel
import MarqueeServer
import MarqueeWire
import NIOCore
import NIOHTTP1

/// Publications: who sends one is asked before anything of it is kept.
extension WebHandler {
    /// Finds out who wants to publish before anything is kept of it.
    func admit(
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
                if case .lines = subject {
                    return try begin(asked, DoorCaller(identity: identity, agent: credentials.agent), ticket, context)
                }
                guard let room = connection.roomForPublication() else { throw .publicationsWait }
                let body = try WebBody(asked.head.headers, limit: WebBounds.bodyBytes, room: room)
                let caller = DoorCaller(identity: identity, agent: credentials.agent)
                let publisher = Publisher(subject: subject, caller: caller, body: body, ticket: ticket)
                state = .collecting(asked, publisher)
                schedule(WebBounds.bodyMilliseconds, context)
                tellToGoOn(asked, context)
                takeParts(context)
            } catch {
                refuse(error, context)
            }
        }
    }

    /// Some clients wait to be told that their body is wanted.
    func tellToGoOn(_ asked: Asked, _ context: ChannelHandlerContext) {
        guard asked.head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" })
        else { return }
        let go = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
    }

    func collect(_ bytes: ByteBuffer, _ publisher: Publisher, _ context: ChannelHandlerContext) {
        do throws(WebProblem) {
            try publisher.body.append(bytes)
        } catch {
            publisher.caller.identity.grant.leave()
            refuse(error, context)
        }
    }

    /// Refuses a body, of which the rest isn't read.
    func refuse(_ problem: WebProblem, _ context: ChannelHandlerContext) {
        if problem.status == 413 { connection.hit(.webBodies, problem.reason) }
        connection.set(isUsed: false)
        answer(problem, context)
    }

    /// Publishes a body that has come.
    func publish(_ publisher: Publisher, _ asked: Asked, _ context: ChannelHandlerContext) {
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
            case (.success(let mistakes), _):
                finish(publisher, WebAnswer(publication.problem(mistakes, status)), context)
            case (.failure(let failure), _):
                finish(publisher, WebAnswer(WebProblem(publishing: status ?? failure)), context)
            }
        }
    }

    private func finish(_ publisher: Publisher, _ answer: WebAnswer, _ context: ChannelHandlerContext) {
        publisher.caller.identity.grant.leave()
        withExtendedLifetime(publisher.ticket) { self.answer(asked: answer, context) }
    }
}

extension Status {
    /// Whether a publication was refused for what is in it.
    var isAboutContent: Bool {
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
}
