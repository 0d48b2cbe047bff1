import MarqueeModel
import MarqueeTypes
import MarqueeWire
import NIOHTTP1

/// A report of what people have seen of a section, as JSON, in the words of `marquee-server seen`:
/// `{"client": "0123…", "number": 7, "screen": "home", "section": "new", "observations":
/// [{"kind": "seen", "item": "film-1", "place": 3, "at": 1764000000123, "for": 1800, "shown": 41}]}`.
struct WebReport: Sendable {
    /// The most bytes of the body.
    static let maximumBytes = 256 << 10

    let request: ReportRequest
    /// The client's id.
    let client: [UInt8]

    /// - Throws: the problem to answer with.
    init(_ headers: HTTPHeaders, _ body: [UInt8]) throws(WebProblem) {
        var body = try NumberedBody(headers, body) { .reportInvalid($0) }
        guard case .text(let screen) = try body.take("screen"), case .text(let section) = try body.take("section")
        else { throw .reportInvalid("'screen' and 'section' are names") }
        guard case .list(let values) = try body.take("observations"), values.count <= ItemEvent.perReport else {
            throw .reportInvalid("'observations' is a list of at most \(ItemEvent.perReport)")
        }
        try body.refuseOthers("screen, section, observations")
        var observations: [ItemEvent] = []
        for value in values { observations.append(try ItemEvent(value)) }
        let request = ReportRequest(
            number: body.number, answeredThrough: body.answeredThrough, screen: screen, section: section,
            observations: observations)
        do throws(WireError) {
            self.request = try CallBodyCodec.decodeReportRequest(CallBodyCodec.encode(request))
        } catch {
            throw WebProblem(publishing: error.status)
        }
        client = body.client
    }
}

extension ItemEvent {
    private static let kinds: [Kind] = [.seen, .tap, .action]

    fileprivate init(_ value: JSONValue) throws(WebProblem) {
        guard case .object(let members) = value else { throw .reportInvalid("an observation is an object") }
        var fields = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        func text(_ name: String) -> String? {
            if case .text(let text)? = fields.removeValue(forKey: name) { text } else { nil }
        }
        func number<Number: FixedWidthInteger>(_ name: String, _: Number.Type) -> Number? {
            if case .number(let digits)? = fields.removeValue(forKey: name) { Number(digits) } else { nil }
        }
        guard let name = text("kind"), let kind = Self.kinds.first(where: { $0.name == name }) else {
            throw .reportInvalid("'kind' is seen, tap or action")
        }
        guard let item = text("item"), let place = number("place", UInt32.self), let at = number("at", UInt64.self),
            let revision = number("shown", UInt64.self)
        else {
            throw .reportInvalid(
                "an observation has 'item', its 'place' from 1, 'at' in milliseconds since 1970, and the revision "
                    + "'shown'")
        }
        let duration = kind == .seen ? number("for", UInt32.self) : 0
        let action = kind == .action ? text("action") : ""
        guard let duration, let action else {
            throw .reportInvalid("what is seen has 'for', in milliseconds, and an action has 'action', its id")
        }
        if let other = fields.keys.min() {
            throw .reportInvalid("there is no '\(other.prefix(64))' in an observation of the kind \(name)")
        }
        self.init(
            kind, item: item, place: place, at: at, duration: duration, action: action, revision: revision)
    }
}

extension WebProblem {
    static func reportInvalid(_ why: String) -> WebProblem {
        WebProblem(status: 422, reason: "REPORT_INVALID", detail: "nothing was kept: \(why)")
    }
}
