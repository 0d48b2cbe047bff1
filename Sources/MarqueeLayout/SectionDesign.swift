package import MarqueeModel

/// The look of a section that comes without a layout, by its kind.
///
/// Pictures, the terminal, UIKit and SwiftUI all show such a section according to this table. They differ in its
/// `Measures`: a terminal has whole rows.
package enum SectionDesign: Hashable, Sendable, CaseIterable {
    /// The full text of an item, as tall as it needs to be.
    case text
    /// One large picture with its words.
    case picture
    /// Small tiles side by side.
    case tiles
    /// Pictures with their titles, side by side.
    case grid
    /// Items one below another, all of the same height.
    case lines
    /// A section of a type unknown to the server, or of a kind unknown to this build: shows its items, if the viewer
    /// knows them. Without items it takes no space.
    case bare

    /// The design for a kind of section.
    /// - Parameter hasOnlyWords: whether its items are records without any image. A grid of them would show nothing but
    ///   generated pictures, so they are shown as lines.
    package init(of kind: SectionKind, hasOnlyWords: Bool = false) {
        self =
            switch kind {
            case .detail, .text: .text
            case .main, .hero, .banner: .picture
            case .genres: .tiles
            case .grid: hasOnlyWords ? .lines : .grid
            case .other: .bare
            case _ where !kind.isKnown: .bare
            default: .lines
            }
    }

    /// How many items are side by side on a phone.
    package var columns: Int {
        switch self {
        case .text, .picture, .lines, .bare: 1
        case .tiles: 4
        case .grid: 3
        }
    }

    /// In a few words, such as `as a list`.
    package var words: String {
        switch self {
        case .text: "in full"
        case .picture: "as a large picture"
        case .tiles: "as tiles"
        case .grid: "as a grid"
        case .lines, .bare: "as a list"
        }
    }

    /// The width of an item on a phone, in points, for grids that work out for themselves how many columns fit.
    package func leastWidth(in measures: Measures = .phone) -> Double {
        let inside = Measures.phoneWidth - 2 * measures.margin - Double(columns - 1) * measures.gap
        return max(0, inside / Double(columns))
    }

    /// The layout of a section with this head.
    package func layout(for head: SectionHead, in measures: Measures = .phone) -> SectionLayout {
        // A list has one item to a line, however wide.
        let count = columns == 1 ? nil : Int(Double(columns) * measures.phones + LayoutLimits.fitTolerance)
        let height = measures.height(of: self)
        let item = LayoutNode.item(
            width: .fractionalWidth(1), height: height,
            insets: LayoutInsets(leading: measures.padding, trailing: measures.padding))
        var layout = SectionLayout(
            group: .group(
                axis: .horizontal, width: .fractionalWidth(1), height: height, spacing: .fixed(measures.gap),
                count: count, children: [item]),
            insets: LayoutInsets(leading: measures.margin, bottom: measures.end, trailing: measures.margin),
            spacing: measures.gap)
        guard self != .bare else {
            layout.insets.bottom = 0
            return layout
        }
        if head.header != nil { layout.supplementaries.append(measures.supplementary("header", .top)) }
        if head.footer != nil { layout.supplementaries.append(measures.supplementary("footer", .bottom)) }
        return layout
    }
}

extension SectionDesign {
    /// The sizes of all designs on one kind of screen, in points.
    package struct Measures: Hashable, Sendable {
        /// Height of a line.
        package var line: Double
        /// Height of a tile.
        package var tile: Double
        /// Height of an item in a grid.
        package var cell: Double
        /// Height of a large picture.
        package var picture: Double
        /// Height of a text that hasn't been measured.
        package var text: Double
        /// Height of a header or footer.
        package var band: Double
        /// From the screen's sides to the section.
        package var margin: Double
        /// From the sides of an item's place to the item.
        package var padding: Double
        /// Between items.
        package var gap: Double
        /// Below the section.
        package var end: Double
        /// The screen's width in phones: a screen as wide as two has twice the columns.
        package var phones: Double

        /// Sizes in points.
        package init(
            line: Double, tile: Double, cell: Double, picture: Double, text: Double, band: Double, margin: Double,
            padding: Double, gap: Double, end: Double, phones: Double
        ) {
            self.line = line
            self.tile = tile
            self.cell = cell
            self.picture = picture
            self.text = text
            self.band = band
            self.margin = margin
            self.padding = padding
            self.gap = gap
            self.end = end
            self.phones = phones
        }

        /// The measures of a phone.
        package static let phone = Measures(
            line: 80, tile: 80, cell: 200, picture: 240, text: 200, band: 44, margin: 15, padding: 0, gap: 8, end: 10,
            phones: 1)

        /// The measures of a phone or tablet of this width: a wider screen has more columns, not larger items.
        package static func screen(width: Double) -> Measures {
            var measures = phone
            measures.phones = max(1, LayoutLimits.extent(width) / phoneWidth)
            return measures
        }

        /// The width that the designs are made for.
        static let phoneWidth = 390.0

        func height(of design: SectionDesign) -> LayoutDimension {
            switch design {
            case .text: .estimated(text)
            case .picture: .absolute(picture)
            case .tiles: .absolute(tile)
            case .grid: .absolute(cell)
            case .lines, .bare: .absolute(line)
            }
        }

        /// The header that a section with an error needs, or a footer.
        package func supplementary(_ kind: String, _ edge: LayoutEdges) -> LayoutSupplementary {
            LayoutSupplementary(kind: kind, width: .fractionalWidth(1), height: .absolute(band), edges: edge)
        }
    }
}
