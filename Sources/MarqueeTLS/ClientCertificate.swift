import NIOSSL

/// A certificate that a client proved to have.
package struct ClientCertificate: Hashable, Sendable {
    package let der: [UInt8]
    package let validity: CertificateValidity

    init?(_ certificate: NIOSSLCertificate) {
        guard let der = try? certificate.toDERBytes(), let id = CertificateID(der: der) else { return nil }
        self.der = der
        validity = CertificateValidity(id: id, ends: Int64(certificate.notValidAfter).milliseconds)
    }
}

/// How long a client's certificate is valid, shared by everything granted because of it.
package final class CertificateValidity: Hashable, Sendable {
    package let id: CertificateID
    /// The end of its validity, in milliseconds of Unix time, unless it is revoked earlier.
    package let ends: Int64

    package init(id: CertificateID, ends: Int64) {
        self.id = id
        self.ends = ends
    }

    package static func == (a: CertificateValidity, b: CertificateValidity) -> Bool {
        a === b || a.id == b.id && a.ends == b.ends
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The identity of a certificate in revocation lists: the authority that issued it, and its number there.
package struct CertificateID: Hashable, Sendable {
    /// The authority's name, in DER.
    package let issuer: [UInt8]
    package let serial: [UInt8]

    package init(issuer: [UInt8], serial: [UInt8]) {
        self.issuer = issuer
        self.serial = serial
    }

    /// - Parameter der: the certificate.
    /// - Returns: `nil` if it can't be read.
    package init?(der: [UInt8]) {
        guard let fields = try? CertificateFields(der: der) else { return nil }
        self.init(issuer: fields.issuer, serial: fields.serial)
    }

    /// The number, in hexadecimal digits as `openssl x509 -serial` prints it.
    package var number: String {
        let bytes = serial.drop { $0 == 0 }
        if bytes.isEmpty { return "00" }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}

/// The fields of a certificate that revocation lists refer to (RFC 5280, 4.1).
package struct CertificateFields {
    package let serial: [UInt8]
    /// Names, in DER.
    package let issuer, subject: [UInt8]

    package init(der: [UInt8]) throws(DERReader.Malformed) {
        var outer = DERReader(der[...])
        var certificate = try outer.next(DERReader.Tag.sequence).values
        var fields = try certificate.next(DERReader.Tag.sequence).values
        // The version, the number, the algorithm of the signature, the issuer, the time, the subject.
        _ = try fields.optional(DERReader.Tag.context(0))
        serial = Array(try fields.next(DERReader.Tag.integer).content)
        _ = try fields.next(DERReader.Tag.sequence)
        issuer = Array(try fields.next(DERReader.Tag.sequence).bytes)
        _ = try fields.next(DERReader.Tag.sequence)
        subject = Array(try fields.next(DERReader.Tag.sequence).bytes)
    }
}

/// The clients' certificates that are no longer accepted, although they haven't expired. Thread safe.
package protocol RevokedCertificates: Sendable {
    /// The reason why a client with this certificate may not connect; `nil` if it may.
    func refusal(of certificate: CertificateID) -> String?
    /// Whether it is revoked: connections made with it end.
    func contains(_ certificate: CertificateID) -> Bool
}

extension Int64 {
    /// - Returns: the same number of seconds in milliseconds.
    var milliseconds: Int64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: 1_000)
        return isTooLarge ? (self < 0 ? .min : .max) : product
    }
}

/// A server's checks of a client's certificate once an authority has vouched for it.
struct ClientCheck: Sendable {
    var now: @Sendable () -> Int64
    var revoked: (any RevokedCertificates)?

    /// A client that resumes shows the certificate of its last full handshake, up to a week ago. BoringSSL takes it
    /// from the ticket, and doesn't look at its dates again.
    /// - Returns: why the client may not connect; `nil` if it may, or shows no certificate.
    func refusal(of certificate: NIOSSLCertificate?) -> CertificateRefusal? {
        guard let certificate else { return nil }
        guard let certificate = ClientCertificate(certificate) else {
            return CertificateRefusal(description: "the client's certificate can't be read")
        }
        let validity = certificate.validity
        guard validity.ends > now() else {
            return CertificateRefusal(description: "the client's certificate \(validity.id.number) has expired")
        }
        return revoked?.refusal(of: validity.id).map {
            CertificateRefusal(description: "the client's certificate \(validity.id.number) \($0)")
        }
    }
}

/// The reason why a server refuses a client's certificate, in words for operators.
package struct CertificateRefusal: Error, Hashable, CustomStringConvertible {
    package var description: String
}
