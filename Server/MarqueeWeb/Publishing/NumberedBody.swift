import MarqueeModel
import MarqueeTypes
import MarqueeWire
import NIOHTTP1

/// A body that takes effect once however often it is sent: a JSON object that names the client and a number.
struct NumberedBody {
    /// The client's id.
    let client: [UInt8]
    let number: UInt64
    /// Answers up to this number have come.
    let answeredThrough: UInt64
    private var fields: [String: JSONValue]
    private let problem: (String) -> WebProblem

    /// - Parameter problem: the problem with a reason.
    /// - Throws: the problem to answer with.
    init(
        _ headers: HTTPHeaders, _ body: [UInt8], problem: @escaping (String) -> WebProblem
    ) throws(WebProblem) {
        let value = try WebPublication.document(headers, body)
        guard case .object(let members) = value else { throw problem("the body is an object") }
        var fields = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        guard case .text(let id)? = fields.removeValue(forKey: "client"), let client = [UInt8](hexadecimal: id),
            client.count == Hello.clientIDBytes
        else {
            throw problem("'client' is the id of the client, 32 hexadecimal digits that stay the same")
        }
        guard case .number(let digits)? = fields.removeValue(forKey: "number"), let number = UInt64(digits) else {
            throw problem("'number' is a whole number, which rises with each change of the client")
        }
        var answered: UInt64 = 0
        if let value = fields.removeValue(forKey: "answeredThrough") {
            guard case .number(let digits) = value, let through = UInt64(digits), through < number else {
                throw problem("'answeredThrough' is a number below 'number': answers up to it have come")
            }
            answered = through
        }
        (self.client, self.number, answeredThrough) = (client, number, answered)
        self.fields = fields
        self.problem = problem
    }

    /// - Returns: `nil` if it is missing.
    mutating func takeOptional(_ name: String) -> JSONValue? { fields.removeValue(forKey: name) }

    mutating func take(_ name: String) throws(WebProblem) -> JSONValue {
        guard let value = fields.removeValue(forKey: name) else { throw problem("'\(name)' is missing") }
        return value
    }

    /// - Parameter known: the names of all fields.
    func refuseOthers(_ known: String) throws(WebProblem) {
        guard let other = fields.keys.min() else { return }
        throw problem("there is no '\(other.prefix(64))'; there are client, number, answeredThrough, \(known)")
    }
}
