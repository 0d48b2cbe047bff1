import NIOSSL

#if canImport(Network)
    import Network
    import Security
#endif

/// The reason why a connection could not be protected, in words for people.
package struct TLSProblem: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }

    /// - Returns: `nil` for an error that has nothing to do with TLS.
    package init?(_ error: any Error) {
        switch error {
        case let problem as TLSProblem: self = problem
        case is NIOSSLExtraError:
            self.init("the server's certificate is not for this name; see its certificate, or name the one it has")
        case let error as NIOSSLError: self.init(Self.describe(error))
        case let error as BoringSSLError: self.init(Self.describe("\(error)"))
        default:
            #if canImport(Network)
                guard case .tls(let status)? = error as? NWError else { return nil }
                // There is a text for each status that the system knows.
                let reason = SecCopyErrorMessageString(status, nil).map { "\($0)" } ?? "status \(status)"
                self.init("TLS failed: \(reason)")
            #else
                return nil
            #endif
        }
    }

    private static func describe(_ error: NIOSSLError) -> String {
        switch error {
        case .handshakeFailed(let reason): describe("\(reason)")
        case .unableToValidateCertificate: "the other side's certificate can't be verified"
        case .uncleanShutdown: "the connection was cut off"
        default: "TLS failed: \(error)"
        }
    }

    /// - Parameter reason: of BoringSSL, which names its errors in capitals.
    private static func describe(_ reason: String) -> String {
        for (name, meaning) in meanings where reason.contains(name) { return meaning }
        return "TLS failed: \(reason)"
    }

    private static let meanings = [
        (
            "CERTIFICATE_VERIFY_FAILED",
            "the server's certificate was not issued by a trusted authority, has expired, or is not valid yet"
        ),
        ("WRONG_VERSION_NUMBER", "the other side doesn't speak TLS"),
        ("UNSUPPORTED_PROTOCOL", "the other side doesn't speak TLS 1.3"),
        ("PROTOCOL_VERSION", "the other side doesn't speak TLS 1.3"),
        ("NO_APPLICATION_PROTOCOL", "the other side speaks TLS, but not Marquee"),
        ("CERTIFICATE_REQUIRED", "the server wants a client certificate"),
        ("PEER_DID_NOT_RETURN_A_CERTIFICATE", "the client has no certificate"),
        ("UNKNOWN_CA", "the other side doesn't trust this certificate's authority"),
        ("CERTIFICATE_EXPIRED", "the certificate has expired"),
        ("CERTIFICATE_REVOKED", "the certificate was revoked"),
        ("BAD_CERTIFICATE", "the other side refuses the certificate"),
    ]
}
