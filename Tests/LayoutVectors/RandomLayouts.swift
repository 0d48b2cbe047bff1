package import MarqueeLayout
package import MarqueeModel
internal import SeededRandom

/// Generates layouts from a seed.
package struct RandomLayouts {
    private var random: SeededGenerator
    /// Whether the layouts are wild: any numbers and any shape. Tame ones stay within their containers.
    private let isWild: Bool
    private var room = 0

    package init(seed: UInt64, wild: Bool) {
        random = SeededGenerator(seed: seed)
        isWild = wild
    }

    package mutating func number(in range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    package mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    package mutating func isTrue(_ probability: Double) -> Bool { number(in: 0...1) < probability }

    package mutating func layout() -> SectionLayout {
        room = number(in: 1...10)
        let hasEdges = isWild || isTrue(0.5)
        return SectionLayout(
            group: group(depth: 0), insets: insets(),
            insetsReference: LayoutInsetsReference.allCases.randomElement(using: &random) ?? .none,
            spacing: points(0...20),
            scrolling: LayoutScrolling.allCases.randomElement(using: &random) ?? .none,
            supplementaries: hasEdges ? (0..<number(in: 0...4)).map { _ in supplementary() } : [],
            decoration: isTrue(0.5) ? LayoutDecoration(kind: "background", insets: insets()) : nil)
    }

    /// Sizes of some of the items.
    package mutating func measured(of count: Int) -> [Int: LayoutSize] {
        var sizes: [Int: LayoutSize] = [:]
        for _ in 0..<number(in: 0...20) {
            sizes[number(in: -1...(count + 1))] = LayoutSize(width: points(0...150), height: points(0...150))
        }
        return sizes
    }

    private mutating func group(depth: Int) -> LayoutNode {
        let isCounted = isTrue(0.4)
        var children: [LayoutNode] = []
        for _ in 0..<(isCounted ? 1 : number(in: (isWild ? 0 : 1)...3)) where children.isEmpty || room > 0 {
            room -= 1
            children.append(room > 0 && depth < 4 && isTrue(0.4) ? group(depth: depth + 1) : leaf())
        }
        return .group(
            axis: isTrue(0.5) ? .horizontal : .vertical, width: side(fw, depth),
            height: side(fh, depth), insets: insets(), edgeSpacing: edgeSpacing(), spacing: spacing(0...8),
            count: isCounted ? number(in: (isWild ? -1 : 1)...5) : nil, children: children)
    }

    private mutating func leaf() -> LayoutNode {
        .item(
            width: side(fw, 1), height: side(fh, 1), insets: insets(), edgeSpacing: edgeSpacing(),
            badges: (0..<number(in: 0...2)).map { _ in supplementary() })
    }

    private mutating func supplementary() -> LayoutSupplementary {
        LayoutSupplementary(
            kind: "kind", width: side(fw, 1), height: side(fh, 1),
            edges: LayoutEdges(rawValue: UInt32(number(in: 0...15))), offsetX: isWild ? points(-50...50) : 0,
            offsetY: isWild ? points(-50...50) : 0, offsetIsFractional: isTrue(0.3), insets: insets(),
            isPinned: isTrue(0.3))
    }

    /// A tame dimension is a fraction of the same dimension of its container, so nothing exceeds what holds it.
    private mutating func side(_ fraction: (Double) -> LayoutDimension, _ depth: Int) -> LayoutDimension {
        guard isWild else { return fraction(number(in: (depth == 0 ? 0.1 : 0.2)...1)) }
        switch number(in: 0...4) {
        case 0: return .fractionalWidth(points(0...1.5) / (isTrue(0.2) ? 0 : 1))
        case 1: return .fractionalHeight(points(0...1.5))
        case 2: return .absolute(points(-10...200))
        default: return .estimated(points(0...200))
        }
    }

    /// Tame elements have none: their sizes and it may exceed their groups.
    private mutating func edgeSpacing() -> LayoutEdgeSpacing {
        guard isWild, isTrue(0.3) else { return .zero }
        return LayoutEdgeSpacing(
            top: spacing(0...6), leading: spacing(0...6), bottom: spacing(0...6), trailing: spacing(0...6))
    }

    private mutating func spacing(_ range: ClosedRange<Double>) -> LayoutSpacing {
        isTrue(0.3) ? .flexible(points(range)) : .fixed(points(range))
    }

    private mutating func insets() -> LayoutInsets {
        guard isTrue(0.5) else { return .zero }
        let range = isWild ? -10.0...20 : 0...6
        return LayoutInsets(top: points(range), leading: points(range), bottom: points(range), trailing: points(range))
    }

    private mutating func points(_ range: ClosedRange<Double>) -> Double {
        guard isWild, isTrue(0.1) else { return number(in: range) }
        let extremes = [
            0, -0.0, -1, 1e-300, 1e300, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        ]
        return extremes.randomElement(using: &random) ?? 0
    }
}

private func fw(_ fraction: Double) -> LayoutDimension { .fractionalWidth(fraction) }
private func fh(_ fraction: Double) -> LayoutDimension { .fractionalHeight(fraction) }
