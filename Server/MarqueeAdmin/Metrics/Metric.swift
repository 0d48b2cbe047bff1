package import MarqueeServer

/// A metric: its name, its description, and how to read it.
package struct Metric: Sendable {
    package enum Kind: String, Sendable {
        /// Only rises, until the server starts again.
        case counter
        case gauge
        case histogram
    }

    package struct Label: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package enum Value: Hashable, Sendable {
        case count(UInt64)
        case number(Double)
        case histogram(Histogram)
    }

    /// A value, with the labels that distinguish it from the metric's other values.
    package struct Sample: Hashable, Sendable {
        package var labels: [Label]
        package var value: Value

        package init(_ value: Value, _ labels: [Label] = []) {
            self.value = value
            self.labels = labels
        }
    }

    package let name: String
    package let kind: Kind
    package let help: String
    /// Reads the samples; none while there is no value.
    package let read: @Sendable (Reading) -> [Sample]

    /// - Parameters:
    ///   - name: by Prometheus' conventions: with the unit, and `_total` at the end of a counter.
    ///   - help: one sentence.
    package init(_ name: String, _ kind: Kind, _ help: String, _ read: @escaping @Sendable (Reading) -> [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.read = read
    }
}

/// The values that metrics are computed from.
package struct Reading: Sendable {
    /// The state that `marquee_state` shows.
    package var state: NodeState
    package var process: ProcessFigures
    /// `nil` while the server starts and once it is gone.
    package var server: ServerFigures?
    /// How far sessions were behind, over all readings.
    package var lag: Histogram
    /// Bytes of data sent so far; the count never falls when sessions end.
    package var sentBytes: UInt64 = 0
    /// The outage that a starting node waits out.
    package var waiting: SourceOutage?
    /// Lines that weren't logged because there were too many.
    package var unloggedLines: UInt64 = 0
    /// The files that the process reads, by purpose.
    package var files: [String: FileHealth.Figures] = [:]

    package init(state: NodeState, process: ProcessFigures, server: ServerFigures?, lag: Histogram) {
        self.state = state
        self.process = process
        self.server = server
        self.lag = lag
    }
}

/// The stage that a node is at.
package enum NodeState: String, CaseIterable, Sendable {
    case starting
    case serving
    case draining
    case stopped
}

extension Metric.Sample {
    /// Returns one sample for each entry, ordered by name.
    package static func each<Number>(
        of entries: [String: Number], by label: String, _ value: (Number) -> Metric.Value
    ) -> [Metric.Sample] {
        entries.sorted { $0.key < $1.key }.map { Metric.Sample(value($0.value), [Metric.Label(label, $0.key)]) }
    }
}

extension Metric.Value {
    package static func number(_ number: Int) -> Metric.Value { .number(Double(number)) }
}
