import Testing

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

/// Tests `scripts.json`: bases, patches and targets, and patches that must be refused.
@Suite struct ScriptVectorTests {
    private static let base = Version(head: VectorLists.head, items: VectorLists.movies)

    /// The example of Proto/PROTOCOL.md: one item moves to the front, one is updated, one deleted, one added.
    private static var edited: Version {
        var inception = VectorLists.movies[0]
        inception.body = RawMessage().number(1, 27_205).field(2, "Inception").fixed(7, 8.5.bitPattern).bytes
        return Version(
            head: RawMessage().number(1, 2).number(9, 21).bytes,
            items: [VectorLists.movies[2], inception, VectorLists.interstellar])
    }

    private static func numbered(_ ids: some Sequence<Int>) -> Version {
        Version(head: [], items: ids.map { VectorLists.movie(UInt64($0), RawMessage().field(2, "Movie \($0)")) })
    }

    /// Pairs of versions, named by the feature that their patch shows.
    private static let pairs: [(String, Version, Version)] = [
        ("the example of PROTOCOL.md", base, edited), ("a snapshot: the empty version is the base", .empty, base),
        ("everything goes", base, .empty), ("nothing changes", base, base),
        ("the list turns round", numbered(1...8), numbered((1...8).reversed())),
        ("the last becomes the first", numbered(1...9), numbered([9] + Array(1...8))),
        ("inserts and deletes in between", numbered(1...12), numbered([1, 2, 30, 5, 6, 31, 32, 11, 12, 33])),
        ("a window grows", numbered(1...4), numbered(1...10)), ("a window shrinks", numbered(1...10), numbered(1...4)),
    ]

    /// Pairs of versions; the patch is made from only the first one's manifest.
    private static let manifests: [(String, Version, Version)] = [
        ("the example of PROTOCOL.md", base, edited), ("one body differs, by whatever", edited, base),
        ("of an empty list", .empty, base),
        ("inserts, deletes and a move", numbered(1...12), numbered([12, 1, 2, 30, 5, 6, 31])),
    ]

    private func json(_ version: Version) -> JSONValue {
        ["head": .hex(version.head), "items": VectorLists.json(Array(version.items)), "sum": .sum(version.sum)]
    }

    private func json(_ patch: Patch) -> JSONValue {
        [
            "base_sum": .sum(patch.base), "target_sum": .sum(patch.target), "script": .hex(patch.script),
            "adds": VectorLists.json(patch.adds), "updates": .list(patch.updates.map(VectorLists.json)),
            "head": patch.head.map(VectorLists.json) ?? .null, "count": .number(Double(patch.count)),
        ]
    }

    /// Patches of the list `1, 2, 3` that must be refused.
    private static var refused: [(String, Patch)] {
        let base = numbered(1...3)
        func patch(
            _ script: [UInt8], count: Int, adds: [Item] = [], updates: [FieldChange] = [], from: UInt64? = nil
        ) -> Patch {
            Patch(
                base: from ?? base.sum, target: base.sum, script: script, adds: adds, updates: updates, head: nil,
                count: count)
        }
        let four = VectorLists.movie(4, RawMessage())
        return [
            ("another base", patch([12, 0], count: 3, from: 1)), ("a number ends early", patch([0x8C], count: 3)),
            ("an operation of no items", patch([0, 0], count: 0)),
            ("a number longer than needed", patch([0x8C, 0, 0], count: 3)),
            ("a range ends behind the base", patch([16, 0], count: 4)),
            ("an item used twice", patch([12, 0, 5, 1], count: 4)),
            ("fewer items than announced", patch([8, 0], count: 3)),
            ("more items than announced", patch([12, 0], count: 2)),
            ("an add that is missing", patch([12, 0, 6], count: 4)),
            ("an add too many", patch([12, 0], count: 3, adds: [four])),
            ("an id that is there already", patch([12, 0, 6], count: 4, adds: [base.items[0]])),
            ("an id added twice", patch([12, 0, 10], count: 5, adds: [four, four])),
            ("an added item updated", patch([6, 7, 0], count: 1, adds: [four], updates: [FieldChange()])),
            ("an operation behind an update", patch([8, 0, 7, 0, 4, 0], count: 3, updates: [FieldChange()])),
            (
                "an update that sets and clears a field",
                patch([12, 0, 7, 0], count: 3, updates: [FieldChange(records: [8, 1], cleared: [1])])
            ),
            ("a result that is not the target", patch([5, 1, 5, 0, 5, 2], count: 3)),
        ]
    }

    @Test func `The committed patches match the code`() throws {
        let patches: [JSONValue] = try Self.pairs.map { name, base, target in
            let patch = Differ.patch(from: base, to: target)
            let result = try base.applying(patch)
            #expect(result.items == target.items, "\(name)")
            return ["name": .text(name), "base": json(base), "patch": json(patch), "target": json(target)]
        }
        let manifests: [JSONValue] = try Self.manifests.map { name, base, target in
            let manifest = ContentManifest(base)
            let patch = try #require(Differ.patch(from: manifest, to: target))
            #expect(try base.applying(patch).items == target.items, "\(name)")
            let pairs = Manifest.parts(of: manifest, handle: 1, limits: .server).flatMap(\.pairs)
            return [
                "name": .text(name), "base": json(base), "head_hash": .sum(manifest.headHash), "pairs": .hex(pairs),
                "patch": json(patch), "target": json(target),
            ]
        }
        let base = Self.numbered(1...3)
        var refused: [JSONValue] = []
        for (name, patch) in Self.refused {
            do throws(PatchError) {
                _ = try base.applying(patch)
                Issue.record("'\(name)' is accepted")
            } catch {
                refused.append(["name": .text(name), "patch": json(patch), "why": .text("\(error.code)")])
            }
        }
        try VectorFile.check(
            "scripts.json",
            [
                "patches": .list(patches), "manifests": .list(manifests),
                "refused": ["base": json(base), "patches": .list(refused)],
            ])
    }

    /// The frame written out in Proto/PROTOCOL.md.
    @Test func `The frame in the specification matches the code`() throws {
        let hex =
            "0000006c00200006af29b56e080211eb0e77ba55e8e009198d8c37a45effe2a82207050204000607012a2c0a0631353733333610"
            + "011a0c6d6f7669652f31353733333622120898cd09120c496e7465727374656c6c6172320b0a09390000000000002140"
            + "3a040a02481540035202100b"
        let patch = Differ.patch(from: Self.base, to: Self.edited)
        let encoded = try PartEncoder.encode(patch, handle: 2, cut: CutChange(catalogueRevision: 11))
        #expect(encoded.frameCount == 1)
        let frame = Array(encoded.frame(0, kind: .data, flags: [.first, .last]).readableBytesView)
        #expect(JSONValue.hex(frame) == .text(hex))
    }
}
