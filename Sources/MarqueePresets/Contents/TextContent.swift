public import MarqueeModel

public struct TextContent: Hashable, Sendable {
    public var text: String
    /// The part of the text that triggers the action.
    public var highlighted: String?
    public var action: ScreenAction?

    public init(text: String, highlighted: String? = nil, action: ScreenAction? = nil) {
        self.text = text
        self.highlighted = highlighted
        self.action = action
    }
}
