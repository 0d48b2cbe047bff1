import MarqueeLayout

@testable import MarqueePresentation

/// The drawn texts, including those inside images and clips.
func texts(in shapes: [Shape]) -> [(rect: LayoutRect, text: Text)] {
    shapes.flatMap { shape -> [(rect: LayoutRect, text: Text)] in
        switch shape {
        case .text(let rect, let text): [(rect, text)]
        case .clipped(_, _, let inner), .image(_, _, _, let inner): texts(in: inner)
        default: []
        }
    }
}

/// The places of drawn images, including those inside clips.
func images(in shapes: [Shape]) -> [LayoutRect] {
    shapes.flatMap { shape -> [LayoutRect] in
        switch shape {
        case .image(let rect, _, _, _): [rect]
        case .clipped(_, _, let inner): images(in: inner)
        default: []
        }
    }
}
