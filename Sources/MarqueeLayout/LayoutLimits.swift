/// Limits on layout. A layout comes from a server, so they all hold whatever it says.
public enum LayoutLimits {
    /// Items laid out in one section. Those beyond have no frame.
    public static let items = 65_536
    /// Points of a dimension, inset, spacing or offset. Larger values count as this one.
    public static let points = 1_000_000.0
    /// Copies of one child in a group with a count. A larger count counts as this one.
    public static let count = 1_024
    /// Groups and items placed inside one group of the section, which limits how often tiny or empty elements repeat.
    /// Elements beyond go into the next group. The same number may be placed again because a dimension they are a
    /// fraction of was measured.
    public static let placements = 4_096
    /// Groups and items placed for all of a section's groups with measured items. Groups beyond keep their estimates.
    public static let measuredPlacements = 1 << 19
    /// Supplementaries laid out per section, and badges per item. Those beyond have no frame.
    public static let supplementaries = 64
    /// Stops per section.
    public static let stops = 65_536
    /// Points by which an element may exceed the space left in its group: three thirds fill a group however they round.
    static let fitTolerance = 0.001

    /// A dimension, point count or spacing as used: anything negative or not finite is 0.
    static func extent(_ points: Double) -> Double {
        points.isFinite ? min(max(points, 0), self.points) : 0
    }

    /// An inset or offset as used: anything not finite is 0. Negative ones move outwards.
    static func shift(_ points: Double) -> Double {
        points.isFinite ? min(max(points, -self.points), self.points) : 0
    }
}
