import MarqueeLayout

// How long laying out takes: 100 sections of 1,000 items for a screen of 390 × 844, cut into what an app asks for.
// swift run --package-path Benchmarks -c release LayoutBenchmark

/// Sections as real screens have them, in turn: a row, a grid, columns of two, and a hero beside two small ones.
private func sections(_ count: Int, items: Int, measured: Bool = false) -> [ScreenLayout.Section] {
    let whole = LayoutNode.item(width: .fractionalWidth(1), height: .fractionalHeight(1), insets: .zero, badges: [])
    func group(
        _ axis: LayoutNode.Axis, _ width: LayoutDimension, _ height: LayoutDimension, count: Int? = nil,
        _ children: LayoutNode...
    ) -> LayoutNode {
        .group(
            axis: axis, width: width, height: height, insets: .zero, spacing: 0, count: count, children: children)
    }
    let layouts = [
        SectionLayout(
            group: group(.horizontal, .fractionalWidth(0.9), .estimated(200), count: 3, whole),
            insets: LayoutInsets(leading: 5, trailing: 5), scrolling: .continuous),
        SectionLayout(
            group: group(
                .horizontal, .fractionalWidth(1), .fractionalWidth(1 / 3),
                .item(width: .fractionalWidth(1.0 / 3), height: .fractionalHeight(1), insets: .zero, badges: []))),
        SectionLayout(
            group: group(
                .vertical, .fractionalWidth(0.4), .fractionalHeight(0.2),
                .item(width: .fractionalWidth(1), height: .fractionalWidth(0.45), insets: .zero, badges: [])),
            spacing: 15, scrolling: .groupPaging),
        SectionLayout(
            group: group(
                .horizontal, .fractionalWidth(1), .absolute(300),
                .item(width: .fractionalWidth(0.7), height: .fractionalHeight(1), insets: .zero, badges: []),
                group(.vertical, .fractionalWidth(0.3), .fractionalHeight(1), count: 2, whole))),
    ]
    let list = SectionLayout(
        group: group(
            .horizontal, .fractionalWidth(1), .estimated(80),
            .item(width: .fractionalWidth(1), height: .estimated(80), insets: .zero, badges: [])), spacing: 7)
    let sizes = Dictionary(
        uniqueKeysWithValues: (0..<items).map { ($0, LayoutSize(width: 390, height: 60 + Double($0 % 40))) })
    return (0..<count).map { index in
        measured
            ? ScreenLayout.Section(layout: list, itemCount: items, measured: sizes)
            : ScreenLayout.Section(layout: layouts[index % layouts.count], itemCount: items)
    }
}

private let screen = LayoutSize(width: 390, height: 844)
private let runs = 101

/// Runs `body` often enough for a median, after some runs that don't count.
private func measure(_ name: String, of count: Int, _ unit: String, _ body: () -> Double) {
    var sum = 0.0
    let clock = ContinuousClock()
    for _ in 0..<10 { sum += body() }
    let times = (0..<runs).map { _ in clock.measure { sum += body() } }.sorted()
    let (median, best) = (times[runs / 2] / .microseconds(1), times[0] / .microseconds(1))
    // What was computed is used, so that none of it is left out.
    precondition(sum.isFinite)
    let each = median * 1_000 / Double(count)
    print(
        "\(pad(name, 52)) median \(pad(decimal(median), 9)) µs   best \(pad(decimal(best), 9)) µs   \(decimal(each)) ns a \(unit)"
    )
}

private func decimal(_ value: Double) -> String {
    let tenths = Int(value * 10 + 0.5)
    return "\(tenths / 10).\(tenths % 10)"
}

private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

private let uniform = sections(100, items: 1_000)
private let layout = ScreenLayout(sections: uniform, container: screen)
private let measuredSections = sections(100, items: 1_000, measured: true)
private let measuredLayout = ScreenLayout(sections: measuredSections, container: screen)

print("100 sections × 1,000 items, 390 × 844; \(runs) runs each")
measure("lay out", of: 100, "section") { ScreenLayout(sections: uniform, container: screen).contentSize.height }
measure("lay out and read all frames", of: 100_000, "item") {
    var sum = 0.0
    for section in ScreenLayout(sections: uniform, container: screen).sections {
        for index in 0..<section.itemCount { sum += section.frame(ofItem: index)?.x ?? 0 }
    }
    return sum
}
measure("what shows at one offset", of: 1, "screen") {
    Double(layout.items(in: LayoutRect(x: 0, y: 12_345, width: 390, height: 844)).count)
}
measure("lay out, every item measured", of: 100_000, "item") {
    ScreenLayout(sections: measuredSections, container: screen).contentSize.height
}
measure("what shows at one offset, every item measured", of: 1, "screen") {
    Double(measuredLayout.items(in: LayoutRect(x: 0, y: 12_345, width: 390, height: 844)).count)
}
private let large = sections(4, items: 65_536)
measure("lay out 4 sections × 65,536 items", of: 4, "section") {
    ScreenLayout(sections: large, container: screen).contentSize.height
}
