/// One dimension of a layout element.
package enum LayoutDimension: Hashable, Sendable {
    case fractionalWidth(Double)
    case fractionalHeight(Double)
    /// Points.
    case absolute(Double)
    /// Points, used until the content is measured.
    case estimated(Double)
}

/// Distances from the edges of a rectangle, in points.
package struct LayoutInsets: Hashable, Sendable {
    /// At the top, in points.
    package var top: Double
    /// On the side where text begins, in points.
    package var leading: Double
    /// At the bottom, in points.
    package var bottom: Double
    /// On the side where text ends, in points.
    package var trailing: Double

    /// Insets in points.
    package init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// No insets.
    package static let zero = LayoutInsets()
}

/// The space between two neighbours, or between an element and the edge of its group.
package enum LayoutSpacing: Hashable, Sendable {
    /// Points.
    case fixed(Double)
    /// At least this many points. Space left over in a group is shared equally among its flexible spacings.
    case flexible(Double)

    /// No space.
    package static let zero = LayoutSpacing.fixed(0)

    /// The minimum number of points it takes up.
    package var minimum: Double {
        switch self {
        case .fixed(let points), .flexible(let points): points
        }
    }

    /// Whether it can grow.
    package var isFlexible: Bool {
        if case .flexible = self { true } else { false }
    }
}

extension LayoutSpacing: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// A fixed spacing.
    package init(floatLiteral points: Double) { self = .fixed(points) }
    /// A fixed spacing.
    package init(integerLiteral points: Int) { self = .fixed(Double(points)) }
}

/// Space around an element of a group. Unlike insets, it pushes the element's neighbours away.
package struct LayoutEdgeSpacing: Hashable, Sendable {
    /// Above it.
    package var top: LayoutSpacing
    /// On the side where text begins.
    package var leading: LayoutSpacing
    /// Below it.
    package var bottom: LayoutSpacing
    /// On the side where text ends.
    package var trailing: LayoutSpacing

    /// Space at some of the edges.
    package init(
        top: LayoutSpacing = .zero, leading: LayoutSpacing = .zero, bottom: LayoutSpacing = .zero,
        trailing: LayoutSpacing = .zero
    ) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// No space.
    package static let zero = LayoutEdgeSpacing()
}

/// Edges of a rectangle.
package struct LayoutEdges: OptionSet, Hashable, Sendable {
    package var rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The top edge.
    package static let top = LayoutEdges(rawValue: 1)
    /// The edge where text begins.
    package static let leading = LayoutEdges(rawValue: 2)
    /// The bottom edge.
    package static let bottom = LayoutEdges(rawValue: 4)
    /// The edge where text ends.
    package static let trailing = LayoutEdges(rawValue: 8)
}

/// A header, footer, side view or badge of a section or an item.
package struct LayoutSupplementary: Hashable, Sendable {
    /// The kind of view, such as `header` or `badge`.
    package var kind: String
    /// Its width.
    package var width: LayoutDimension
    /// Its height.
    package var height: LayoutDimension
    /// The edges it is attached to.
    package var edges: LayoutEdges
    /// The horizontal offset from those edges, in points or as a fraction of its width; see `offsetIsFractional`.
    package var offsetX: Double
    /// The vertical offset from those edges, in points or as a fraction of its height; see `offsetIsFractional`.
    package var offsetY: Double
    /// Whether the offsets are fractions of its size instead of points.
    package var offsetIsFractional: Bool
    /// Space around it.
    package var insets: LayoutInsets
    /// Whether a view at the top or bottom of a section stays in view as long as any part of the section does.
    package var isPinned: Bool
    /// Its stacking order, in which items are at 0 and higher values are in front; `nil` puts it in front of items.
    package var zIndex: Int?

    /// A view attached to an item or a section.
    package init(
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
package indirect enum LayoutNode: Hashable, Sendable {
    /// The direction in which a group lays out its children.
    package enum Axis: Hashable, Sendable { case horizontal, vertical }

    case item(LayoutItem)
    case group(LayoutGroup)

    /// A place for one item.
    package static func item(
        width: LayoutDimension, height: LayoutDimension, insets: LayoutInsets = .zero,
        edgeSpacing: LayoutEdgeSpacing = .zero, badges: [LayoutSupplementary] = []
    ) -> LayoutNode {
        .item(LayoutItem(width: width, height: height, insets: insets, edgeSpacing: edgeSpacing, badges: badges))
    }

    /// A group of other nodes.
    package static func group(
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

/// A place for one item in a group.
package struct LayoutItem: Hashable, Sendable {
    /// Its width.
    package var width: LayoutDimension
    /// Its height.
    package var height: LayoutDimension
    /// Shrinks the item after it is placed.
    package var insets: LayoutInsets
    /// The space around it.
    package var edgeSpacing: LayoutEdgeSpacing
    /// The badges attached to the item.
    package var badges: [LayoutSupplementary]

    /// A place for one item.
    package init(
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

/// Nodes side by side, or one below another.
package struct LayoutGroup: Hashable, Sendable {
    /// The direction in which its children are laid out.
    package var axis: LayoutNode.Axis
    /// Its width.
    package var width: LayoutDimension
    /// Its height.
    package var height: LayoutDimension
    /// Shrinks the space for its children.
    package var insets: LayoutInsets
    /// The space around it; the section's own group has none.
    package var edgeSpacing: LayoutEdgeSpacing
    /// The space between its children.
    package var spacing: LayoutSpacing
    /// The number of copies of its only child, each with an equal share of the axis. If `nil`, the list of children
    /// repeats until the axis is full.
    package var count: Int?
    /// The items and groups that it lays out.
    package var children: [LayoutNode]

    /// A group of other nodes.
    package init(
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
package struct LayoutDecoration: Hashable, Sendable {
    /// The name of its style, such as `background`.
    package var kind: String
    /// Shrinks it; without insets it is as large as its section.
    package var insets: LayoutInsets
    /// Its stacking order, in which items are at 0 and higher values are in front; `nil` puts it behind everything.
    package var zIndex: Int?

    /// A background.
    package init(kind: String, insets: LayoutInsets = .zero, zIndex: Int? = nil) {
        self.kind = kind
        self.insets = insets
        self.zIndex = zIndex
    }
}

extension LayoutDecoration: ExpressibleByStringLiteral {
    /// A background of that kind, as large as its section.
    package init(stringLiteral kind: String) { self.init(kind: kind) }
}

/// How a section scrolls sideways.
package enum LayoutScrolling: UInt32, Hashable, Sendable, CaseIterable {
    case none = 0
    case continuous = 1
    case continuousGroupLeadingBoundary = 2
    case paging = 3
    case groupPaging = 4
    case groupPagingCentered = 5
}

/// Where the leading and trailing insets of a section begin.
package enum LayoutInsetsReference: UInt32, Hashable, Sendable, CaseIterable {
    /// The same as in the app's other sections: the safe area, unless the app says otherwise.
    case automatic = 0
    /// The edges of the screen.
    case none = 1
    /// The safe area: the part of the screen that neither the device nor a bar covers.
    case safeArea = 2
    /// The screen's layout margins.
    case layoutMargins = 3
    /// The readable content guide: an area narrow enough for comfortable lines of text.
    case readableContent = 4
}

/// The compositional layout of one section, in points. UIKit lays out a section according to it, and `MarqueeLayout`
/// computes where UIKit puts each item.
public struct SectionLayout: Hashable, Sendable {
    /// Maximum number of nodes in a layout; larger ones are refused when decoded.
    package static let maximumNodes = 64

    /// The group that is repeated until all items have a place.
    package var group: LayoutNode
    /// The space around the groups.
    package var insets: LayoutInsets
    /// Where the leading and trailing insets begin.
    package var insetsReference: LayoutInsetsReference
    /// The space between groups.
    package var spacing: Double
    /// How the section scrolls sideways.
    package var scrolling: LayoutScrolling
    /// Headers, footers and other views of the section.
    package var supplementaries: [LayoutSupplementary]
    /// The background, if any.
    package var decoration: LayoutDecoration?

    /// A layout that repeats a group.
    package init(
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
