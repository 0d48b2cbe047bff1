public import MarqueeModel

/// A place to go to.
public struct PlaceContent: Hashable, Sendable {
    /// As it is shown, in the language of the screen.
    public var title: String
    /// How far away it is, as it is shown.
    public var distance: String?
    /// A picture of the place.
    public var image: ImageReference?

    /// A place.
    public init(title: String, distance: String? = nil, image: ImageReference? = nil) {
        self.title = title
        self.distance = distance
        self.image = image
    }
}
