/// One decision on the way to a frame, in words, with the numbers used.
public struct LayoutStep: Hashable, Sendable {
    /// The part of the layout that a decision is about.
    public enum Element: Hashable, Sendable {
        case section
        /// By its index in the layout.
        case supplementary(Int, kind: String)
        case background
        /// By its index in its parent group, its parent's index, and so on, outermost first; the section's group is the
        /// empty path.
        case group(path: [Int])
        case item(Int)
        /// By its index among the item's badges.
        case badge(Int, kind: String)
        /// Sideways scrolling.
        case scrolling
    }

    /// The part of the layout that the decision is about.
    public var element: Element
    /// Such as `width: fraction of width 0.9 of 380 = 342`.
    public var words: String
    /// Marquee's assumption of a rule that the platform's documentation leaves open here, if there is one.
    public var assumption: LayoutAssumption?

    /// A decision in words.
    public init(_ element: Element, _ words: String, assumption: LayoutAssumption? = nil) {
        self.element = element
        self.words = words
        self.assumption = assumption
    }
}
