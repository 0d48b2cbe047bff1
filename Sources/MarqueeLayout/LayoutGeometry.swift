internal import MarqueeModel

/// A width and a height, in points.
public struct LayoutSize: Hashable, Codable, Sendable {
    /// Points.
    public var width: Double
    /// Points.
    public var height: Double

    /// A size.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Zero width and height.
    public static let zero = LayoutSize(width: 0, height: 0)

    /// The length along an axis.
    subscript(axis: LayoutNode.Axis) -> Double {
        get { axis == .horizontal ? width : height }
        set {
            switch axis {
            case .horizontal: width = newValue
            case .vertical: height = newValue
            }
        }
    }

    /// Returns the size that remains inside insets, at least 0.
    func inset(by insets: LayoutInsets) -> LayoutSize {
        LayoutSize(
            width: max(0, width - insets.leading - insets.trailing), height: max(0, height - insets.top - insets.bottom)
        )
    }
}

/// A rectangle, in points; x grows to the right and y downwards.
public struct LayoutRect: Hashable, Codable, Sendable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// Points.
    public var width: Double
    /// Points.
    public var height: Double

    /// A rectangle by its top left corner and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The right edge.
    public var maxX: Double { x + width }
    /// The bottom edge.
    public var maxY: Double { y + height }

    /// Whether the two overlap; rectangles that only touch don't.
    public func intersects(_ other: LayoutRect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }

    /// Whether the point is inside; the right and bottom edges are not.
    public func contains(x pointX: Double, y pointY: Double) -> Bool {
        x <= pointX && pointX < maxX && y <= pointY && pointY < maxY
    }

    /// The rectangle moved by a distance.
    public func offsetBy(x: Double, y: Double) -> LayoutRect {
        LayoutRect(x: self.x + x, y: self.y + y, width: width, height: height)
    }

    /// The rectangle in a right-to-left space of `width`.
    func mirrored(in width: Double) -> LayoutRect {
        LayoutRect(x: width - x - self.width, y: y, width: self.width, height: height)
    }

    /// The rectangle minus insets. An inset larger than a dimension leaves nothing of it.
    func inset(by insets: LayoutInsets) -> LayoutRect {
        let inner = LayoutSize(width: width, height: height).inset(by: insets)
        return LayoutRect(x: x + insets.leading, y: y + insets.top, width: inner.width, height: inner.height)
    }

    /// The near edge along an axis.
    func start(_ axis: LayoutNode.Axis) -> Double { axis == .horizontal ? x : y }
    /// The far edge along an axis.
    func end(_ axis: LayoutNode.Axis) -> Double { axis == .horizontal ? maxX : maxY }
}
