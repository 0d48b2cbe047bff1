package import MarqueeModel

/// The order of the parts of a section from back to front, by their z-index.
///
/// Parts of the same depth are in this order: the background, items, badges, supplementaries in layout order.
public enum LayoutDepth {
    /// The depth of items, and of everything with the z-index 0.
    public static let item = 0

    /// The depth of a header, footer, side view or badge: in front of items, unless its layout says otherwise.
    package static func of(_ supplementary: LayoutSupplementary) -> Int { supplementary.zIndex ?? item + 1 }

    /// The depth of a background: behind everything, unless its layout says otherwise.
    package static func of(_ decoration: LayoutDecoration) -> Int { decoration.zIndex ?? .min }
}
