// The signatures of Network.framework that Marquee uses, as Apple documents them for iOS 18, so that it can be
// type-checked on systems without that framework. Nothing here does anything, and it is no target of the package.

public import Dispatch
public import Foundation
public import Security

public enum NWError: Error, Equatable, Sendable {
    case posix(POSIXErrorCode)
    case dns(Int32)
    case tls(OSStatus)
}

public class NWProtocolOptions {}

public class NWProtocolTLS {
    public class Options: NWProtocolOptions {
        public var securityProtocolOptions: sec_protocol_options_t { unusable() }
        public override init() {}
    }
}

public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }
    public let status: Status
}

public final class NWPathMonitor: Sendable {
    public init() {}
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { unusable() }
        set {}
    }
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}

private func unusable() -> Never { fatalError("only signatures, for type checking") }
