import MarqueeClient
import MarqueeLayout
import MarqueeModel
import Testing

/// The screen for which the frame tables are made.
let phone = LayoutSize(width: 390, height: 844)

func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> LayoutRect {
    LayoutRect(x: x, y: y, width: width, height: height)
}

/// Compares frames within a hundredth of a point.
func expect(
    _ frame: LayoutRect?, is expected: LayoutRect, _ what: String = "", location: SourceLocation = #_sourceLocation
) {
    guard let frame else {
        Issue.record("there is no frame \(what)", sourceLocation: location)
        return
    }
    let distances = [
        frame.x - expected.x, frame.y - expected.y, frame.width - expected.width, frame.height - expected.height,
    ]
    #expect(distances.allSatisfy { abs($0) < 0.01 }, "\(what) \(frame) is not \(expected)", sourceLocation: location)
}

func expect(_ value: Double, is expected: Double, location: SourceLocation = #_sourceLocation) {
    #expect(abs(value - expected) < 0.01, "\(value) is not \(expected)", sourceLocation: location)
}

extension ScreenSection {
    /// The section laid out on a phone with its own layout.
    var frames: SectionFrames {
        get throws {
            guard let layout = head.layout else { throw AppTestError("the section '\(id)' has no layout") }
            return SectionFrames(layout: layout, container: phone, itemCount: items.count)
        }
    }

    /// The frame of its header, footer or another view of a kind.
    func supplementary(_ kind: String) throws -> LayoutRect? {
        try frames.supplementaryFrames.first { $0.kind == kind }?.frame
    }
}
