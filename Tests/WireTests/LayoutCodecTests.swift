import Testing

@testable import MarqueeModel
@testable import MarqueeWire

/// A layout's tree is sent as a flat list. A list that isn't a tree isn't a layout.
@Suite struct LayoutCodecTests {
    private static let size = RawMessage().number(1, 1).fixed(2, Double(1).bitPattern)
    private static let item = node(1)

    private static func node(_ type: UInt64, children: [UInt64] = []) -> RawMessage {
        children.reduce(RawMessage().number(1, type).field(2, size).field(3, size)) { $0.number(7, $1) }
    }

    private static func layout(_ nodes: [RawMessage]) -> SectionLayout? {
        let layout = nodes.reduce(RawMessage()) { $0.field(1, $1) }
        return BodyCodec.decodeSectionHead(RawMessage().number(1, 3).field(4, layout).bytes)?.layout
    }

    @Test func `A flat list is decoded into its tree`() {
        let size = LayoutDimension.fractionalWidth(1)
        let item = LayoutNode.item(width: size, height: size, insets: .zero, badges: [])
        let layout = Self.layout([Self.node(2, children: [1, 2]), Self.item, Self.node(3, children: [3]), Self.item])
        #expect(
            layout?.group
                == .group(
                    axis: .horizontal, width: size, height: size, insets: .zero, spacing: 0, count: nil,
                    children: [
                        item,
                        .group(
                            axis: .vertical, width: size, height: size, insets: .zero, spacing: 0, count: nil,
                            children: [item]),
                    ]))
    }

    @Test(arguments: [
        [],
        // The first node isn't a group.
        [item],
        // A group without children; an item with children; an unknown type.
        [node(2)], [node(2, children: [1]), node(1, children: [2]), item], [node(2, children: [1]), node(9)],
        // A child that is its own parent, precedes it, or doesn't exist.
        [node(2, children: [0])], [node(2, children: [1]), node(2, children: [0, 2]), item], [node(2, children: [1])],
        [node(2, children: [0xFFFF_FFFF]), item],
        // A child with two parents, listed twice by one, and with none.
        [node(2, children: [1, 2]), node(2, children: [2]), item], [node(2, children: [1, 1]), item],
        [node(2, children: [1]), item, item],
        // An item without a size; a count of 0; a count with two children.
        [node(2, children: [1]), RawMessage().number(1, 1)], [node(2, children: [1]).number(6, 0), item],
        [node(2, children: [1, 2]).number(6, 3), item, item],
        // More nodes than a layout may have.
        [node(2, children: (1...64).map { UInt64($0) })] + Array(repeating: item, count: 64),
    ])
    func `A list that isn't a tree isn't a layout`(_ nodes: [RawMessage]) {
        #expect(Self.layout(nodes) == nil)
    }

    @Test func `A layout may have the maximum number of nodes`() {
        let nodes = [Self.node(2, children: (1...63).map { UInt64($0) })] + Array(repeating: Self.item, count: 63)
        #expect(Self.layout(nodes) != nil)
    }

    @Test func `A head with an invalid layout keeps its other fields`() {
        let head = RawMessage().number(1, 3).field(2, RawMessage().field(1, "Title")).field(4, RawMessage()).bytes
        var expected = SectionHead(kind: .basic)
        expected.header = Supplement(title: "Title")
        #expect(BodyCodec.decodeSectionHead(head) == expected)
    }

    @Test(arguments: LayoutInsetsReference.allCases)
    func `Every reference of insets survives encoding and decoding`(_ reference: LayoutInsetsReference) {
        var head = SampleContents.head
        head.layout?.insetsReference = reference
        #expect(BodyCodec.decodeSectionHead(BodyCodec.encode(head))?.layout?.insetsReference == reference)
    }

    @Test func `Parts of a layout from a newer server count as absent, and a z-index is bounded`() {
        var nodes = [Self.node(2, children: [1]), Self.item].reduce(RawMessage()) { $0.field(1, $1) }
        nodes = nodes.field(6, "panel").fixed(8, Double(1e300).bitPattern).number(9, 77)
        let layout = BodyCodec.decodeSectionHead(RawMessage().number(1, 3).field(4, nodes).bytes)?.layout
        #expect(layout?.insetsReference == .automatic)
        #expect(layout?.decoration == LayoutDecoration(kind: "panel", zIndex: 1_000_000))
    }

    @Test(arguments: LayoutScrolling.allCases)
    func `Every kind of scrolling survives encoding and decoding`(_ scrolling: LayoutScrolling) {
        var head = SampleContents.head
        head.layout?.scrolling = scrolling
        #expect(BodyCodec.decodeSectionHead(BodyCodec.encode(head))?.layout?.scrolling == scrolling)
    }
}
