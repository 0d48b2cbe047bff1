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
        let value = try WebPublication.document(headers, body)
        guard case .object(let members) = value else { throw .memberInvalid("the body is an object") }
        var fields = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        func take(_ name: String) throws(WebProblem) -> JSONValue {
            guard let value = fields.removeValue(forKey: name) else { throw .memberInvalid("'\(name)' is missing") }
            return value
        }
        guard case .text(let id) = try take("client"), let client = [UInt8](hexadecimal: id),
            client.count == Hello.clientIDBytes
        else {
            throw .memberInvalid("'client' is the id of the client, 32 hexadecimal digits that stay the same")
        }
        guard case .number(let digits) = try take("number"), let number = UInt64(digits) else {
            throw .memberInvalid("'number' is a whole number, which rises with each change of the client")
        }
        guard case .text(let subject) = try take("subject") else {
            throw .memberInvalid("'subject' is a text such as movie/27205")
        }
        guard case .bool(let isMember) = try take("member") else {
            throw .memberInvalid("'member' is true to set, false to remove")
        }
        var answered: UInt64 = 0
        if let value = fields.removeValue(forKey: "answeredThrough") {
            guard case .number(let digits) = value, let through = UInt64(digits), through < number else {
                throw .memberInvalid("'answeredThrough' is a number below 'number': answers up to it have come")
            }
            answered = through
        }
        let stored = fields.removeValue(forKey: "value").map { CollectionValue(json: $0.sortedText) }
        if let other = fields.keys.min() {
            throw .memberInvalid(
                "there is no '\(other.prefix(64))'; there are client, number, answeredThrough, subject, member, value")
        }
        let request = CollectionRequest(
            number: number, answeredThrough: answered, collection: CollectionName(collection), subject: subject,
            isMember: isMember, value: stored)
        do throws(WireError) {
            self.request = try CallBodyCodec.decodeCollectionRequest(CallBodyCodec.encode(request))
        } catch {
            throw WebProblem(publishing: error.status)
        }
        self.client = client
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
