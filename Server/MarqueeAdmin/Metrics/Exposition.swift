import MarqueeServer

/// Text in Prometheus' exposition format, version 0.0.4.
///
/// Metrics follow one another, each with its help, its type, and all of its samples: the format doesn't allow a metric
/// to be split. It has no line for units, so they are part of the names.
package struct Exposition {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init() {}

    /// Appends a metric.
    package mutating func add(_ metric: Metric, _ samples: [Metric.Sample]) {
        text += "# HELP \(metric.name) \(Self.escapedHelp(metric.help))\n"
        text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
        for sample in samples {
            switch sample.value {
            case .count(let count): line(metric.name, sample.labels, "\(count)")
            case .number(let number): line(metric.name, sample.labels, Self.text(of: number))
            case .histogram(let histogram): add(histogram, metric.name, sample.labels)
            }
        }
    }

    private mutating func add(_ histogram: Histogram, _ name: String, _ labels: [Metric.Label]) {
        var total: UInt64 = 0
        for (bound, count) in zip(histogram.bounds + [.infinity], histogram.counts) {
            total += count
            line("\(name)_bucket", labels + [Metric.Label("le", Self.text(of: bound))], "\(total)")
        }
        line("\(name)_sum", labels, Self.text(of: histogram.sum))
        line("\(name)_count", labels, "\(total)")
    }

    private mutating func line(_ name: String, _ labels: [Metric.Label], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    /// A number as Go's `strconv.ParseFloat` reads it.
    static func text(of number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number > 0 ? "+Inf" : "-Inf" }
        if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
        return "\(number)"
    }

    /// A label's value: backslash, quote and line feed are escaped.
    static func escaped(_ value: String) -> String {
        escaped(value) { $0 == "\"" ? "\\\"" : nil }
    }

    /// A help text: backslash and line feed are escaped, quotes are not.
    static func escapedHelp(_ help: String) -> String { escaped(help) { _ in nil } }

    private static func escaped(_ text: String, also escape: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            default:
                if let other = escape(scalar) {
                    result.append(contentsOf: other.unicodeScalars)
                } else {
                    result.append(scalar)
                }
            }
        }
        return String(result)
    }
}
