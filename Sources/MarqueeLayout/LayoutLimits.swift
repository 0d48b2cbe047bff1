/// Bounds of what is laid out. A layout comes from a server, so each of them holds whatever the layout says.
public enum LayoutLimits {
    /// Items of one section that are laid out. Those beyond have no frame.
    public static let items = 65_536
    /// Points of a side, inset, spacing or offset. Larger values count as this one.
    public static let points = 1_000_000.0
    /// Copies of one child in a group with a count. A larger count counts as this one.
    public static let count = 1_024
    /// Groups and items placed inside one group of the section, which bounds what tiny or empty elements repeat to.
    /// Elements beyond go into the next group. As many are placed a second time, because what they are a fraction of
    /// was measured.
    public static let placements = 4_096
    /// Groups and items placed for all groups of a section that hold measured items. Groups beyond keep their
    /// estimates.
    public static let measuredPlacements = 1 << 19
    /// Supplementaries of a section, and badges of an item, that are laid out. Those beyond have no frame.
    public static let supplementaries = 64
    /// Stops of one section.
    public static let stops = 65_536
    /// Points by which an element may be too long for what is left of its group: three thirds fill a group however they
    /// round.
    static let fitTolerance = 0.001

    /// A side, count of points or spacing as it is used: what is not a finite number, or negative, is 0.
    static func extent(_ points: Double) -> Double {
        points.isFinite ? min(max(points, 0), self.points) : 0
    }

    /// An inset or offset as it is used: what is not a finite number is 0. Negative ones move outwards.
    static func shift(_ points: Double) -> Double {
        points.isFinite ? min(max(points, -self.points), self.points) : 0
    }
}
