import Foundation
import MarqueeTLS
import X509

/// One authority's list of certificates that it has revoked (RFC 5280, chapter 5).
struct RevocationList {
    /// The authority's name, in DER.
    let issuer: [UInt8]
    /// When the next list is due; this one is invalid after that. `nil` if it doesn't say.
    private(set) var ends: Date?
    /// The serial numbers of the revoked certificates.
    private(set) var serials: Set<[UInt8]>

    // The signed part, and the authority's signature of it.
    private let signed: ArraySlice<UInt8>
    private let algorithm: ArraySlice<UInt8>
    private let signature: ArraySlice<UInt8>

    /// - Parameter der: the list.
    /// - Throws: `RevocationProblem`.
    init(der: [UInt8]) throws(RevocationProblem) {
        do throws(DERReader.Malformed) {
            var outer = DERReader(der[...])
            var parts = try outer.next(DERReader.Tag.sequence).values
            let list = try parts.next(DERReader.Tag.sequence)
            let identifier = try parts.next(DERReader.Tag.sequence)
            var identified = identifier.values
            algorithm = try identified.next(DERReader.Tag.objectID).content
            // The first byte is the number of unused bits in the last one: none.
            let bits = try parts.next(DERReader.Tag.bits).content
            guard bits.first == 0 else { throw DERReader.Malformed() }
            signature = bits.dropFirst()
            signed = list.bytes

            var fields = list.values
            _ = try fields.optional(DERReader.Tag.integer)
            // The signed part names the algorithm as well, and it has to be the same (5.1.1.2).
            guard try fields.next(DERReader.Tag.sequence).bytes == identifier.bytes else { throw DERReader.Malformed() }
            issuer = Array(try fields.next(DERReader.Tag.sequence).bytes)
            _ = try fields.next()
            ends = nil
            for tag in [DERReader.Tag.utcTime, DERReader.Tag.time] {
                if let time = try fields.optional(tag) { ends = try Self.date(time) }
            }
            serials = []
            if var entries = try fields.optional(DERReader.Tag.sequence)?.values {
                while !entries.isAtEnd {
                    var entry = try entries.next(DERReader.Tag.sequence).values
                    serials.insert(Array(try entry.next(DERReader.Tag.integer).content))
                    _ = try entry.next()
                    if let more = try entry.optional(DERReader.Tag.sequence) { try Self.refuseCritical(more.values) }
                }
            }
            if var more = try fields.optional(DERReader.Tag.context(0))?.values {
                try Self.refuseCritical(try more.next(DERReader.Tag.sequence).values)
            }
        } catch {
            throw RevocationProblem("it isn't a readable list of revoked certificates (RFC 5280)")
        }
    }

    /// Refuses critical extensions: they mean that the list covers only some of an authority's certificates, changes
    /// another list, or covers certificates of other authorities.
    private static func refuseCritical(_ extensions: DERReader) throws(DERReader.Malformed) {
        var extensions = extensions
        while !extensions.isAtEnd {
            var fields = try extensions.next(DERReader.Tag.sequence).values
            _ = try fields.next(DERReader.Tag.objectID)
            let isCritical = try fields.optional(DERReader.Tag.boolean)?.content.contains { $0 != 0 }
            if isCritical == true { throw DERReader.Malformed() }
        }
    }

    /// A time as RFC 5280, 5.1.2.4 demands it: in UTC, with seconds.
    private static func date(_ value: DERReader.Value) throws(DERReader.Malformed) -> Date {
        var digits = String(decoding: value.content, as: UTF8.self)
        if value.tag == DERReader.Tag.utcTime { digits = (digits < "50" ? "20" : "19") + digits }
        guard let parts = digits.wholeMatch(of: /(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z/),
            let date = try? Date(
                "\(parts.1)-\(parts.2)-\(parts.3)T\(parts.4):\(parts.5):\(parts.6)Z", strategy: .iso8601)
        else { throw DERReader.Malformed() }
        return date
    }

    /// Whether an authority has signed this list and is its issuer.
    /// - Parameter der: the authority's certificate.
    func isSigned(by der: [UInt8]) -> Bool {
        guard let algorithm = Self.algorithms[Array(algorithm)],
            let fields = try? CertificateFields(der: der), fields.subject == issuer,
            let authority = try? Certificate(derEncoded: der)
        else { return false }
        return authority.publicKey.isValidSignature(signature, for: signed, signatureAlgorithm: algorithm)
    }

    /// The signature algorithms, by object identifier.
    private static let algorithms: [[UInt8]: Certificate.SignatureAlgorithm] = [
        [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]: .ecdsaWithSHA256,
        [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]: .ecdsaWithSHA384,
        [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x04]: .ecdsaWithSHA512,
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]: .sha256WithRSAEncryption,
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0C]: .sha384WithRSAEncryption,
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0D]: .sha512WithRSAEncryption,
        [0x2B, 0x65, 0x70]: .ed25519,
    ]

    /// Adds the entries of another list of the same authority, such as one signed with another of its keys.
    mutating func add(_ other: RevocationList) {
        serials.formUnion(other.serials)
        if let end = ends { ends = other.ends.map { max($0, end) } }
    }

    /// The lists in a file: blocks of PEM, or one list in DER.
    static func read(_ file: Data) throws(RevocationProblem) -> [RevocationList] {
        // A list in DER is a sequence.
        if file.first == DERReader.Tag.sequence { return [try RevocationList(der: Array(file))] }
        var lists: [RevocationList] = []
        var block: String?
        for line in String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            switch (line, block) {
            case ("-----BEGIN X509 CRL-----", nil): block = ""
            case ("-----END X509 CRL-----", let base64?):
                guard let der = Data(base64Encoded: base64) else { throw RevocationProblem("a block isn't Base64") }
                guard lists.count < RevocationLists.maximumLists else {
                    throw RevocationProblem("it has more than \(RevocationLists.maximumLists) lists")
                }
                lists.append(try RevocationList(der: Array(der)))
                block = nil
            case (_, let base64?): block = base64 + line
            case (_, nil):
                // Text between blocks is for people, but another kind of block is a mistake.
                if line.hasPrefix("-----BEGIN") {
                    throw RevocationProblem("it holds \(line), not a list of revoked certificates")
                }
            }
        }
        guard block == nil else { throw RevocationProblem("its last list has no end") }
        guard !lists.isEmpty else { throw RevocationProblem("it holds no list of revoked certificates (PEM)") }
        return lists
    }
}

/// The reason why lists of revoked certificates can't be used, for the operator.
package struct RevocationProblem: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
