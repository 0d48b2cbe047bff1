public import MarqueeModel

/// A line of text, part of which may be tapped.
public struct TextContent: Hashable, Sendable {
    /// The whole line, in the language of the screen.
    public var text: String
    /// The part of the text that triggers the action.
    public var highlighted: String?
    /// The action of a tap on the highlighted part.
    public var action: ScreenAction?

    /// A line of text.
    public init(text: String, highlighted: String? = nil, action: ScreenAction? = nil) {
        self.text = text
        self.highlighted = highlighted
        self.action = action
    }
}
