internal import MarqueeModel

/// Where along an axis something is anchored.
enum Anchor {
    case start, middle, end

    /// Without edges, or with opposite ones, it is the middle.
    init(start: Bool, end: Bool) {
        switch (start, end) {
        case (true, false): self = .start
        case (false, true): self = .end
        case (true, true), (false, false): self = .middle
        }
    }

    /// Where something of `length` starts within `available`.
    func position(of length: Double, in available: Double) -> Double {
        switch self {
        case .start: 0
        case .middle: (available - length) / 2
        case .end: available - length
        }
    }
}

extension LayoutEdges {
    /// Left to right.
    var horizontalAnchor: Anchor { Anchor(start: contains(.leading), end: contains(.trailing)) }
    var verticalAnchor: Anchor { Anchor(start: contains(.top), end: contains(.bottom)) }
}

extension LayoutSupplementary {
    var dimensions: DimensionPair { DimensionPair(width: width, height: height) }

    /// The frame of something of `size` at a place, moved by the offset and shrunk by the insets.
    func frame(x: Double, y: Double, size: LayoutSize) -> LayoutRect {
        LayoutRect(
            x: x + (offsetIsFractional ? offsetX * size.width : offsetX),
            y: y + (offsetIsFractional ? offsetY * size.height : offsetY), width: size.width, height: size.height
        ).inset(by: dimensions.applying(insets))
    }

    /// The frame as a badge of an item.
    func frame(on item: LayoutRect) -> LayoutRect { placement(on: item).frame }

    /// The same, with its inputs: the size, and where in the item's frame it is anchored.
    func placement(on item: LayoutRect) -> (size: LayoutSize, x: Double, y: Double, frame: LayoutRect) {
        let size = dimensions.size(in: LayoutSize(width: item.width, height: item.height))
        let x = edges.horizontalAnchor.position(of: size.width, in: item.width)
        let y = edges.verticalAnchor.position(of: size.height, in: item.height)
        return (size, x, y, frame(x: item.x + x, y: item.y + y, size: size))
    }
}
