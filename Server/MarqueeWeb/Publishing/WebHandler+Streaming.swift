import MarqueeModel
import MarqueeScreenJSON
import MarqueeServer
import MarqueeWire
import NIOCore
import NIOHTTP1

/// A stream of publications: one line is committed after the other, and each has an answer of its own. A line with a
/// mistake is answered, and the stream goes on.
extension WebHandler {
    /// Begins to answer before any line has arrived.
    func begin(
        _ asked: Asked, _ caller: DoorCaller, _ ticket: DoorTicket, _ context: ChannelHandlerContext
    ) throws(WebProblem) {
        let headers = asked.head.headers
        try WebPublication.checkLines(headers)
        let stream = WebStream(
            caller, key: try WebPublication.key(headers), ticket: ticket, limit: WebBounds.bodyBytes,
            makeRoom: { [connection] in connection.roomForPublication() })
        state = .streaming(asked, stream)
        sendContinue(asked, context)
        var answer = WebAnswer(.ok, ["Content-Type": "application/x-ndjson", "Connection": "close"])
        answer.protect(foreignOrigin: asked.pass.foreignOrigin)
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: answer.fields)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        schedule(WebBounds.streamPulseMilliseconds, context)
        takeParts(context)
    }

    func take(_ bytes: ByteBuffer, _ stream: WebStream, _ context: ChannelHandlerContext) {
        do throws(WebProblem) {
            try stream.append(bytes)
            goOn(stream, context)
        } catch {
            end(stream, error, context)
        }
    }

    /// Ends a stream with the reason, and reads no more of it.
    func end(_ stream: WebStream, _ problem: WebProblem, _ context: ChannelHandlerContext) {
        connection.hit(.webBodies, problem.reason)
        // Writing may call back at once, when the channel can take more.
        stream.isBusy = true
        write(problem.document(), context)
        end(stream, context)
    }

    /// Publishes the next line, if the client takes answers.
    func goOn(_ stream: WebStream, _ context: ChannelHandlerContext) {
        guard case .streaming = state, !stream.isBusy, stream.blockedSince == nil else { return }
        guard let line = stream.next() else {
            if stream.isEnding { end(stream, context) } else { read(true) }
            return
        }
        stream.isBusy = true
        if let status = connection.ending(of: stream.caller.identity) {
            write(WebProblem(status).document(line: line.number), context)
            return end(stream, context)
        }
        let key = stream.key
        connection.work({ () -> Result<WebPublication, WebProblem> in
            do throws(WebProblem) {
                return .success(try WebPublication(line, key: key))
            } catch {
                return .failure(error)
            }
        }) { [self] result in
            switch result {
            case .failure(let problem): answered(problem.document(line: line.number), stream, context)
            case .success(let publication): commit(publication, line.number, stream, context)
            }
        }
    }

    private func commit(
        _ publication: WebPublication, _ line: Int, _ stream: WebStream, _ context: ChannelHandlerContext
    ) {
        let request = DoorRequest.publish(key: publication.key, changes: publication.documents)
        let deadline = connection.now() + WebBounds.answerMilliseconds
        connection.perform(request, by: stream.caller, deadline: deadline, making: { $0 }) { [self] result, _ in
            switch result {
            case .success(let body):
                let answer = try? CallBodyCodec.decodeMutationAnswer(body)
                answered(publication.document(answer, line: line), stream, context)
            case .failure(let status) where status.isAboutContent:
                connection.check(publication.documents, by: stream.caller.identity) { [self] found in
                    let problem = publication.problem((try? found.get()) ?? [], status)
                    answered(problem.document(line: line), stream, context)
                }
            case .failure(let status):
                answered(publication.problem(status).document(line: line), stream, context)
            }
        }
    }

    /// Sends the answer to a line, and goes on with the next.
    private func answered(_ document: JSONDocument, _ stream: WebStream, _ context: ChannelHandlerContext) {
        guard case .streaming = state else { return }
        stream.isBusy = false
        write(document, context)
        // The rest waits until the client takes its answers.
        if !context.channel.isWritable { stream.blockedSince = connection.now() }
        goOn(stream, context)
        takeParts(context)
    }

    private func write(_ document: JSONDocument, _ context: ChannelHandlerContext) {
        let line = ByteBuffer(string: document.line() + "\n")
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(line))), promise: nil)
    }

    /// Sends a keep-alive, or closes the connection if the client hasn't taken its answers for long.
    func pulse(_ stream: WebStream, _ context: ChannelHandlerContext) {
        if let blocked = stream.blockedSince, connection.now() - blocked >= WebBounds.idleMilliseconds {
            return context.close(promise: nil)
        }
        if stream.blockedSince == nil {
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "\n")))), promise: nil)
            if !context.channel.isWritable { stream.blockedSince = connection.now() }
        }
        schedule(WebBounds.streamPulseMilliseconds, context)
    }

    private func end(_ stream: WebStream, _ context: ChannelHandlerContext) {
        stream.caller.identity.grant.leave()
        connection.set(isUsed: false)
        let me = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        state = .answering
        schedule(WebBounds.idleMilliseconds, context)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in me.value.0.finish(me.value.1) }
    }
}
