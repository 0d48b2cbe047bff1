package import MarqueeDiff
package import MarqueeModel
import MarqueeWire

/// The content that the scripted server shows: one screen with a few sections, at a position.
package struct World: Sendable {
    package static let viewHandle: UInt64 = 1

    package struct Section: Sendable {
        package var id: String
        package var handle: UInt64
        package var version: Version
    }

    package var cluster: String
    package var screen: String
    package var locale = "en"
    package var position: Cut
    /// The view's own list.
    package var own: Version
    package var sections: [Section]

    /// Creates three sections: cards; items of an unknown kind in a section of an unknown kind, both with unknown
    /// fields; and one without items.
    package init(screen: String) {
        self.screen = screen
        cluster = "conformance-\(UInt32.random(in: 0 ... .max))"
        position = Cut(catalogueEpoch: .random(in: 1 ... .max), catalogueRevision: 100)
        sections = [
            Section(id: "cards", handle: 2, version: World.cards(1...8)),
            Section(
                id: "unknown", handle: 3,
                version: Version(
                    head: BodyCodec.encode(SectionHead(kind: SectionKind(rawValue: 999))) + World.unknownField,
                    items: (1...3).map {
                        Item(
                            id: "u\($0)", kind: ItemKind(rawValue: 4_242), body: [0x08, UInt8($0)] + World.unknownField)
                    })),
            Section(
                id: "empty", handle: 4,
                version: Version(head: BodyCodec.encode(SectionHead(kind: .basic)), items: [])),
        ]
        own = World.list(of: sections.map(\.id))
    }

    /// A record of field 1900, which no schema has.
    static let unknownField: [UInt8] = FrameBytes.tag(1_900, 2) + [0x03, 0x61, 0x62, 0x63]

    /// A section of cards, each with an unknown field.
    /// - Parameter head: `basic` or `rank`, the section's kind.
    static func cards(_ numbers: some Sequence<Int>, title: String = "Card", head: String = "basic") -> Version {
        Version(
            head: BodyCodec.encode(SectionHead(kind: head == "basic" ? .basic : .rank)),
            items: numbers.map { card($0, title: "\(title) \($0)") })
    }

    static func card(_ number: Int, title: String) -> Item {
        Item(
            id: "c\(number)", kind: .card, subject: "show/\(number)",
            body: FrameBytes.field(2, Array(title.utf8)) + unknownField)
    }

    /// A view's own list of sections.
    static func list(of sections: [String]) -> Version {
        Version(
            head: BodyCodec.encode(ViewHead(title: "Conformance")),
            items: sections.map {
                Item(id: $0, kind: .section, body: BodyCodec.encode(SectionReference(placeholders: 4)))
            })
    }

    package subscript(_ section: String) -> Version {
        get { sections.first { $0.id == section }?.version ?? .empty }
        set {
            if let index = sections.firstIndex(where: { $0.id == section }) { sections[index].version = newValue }
        }
    }

    package func handle(_ section: String) -> UInt64 {
        section.isEmpty ? World.viewHandle : sections.first { $0.id == section }?.handle ?? 0
    }

    /// All versions by handle, the view's own list first.
    package var versions: [(handle: UInt64, version: Version)] {
        [(World.viewHandle, own)] + sections.map { ($0.handle, $0.version) }
    }
}
