internal import MarqueeModel

extension LayoutDimension {
    /// The side in a container, as points. An estimate is taken at its word.
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

    /// Whether it is a fraction of the container's side along `axis`.
    func isFraction(of axis: LayoutNode.Axis) -> Bool {
        switch self {
        case .fractionalWidth: axis == .horizontal
        case .fractionalHeight: axis == .vertical
        case .absolute, .estimated: false
        }
    }
}

/// A width and a height as a layout describes them.
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

    /// Insets as they apply to an element of these dimensions: on an axis that is estimated they are ignored.
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
