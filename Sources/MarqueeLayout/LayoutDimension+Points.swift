internal import MarqueeModel

extension LayoutDimension {
    /// The dimension in a container, in points. An estimate counts as its value.
    func points(in container: LayoutSize) -> Double {
        switch self {
        case .fractionalWidth(let fraction): LayoutLimits.extent(fraction * container.width)
        case .fractionalHeight(let fraction): LayoutLimits.extent(fraction * container.height)
        case .absolute(let points), .estimated(let points): LayoutLimits.extent(points)
        }
    }

    var isEstimated: Bool {
        if case .estimated = self { true } else { false }
    }

    /// Whether it is a fraction of the container along `axis`.
    func isFraction(of axis: LayoutNode.Axis) -> Bool {
        switch self {
        case .fractionalWidth: axis == .horizontal
        case .fractionalHeight: axis == .vertical
        case .absolute, .estimated: false
        }
    }
}

/// A width and a height as described by a layout.
struct DimensionPair {
    var width: LayoutDimension
    var height: LayoutDimension

    subscript(axis: LayoutNode.Axis) -> LayoutDimension {
        get { axis == .horizontal ? width : height }
        set {
            switch axis {
            case .horizontal: width = newValue
            case .vertical: height = newValue
            }
        }
    }

    func size(in container: LayoutSize) -> LayoutSize {
        LayoutSize(width: width.points(in: container), height: height.points(in: container))
    }

    /// The insets that apply to an element with these dimensions: they are ignored along an estimated dimension.
    func applying(_ insets: LayoutInsets) -> LayoutInsets {
        var insets = insets
        if width.isEstimated { (insets.leading, insets.trailing) = (0, 0) }
        if height.isEstimated { (insets.top, insets.bottom) = (0, 0) }
        return insets
    }
}

extension LayoutNode.Axis {
    var other: LayoutNode.Axis { self == .horizontal ? .vertical : .horizontal }
}
