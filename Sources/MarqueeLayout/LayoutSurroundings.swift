package import MarqueeModel

/// The distances from a screen's edges to the areas that insets may begin at.
///
/// Only leading and trailing distances matter to a section: a screen that scrolls down keeps clear of its top and
/// bottom as a whole.
public struct LayoutSurroundings: Hashable, Sendable {
    /// From the edges to the area that no part of the device covers.
    package var safeArea: LayoutInsets
    /// From the edges to the margins for content.
    package var layoutMargins: LayoutInsets
    /// From the edges to the area in which lines are short enough to read.
    package var readableContent: LayoutInsets

    /// A screen's surroundings.
    package init(safeArea: LayoutInsets, layoutMargins: LayoutInsets, readableContent: LayoutInsets) {
        self.safeArea = safeArea
        self.layoutMargins = layoutMargins
        self.readableContent = readableContent
    }

    /// A screen's surroundings.
    /// - Parameters:
    ///   - safeArea: points from its sides to the area that no part of the device covers.
    ///   - layoutMargins: points to the margins for content.
    ///   - readableContent: points to the area in which lines are short enough to read.
    public init(
        safeArea: (leading: Double, trailing: Double), layoutMargins: (leading: Double, trailing: Double),
        readableContent: (leading: Double, trailing: Double)
    ) {
        self.init(
            safeArea: LayoutInsets(leading: safeArea.leading, trailing: safeArea.trailing),
            layoutMargins: LayoutInsets(leading: layoutMargins.leading, trailing: layoutMargins.trailing),
            readableContent: LayoutInsets(leading: readableContent.leading, trailing: readableContent.trailing))
    }

    /// The surroundings on an upright phone or tablet of this width: nothing covers its sides, margins are 16 points
    /// (20 from a width of 414 on), and lines are at most 672 long.
    public static func usual(width: Double) -> LayoutSurroundings {
        let margin = width < 414 ? 16.0 : 20
        let readable = max(margin, (width - 672) / 2)
        return LayoutSurroundings(
            safeArea: .zero, layoutMargins: LayoutInsets(leading: margin, trailing: margin),
            readableContent: LayoutInsets(leading: readable, trailing: readable))
    }

    /// The distances at which a section's insets begin.
    func insets(_ reference: LayoutInsetsReference) -> LayoutInsets {
        let insets: LayoutInsets =
            switch reference {
            case .none: .zero
            case .automatic, .safeArea: safeArea
            case .layoutMargins: layoutMargins
            case .readableContent: readableContent
            }
        return LayoutInsets(
            leading: LayoutLimits.extent(insets.leading), trailing: LayoutLimits.extent(insets.trailing))
    }
}
