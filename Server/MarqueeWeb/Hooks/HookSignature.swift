import Crypto
import Foundation
import MarqueeModel
import NIOHTTP1

/// The proof that the sender of a delivery knows the secret: HMAC-SHA256 (RFC 2104) of the body, perhaps with its time.
struct HookSignature: Sendable {
    enum Encoding: String, CaseIterable, Sendable { case hex, base64 }

    /// The field that has the signature.
    var header: String
    /// The text before it, such as `sha256=`.
    var prefix: String
    var encoding: Encoding
    /// The field with the time of signing, in seconds since 1970; `nil` if none is signed.
    var timeHeader: String?
    /// How far that time may be from the server's, in seconds.
    var withinSeconds: Int64
    /// The signed text, with `{time}` and `{body}` in their places.
    var signed: String
    let secret: SymmetricKey

    static let timePlace = "{time}"
    static let bodyPlace = "{body}"

    /// - Parameter now: seconds since 1970.
    /// - Returns: the signature, which identifies the delivery.
    /// - Throws: the problem to answer with.
    func check(_ headers: HTTPHeaders, _ body: [UInt8], now: Int64) throws(WebProblem) -> [UInt8] {
        let given = try only(header, headers)
        guard given.hasPrefix(prefix), let signature = decoded(given.dropFirst(prefix.count)) else {
            throw .signatureMalformed(header, "'\(prefix)' and a signature in \(encoding.rawValue)")
        }
        var time = ""
        if let timeHeader {
            time = try only(timeHeader, headers)
            guard let seconds = Int64(time) else {
                throw .signatureMalformed(timeHeader, "the time of signing in seconds since 1970")
            }
            guard seconds.subtractingReportingOverflow(now).partialValue.magnitude <= withinSeconds.magnitude,
                !seconds.subtractingReportingOverflow(now).overflow
            else { throw .signatureOld(withinSeconds) }
        }
        var code = HMAC<SHA256>(key: secret)
        let sides = signed.split(separator: Self.bodyPlace, maxSplits: 1, omittingEmptySubsequences: false)
        code.update(data: Data(sides[0].replacing(Self.timePlace, with: time).utf8))
        code.update(data: body)
        if sides.count > 1 { code.update(data: Data(sides[1].replacing(Self.timePlace, with: time).utf8)) }
        // Compared in constant time.
        guard code.finalize() == signature else { throw .signatureInvalid(header) }
        return Array(signature)
    }

    /// The value of a field that a delivery has once.
    private func only(_ header: String, _ headers: HTTPHeaders) throws(WebProblem) -> String {
        let values = headers[header]
        guard values.count == 1 else {
            throw .signatureMalformed(header, "one value, and there are \(values.count)")
        }
        return values[0]
    }

    private func decoded(_ text: Substring) -> Data? {
        switch encoding {
        case .base64: Data(base64Encoded: String(text))
        case .hex: [UInt8](hexadecimal: text).map { Data($0) }
        }
    }
}

extension WebProblem {
    /// A refusal with 401 names an authentication scheme (RFC 9110 section 11.6.1).
    private static let challenge = ["WWW-Authenticate": "Marquee-Signature"]

    static func signatureInvalid(_ header: String) -> WebProblem {
        WebProblem(
            status: 401, reason: "SIGNATURE_INVALID",
            detail: "'\(header)' doesn't have the signature of this body by the hook's secret", fields: challenge)
    }

    /// - Parameter expected: the content that the field should have.
    static func signatureMalformed(_ header: String, _ expected: String) -> WebProblem {
        WebProblem(
            status: 401, reason: "SIGNATURE_MALFORMED", detail: "the field '\(header)' must have \(expected)",
            fields: challenge)
    }

    static func signatureOld(_ seconds: Int64) -> WebProblem {
        WebProblem(
            status: 401, reason: "SIGNATURE_OLD",
            detail: "the delivery was signed more than \(seconds) s from this server's time", fields: challenge)
    }
}
