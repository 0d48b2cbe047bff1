import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ClientChecks {
    /// Chapters 6, 7 and 8.
    static let contents: [ClientCheck] =
        [
            ClientCheck("bytes-as-received", .bodies, "Bodies are kept as received, with their unknown fields.") {
                stage in
                var world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                try await talk.expectHeld(world)
                // A nested message with records in an order that no encoder writes, and a varint that isn't in its
                // shortest form.
                let odd: [UInt8] =
                    FrameBytes.field(2, Array("odd".utf8)) + FrameBytes.field(5, [0x22, 0x01, 0x61, 0x0A, 0x01, 0x62])
                let body = odd + [0xB8, 0x01, 0x87, 0x80, 0x00] + World.unknownField
                await talk.move(
                    "cards", to: Version(head: world["cards"].head, items: [Item(id: "odd", kind: .card, body: body)]),
                    in: &world)
                try await talk.expectHeld(world)
            },
            ClientCheck(
                "field-changes", .bodies, "A field change replaces or clears a field number, or replaces the body."
            ) {
                stage in
                var world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                let before = World.card(1, title: "A").body
                let bodies: [[UInt8]] = [
                    before, before + [], FrameBytes.field(2, Array("B".utf8)),
                    FrameBytes.field(2, Array("B".utf8)) + World.unknownField,
                    FrameBytes.field(3, [0x61]) + FrameBytes.field(3, [0x62]), [], World.unknownField,
                ]
                for body in bodies {
                    let item = Item(id: "c1", kind: .card, body: body)
                    await talk.move("cards", to: Version(head: world["cards"].head, items: [item]), in: &world)
                    try await talk.expectHeld([("cards", 2, world["cards"])])
                }
                let replaced = Version(
                    head: [0x08, 0x03], items: [Item(id: "c1", kind: .card, body: [0x12, 0x01, 0x5A])])
                let patch = Patch(
                    base: world["cards"].sum, target: replaced.sum,
                    script: Script(operations: [.keep(0..<1)], updates: [0..<1]).encoded(), adds: [],
                    updates: [FieldChange(records: [0x12, 0x01, 0x5A], replace: true)],
                    head: FieldChange(records: [0x08, 0x03], replace: true), count: 1)
                await talk.cut(talk.parts(patch, 2, isWhole: false).map { .data($0) })
                try await talk.expectHeld([("cards", 2, replaced)])
            },
            ClientCheck("sums-of-lists", .sums, "Sums cover order, ids, kinds, subjects, bodies and heads.") { stage in
                var world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                let lists: [[Item]] = [
                    [], [World.card(1, title: "")],
                    [
                        Item(id: "ü-한", kind: .card, subject: "ä/1", body: []),
                        Item(id: "b", kind: ItemKind(rawValue: .max), body: []),
                    ],
                    (1...300).map { World.card($0, title: "\($0)") },
                    (1...300).reversed().map { World.card($0, title: "\($0)") },
                ]
                for items in lists {
                    await talk.move(
                        "cards", to: Version(head: items.isEmpty ? [] : [0x08, 0x02], items: items), in: &world)
                    try await talk.expectHeld([("cards", 2, world["cards"])])
                }
            },
            ClientCheck("scripts", .patches, "Keeps, moves, adds and updates build the list that the patch names.") {
                stage in
                var world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                let targets: [Version] = [
                    World.cards([8, 1, 2, 3, 4, 5, 6, 7]), World.cards([1, 3, 5, 7, 9, 11]),
                    World.cards([11, 9, 7, 5, 3, 1]),
                    World.cards([11, 9, 7, 5, 3, 1], title: "Other"), World.cards([20, 11, 21, 9, 22], title: "Other"),
                    World.cards([9, 22, 20], title: "Third", head: "rank"), World.cards([]), World.cards(1...200),
                    World.cards((1...200).map { $0 * 7 % 201 }),
                ]
                for target in targets {
                    await talk.move("cards", to: target, in: &world)
                    try await talk.expectHeld([("cards", 2, target)])
                }
            },
            ClientCheck("largest-body", .patches, "An added body of 65,536 bytes is accepted.") { stage in
                var world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                var item = World.card(30, title: "")
                item.body = largestBody
                let target = Version(head: world["cards"].head, items: [item])
                await talk.move("cards", to: target, in: &world)
                try await talk.expectHeld(world)
            },
            ClientCheck(
                "patch-in-parts", .patches, "A script may be split at any byte, adds and updates between any two."
            ) { stage in
                let world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                let target = World.cards([8, 20, 1, 21, 3, 2], title: "Card")
                let whole = talk.parts(from: world["cards"], to: target, 2, cut: CutChange(catalogueRevision: 101))[0]
                var parts: [Part] = []
                func append(_ fill: (inout Part) -> Void) {
                    var part = Part(
                        handle: 2, base: whole.base, target: whole.target, count: whole.count, cut: whole.cut)
                    fill(&part)
                    part.more = true
                    parts.append(part)
                }
                append { $0.head = whole.head }
                for byte in whole.script { append { $0.script = [byte] } }
                for item in whole.adds { append { $0.adds = [item] } }
                for update in whole.updates { append { $0.updates = [update] } }
                parts[parts.count - 1].more = false
                await talk.cut(parts.map { .data($0) })
                try await talk.expectHeld([("cards", 2, target)])
            },
        ]
        + refused.map { name, damage in
            ClientCheck(name, .patches, "A patch with \(damage.words) is refused, and nothing of it is kept.") {
                stage in
                let world = World(screen: stage.screen)
                let talk = try await stage.live(world)
                let target = World.cards([20, 8, 1, 3, 2], title: "Changed")
                var part = talk.parts(
                    from: world["cards"], to: target, 2, cut: CutChange(catalogueRevision: 101))[0]
                damage.change(&part)
                await talk.cut([.data(part)])
                try await talk.expectNack(1, refusing: [2], holding: world)
                await talk.repair(1, world)
                try await talk.expectHeld(world)
            }
        }

    /// A fault in a patch: its description, and the change that makes it.
    private struct Damage: Sendable {
        var words: String
        var change: @Sendable (inout Part) -> Void
    }

    /// The faults by the check's name. The patch's base has eight items.
    private static let refused: [(String, Damage)] = [
        ("other-base", Damage(words: "a wrong base") { $0.base = ($0.base ?? 0) ^ 1 }),
        ("other-target", Damage(words: "a target that it doesn't build") { $0.target ^= 1 }),
        ("body-changed", Damage(words: "one wrong bit in a body") { $0.adds[0].body[3] ^= 1 }),
        ("kind-changed", Damage(words: "a wrong kind") { $0.adds[0].kind = ItemKind(rawValue: 14) }),
        ("subject-changed", Damage(words: "a wrong subject") { $0.adds[0].subject = "show/21" }),
        ("id-twice", Damage(words: "an id that exists already") { $0.adds[0].id = "c8" }),
        (
            "update-too-many",
            Damage(words: "one update too many") { $0.updates.append(FieldChange(records: [0x08, 1])) }
        ),
        ("add-missing", Damage(words: "one added item too few") { $0.adds = [] }),
        ("count-wrong", Damage(words: "a wrong number of items") { $0.count += 1 }),
        ("script-truncated", Damage(words: "a truncated script") { $0.script.removeLast() }),
        ("script-count-0", Damage(words: "an operation with count 0") { $0.script.insert(contentsOf: [0x02], at: 0) }),
        (
            "script-long-varint",
            Damage(words: "a varint that isn't in its shortest form") {
                // The script begins with ADD 1.
                $0.script.replaceSubrange(0..<1, with: [0x86, 0x00])
            }
        ),
        (
            "script-beyond-base",
            Damage(words: "a range outside the base") {
                $0.script = Script(operations: [.add(1), .move(8..<9)], updates: []).encoded()
                ($0.count, $0.updates) = (2, [])
            }
        ),
        (
            "script-used-twice",
            Damage(words: "an old item used twice") {
                $0.script = Script(operations: [.add(1), .keep(0..<1), .move(0..<1)], updates: []).encoded()
                ($0.count, $0.updates) = (3, [])
            }
        ),
        (
            "script-update-of-added",
            Damage(words: "an update of an added item") {
                $0.script = Script(operations: [.add(1)], updates: [0..<1]).encoded()
                ($0.count, $0.updates) = (1, [FieldChange(records: [0x12, 0x00])])
                $0.target = sum(of: [emptied($0.adds[0])])
            }
        ),
        (
            "body-too-large",
            Damage(words: "an added body of 65,537 bytes") {
                $0.script = Script(operations: [.add(1)], updates: []).encoded()
                ($0.count, $0.updates, $0.adds[0].body) = (1, [], largestBody + [0])
                $0.target = sum(of: $0.adds)
            }
        ),
        (
            "script-list-after-update",
            Damage(words: "a list operation after an update") {
                $0.script = [0x04, 0x00, 0x07, 0x00, 0x06]
                ($0.count, $0.updates) = (2, [FieldChange(records: [0x12, 0x00])])
                $0.target = sum(of: [emptied(World.card(1, title: "Card 1")), $0.adds[0]])
            }
        ),
        (
            "change-not-canonical",
            Damage(words: "records that aren't canonical") {
                $0.head = FieldChange(records: [0x50, 0x01, 0x48, 0x01])
            }
        ),
        (
            "change-sets-and-clears",
            Damage(words: "a field number that is both set and cleared") {
                $0.head = FieldChange(records: [0x48, 0x01], cleared: [9])
            }
        ),
        (
            "change-clears-0",
            Damage(words: "field number 0 cleared") { $0.head = FieldChange(records: [], cleared: [0]) }
        ),
    ]

    /// The sum of the cards with these items: the target of a wrong patch, as if it were applied nevertheless.
    private static func sum(of items: [Item]) -> UInt64 { Version(head: World.cards([]).head, items: items).sum }

    /// A body of 65,536 bytes, the most allowed.
    private static let largestBody = FrameBytes.field(15, [UInt8](repeating: 0x61, count: 65_532))

    /// A copy of a card, with an empty title.
    private static func emptied(_ item: Item) -> Item {
        var item = item
        item.body = [0x12, 0x00] + World.unknownField
        return item
    }
}
