import Logging
package import MarqueeWire

/// A call for which the client named the trace that it belongs to.
package struct TracedCall: Hashable, Sendable {
    package var call: UInt32
    package var method: Method
    package var trace: TraceParent
    /// When it arrived, in milliseconds of the monotonic clock.
    package var began: UInt64

    /// - Parameter reason: the reason for its failure; `nil` if it succeeded.
    func metadata(reason: String?, now: UInt64) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "trace-id": "\(trace.traceID)", "parent-id": "\(trace.parentID)", "call": .stringConvertible(call),
            "method": "\(method.name)", "milliseconds": .stringConvertible(now - min(now, began)),
        ]
        if let reason { metadata["reason"] = "\(reason)" }
        return metadata
    }
}
