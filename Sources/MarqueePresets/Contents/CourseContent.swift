public import MarqueeModel

/// A course that can be bought.
public struct CourseContent: Hashable, Sendable {
    /// As it is shown, in the language of the screen.
    public var title: String
    /// The teacher's name.
    public var author: String?
    /// 0...5.
    public var rating: Double?
    /// How many people have rated it.
    public var reviews: UInt32?
    /// A decimal number with a point, as text.
    public var price: String?
    /// The currency of the price (ISO 4217); `nil` if the source doesn't say.
    public var currency: String?
    /// A word that sets it apart, such as `Bestseller`.
    public var tag: String?
    /// A picture of the course.
    public var image: ImageReference?

    /// A course with a title and nothing else.
    public init(title: String) { self.title = title }
}
