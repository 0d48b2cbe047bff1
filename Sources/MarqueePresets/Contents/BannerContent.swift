public import MarqueeModel

public struct BannerContent: Hashable, Sendable {
    public var title: String
    public var caption: String?
    public var description: String?
    public var image: ImageReference?
    public var link: String?
    public var actions: [ScreenAction]

    public init(title: String) {
        self.title = title
        self.actions = []
    }
}
