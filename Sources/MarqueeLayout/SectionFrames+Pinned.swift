internal import MarqueeModel

extension SectionFrames {
    /// The frames of the supplementaries while a part of the section is visible, in layout order.
    ///
    /// A pinned one leaves its place to stay in that part, below the pinned ones before it, and is pushed out by the
    /// end of its section.
    ///
    /// - Parameter visible: the part of the section on the screen, in points from the section's top left. Only its top
    ///   and bottom matter.
    public func supplementaryFrames(showing visible: LayoutRect) -> [SupplementaryFrame] {
        var frames = supplementaryFrames
        guard visible.y.isFinite, visible.maxY.isFinite else { return frames }
        // The room at the section's end that later pinned views take.
        var room = pins.top.reduce(0) { $0 + frames[$1].frame.height }
        var edge = visible.y
        for index in pins.top {
            let frame = frames[index].frame
            frames[index].frame.y = max(frame.y, min(edge, contentSize.height - room))
            edge = max(edge, frames[index].frame.maxY)
            room -= frame.height
        }
        room = pins.bottom.reduce(0) { $0 + frames[$1].frame.height }
        edge = visible.maxY
        for index in pins.bottom.reversed() {
            let frame = frames[index].frame
            frames[index].frame.y = min(frame.y, max(edge, room) - frame.height)
            edge = min(edge, frames[index].frame.y)
            room -= frame.height
        }
        return frames
    }
}

extension SectionLayout {
    /// Indices of the pinned supplementaries at the top and at the bottom; at the sides nothing is pinned.
    fileprivate func pinned(_ anchor: Anchor) -> [Int] {
        supplementaries.indices.filter {
            supplementaries[$0].isPinned && supplementaries[$0].edges.verticalAnchor == anchor
        }
    }

    var pins: (top: [Int], bottom: [Int]) { (pinned(.start), pinned(.end)) }
}
