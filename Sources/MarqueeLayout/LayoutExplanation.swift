/// Why the frames of a section are what they are.
public struct LayoutExplanation: Sendable {
    /// The section, laid out.
    public let frames: SectionFrames
    /// In the order of the decisions.
    public internal(set) var steps: [LayoutStep]

    /// The assumptions of the platform's documentation used by the steps, each once.
    public var assumptions: [LayoutAssumption] {
        var seen: Set<LayoutAssumption> = []
        return steps.compactMap(\.assumption).filter { seen.insert($0).inserted }
    }

    /// The steps as lines for people, grouped by element. A number in brackets refers to an assumption at the end.
    public var lines: [String] {
        let assumptions = assumptions
        var order: [LayoutStep.Element] = []
        var byElement: [LayoutStep.Element: [String]] = [:]
        for step in steps {
            var line = "  " + step.words
            if let number = assumptions.firstIndex(where: { $0 == step.assumption }) { line += "  [\(number + 1)]" }
            if byElement[step.element] == nil { order.append(step.element) }
            byElement[step.element, default: []].append(line)
        }
        var lines = order.flatMap { [$0.title] + (byElement[$0] ?? []) }
        guard !assumptions.isEmpty else { return lines }
        lines.append("where the platform's documentation is silent, Marquee reads it as follows")
        for (number, assumption) in assumptions.enumerated() {
            lines.append("  [\(number + 1)] \(assumption.sentence)")
        }
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
