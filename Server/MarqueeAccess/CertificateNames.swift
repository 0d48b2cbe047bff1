import X509

/// The names that a certificate proves: its subject's common name, and the DNS names, email addresses and URIs among
/// its alternative names.
struct CertificateNames {
    private var names: Set<String> = []

    /// - Parameter der: the certificate.
    /// - Returns: `nil` if it can't be read.
    init?(der: [UInt8]) {
        guard let certificate = try? Certificate(derEncoded: der) else { return nil }
        for part in certificate.subject {
            for attribute in part where attribute.type == .RDNAttributeType.commonName {
                if let name = String(attribute.value) { names.insert(name) }
            }
        }
        for name in (try? certificate.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames([]) {
            switch name {
            case .dnsName(let name), .rfc822Name(let name), .uniformResourceIdentifier(let name): names.insert(name)
            default: continue
            }
        }
    }

    func contains(_ name: String) -> Bool { names.contains(name) }
}
