/// An item that shows, and where it stands in its section.
public struct VisibleItem: Hashable, Sendable {
    /// By its place in the section, from 0.
    public var index: Int
    /// In the content of the section, as `SectionFrames.frame(ofItem:)` gives it.
    public var frame: LayoutRect

    public init(index: Int, frame: LayoutRect) {
        self.index = index
        self.frame = frame
    }
}

extension SectionFrames {
    /// The items that show when the whole section is on the screen, in order: what an app needs that scales or fades
    /// items as they pass.
    ///
    /// ```swift
    /// let middle = offset + frames.container.width / 2
    /// for item in frames.visibleItems(atOffset: offset) {
    ///     cell(item.index).scale = item.frame.contains(x: middle, y: 20) ? 1 : 0.9
    /// }
    /// ```
    ///
    /// The cost is that of the groups that show.
    /// - Parameter offset: how far the section was scrolled sideways; without one, where it rests before anybody
    /// scrolled.
    public func visibleItems(atOffset offset: Double? = nil) -> [VisibleItem] {
        let window = LayoutRect(
            x: offset ?? initialOffset, y: 0, width: container.width, height: contentSize.height)
        return items(in: window).compactMap { index in
            frame(ofItem: index).map { VisibleItem(index: index, frame: $0) }
        }
    }
}
