import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MarqueeServer
import NIOCore

/// Answers requests: finds the endpoint and checks the caller's role.
struct AdminResponder: HTTPResponder {
    /// The most bytes of a request's body.
    static let maximumBody = 1_024

    let tokens: AdminTokens
    let reader: NodeReader
    let log: ServerLog

    func respond(to request: Request, context: AdminContext) async throws -> Response {
        let answer = try await answer(to: request, from: context.peer)
        var response = answer.response
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(to request: Request, from peer: String) async throws -> AdminAnswer {
        let path = AdminRoute(rawValue: request.uri.path)
        // A caller who may read nothing doesn't learn which paths exist.
        let role: AdminRole? = if let path { path.role(for: request.method) } else { .read }
        var audit = AdminAudit(log: log, peer: peer)
        switch AdminGate(tokens: tokens.now).verdict(
            needing: role, host: request.head.authority, authorization: request.headers[.authorization])
        {
        case .admitted(let caller): audit.caller = caller
        case .forbidden(let caller):
            audit.caller = caller
            if role == .admin { audit.refused(request.method.rawValue, request.uri.path) }
            return .forbidden(caller, needing: role ?? .admin)
        case .unauthorised: return .unauthorised
        case .misdirected: return .mistake(.misdirectedRequest, "without a token, this is for this machine alone")
        }
        guard let path else { return .mistake(.notFound, "there is nothing here") }
        guard path.methods.contains(request.method) else { return .notAllowed(path.methods) }
        do {
            return try await answer(path, request, audit)
        } catch let mistake as PageQuery.Mistake {
            return .mistake(.badRequest, mistake.message)
        } catch is AnswerBound.Passed {
            return .mistake(.serviceUnavailable, "the server is too busy to answer")
        } catch is EventLoopError {
            return .notServing
        }
    }

    private func answer(_ path: AdminRoute, _ request: Request, _ audit: AdminAudit) async throws -> AdminAnswer {
        let query = request.uri.queryParameters
        func page() throws(PageQuery.Mistake) -> PageQuery { try PageQuery { query[Substring($0)].map(String.init) } }
        switch path {
        case .page: return .page
        case .live: return .json(.ok, ["live": true])
        case .ready:
            let readiness = await reader.readiness()
            return .json(readiness.ready ? .ok : .serviceUnavailable, readiness)
        case .writable:
            let readiness = await reader.readiness()
            return .json(readiness.writable ? .ok : .serviceUnavailable, readiness)
        case .metrics: return .metrics(try await reader.reading())
        case .sessions where request.method == .delete:
            let chosen = try ChosenSessions { query[Substring($0)].map(String.init) }
            guard let ended = try await reader.end(chosen) else { return .notServing }
            audit.ended(chosen, ended)
            return .json(.ok, ["ended": ended])
        case .sessions:
            let page = try page()
            guard let figures = try await reader.figures() else { return .notServing }
            return .json(.ok, try SessionPage(figures, page))
        case .variants: return try await reader.variants(try page()).map { .json(.ok, $0) } ?? .notServing
        case .logLevel:
            if request.method == .put, let mistake = try await setLogLevel(request, audit) { return mistake }
            return .json(.ok, ["level": log.level.now.rawValue])
        }
    }

    /// - Returns: an answer if the body names no level.
    private func setLogLevel(_ request: Request, _ audit: AdminAudit) async throws -> AdminAnswer? {
        struct Wish: Decodable {
            var level: String
        }

        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.maximumBody)
        } catch is NIOTooManyBytesError {
            return .mistake(.contentTooLarge, "a body has at most \(Self.maximumBody) bytes")
        }
        let bytes = Data(body.readableBytesView)
        let name =
            (try? JSONDecoder().decode(Wish.self, from: bytes).level)
            ?? String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let level = Logger.Level(rawValue: name) else {
            return .mistake(.badRequest, "a level is one of \(LogLevel.names)")
        }
        log.level.now = level
        audit.set(level)
        return nil
    }
}
