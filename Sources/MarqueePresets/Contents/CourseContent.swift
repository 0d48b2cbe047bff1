public import MarqueeModel

public struct CourseContent: Hashable, Sendable {
    public var title: String
    public var author: String?
    public var rating: Double?
    public var reviews: UInt32?
    /// A decimal number with a point, as text.
    public var price: String?
    public var tag: String?
    public var image: ImageReference?

    public init(title: String) { self.title = title }
}
