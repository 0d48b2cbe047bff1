internal import MarqueeModel

/// Formats points and dimensions for explanations.
enum LayoutWords {
    /// At most two decimals, no trailing zeros. Fractions get four, so that `0.3333 of 370 = 123.33` can be followed.
    static func number(_ value: Double, decimals: Int = 2) -> String {
        guard value.isFinite else { return "not a number" }
        // Not `rounded()` or a formatter: those need the C library or Foundation.
        let scale: UInt64 = decimals == 2 ? 100 : 10_000
        let units = UInt64(min(value.magnitude * Double(scale) + 0.5, 9e15))
        var fraction = String(units % scale)
        fraction = String(repeating: "0", count: decimals - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        let sign = value < 0 && units > 0 ? "−" : ""
        return "\(sign)\(units / scale)\(fraction.isEmpty ? "" : ".")\(fraction)"
    }

    static func size(_ size: LayoutSize) -> String { "\(number(size.width)) × \(number(size.height))" }

    static func frame(_ frame: LayoutRect) -> String {
        "x \(number(frame.x)), y \(number(frame.y)), \(number(frame.width)) × \(number(frame.height))"
    }

    /// The nonzero ones: `top 10, leading 5, trailing 5`.
    static func insets(_ insets: LayoutInsets) -> String {
        [("top", insets.top), ("leading", insets.leading), ("bottom", insets.bottom), ("trailing", insets.trailing)]
            .filter { $0.1 != 0 }.map { "\($0.0) \(number($0.1))" }.joined(separator: ", ")
    }

    /// `8`, or `at least 8`.
    static func spacing(_ spacing: LayoutSpacing) -> String {
        "\(spacing.isFlexible ? "at least " : "")\(number(spacing.minimum))"
    }

    static func side(_ axis: LayoutNode.Axis) -> String { axis == .horizontal ? "width" : "height" }

    /// How a dimension became points: `width: fraction of width 0.9 of 380 = 342`.
    static func dimension(
        _ dimension: LayoutDimension, _ axis: LayoutNode.Axis, of container: LayoutSize, is points: Double
    ) -> String {
        let how =
            switch dimension {
            case .fractionalWidth(let fraction):
                "fraction of width \(number(fraction, decimals: 4)) of \(number(container.width)) = "
            case .fractionalHeight(let fraction):
                "fraction of height \(number(fraction, decimals: 4)) of \(number(container.height)) = "
            case .absolute: "absolute "
            case .estimated: "estimated "
            }
        return "\(side(axis)): \(how)\(number(points))"
    }

    /// `390 − 5 − 5 = 380`, or just the number if nothing is subtracted.
    static func less(_ whole: Double, _ first: Double, _ second: Double, is rest: Double) -> String {
        guard first != 0 || second != 0 else { return number(rest) }
        let parts = [first, second].filter { $0 != 0 }.map { $0 < 0 ? " + \(number(-$0))" : " − \(number($0))" }
        return "\(number(whole))\(parts.joined()) = \(number(rest))"
    }

    /// `header 30 + top inset 5 = 35`, leaving out zeros.
    static func sum(_ parts: [(name: String, points: Double)], is total: Double) -> String {
        let counted = parts.filter { $0.points != 0 }
        guard let first = counted.first else { return number(total) }
        guard counted.count > 1 else { return "\(number(first.points)) (\(first.name))" }
        let rest = counted.dropFirst().map { part in
            part.points < 0 ? " − \(part.name) \(number(-part.points))" : " + \(part.name) \(number(part.points))"
        }
        return "\(first.name) \(number(first.points))\(rest.joined()) = \(number(total))"
    }

    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
