import MarqueeLayout
import MarqueeModel
import Testing

/// The screen for which the expected frames are calculated.
let phone = LayoutSize(width: 390, height: 844)

func fw(_ fraction: Double) -> LayoutDimension { .fractionalWidth(fraction) }
func fh(_ fraction: Double) -> LayoutDimension { .fractionalHeight(fraction) }
func abs(_ points: Double) -> LayoutDimension { .absolute(points) }
func est(_ points: Double) -> LayoutDimension { .estimated(points) }

/// Insets in documentation order: top, leading, bottom, trailing.
func insets(_ top: Double, _ leading: Double, _ bottom: Double, _ trailing: Double) -> LayoutInsets {
    LayoutInsets(top: top, leading: leading, bottom: bottom, trailing: trailing)
}

func item(
    _ width: LayoutDimension, _ height: LayoutDimension, insets: LayoutInsets = .zero,
    edges: LayoutEdgeSpacing = .zero, badges: [LayoutSupplementary] = []
) -> LayoutNode {
    .item(width: width, height: height, insets: insets, edgeSpacing: edges, badges: badges)
}

func row(
    _ width: LayoutDimension, _ height: LayoutDimension, insets: LayoutInsets = .zero,
    edges: LayoutEdgeSpacing = .zero, spacing: LayoutSpacing = 0, count: Int? = nil, _ children: LayoutNode...
) -> LayoutNode {
    .group(
        axis: .horizontal, width: width, height: height, insets: insets, edgeSpacing: edges, spacing: spacing,
        count: count, children: children)
}

func column(
    _ width: LayoutDimension, _ height: LayoutDimension, insets: LayoutInsets = .zero,
    edges: LayoutEdgeSpacing = .zero, spacing: LayoutSpacing = 0, count: Int? = nil, _ children: LayoutNode...
) -> LayoutNode {
    .group(
        axis: .vertical, width: width, height: height, insets: insets, edgeSpacing: edges, spacing: spacing,
        count: count, children: children)
}

func header(_ height: LayoutDimension) -> LayoutSupplementary {
    LayoutSupplementary(kind: "header", width: fw(1), height: height, edges: .top)
}

func footer(_ height: LayoutDimension) -> LayoutSupplementary {
    LayoutSupplementary(kind: "footer", width: fw(1), height: height, edges: .bottom)
}

func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> LayoutRect {
    LayoutRect(x: x, y: y, width: width, height: height)
}

/// Whether two point values are equal up to rounding.
func isClose(_ a: Double, _ b: Double) -> Bool {
    (a - b).magnitude < 0.000_1
}

func expect(
    _ frame: LayoutRect?, is expected: LayoutRect, sourceLocation: SourceLocation = #_sourceLocation
) {
    let matches = frame.map {
        isClose($0.x, expected.x) && isClose($0.y, expected.y) && isClose($0.width, expected.width)
            && isClose($0.height, expected.height)
    }
    #expect(matches == true, "\(String(describing: frame)) is not \(expected)", sourceLocation: sourceLocation)
}

func expect(
    _ points: Double?, is expected: Double, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(
        points.map { isClose($0, expected) } == true, "\(String(describing: points)) is not \(expected)",
        sourceLocation: sourceLocation)
}

func expect(
    _ points: some Sequence<Double>, are expected: [Double], sourceLocation: SourceLocation = #_sourceLocation
) {
    let points = Array(points)
    #expect(
        points.count == expected.count && zip(points, expected).allSatisfy { isClose($0, $1) },
        "\(points) is not \(expected)", sourceLocation: sourceLocation)
}
