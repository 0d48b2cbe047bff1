#if canImport(Network)
    import Dispatch
    import Foundation
    package import MarqueeLocks
    package import NIOCore
    import NIOSSL
    package import Network
    import Security

    /// The client's side of TLS for one server with Network.framework: what `TLSClient` does with SwiftNIO, but with
    /// the system's rules for certificates. Thread safe.
    package final class NetworkTLSClient: Sendable {
        /// The queue that evaluates certificates, which may use the network.
        private static let queue = DispatchQueue(label: "marquee.tls")

        private let name: String
        /// The name to send, if it isn't the host to connect to.
        private let sentName: String?
        private let server: ServerCheck
        /// The certificates of the authorities, in DER; `nil` for those that the system trusts.
        private let authorities: [[UInt8]]?

        /// Reads the files.
        /// - Parameter host: the host to connect to.
        /// - Throws: `TLSProblem`, which names the file that can't be used; also for a certificate of the client's own,
        ///   which only works over sockets.
        package init(_ options: TLSOptions, host: String) throws(TLSProblem) {
            guard options.certificate == nil else {
                throw TLSProblem("a client's certificate in PEM files can't be used with Network.framework")
            }
            name = options.serverName ?? host
            let isName = !Loopback.isAddress(name)
            sentName = isName && name != host ? name : nil
            server = ServerCheck(serverName: isName ? name : nil, publicKeys: options.publicKeys)
            authorities = try options.authorities.map { file throws(TLSProblem) in
                try PEMFile.certificates(file).map { certificate throws(TLSProblem) in
                    guard let bytes = try? certificate.toDERBytes(), Self.certificate(bytes) != nil else {
                        throw TLSProblem("\(file) holds a certificate that the system can't read")
                    }
                    return bytes
                }
            }
        }

        /// Returns the TLS options of one connection. Sessions are not resumed: each handshake proves everything again.
        /// - Parameter refusal: receives the reason why the server was refused, before its connection fails.
        package func options(refusal: Locked<TLSProblem?>) -> NWProtocolTLS.Options {
            let options = NWProtocolTLS.Options()
            let security = options.securityProtocolOptions
            sec_protocol_options_set_min_tls_protocol_version(security, .TLSv13)
            sec_protocol_options_add_tls_application_protocol(security, MarqueeProtocol.name)
            sec_protocol_options_set_tls_resumption_enabled(security, false)
            sec_protocol_options_set_tls_tickets_enabled(security, false)
            sec_protocol_options_set_peer_authentication_required(security, true)
            if let sentName { sec_protocol_options_set_tls_server_name(security, sentName) }
            sec_protocol_options_set_verify_block(
                security,
                { [self] _, trust, complete in
                    let problem = problem(with: sec_trust_copy_ref(trust).takeRetainedValue())
                    if let problem { refusal.withLock { $0 = problem } }
                    complete(problem == nil)
                }, Self.queue)
            return options
        }

        /// The first handlers of a new connection's pipeline, in order.
        /// - Parameter done: completed once both sides have agreed on Marquee; fails with the reason if they don't.
        package func handlers(done: EventLoopPromise<Void>) -> [any ChannelHandler] { [HandshakeCheck(done: done)] }

        private static func certificate(_ bytes: [UInt8]) -> SecCertificate? {
            SecCertificateCreateWithData(nil, NSData(data: Data(bytes)) as CFData)
        }

        /// - Returns: `nil` if the system trusts the chain for this name, and it is the right server's.
        private func problem(with trust: SecTrust) -> TLSProblem? {
            var status = SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, NSString(string: name) as CFString))
            if let authorities, status == errSecSuccess {
                let anchors = authorities.compactMap(Self.certificate)
                status = SecTrustSetAnchorCertificates(trust, NSArray(array: anchors) as CFArray)
                if status == errSecSuccess { status = SecTrustSetAnchorCertificatesOnly(trust, true) }
            }
            guard status == errSecSuccess else {
                return TLSProblem("the server's certificate can't be judged: status \(status)")
            }
            var error: CFError?
            guard SecTrustEvaluateWithError(trust, &error) else {
                let reason = error.map { ": \($0.localizedDescription)" } ?? ""
                return TLSProblem("the server's certificate isn't trusted\(reason)")
            }
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
            guard let leaf = chain?.first else { return TLSProblem("the server has shown no certificate") }
            let bytes = Array(Data(referencing: SecCertificateCopyData(leaf) as NSData))
            return server.problem(with: try? NIOSSLCertificate(bytes: bytes, format: .der))
        }
    }
#endif
