import Foundation
import MarqueeWire

extension TraceParent {
    /// The trace that whoever started this program says it is part of, by the variable that tracing tools use.
    static func inherited(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> TraceParent? {
        environment["TRACEPARENT"].flatMap { TraceParent($0) }
    }
}
