public import MarqueeModel

public struct PlaceContent: Hashable, Sendable {
    public var title: String
    public var distance: String?
    public var image: ImageReference?

    public init(title: String, distance: String? = nil, image: ImageReference? = nil) {
        self.title = title
        self.distance = distance
        self.image = image
    }
}
