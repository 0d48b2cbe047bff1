import Foundation
import MarqueeClient
import MarqueeLayout
import MarqueeModel
import MarqueePresentation
import MarqueePresets
import SeededRandom
import Testing

/// Compares whole pictures with references by the mean colours of a coarse grid, which hardly depend on fonts and not
/// at all on antialiasing.
@Suite("Pictures against their references") struct ReferenceTests {
    private static let (columns, rows) = (13, 28)
    /// How far a cell's mean may be off, out of 255. A line of text in another font changes its cell by less.
    private static let tolerance = 20.0
    private static let phone = LayoutSize(width: 390, height: 844)

    private func movies(_ count: Int, from first: Int = 1) -> [ScreenItem] {
        let colors = ["#25204b", "#4c311f", "#12424d", "#5a1f2f", "#31502a", "#45307a"]
        let classes = CertificationContent.ColorClass.allCases
        return (first..<first + count).map {
            SampleScreens.movie(
                UInt64($0), "Movie number \($0)", year: 1_980 + $0, rating: 5 + Double($0 % 5), code: "PG",
                color: classes[$0 % classes.count], placeholder: colors[$0 % colors.count],
                mark: $0 % 3 == 0 ? .yes : $0 % 3 == 1 ? .pendingYes : .no)
        }
    }

    private func screens() -> [(name: String, screen: Screen, theme: Theme, rightToLeft: Bool)] {
        let home = SampleScreens.screen(
            SampleScreens.section("main", .main, SampleScreens.main, movies(1)),
            SampleScreens.section(
                "rank", .rank, SampleScreens.rank, movies(10), header: "Top 10", sorts: ["popularity", "release-date"]),
            SampleScreens.section("basic", .basic, SampleScreens.basic, movies(7)))
        let list = SampleScreens.screen(
            SampleScreens.section("list", .list, SampleScreens.list, movies(12, from: 20), header: "Action"))
        let favorites = SampleScreens.screen(
            SampleScreens.section("favorites", .favorites, SampleScreens.favorites, movies(8, from: 40)))
        return [
            ("home", home, .dark, false), ("list", list, .dark, false), ("favorites", favorites, .light, false),
            ("mirrored", home, .dark, true),
            // Cards of three apps that share nothing with movies.
            ("podcasts", SampleCards.podcasts, .dark, false),
            ("episode", SampleCards.episode(aspect: 1), .light, false),
            ("episode-wide", SampleCards.episode(aspect: 16.0 / 9), .dark, false),
            ("league", SampleCards.league, .light, false), ("schedule", SampleCards.schedule, .dark, true),
        ]
    }

    /// `MARQUEE_RECORD=1 swift test --filter ReferenceTests` rewrites the references; look at the pictures first.
    @Test func `Each screen looks like its reference`() throws {
        let isRecording = TestEnvironment.isOn("MARQUEE_RECORD")
        for (name, screen, theme, rightToLeft) in screens() {
            var options = ScreenPresentation.Options(size: Self.phone)
            options.isRightToLeft = rightToLeft
            let shapes = ElementDrawing(theme: theme, isRightToLeft: rightToLeft)
                .shapes(of: ScreenPresentation(screen, options: options))
            let cells = try Raster(shapes, size: Self.phone).cells(columns: Self.columns, rows: Self.rows)
            if isRecording {
                try record(cells, as: name)
                continue
            }
            let expected = try reference(name)
            #expect(expected.count == cells.count, "\(name)")
            for (index, (cell, wanted)) in zip(cells, expected).enumerated() {
                let difference = cell - wanted
                let distance = max(difference.x.magnitude, difference.y.magnitude, difference.z.magnitude)
                #expect(
                    distance <= Self.tolerance,
                    "\(name): column \(index % Self.columns), row \(index / Self.columns) is \(cell), not \(wanted)")
            }
        }
    }

    /// Checks the comparison itself.
    @Test func `A missing card is noticed`() throws {
        let screen = SampleScreens.screen(
            SampleScreens.section("list", .list, SampleScreens.list, movies(11, from: 20), header: "Action"))
        let shapes = ElementDrawing(theme: .dark)
            .shapes(of: ScreenPresentation(screen, options: .init(size: Self.phone)))
        let cells = try Raster(shapes, size: Self.phone).cells(columns: Self.columns, rows: Self.rows)
        // Scrolled by the height of one card, so that each place shows the next card.
        var scrolled = ScreenPresentation.Options(size: Self.phone)
        scrolled.offset = 87
        let other = try Raster(
            ElementDrawing(theme: .dark).shapes(of: ScreenPresentation(screen, options: scrolled)), size: Self.phone
        ).cells(columns: Self.columns, rows: Self.rows)
        #expect(zip(cells, other).contains { ($0 - $1).max() > Self.tolerance || ($1 - $0).max() > Self.tolerance })
    }

    private func file(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "References/\(name).txt")
    }

    /// Each line is a grid row; each colour is six digits.
    private func reference(_ name: String) throws -> [SIMD3<Double>] {
        try String(contentsOf: file(name), encoding: .utf8).split(whereSeparator: \.isWhitespace).map { word in
            let rgb = try #require(UInt32(word, radix: 16))
            return SIMD3(Double(rgb >> 16 & 0xFF), Double(rgb >> 8 & 0xFF), Double(rgb & 0xFF))
        }
    }

    private func record(_ cells: [SIMD3<Double>], as name: String) throws {
        let words = cells.map { cell in
            let parts = [cell.x, cell.y, cell.z].map { UInt32($0.rounded()) }
            let digits = String(parts[0] << 16 | parts[1] << 8 | parts[2], radix: 16)
            return String(repeating: "0", count: 6 - digits.count) + digits
        }
        let lines = stride(from: 0, to: words.count, by: Self.columns).map {
            words[$0..<$0 + Self.columns].joined(separator: " ")
        }
        try (lines.joined(separator: "\n") + "\n").write(to: file(name), atomically: true, encoding: .utf8)
    }
}
