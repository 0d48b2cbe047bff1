/// A visible item and its position in its section.
public struct VisibleItem: Hashable, Sendable {
    /// By its place in the section, from 0.
    public var index: Int
    /// In the content of the section, as returned by `SectionFrames.frame(ofItem:)`.
    public var frame: LayoutRect

    /// An item that is visible.
    public init(index: Int, frame: LayoutRect) {
        self.index = index
        self.frame = frame
    }
}

extension SectionFrames {
    /// The items visible when the whole section is on screen, in order, for apps that scale or fade items as they
    /// scroll.
    ///
    /// ```swift
    /// let middle = offset + frames.container.width / 2
    /// for item in frames.visibleItems(atOffset: offset) {
    ///     cell(item.index).scale = item.frame.contains(x: middle, y: 20) ? 1 : 0.9
    /// }
    /// ```
    ///
    /// The cost is proportional to the visible groups.
    /// - Parameter offset: how far the section is scrolled sideways; by default, its initial offset.
    public func visibleItems(atOffset offset: Double? = nil) -> [VisibleItem] {
        let window = LayoutRect(
            x: offset ?? initialOffset, y: 0, width: container.width, height: contentSize.height)
        return items(in: window).compactMap { index in
            frame(ofItem: index).map { VisibleItem(index: index, frame: $0) }
        }
    }
}
