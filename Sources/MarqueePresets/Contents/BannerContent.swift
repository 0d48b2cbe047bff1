public import MarqueeModel

/// A large picture with text and actions.
public struct BannerContent: Hashable, Sendable {
    /// As it is shown, in the language of the screen.
    public var title: String
    /// A short line above the title.
    public var caption: String?
    /// A sentence or two below the title.
    public var description: String?
    /// Behind the words.
    public var image: ImageReference?
    /// The banner's destination: a screen of this app, or an address.
    public var link: String?
    /// Its buttons, in order.
    public var actions: [ScreenAction]

    /// A banner with a title and nothing else.
    public init(title: String) {
        self.title = title
        self.actions = []
    }
}
