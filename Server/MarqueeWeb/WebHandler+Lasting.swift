import MarqueeModel
import MarqueeServer
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Connections that last: WebSockets, and events.
extension WebHandler {
    /// Confirms the WebSocket and hands the connection over to a session.
    func becomeWebSocket(_ fields: HTTPHeaders, since: UInt64, _ context: ChannelHandlerContext) {
        let response = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: fields)
        do {
            try become([WebSocketFrameEncoder(), WebSocketHandler(connection)], response, context)
            try connection.beginSession(opened: since, inMessages: true)
            // Removed last, because it passes on the bytes that followed the request.
            context.pipeline.syncOperations.removeHandler(decoder, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    /// Sends events, once the client is identified.
    /// - Parameter source: makes the source of the events, or throws the reason why the client doesn't get them.
    func follow(
        _ asked: Asked, _ context: ChannelHandlerContext,
        from source: @escaping (DoorCaller) throws(Status) -> any EventSource
    ) throws(WebProblem) {
        guard asked.head.version == .http1_1 else { throw .versionTooOld }
        let credentials = try WebCredentials(asked.head.headers)
        try identify(credentials, asked, context) { [self] caller, ticket in
            do throws(Status) {
                let stream = EventStreamHandler(connection, try source(caller))
                state = .opening(asked, stream)
                stream.begin { [self] status in
                    withExtendedLifetime(ticket) {
                        if let status { refuse(stream, status, context) } else { become(stream, context) }
                    }
                }
            } catch {
                caller.identity.grant.leave()
                answer(asked: WebAnswer(WebProblem(error)), context)
            }
        }
    }

    private func refuse(_ stream: EventStreamHandler, _ status: Status, _ context: ChannelHandlerContext) {
        stream.leave()
        // It may have come too late.
        guard case .opening = state else { return }
        connection.set(isUsed: false)
        answer(WebProblem(status), context)
    }

    private func become(_ stream: EventStreamHandler, _ context: ChannelHandlerContext) {
        guard case .opening(let asked, _) = state else { return stream.leave() }
        var answer = WebAnswer(.ok, EventStreamHandler.fields)
        answer.protect(foreignOrigin: asked.pass.foreignOrigin)
        answer.fields.add(name: "Date", value: HTTPDate.now)
        do {
            let response = HTTPResponseHead(version: .http1_1, status: .ok, headers: answer.fields)
            try become([stream], response, context)
            context.pipeline.syncOperations.removeHandler(decoder, promise: nil)
        } catch {
            stream.leave()
            context.close(promise: nil)
        }
    }
}
