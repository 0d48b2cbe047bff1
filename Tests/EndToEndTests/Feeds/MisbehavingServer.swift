import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server over HTTP with pages that change, which gives as many wrong answers as it is told to.
final class MisbehavingServer: Sendable {
    struct Page: Sendable {
        var body: String
        /// The address of the next page, for `Link`.
        var next: String?
        /// Whether the page has an `ETag`.
        var isNamed = true
    }

    enum Fault: Sendable {
        /// Another status, with more headers.
        case status(String, [String] = [])
        /// No answer, on a connection that stays.
        case silence
        /// Half of the answer.
        case cut
        /// Another body.
        case body(String)
    }

    fileprivate struct State {
        var pages: [String: Page] = [:]
        var faults: [Fault] = []
        var requests: [String] = []
        var answers: [String] = []
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let shared: Shared
        private var request = ""

        init(_ shared: Shared) { self.shared = shared }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            request += String(buffer: unwrapInboundIn(data))
            guard request.hasSuffix("\r\n\r\n") else { return }
            guard let answer = shared.state.withLock({ $0.answer(to: request) }) else { return }
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
                channel.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private let shared = Shared()
    private let channel: any Channel
    let port: Int

    init() async throws {
        let shared = shared
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(shared))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Sets a page; its path has the query with it. `nil` removes it.
    func set(_ path: String, _ page: Page?) { shared.state.withLock { $0.pages[path] = page } }

    /// Answers the next requests wrongly, one after the other.
    func fail(_ faults: [Fault]) { shared.state.withLock { $0.faults += faults } }

    /// The heads of all requests.
    var requests: [String] { shared.state.withLock { $0.requests } }
    /// The first lines of all answers; `silence` for none.
    var answers: [String] { shared.state.withLock { $0.answers } }
    var hasFaults: Bool { shared.state.withLock { !$0.faults.isEmpty } }
}

extension MisbehavingServer.State {
    fileprivate mutating func answer(to request: String) -> String? {
        requests.append(request)
        let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let fault = faults.isEmpty ? nil : faults.removeFirst()
        var answer = right(path, request)
        switch fault {
        case .status(let status, let headers)?: answer = Self.text(status, headers, "")
        case .body(let body)?: answer = Self.text("200 OK", [], body)
        case .cut?: answer = String(answer.dropLast(max(1, (pages[path]?.body.count ?? 0) / 2)))
        case .silence?:
            answers.append("silence")
            return nil
        case nil: break
        }
        answers.append(String(answer.prefix { $0 != "\r\n" }))
        return answer
    }

    private func right(_ path: String, _ request: String) -> String {
        guard let page = pages[path] else { return Self.text("404 Not Found", [], "") }
        let etag = "\"\(page.body.utf8.reduce(UInt64(5_381)) { $0 &* 33 &+ UInt64($1) })\""
        var headers = page.isNamed ? ["ETag: \(etag)"] : []
        if let next = page.next { headers.append("Link: <\(next)>; rel=\"next\"") }
        if page.isNamed, request.contains("If-None-Match: \(etag)\r\n") {
            return Self.text("304 Not Modified", headers, "")
        }
        return Self.text("200 OK", headers, page.body)
    }

    private static func text(_ status: String, _ headers: [String], _ body: String) -> String {
        (["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)", "Connection: close"])
            .joined(separator: "\r\n") + "\r\n\r\n" + body
    }
}
