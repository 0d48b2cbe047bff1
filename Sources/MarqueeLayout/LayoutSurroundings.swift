package import MarqueeModel

/// How far the parts of a screen that insets may begin at are from its edges.
///
/// Only leading and trailing distances matter to a section: a screen that scrolls down keeps clear of its top and
/// bottom as a whole.
public struct LayoutSurroundings: Hashable, Sendable {
    /// From the edges to where nothing of the device covers the screen.
    package var safeArea: LayoutInsets
    /// From the edges to the margins for content.
    package var layoutMargins: LayoutInsets
    /// From the edges to where lines aren't too long to be read.
    package var readableContent: LayoutInsets

    /// A screen's surroundings.
    package init(safeArea: LayoutInsets, layoutMargins: LayoutInsets, readableContent: LayoutInsets) {
        self.safeArea = safeArea
        self.layoutMargins = layoutMargins
        self.readableContent = readableContent
    }

    /// A screen's surroundings.
    /// - Parameters:
    ///   - safeArea: points from its sides to where nothing of the device covers it.
    ///   - layoutMargins: to the margins for content.
    ///   - readableContent: to where lines aren't too long to be read.
    public init(
        safeArea: (leading: Double, trailing: Double), layoutMargins: (leading: Double, trailing: Double),
        readableContent: (leading: Double, trailing: Double)
    ) {
        self.init(
            safeArea: LayoutInsets(leading: safeArea.leading, trailing: safeArea.trailing),
            layoutMargins: LayoutInsets(leading: layoutMargins.leading, trailing: layoutMargins.trailing),
            readableContent: LayoutInsets(leading: readableContent.leading, trailing: readableContent.trailing))
    }

    /// Those of an upright phone or tablet of a width: nothing covers its sides, margins are 16 points (20 from a width
    /// of 414 on), and lines are at most 672 long.
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
