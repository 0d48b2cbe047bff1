import MarqueeModel
import MarqueeServer
import MarqueeWire
import NIOCore
import NIOHTTP1

/// Requests with bodies: the client is identified before any of the body is kept.
extension WebHandler {
    /// Identifies the client that wants to send a body, before any of it is kept.
    func admit(
        _ subject: WebSubject, _ asked: Asked, _ context: ChannelHandlerContext
    ) throws(WebProblem) {
        let credentials = try WebCredentials(asked.head.headers)
        if case .delivery(let hook) = subject, hook.signature != nil {
            // The sender is only known once the body is there. Until then the connection is unauthenticated.
            guard let ticket = connection.takeTicket(isSending: true) else { throw .tooManyRequests }
            let identity = Identity(user: nil, grant: .everything)
            let caller = DoorCaller(identity: identity, agent: "hook \(hook.name)")
            return try collect(subject, by: caller, ticket, asked, context)
        }
        try identify(credentials, asked, context) { [self] caller, ticket in
            do throws(WebProblem) {
                if let problem = subject.refusal(of: caller.identity) { throw problem }
                if case .lines = subject { return try begin(asked, caller, ticket, context) }
                try collect(subject, by: caller, ticket, asked, context)
            } catch {
                caller.identity.grant.leave()
                refuse(error, context)
            }
        }
    }

    private func collect(
        _ subject: WebSubject, by caller: DoorCaller, _ ticket: DoorTicket, _ asked: Asked,
        _ context: ChannelHandlerContext
    ) throws(WebProblem) {
        guard let room = connection.roomForPublication() else { throw .publicationsWait }
        let body = try WebBody(asked.head.headers, limit: subject.maximumBytes, room: room)
        state = .collecting(asked, Sender(subject: subject, caller: caller, body: body, ticket: ticket))
        schedule(WebBounds.bodyMilliseconds, context)
        sendContinue(asked, context)
        takeParts(context)
    }

    /// Tells a client that waits for it to go on and send the body.
    func sendContinue(_ asked: Asked, _ context: ChannelHandlerContext) {
        guard asked.head.version == .http1_1,
            asked.head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" })
        else { return }
        let go = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
    }

    func collect(_ bytes: ByteBuffer, _ sender: Sender, _ context: ChannelHandlerContext) {
        do throws(WebProblem) {
            try sender.body.append(bytes)
        } catch {
            sender.caller.identity.grant.leave()
            refuse(error, context)
        }
    }

    /// Refuses a body and reads no more of it.
    func refuse(_ problem: WebProblem, _ context: ChannelHandlerContext) {
        if problem.status == 413 { connection.hit(.webBodies, problem.reason) }
        connection.set(isUsed: false)
        answer(problem, context)
    }

    /// The purpose of a body, once it has been read.
    private enum Taken: Sendable {
        case publication(WebPublication)
        case member(WebMember)
        case report(WebReport)

        init(_ subject: WebSubject, _ headers: HTTPHeaders, _ content: WebBody.Content) throws(WebProblem) {
            let body = try content.unpacked()
            switch subject {
            case .member(let collection): self = .member(try WebMember(collection: collection, headers, body))
            case .seen: self = .report(try WebReport(headers, body))
            default: self = .publication(try WebPublication(subject, headers, body))
            }
        }
    }

    /// Acts on a body that has arrived.
    func take(_ sender: Sender, _ asked: Asked, _ context: ChannelHandlerContext) {
        state = .asking(asked)
        schedule(WebBounds.answerMilliseconds, context)
        let (subject, headers, content) = (sender.subject, asked.head.headers, sender.body.content)
        connection.work({ () -> Result<Taken, WebProblem> in
            do throws(WebProblem) {
                return .success(try Taken(subject, headers, content))
            } catch {
                return .failure(error)
            }
        }) { [self] result in
            switch result {
            case .failure(let problem):
                if problem.status == 413 { connection.hit(.webBodies, problem.reason) }
                finish(sender, WebAnswer(problem), context)
            case .success(.member(let member)):
                change(.change(member.request, client: member.client), sender, context)
            case .success(.report(let report)):
                change(.report(report.request, client: report.client), sender, context)
            case .success(.publication(let publication)) where publication.documents.isEmpty:
                finish(sender, publication.done(MutationAnswer.nothing), context)
            case .success(.publication(let publication)) where publication.dryRun != nil:
                check(publication, nil, sender, context)
            case .success(.publication(let publication)): commit(publication, sender, context)
            }
        }
    }

    private func commit(_ publication: WebPublication, _ sender: Sender, _ context: ChannelHandlerContext) {
        let request = DoorRequest.publish(key: publication.key, changes: publication.documents)
        let deadline = connection.now() + WebBounds.answerMilliseconds
        connection.perform(request, by: sender.caller, deadline: deadline, making: { $0 }) { [self] result, _ in
            switch result {
            case .failure(let status) where status.isAboutContent: check(publication, status, sender, context)
            case .failure(let status): finish(sender, WebAnswer(publication.problem(status)), context)
            case .success(let body):
                finish(sender, publication.done(try? CallBodyCodec.decodeMutationAnswer(body)), context)
            }
        }
    }

    /// Makes a numbered change of the client's.
    private func change(_ request: DoorRequest, _ sender: Sender, _ context: ChannelHandlerContext) {
        let deadline = connection.now() + WebBounds.answerMilliseconds
        connection.perform(request, by: sender.caller, deadline: deadline, making: { $0 }) { [self] result, _ in
            switch result {
            case .failure(let status): finish(sender, WebAnswer(WebProblem(publishing: status)), context)
            case .success(let body):
                let answer = try? CallBodyCodec.decodeMutationAnswer(body)
                finish(sender, answer.map(WebMember.done) ?? WebAnswer(.ok), context)
            }
        }
    }

    /// Finds all mistakes of a publication.
    /// - Parameter status: why it was refused; `nil` if it hasn't been tried.
    private func check(
        _ publication: WebPublication, _ status: Status?, _ sender: Sender, _ context: ChannelHandlerContext
    ) {
        connection.check(publication.documents, by: sender.caller.identity) { [self] result in
            switch (result, status) {
            case (.success(let mistakes), nil) where mistakes.isEmpty: preview(publication, sender, context)
            case (.success(let mistakes), _):
                finish(sender, WebAnswer(publication.problem(mistakes, status)), context)
            case (.failure(let failure), _):
                finish(sender, WebAnswer(publication.problem(status ?? failure)), context)
            }
        }
    }

    /// Answers a dry run without mistakes.
    private func preview(_ publication: WebPublication, _ sender: Sender, _ context: ChannelHandlerContext) {
        guard let screen = publication.dryRun?.screen else { return finish(sender, publication.done(nil), context) }
        connection.preview(
            publication.documents, of: screen, by: sender.caller.identity,
            making: { result in
                switch result {
                case .success(let preview): publication.done(nil, preview: preview)
                case .failure(let status): WebAnswer(publication.problem(status))
                }
            },
            then: { [self] in finish(sender, $0, context) })
    }

    private func finish(_ sender: Sender, _ answer: WebAnswer, _ context: ChannelHandlerContext) {
        sender.caller.identity.grant.leave()
        withExtendedLifetime(sender.ticket) { self.answer(asked: answer, context) }
    }
}

extension MutationAnswer {
    /// The outcome of a delivery that means no change.
    fileprivate static let nothing = MutationAnswer(number: 0, cut: CutChange(), changed: false)
}

extension Status {
    /// Whether a publication was refused for its content.
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
