import MarqueeModel
import MarqueeScreenJSON
import MarqueeTypes
import MarqueeWire
import NIOCore
import NIOHTTP1

/// A change of a user's collection, as JSON:
/// `{"client": "0123…", "number": 7, "subject": "movie/27205", "member": true, "value": 8}`.
///
/// The client's id and the number name it, so that it takes effect once however often it is sent.
struct WebMember: Sendable {
    /// The most bytes of the body.
    static let maximumBytes = 16 << 10

    let request: CollectionRequest
    /// The client's id.
    let client: [UInt8]

    /// - Throws: the problem to answer with.
    init(collection: String, _ headers: HTTPHeaders, _ body: [UInt8]) throws(WebProblem) {
        var body = try NumberedBody(headers, body) { .memberInvalid($0) }
        guard case .text(let subject) = try body.take("subject") else {
            throw .memberInvalid("'subject' is a text such as movie/27205")
        }
        guard case .bool(let isMember) = try body.take("member") else {
            throw .memberInvalid("'member' is true to set, false to remove")
        }
        let stored = body.takeOptional("value").map { CollectionValue(json: $0.sortedText) }
        try body.refuseOthers("subject, member, value")
        let request = CollectionRequest(
            number: body.number, answeredThrough: body.answeredThrough, collection: CollectionName(collection),
            subject: subject,
            isMember: isMember, value: stored)
        do throws(WireError) {
            self.request = try CallBodyCodec.decodeCollectionRequest(CallBodyCodec.encode(request))
        } catch {
            throw WebProblem(publishing: error.status)
        }
        client = body.client
    }

    /// The answer to a change that was made.
    static func done(_ answer: MutationAnswer) -> WebAnswer {
        let document = JSONDocument.object([
            "number": .unsigned(answer.number), "changed": .bool(answer.changed),
            "userRevision": answer.cut.userRevision.map { .unsigned($0) },
        ])
        return WebAnswer(.ok, ["Content-Type": "application/json"], body: ByteBuffer(string: document.line() + "\n"))
    }
}

extension WebProblem {
    static func memberInvalid(_ why: String) -> WebProblem {
        WebProblem(status: 422, reason: "MEMBER_INVALID", detail: "nothing was changed: \(why)")
    }
}
