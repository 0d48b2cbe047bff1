public import MarqueeModel

/// How far the parts of a screen that insets may begin at are from its edges.
///
/// Only leading and trailing distances matter to a section: a screen that scrolls down keeps clear of its top and
/// bottom as a whole.
public struct LayoutSurroundings: Hashable, Sendable {
    /// From the edges to where nothing of the device covers the screen.
    public var safeArea: LayoutInsets
    /// From the edges to the margins for content.
    public var layoutMargins: LayoutInsets
    /// From the edges to where lines aren't too long to be read.
    public var readableContent: LayoutInsets

    /// A screen's surroundings.
    public init(safeArea: LayoutInsets, layoutMargins: LayoutInsets, readableContent: LayoutInsets) {
        self.safeArea = safeArea
        self.layoutMargins = layoutMargins
        self.readableContent = readableContent
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
