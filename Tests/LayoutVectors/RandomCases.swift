internal import MarqueeLayout
internal import MarqueeModel
internal import SeededRandom

/// Generates cases from a seed, without answers.
package struct RandomCases {
    private var random: SeededGenerator
    private var layouts: RandomLayouts
    private let seed: UInt64
    private let isWild: Bool

    /// Screens that people have.
    private static let widths = [320.0, 375, 390, 402, 414, 430, 744, 768, 834, 1_024, 1_440, 1_920]

    /// The case of a seed: of twenty, two are screens and one is a section without a layout; the rest are sections.
    package static func layoutCase(seed: UInt64) -> LayoutCase {
        var cases = RandomCases(seed: seed)
        switch seed % 20 {
        case 0, 10: return LayoutCase(screen: cases.screen())
        case 5: return LayoutCase(design: cases.design())
        default: return LayoutCase(section: cases.section())
        }
    }

    private init(seed: UInt64) {
        self.seed = seed
        isWild = seed % 3 != 0
        random = SeededGenerator(seed: seed ^ 0x6C61_796F_7574)
        layouts = RandomLayouts(seed: seed, wild: isWild)
    }

    private mutating func section() -> SectionCase {
        let contents = contents(of: itemCount())
        let container = container()
        let there = min(max(contents.items, 0), LayoutLimits.items)
        let items = there > 24 ? (0..<24).map { _ in random.int(-1...there) } : nil
        return SectionCase(
            name: "seed \(seed)", contents: contents, container: container,
            rightToLeft: random.chance(40) ? true : nil, surroundings: random.chance(15) ? surroundings() : nil,
            asked: SectionQuestions(
                items: items, rects: (0..<3).map { _ in rect() },
                showing: (0..<2).map { _ in [number(-200...1_500), number(0...900)] },
                movements: (0..<3).map { _ in [number(-100...2_000), random.chance(25) ? 0 : number(-3_000...3_000)] }))
    }

    private mutating func screen() -> ScreenCase {
        let sections = (0..<random.int(0...6)).map { _ in contents(of: random.int(0...30)) }
        let items = (0..<5).map { _ in [random.int(-1...sections.count), random.int(-1...12)] }
        var offsets: [Int: Double] = [:]
        for index in sections.indices where random.chance(30) { offsets[index] = number(-50...600) }
        return ScreenCase(
            name: "seed \(seed)", sections: sections, container: container(),
            rightToLeft: random.chance(40) ? true : nil,
            asked: ScreenQuestions(items: items, offsets: offsets, rects: (0..<3).map { _ in rect() }))
    }

    private mutating func design() -> DesignCase {
        DesignCase(
            name: "seed \(seed)", kind: UInt32(random.int(0...22)), onlyWords: random.chance(30) ? true : nil,
            header: random.chance(50) ? true : nil, footer: random.chance(30) ? true : nil, width: container()[0])
    }

    private mutating func contents(of items: Int) -> SectionContents {
        var layout = layouts.layout()
        if isWild { makeWilder(&layout) }
        let measured = random.chance(50) ? layouts.measured(of: items) : [:]
        var views: [Int: [Double]] = [:]
        for index in layout.supplementaries.indices where random.chance(40) {
            views[index] = [number(0...300), number(0...120)]
        }
        return SectionContents(
            layout: LayoutDocument(layout), items: items,
            measured: measured.isEmpty ? nil : measured.mapValues { [$0.width, $0.height] },
            measuredSupplementaries: views.isEmpty ? nil : views)
    }

    /// Adds the shapes that `RandomLayouts` leaves out: z-indices, a root that is an item, more nodes or deeper ones
    /// than are allowed.
    private mutating func makeWilder(_ layout: inout SectionLayout) {
        for index in layout.supplementaries.indices where random.chance(25) {
            layout.supplementaries[index].zIndex = random.int(-9...9)
        }
        if random.chance(20) { layout.decoration?.zIndex = random.int(-9...9) }
        let leaf = LayoutNode.item(width: .fractionalWidth(number(0...1)), height: .estimated(number(0...40)))
        switch random.int(0...49) {
        case 0: layout.group = leaf
        case 1:
            for _ in 0..<random.int(1...80) {
                layout.group = .group(
                    axis: random.chance(50) ? .horizontal : .vertical, width: .fractionalWidth(1),
                    height: .fractionalHeight(1), children: [layout.group])
            }
        case 2:
            layout.group = .group(
                axis: .vertical, width: .fractionalWidth(1), height: .estimated(number(0...3_000)),
                children: (0..<random.int(1...90)).map { _ in leaf })
        default: break
        }
    }

    private mutating func itemCount() -> Int {
        switch random.int(0...19) {
        case 0: random.int(-2...1)
        case 1: random.int(100...3_000)
        case 2: random.int(60_000...70_000)
        default: random.int(0...40)
        }
    }

    private mutating func container() -> [Double] {
        if isWild, random.chance(3) { return [extreme(), extreme()] }
        let width = random.chance(60) ? random.pick(Self.widths) ?? 390 : number(0...2_000)
        return [width, random.chance(60) ? 844 : number(0...2_000)]
    }

    private mutating func surroundings() -> SurroundingsDocument {
        func sides(_ points: Double) -> LayoutDocument.Insets {
            LayoutDocument.Insets(leading: points, trailing: points / 2)
        }
        return SurroundingsDocument(
            safeArea: sides(number(0...60)), layoutMargins: sides(number(0...90)),
            readableContent: sides(isWild && random.chance(20) ? extreme() : number(0...200)))
    }

    private mutating func rect() -> [Double] {
        if isWild, random.chance(5) { return (0..<4).map { _ in extreme() } }
        // Half of them where a section begins, and so most of the items.
        let reach = random.chance(50) ? 100.0 : 1_500
        return [number(-100...reach), number(-100...reach), number(0...600), number(0...900)]
    }

    private mutating func number(_ range: ClosedRange<Double>) -> Double {
        // Whole numbers meet edges, which others never do.
        let number = Double.random(in: range, using: &random)
        return random.chance(50) ? Double(Int(number)) : number
    }

    private mutating func extreme() -> Double {
        random.pick([0, -0.0, -1, 1e-300, 1e300, .nan, .infinity, -.infinity, 390]) ?? 0
    }
}
