import MarqueeModel
import MarqueeScreenJSON
import MarqueeServer
import MarqueeWire
import NIOCore
import NIOHTTP1

/// A request that is answered with JSON: the server's operation, and the form of its answer.
struct WebReading: Sendable {
    let request: DoorRequest
    /// Whether all clients that show nothing get the same answer.
    var isForAll: Bool
    /// Versions that the client has.
    private let held: [Substring]

    static let mediaType = "application/json"
    /// All clients that show nothing get the same answer, so a cache may keep it for a second, and serve it for ten
    /// more while it revalidates.
    private static let forAll = "public, max-age=0, s-maxage=1, stale-while-revalidate=10"
    private static let forOne = "private, no-cache"

    /// - Returns: `nil` for a route that isn't read in this way.
    /// - Throws: the problem to answer with.
    init?(_ route: WebRoute, _ head: HTTPRequestHead, _ credentials: WebCredentials) throws(WebProblem) {
        switch route {
        case .screens(let locale): request = .describe(locale: locale)
        case .screen(let screen): request = .getScreen(screen)
        case .search(let search): request = .search(search)
        case .connect, .methods, .openAPI, .send, .window, .inspection: return nil
        }
        guard Self.accepts(head.headers[canonicalForm: "accept"]) else { throw .notAcceptable }
        var isPreview = false
        if case .screen(let screen) = route { isPreview = screen.isPreview }
        isForAll = credentials.isAnonymous && !isPreview
        held = EntityTag.held(head.headers)
    }

    /// Whether the media types that a client accepts include JSON.
    static func accepts(_ ranges: [Substring]) -> Bool {
        ranges.isEmpty || accepts(ranges, oneOf: ["*/*", "application/*", mediaType])
    }

    /// Whether a client accepts media types by one of these names.
    static func accepts(_ ranges: [Substring], oneOf names: [String]) -> Bool {
        ranges.contains { range in
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            guard let type = parts.first, names.contains(type) else { return false }
            return !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
        }
    }

    /// The answer to the client. Called on any thread.
    /// - Parameter texts: the texts of screens, shared with other requests.
    func answer(_ result: Result<[UInt8], Status>, _ texts: ScreenTexts) -> WebAnswer {
        switch result {
        case .failure(let status): return WebAnswer(WebProblem(status))
        case .success(let body):
            do throws(WireError) {
                return try answer(body, texts)
            } catch {
                return WebAnswer(WebProblem(error.status))
            }
        }
    }

    private func answer(_ body: [UInt8], _ texts: ScreenTexts) throws(WireError) -> WebAnswer {
        switch request {
        case .getScreen:
            let screen = try texts.screen(of: body)
            if screen.tag.isAmong(held) { return WebAnswer(.notModified, fields(screen.tag)) }
            var answer = WebAnswer(.ok, fields(screen.tag))
            answer.body = screen.text()
            return answer
        case .search(let search):
            let found = try CallBodyCodec.decodeSearchAnswer(body)
            return WebAnswer(.ok, fields(), body: text(WebText.search(found, query: search.query)))
        case .describe:
            return WebAnswer(.ok, fields(), body: text(WebText.screens(try CallBodyCodec.decodeDescribeAnswer(body))))
        case .publish, .change, .report, .drafts: return WebAnswer(.ok)
        }
    }

    private func text(_ document: JSONDocument) -> ByteBuffer { ByteBuffer(string: document.line() + "\n") }

    private func fields(_ tag: EntityTag? = nil) -> HTTPHeaders {
        var fields: HTTPHeaders = [
            "Content-Type": Self.mediaType, "Cache-Control": isForAll ? Self.forAll : Self.forOne,
        ]
        if let tag { fields.add(name: "ETag", value: tag.description) }
        return fields
    }
}
