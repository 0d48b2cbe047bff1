package import Foundation
internal import MarqueeLayout
internal import MarqueeModel

/// One case of `Proto/vectors/layout`: a section, a screen, or a section that comes without a layout. One of the three
/// is there.
package struct LayoutCase: Codable, Sendable {
    package var section: SectionCase?
    package var screen: ScreenCase?
    package var design: DesignCase?

    /// Its name; it must have one.
    package var name: String { section?.name ?? screen?.name ?? design?.name ?? "" }

    package init(section: SectionCase? = nil, screen: ScreenCase? = nil, design: DesignCase? = nil) {
        self.section = section
        self.screen = screen
        self.design = design
    }

    /// The same case with the engine's present answer.
    package func answered() throws -> LayoutCase {
        var answered = self
        if let section { answered.section?.answer = try section.engineAnswer() }
        if let screen { answered.screen?.answer = try screen.engineAnswer() }
        if let design { answered.design?.answer = try design.engineAnswer() }
        return answered
    }
}

/// A file of `Proto/vectors/layout`.
package struct LayoutFile: Codable, Sendable {
    package var cases: [LayoutCase]

    package init(cases: [LayoutCase]) { self.cases = cases }

    /// Reads numbers that aren't finite as protobuf's JSON mapping writes them.
    package static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return decoder
    }

    /// Writes what `decoder` reads. Each number has as many digits as it takes to read the same bits back.
    package static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }
}

/// The items of a section, and what is known of their sizes.
package struct SectionContents: Codable, Sendable {
    package var layout: LayoutDocument
    package var items: Int
    /// `[width, height]` by item.
    package var measured: [Int: [Double]]?
    /// The same by the place of the view in the layout.
    package var measuredSupplementaries: [Int: [Double]]?

    package init(
        layout: LayoutDocument, items: Int, measured: [Int: [Double]]? = nil,
        measuredSupplementaries: [Int: [Double]]? = nil
    ) {
        self.layout = layout
        self.items = items
        self.measured = measured
        self.measuredSupplementaries = measuredSupplementaries
    }

    func sizes(_ sizes: [Int: [Double]]?) throws -> [Int: LayoutSize] {
        try (sizes ?? [:]).mapValues { try LayoutSize(pair: $0) }
    }

    func section() throws -> ScreenLayout.Section {
        ScreenLayout.Section(
            layout: try SectionLayout(layout), itemCount: items, measured: try sizes(measured),
            measuredSupplementaries: try sizes(measuredSupplementaries))
    }
}

/// Where a screen's insets may begin.
package struct SurroundingsDocument: Codable, Sendable {
    package var safeArea: LayoutDocument.Insets?
    package var layoutMargins: LayoutDocument.Insets?
    package var readableContent: LayoutDocument.Insets?

    package init(
        safeArea: LayoutDocument.Insets?, layoutMargins: LayoutDocument.Insets?, readableContent: LayoutDocument.Insets?
    ) {
        self.safeArea = safeArea
        self.layoutMargins = layoutMargins
        self.readableContent = readableContent
    }

    var surroundings: LayoutSurroundings {
        LayoutSurroundings(
            safeArea: LayoutInsets(safeArea), layoutMargins: LayoutInsets(layoutMargins),
            readableContent: LayoutInsets(readableContent))
    }
}

/// A view around a section or on an item.
package struct PlacedView: Codable, Hashable, Sendable {
    /// Of a badge: its item.
    package var item: Int?
    package var kind: String
    /// `[x, y, width, height]`.
    package var frame: [Double]
    /// Absent behind everything.
    package var depth: Int?

    init(item: Int? = nil, kind: String, frame: LayoutRect, depth: Int) {
        self.item = item
        self.kind = kind
        self.frame = frame.list
        self.depth = depth == .min ? nil : depth
    }
}

extension LayoutSize {
    var list: [Double] { [width, height] }

    init(pair: [Double]) throws {
        guard pair.count == 2 else { throw LayoutDocumentError(description: "\(pair) isn't a width and a height") }
        self.init(width: pair[0], height: pair[1])
    }
}

extension LayoutRect {
    var list: [Double] { [x, y, width, height] }

    init(list: [Double]) throws {
        guard list.count == 4 else {
            throw LayoutDocumentError(description: "\(list) isn't x, y, width and height")
        }
        self.init(x: list[0], y: list[1], width: list[2], height: list[3])
    }
}
