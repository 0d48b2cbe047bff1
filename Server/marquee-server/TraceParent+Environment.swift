import Foundation
import MarqueeWire

extension TraceParent {
    /// The trace that this program is part of, from the environment variable that tracing tools use.
    static func inherited(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> TraceParent? {
        environment["TRACEPARENT"].flatMap { TraceParent($0) }
    }
}
