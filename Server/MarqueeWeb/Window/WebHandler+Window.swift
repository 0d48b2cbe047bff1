import MarqueeModel
import MarqueeServer
import MarqueeWire
import NIOCore
import NIOHTTP1

/// The window's questions, which are answered once the client is identified.
extension WebHandler {
    func inspect(_ inspection: Inspection, _ asked: Asked, _ context: ChannelHandlerContext) throws(WebProblem) {
        try identify(try WebCredentials(asked.head.headers), asked, context) { [self] caller, ticket in
            if case .drafts(let name) = inspection { return answerDrafts(name, caller, ticket, context) }
            answer(inspection, for: caller.identity) { [self] answer, room in
                caller.identity.grant.leave()
                withExtendedLifetime(ticket) { self.answer(asked: answer, holding: room, context) }
            }
        }
    }

    private func answerDrafts(
        _ name: String?, _ caller: DoorCaller, _ ticket: DoorTicket, _ context: ChannelHandlerContext
    ) {
        connection.perform(
            .drafts(DraftsRequest(draft: name)), by: caller, deadline: connection.now() + WebBounds.answerMilliseconds,
            making: { result -> WebAnswer in
                switch result.map({ try? CallBodyCodec.decodeDraftsAnswer($0) }) {
                case .success(let answer?): .inspected(WebText.drafts(answer.documents, of: name).line())
                case .success(nil): WebAnswer(WebProblem(.unimplemented(.drafts)))
                case .failure(let status): WebAnswer(WebProblem(status))
                }
            },
            then: { [self] answer, room in
                caller.identity.grant.leave()
                withExtendedLifetime(ticket) { self.answer(asked: answer, holding: room, context) }
            })
    }

    private func answer(
        _ inspection: Inspection, for identity: Identity, then: @escaping (WebAnswer, AnyObject?) -> Void
    ) {
        switch inspection {
        case .document(let document):
            connection.read(
                document, by: identity,
                making: { result -> WebAnswer in
                    switch (result, document) {
                    case (.success(let text?), .record), (.success(let text?), .types): .inspected(text)
                    case (.success(let text?), .programme): .inspected(WebText.programme(text).line())
                    case (.success(nil), _): WebAnswer(.notStored(document))
                    case (.failure(let status), _): WebAnswer(WebProblem(status))
                    }
                }, then: then)
        case .commits:
            do throws(Status) {
                let history = try connection.history(for: identity)
                connection.work({ WebAnswer.inspected(WebText.commits(history.commits()).line()) }) { then($0, nil) }
            } catch {
                then(WebAnswer(WebProblem(error)), nil)
            }
        // Asked for as a call.
        case .drafts: break
        case .clients:
            connection.clients(for: identity) { result in
                switch result {
                case .success(let reports): then(.inspected(WebText.clients(reports).line()), nil)
                case .failure(let status): then(WebAnswer(WebProblem(status)), nil)
                }
            }
        }
    }
}
