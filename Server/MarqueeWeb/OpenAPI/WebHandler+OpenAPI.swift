import MarqueeModel
import MarqueeServer
import NIOCore
import NIOHTTP1

/// The door's own description, which depends on the client.
extension WebHandler {
    /// Identifies the client, and sends the document with the types that it may publish.
    func describe(_ asked: Asked, _ context: ChannelHandlerContext) throws(WebProblem) {
        guard WebReading.accepts(asked.head.headers[canonicalForm: "accept"]) else { throw .notAcceptable }
        try identify(try WebCredentials(asked.head.headers), asked, context) { [self] caller, ticket in
            let types = connection.types(publishableBy: caller.identity)
            caller.identity.grant.leave()
            connection.work({ [door] in door.documents.document(of: types) }) { [self] document in
                withExtendedLifetime(ticket) { send(document, asked, context) }
            }
        }
    }

    private func send(_ document: OpenAPIDocument, _ asked: Asked, _ context: ChannelHandlerContext) {
        var answer = WebAnswer(
            .ok,
            [
                "Content-Type": "application/json", "Cache-Control": "private, no-cache",
                "ETag": document.tag.description,
            ])
        if document.tag.isAmong(EntityTag.held(asked.head.headers)) {
            answer.status = .notModified
            return self.answer(asked: answer, context)
        }
        do throws(Status) {
            let room = try connection.roomForAnswer(document.body.readableBytes)
            answer.body = [document.body]
            self.answer(asked: answer, holding: room, context)
        } catch {
            self.answer(asked: WebAnswer(WebProblem(error)), context)
        }
    }
}
