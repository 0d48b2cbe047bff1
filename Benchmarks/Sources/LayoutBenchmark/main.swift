import CMeasuring
import Measuring

@testable import MarqueeLayout
@testable import MarqueeModel

// The cost of layout: 100 sections for a screen of 390 × 844, with ever more items, of which no more are visible.
//
//     LayoutBenchmark              CPU time
//     LayoutBenchmark count RUNS   for `instructions.sh`: the same under valgrind

/// Sections as real screens have them, in turn: a row, a grid, columns of two, and a hero beside two small ones.
private func uniformSections(items: Int) -> [ScreenLayout.Section] {
    let whole = LayoutNode.item(width: .fractionalWidth(1), height: .fractionalHeight(1), insets: .zero, badges: [])
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
    return (0..<sectionCount).map { ScreenLayout.Section(layout: layouts[$0 % layouts.count], itemCount: items) }
}

/// Lists whose items have estimated heights; the first ones were shown, so that their true heights are known.
private func estimatedSections(items: Int, measured: Int) -> [ScreenLayout.Section] {
    let list = SectionLayout(
        group: group(
            .horizontal, .fractionalWidth(1), .estimated(80),
            .item(width: .fractionalWidth(1), height: .estimated(80), insets: .zero, badges: [])), spacing: 7)
    let sizes = Dictionary(
        uniqueKeysWithValues: (0..<measured).map { ($0, LayoutSize(width: 390, height: 60 + Double($0 % 40))) })
    return (0..<sectionCount).map { _ in ScreenLayout.Section(layout: list, itemCount: items, measured: sizes) }
}

private func group(
    _ axis: LayoutNode.Axis, _ width: LayoutDimension, _ height: LayoutDimension, count: Int? = nil,
    _ children: LayoutNode...
) -> LayoutNode {
    .group(axis: axis, width: width, height: height, insets: .zero, spacing: 0, count: count, children: children)
}

private let sectionCount = 100
private let screen = LayoutSize(width: 390, height: 844)

/// Something to measure. What it computes is used, so that none of it is left out.
private struct Case {
    var name: String
    var items: Int
    var body: () -> Double
}

private func cases() -> [Case] {
    var cases: [Case] = []
    for items in [10, 1_000, 65_536] {
        let sections = uniformSections(items: items)
        let layout = ScreenLayout(sections: sections, container: screen)
        let middle = LayoutRect(x: 0, y: (layout.contentSize.height / 2).rounded(), width: 390, height: 844)
        cases.append(
            Case(name: "lay out", items: items) {
                ScreenLayout(sections: sections, container: screen).contentSize.height
            })
        cases.append(
            Case(name: "what shows in the middle, with frames", items: items) {
                layout.items(in: middle).reduce(0) { $0 + (layout.frame(of: $1)?.x ?? 0) }
            })
    }
    let uniform = uniformSections(items: 1_000)
    cases.append(
        Case(name: "lay out and read every frame", items: 1_000) {
            ScreenLayout(sections: uniform, container: screen).sections.reduce(0) { sum, section in
                (0..<section.itemCount).reduce(sum) { $0 + (section.frame(ofItem: $1)?.x ?? 0) }
            }
        })
    for measured in [0, 10, 1_000] {
        let sections = estimatedSections(items: 1_000, measured: measured)
        cases.append(
            Case(name: "lay out estimated items, \(grouped(measured)) of each section measured", items: 1_000) {
                ScreenLayout(sections: sections, container: screen).contentSize.height
            })
    }
    return cases
}

private let arguments = Array(CommandLine.arguments.dropFirst())
private var used = 0.0

if arguments.first == "count" {
    let runs = arguments.dropFirst().first.flatMap { Int($0) } ?? 1
    callgrind_start()
    for measured in cases() {
        used += measured.body()
        callgrind_toggle()
        for _ in 0..<runs { used += measured.body() }
        callgrind_toggle()
        callgrind_name("\(grouped(measured.items)) items a section: \(measured.name)")
    }
    callgrind_stop()
} else {
    let runs = 101
    var table = Table(
        "Layout of \(sectionCount) sections on a screen of 390 × 844: CPU time of \(runs) runs",
        columns: ["", "items a section", "median µs", "least µs"])
    for measured in cases() {
        progress("\(measured.name): \(grouped(measured.items)) items a section")
        for _ in 0..<10 { used += measured.body() }
        let times = (0..<runs).map { _ in
            CPUTime.measure { used += measured.body() }.microseconds
        }
        table.add([
            measured.name, grouped(measured.items), decimal(times.median), decimal(times.min() ?? 0),
        ])
    }
    table.print()
}
precondition(used.isFinite)
