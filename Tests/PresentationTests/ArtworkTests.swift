import MarqueeClient
import MarqueeLayout
import MarqueeModel
import Testing

@testable import MarqueePresentation

@Suite("Generated artwork") struct ArtworkTests {
    private let rect = LayoutRect(x: 10, y: 20, width: 100, height: 150)

    private func image(_ name: String, _ role: CardImage.Role = .poster, color: String? = "#25204b") -> CardImage {
        CardImage(ImageReference(name: name, color: color), role, fallback: "", caption: "")
    }

    @Test func `The same name gives the same picture`() {
        let first = Artwork(image("27205-poster")).shapes(in: rect, title: "Inception")
        #expect(first == Artwork(image("27205-poster")).shapes(in: rect, title: "Inception"))
        // The picture is the same on any machine: a changed hash would change every picture.
        guard case .box(_, .gradient(_, let top, _, _), _) = first[0] else { return #expect(Bool(false)) }
        #expect((top.red - 0.207).magnitude < 0.001 && (top.blue - 0.593).magnitude < 0.001, "\(top)")
    }

    @Test func `Different names give different pictures`() {
        let pictures = Set((0..<200).map { Artwork(image("\($0)-poster")).shapes(in: rect) })
        #expect(pictures.count == 200)
    }

    @Test func `The placeholder colour decides the hue`() {
        for (hex, hue) in [("#a01010", 0.0), ("#10a010", 1.0 / 3), ("#1010a0", 2.0 / 3)] {
            guard
                case .box(_, .gradient(_, let top, _, let bottom), _) = Artwork(image("x", color: hex)).shapes(
                    in: rect)[0]
            else { continue }
            for color in [top, bottom] {
                let distance = (color.hsl.hue - hue).magnitude
                #expect(min(distance, 1 - distance) < 0.08, "\(hex)")
            }
        }
    }

    @Test func `Every number drawn is finite, and shapes are bounded`() {
        let rects = [0, 0.001, 1, 300, 1e6].flatMap { width in
            [0, 0.001, 1, 300, 1e6].map { LayoutRect(x: -1e6, y: 1e6, width: width, height: $0) }
        }
        for name in (0..<12).map({ "\($0)" }) + ["", "영화", String(repeating: "x", count: 5_000)] {
            for role in [CardImage.Role.poster, .backdrop, .portrait, .photo] {
                for rect in rects {
                    let shapes = Artwork(image(name, role, color: nil)).shapes(in: rect, title: "A title")
                    #expect(shapes.allSatisfy { $0.isFinite })
                    // A skyline of tiny houses would never finish drawing.
                    #expect(shapes.count < 400)
                }
            }
        }
    }

    @Test func `Only colours written as #rrggbb are read`() {
        #expect(Color(hex: "#25204b") == Color(0x25204B))
        for text in ["25204b", "#25204", "#25204bb", "#25204g", "#+5204b", "", "#"] { #expect(Color(hex: text) == nil) }
        for rgb: UInt32 in [0, 0xFFFFFF, 0x25204B, 0xA01010, 0x10A0FF] {
            let color = Color(rgb)
            let (hue, saturation, lightness) = color.hsl
            let back = Color(hue: hue, saturation: saturation, lightness: lightness)
            #expect((back.red - color.red).magnitude < 1e-9 && (back.blue - color.blue).magnitude < 1e-9)
        }
    }
}

extension Shape {
    /// Whether all numbers of the shape are finite.
    fileprivate var isFinite: Bool {
        switch self {
        case .box(let rect, _, let radius): rect.isFinite && radius.isFinite
        case .outline(let rect, _, let width, _): rect.isFinite && width.isFinite
        case .ellipse(let rect, _): rect.isFinite
        case .polygon(let points, _): points.allSatisfy { $0.x.isFinite && $0.y.isFinite }
        case .text(let rect, let text): rect.isFinite && text.size.isFinite
        case .symbol(let rect, _, _): rect.isFinite
        case .image(let rect, _, _, let instead): rect.isFinite && instead.allSatisfy { $0.isFinite }
        case .clipped(let rect, _, let shapes): rect.isFinite && shapes.allSatisfy { $0.isFinite }
        }
    }
}

extension LayoutRect {
    fileprivate var isFinite: Bool { [x, y, width, height].allSatisfy { $0.isFinite } }
}
