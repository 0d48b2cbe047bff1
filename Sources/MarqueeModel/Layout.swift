/// One dimension of a layout element.
public enum LayoutDimension: Hashable, Sendable {
    case fractionalWidth(Double)
    case fractionalHeight(Double)
    /// Points.
    case absolute(Double)
    /// Points, until the content is measured.
    case estimated(Double)
}

/// Distances from the edges of a rectangle, in points.
public struct LayoutInsets: Hashable, Sendable {
    /// At the top, in points.
    public var top: Double
    /// On the side where text begins, in points.
    public var leading: Double
    /// At the bottom, in points.
    public var bottom: Double
    /// On the side where text ends, in points.
    public var trailing: Double

    /// Insets in points.
    public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// No insets.
    public static let zero = LayoutInsets()
}

/// The space between two neighbours, or between an element and the edge of its group.
public enum LayoutSpacing: Hashable, Sendable {
    /// Points.
    case fixed(Double)
    /// At least so many points. What the elements of a group leave of it is shared equally among its flexible spacings.
    case flexible(Double)

    /// No space.
    public static let zero = LayoutSpacing.fixed(0)

    /// Points that it takes in any case.
    public var minimum: Double {
        switch self {
        case .fixed(let points), .flexible(let points): points
        }
    }

    /// Whether it grows.
    public var isFlexible: Bool {
        if case .flexible = self { true } else { false }
    }
}

extension LayoutSpacing: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// Fixed.
    public init(floatLiteral points: Double) { self = .fixed(points) }
    /// Fixed.
    public init(integerLiteral points: Int) { self = .fixed(Double(points)) }
}

/// Space around an element of a group, which moves its neighbours away; insets don't.
public struct LayoutEdgeSpacing: Hashable, Sendable {
    /// Above it.
    public var top: LayoutSpacing
    /// On the side where text begins.
    public var leading: LayoutSpacing
    /// Below it.
    public var bottom: LayoutSpacing
    /// On the side where text ends.
    public var trailing: LayoutSpacing

    /// Space at some of the edges.
    public init(
        top: LayoutSpacing = .zero, leading: LayoutSpacing = .zero, bottom: LayoutSpacing = .zero,
        trailing: LayoutSpacing = .zero
    ) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// None.
    public static let zero = LayoutEdgeSpacing()
}

/// Edges of a rectangle.
public struct LayoutEdges: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The top edge.
    public static let top = LayoutEdges(rawValue: 1)
    /// The edge where text begins.
    public static let leading = LayoutEdges(rawValue: 2)
    /// The bottom edge.
    public static let bottom = LayoutEdges(rawValue: 4)
    /// The edge where text ends.
    public static let trailing = LayoutEdges(rawValue: 8)
}

/// A header, footer, side view or badge of a section or an item.
public struct LayoutSupplementary: Hashable, Sendable {
    /// The kind of view that it is, such as `header` or `badge`.
    public var kind: String
    /// Its width.
    public var width: LayoutDimension
    /// Its height.
    public var height: LayoutDimension
    /// The edges that it is attached to.
    public var edges: LayoutEdges
    /// Points, or fractions of the supplementary's own size if `offsetIsFractional`.
    public var offsetX: Double
    /// How far it is moved down from there, in points, or as a share of its height; see `offsetIsFractional`.
    public var offsetY: Double
    /// Whether the offsets are shares of its size instead of points.
    public var offsetIsFractional: Bool
    /// Space around it.
    public var insets: LayoutInsets
    /// Whether a view at the top or bottom of a section stays in view as long as any of the section is.
    public var isPinned: Bool
    /// Its place from back to front, in which items have 0; `nil` is in front of them.
    public var zIndex: Int?

    /// A view beside an item or a section.
    public init(
        kind: String, width: LayoutDimension, height: LayoutDimension, edges: LayoutEdges, offsetX: Double = 0,
        offsetY: Double = 0, offsetIsFractional: Bool = false, insets: LayoutInsets = .zero, isPinned: Bool = false,
        zIndex: Int? = nil
    ) {
        self.kind = kind
        self.width = width
        self.height = height
        self.edges = edges
        self.offsetX = offsetX
        self.offsetY = offsetY
        self.offsetIsFractional = offsetIsFractional
        self.insets = insets
        self.isPinned = isPinned
        self.zIndex = zIndex
    }
}

/// An item or a group of a section's layout. Groups nest.
public indirect enum LayoutNode: Hashable, Sendable {
    /// In which direction a group lays out its children.
    public enum Axis: Hashable, Sendable { case horizontal, vertical }

    case item(LayoutItem)
    case group(LayoutGroup)

    /// The place of one item.
    public static func item(
        width: LayoutDimension, height: LayoutDimension, insets: LayoutInsets = .zero,
        edgeSpacing: LayoutEdgeSpacing = .zero, badges: [LayoutSupplementary] = []
    ) -> LayoutNode {
        .item(LayoutItem(width: width, height: height, insets: insets, edgeSpacing: edgeSpacing, badges: badges))
    }

    /// A group of other nodes.
    public static func group(
        axis: Axis, width: LayoutDimension, height: LayoutDimension, insets: LayoutInsets = .zero,
        edgeSpacing: LayoutEdgeSpacing = .zero, spacing: LayoutSpacing = .zero, count: Int? = nil,
        children: [LayoutNode]
    ) -> LayoutNode {
        .group(
            LayoutGroup(
                axis: axis, width: width, height: height, insets: insets, edgeSpacing: edgeSpacing, spacing: spacing,
                count: count, children: children))
    }
}

/// The place of one item in a group.
public struct LayoutItem: Hashable, Sendable {
    /// Its width.
    public var width: LayoutDimension
    /// Its height.
    public var height: LayoutDimension
    /// Shrink it after it is placed.
    public var insets: LayoutInsets
    /// Around it.
    public var edgeSpacing: LayoutEdgeSpacing
    /// Views on it.
    public var badges: [LayoutSupplementary]

    /// The place of one item.
    public init(
        width: LayoutDimension, height: LayoutDimension, insets: LayoutInsets = .zero,
        edgeSpacing: LayoutEdgeSpacing = .zero, badges: [LayoutSupplementary] = []
    ) {
        self.width = width
        self.height = height
        self.insets = insets
        self.edgeSpacing = edgeSpacing
        self.badges = badges
    }
}

/// Nodes side by side, or below each other.
public struct LayoutGroup: Hashable, Sendable {
    /// In which direction its children are laid out.
    public var axis: LayoutNode.Axis
    /// Its width.
    public var width: LayoutDimension
    /// Its height.
    public var height: LayoutDimension
    /// Shrink the space for its children.
    public var insets: LayoutInsets
    /// Around it; the section's own group has none.
    public var edgeSpacing: LayoutEdgeSpacing
    /// Between its children.
    public var spacing: LayoutSpacing
    /// With a count, it holds that many copies of its one child, each with an equal share of the axis; without one, the
    /// list of children repeats until the axis is full.
    public var count: Int?
    /// The items and groups that it lays out.
    public var children: [LayoutNode]

    /// A group of other nodes.
    public init(
        axis: LayoutNode.Axis, width: LayoutDimension, height: LayoutDimension, insets: LayoutInsets = .zero,
        edgeSpacing: LayoutEdgeSpacing = .zero, spacing: LayoutSpacing = .zero, count: Int? = nil,
        children: [LayoutNode]
    ) {
        self.axis = axis
        self.width = width
        self.height = height
        self.insets = insets
        self.edgeSpacing = edgeSpacing
        self.spacing = spacing
        self.count = count
        self.children = children
    }
}

/// The background of a section.
public struct LayoutDecoration: Hashable, Sendable {
    /// The name of its look, such as `background`.
    public var kind: String
    /// Shrink it; without them it is as large as its section.
    public var insets: LayoutInsets
    /// Its place from back to front, in which items have 0; `nil` is behind everything.
    public var zIndex: Int?

    /// A background.
    public init(kind: String, insets: LayoutInsets = .zero, zIndex: Int? = nil) {
        self.kind = kind
        self.insets = insets
        self.zIndex = zIndex
    }
}

extension LayoutDecoration: ExpressibleByStringLiteral {
    /// A background of that kind, as large as its section.
    public init(stringLiteral kind: String) { self.init(kind: kind) }
}

/// How a section scrolls sideways.
public enum LayoutScrolling: UInt32, Hashable, Sendable, CaseIterable {
    case none = 0
    case continuous = 1
    case continuousGroupLeadingBoundary = 2
    case paging = 3
    case groupPaging = 4
    case groupPagingCentered = 5
}

/// Where the leading and trailing insets of a section begin.
public enum LayoutInsetsReference: UInt32, Hashable, Sendable, CaseIterable {
    /// Where those of the app's other sections do: at the safe area, unless the app says otherwise.
    case automatic = 0
    /// The edges of the screen.
    case none = 1
    /// Where nothing of the device covers the screen.
    case safeArea = 2
    /// The margins that the screen keeps for its content.
    case layoutMargins = 3
    /// Where lines of text aren't too long to be read.
    case readableContent = 4
}

/// The compositional layout of one section, in points.
public struct SectionLayout: Hashable, Sendable {
    /// Maximum number of nodes in a layout; larger ones are refused when decoded.
    package static let maximumNodes = 64

    /// The group that is repeated until all items have a place.
    public var group: LayoutNode
    /// Space around the groups.
    public var insets: LayoutInsets
    /// Where the leading and trailing insets begin.
    public var insetsReference: LayoutInsetsReference
    /// Between groups.
    public var spacing: Double
    /// How the section scrolls across the screen.
    public var scrolling: LayoutScrolling
    /// Headers, footers and other views of the section.
    public var supplementaries: [LayoutSupplementary]
    /// The background, if any.
    public var decoration: LayoutDecoration?

    /// A layout of one group.
    public init(
        group: LayoutNode, insets: LayoutInsets = .zero, insetsReference: LayoutInsetsReference = .automatic,
        spacing: Double = 0, scrolling: LayoutScrolling = .none,
        supplementaries: [LayoutSupplementary] = [], decoration: LayoutDecoration? = nil
    ) {
        self.group = group
        self.insets = insets
        self.insetsReference = insetsReference
        self.spacing = spacing
        self.scrolling = scrolling
        self.supplementaries = supplementaries
        self.decoration = decoration
    }
}
