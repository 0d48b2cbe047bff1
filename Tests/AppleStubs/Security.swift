// The signatures of Security that MarqueeTLS uses, as Apple documents them for iOS 18, so that it can be type-checked
// on systems without that framework. Nothing here does anything, and it is no target of the package. What bridges to
// Foundation's types is of those types here.

public import Dispatch
public import Foundation

public typealias OSStatus = Int32
public typealias CFTypeRef = AnyObject
public typealias CFAllocator = AnyObject
public typealias CFString = NSString
public typealias CFData = NSData
public typealias CFArray = NSArray
public typealias CFError = NSError

public let errSecSuccess: OSStatus = 0

// Not Sendable: nothing documents that they are.
public class SecTrust {}
public class SecPolicy {}
public class SecCertificate {}

public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    unusable()
}
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { unusable() }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { unusable() }
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { unusable() }
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { unusable() }
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { unusable() }
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    unusable()
}
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    unusable()
}
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { unusable() }

// MARK: - Protocol options

public protocol OS_sec_protocol_options: AnyObject {}
public protocol OS_sec_protocol_metadata: AnyObject {}
public protocol OS_sec_trust: AnyObject {}
public typealias sec_protocol_options_t = any OS_sec_protocol_options
public typealias sec_protocol_metadata_t = any OS_sec_protocol_metadata
public typealias sec_trust_t = any OS_sec_trust
public typealias sec_protocol_verify_complete_t = (Bool) -> Void
public typealias sec_protocol_verify_t = (
    sec_protocol_metadata_t, sec_trust_t, @escaping sec_protocol_verify_complete_t
) -> Void

public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv10 = 0x0301
    case TLSv11 = 0x0302
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
}

public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> { unusable() }
public func sec_protocol_options_set_min_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {}
public func sec_protocol_options_add_tls_application_protocol(
    _ options: sec_protocol_options_t, _ application_protocol: UnsafePointer<CChar>
) {}
public func sec_protocol_options_set_tls_resumption_enabled(
    _ options: sec_protocol_options_t, _ resumption_enabled: Bool
) {}
public func sec_protocol_options_set_tls_tickets_enabled(
    _ options: sec_protocol_options_t, _ tickets_enabled: Bool
) {}
public func sec_protocol_options_set_peer_authentication_required(
    _ options: sec_protocol_options_t, _ peer_authentication_required: Bool
) {}
public func sec_protocol_options_set_tls_server_name(
    _ options: sec_protocol_options_t, _ server_name: UnsafePointer<CChar>
) {}
public func sec_protocol_options_set_verify_block(
    _ options: sec_protocol_options_t, _ verify_block: @escaping sec_protocol_verify_t,
    _ verify_block_queue: DispatchQueue
) {}

private func unusable() -> Never { fatalError("only signatures, for type checking") }
