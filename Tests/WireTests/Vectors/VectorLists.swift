@testable import MarqueeDiff
@testable import MarqueeModel

/// The lists of the worked examples in Proto/PROTOCOL.md.
enum VectorLists {
    static let head = RawMessage().number(1, 2).number(9, 20).bytes

    static let movies = [
        movie(27_205, RawMessage().field(2, "Inception").fixed(7, 8.25.bitPattern)),
        movie(155, RawMessage().field(2, "The Dark Knight")), movie(603, RawMessage().field(2, "The Matrix")),
    ]

    static let interstellar = movie(157_336, RawMessage().field(2, "Interstellar"))

    static let view = Version(
        head: RawMessage().field(1, "Home").bytes,
        items: [
            Item(id: "rank", kind: .section, body: RawMessage().number(1, 0).number(2, 10).bytes),
            Item(id: "basic", kind: .section, body: RawMessage().number(1, 0).bytes),
        ])

    static func movie(_ id: UInt64, _ fields: RawMessage) -> Item {
        Item(
            id: "\(id)", kind: .movie, subject: "movie/\(id)", body: RawMessage().number(1, id).raw(fields.bytes).bytes)
    }

    static func json(_ items: [Item]) -> JSONValue {
        .list(
            items.map {
                [
                    "id": .text($0.id), "kind": .number(Double($0.kind.rawValue)), "subject": .text($0.subject),
                    "body": .hex($0.body),
                ]
            })
    }

    static func json(_ change: FieldChange) -> JSONValue {
        [
            "records": .hex(change.records), "cleared": .list(change.cleared.map { .number(Double($0)) }),
            "replace": .bool(change.replace),
        ]
    }
}
