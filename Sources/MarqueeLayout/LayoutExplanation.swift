/// Why the frames of a section are what they are.
public struct LayoutExplanation: Sendable {
    /// The section, laid out.
    public let frames: SectionFrames
    /// In the order of the decisions.
    public internal(set) var steps: [LayoutStep]

    /// The readings of the platform's documentation used by the steps, each once.
    public var readings: [LayoutReading] {
        var seen: Set<LayoutReading> = []
        return steps.compactMap(\.reading).filter { seen.insert($0).inserted }
    }

    /// The steps as lines for people, grouped by element. A number in brackets refers to a reading at the end.
    public var lines: [String] {
        let readings = readings
        var order: [LayoutStep.Element] = []
        var byElement: [LayoutStep.Element: [String]] = [:]
        for step in steps {
            var line = "  " + step.words
            if let number = readings.firstIndex(where: { $0 == step.reading }) { line += "  [\(number + 1)]" }
            if byElement[step.element] == nil { order.append(step.element) }
            byElement[step.element, default: []].append(line)
        }
        var lines = order.flatMap { [$0.title] + (byElement[$0] ?? []) }
        guard !readings.isEmpty else { return lines }
        lines.append("where the platform's documentation is silent, Marquee reads it as follows")
        for (number, reading) in readings.enumerated() { lines.append("  [\(number + 1)] \(reading.sentence)") }
        return lines
    }
}

extension LayoutStep.Element {
    fileprivate var title: String {
        switch self {
        case .section: "section"
        case .supplementary(_, let kind): kind
        case .background: "background"
        case .group(let path) where path.isEmpty: "group"
        case .group(let path): "group \(path.map { String($0) }.joined(separator: ".")) in it"
        case .item(let index): "item \(index)"
        case .badge(_, let kind): "badge \(kind)"
        case .scrolling: "scrolling"
        }
    }
}
