import MarqueeDiff
import MarqueeModel
import Testing

@Suite struct ManifestPatchTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a patch made only from the manifest leads to the target`(seed: UInt64) throws {
        var random = RandomContent(seed: seed)
        let base = random.version(random.generator.below(40))
        let target = random.edited(base, edits: random.generator.below(20))
        guard let patch = Differ.patch(from: ContentManifest(base), to: target) else { return }
        // Kinds and subjects aren't part of a manifest: if one of them changed, the sum reveals it.
        let same = Set(base.items.map { [$0.id, "\($0.kind.rawValue)", $0.subject] })
        let known = Set(base.items.map { $0.id })
        guard
            target.items.allSatisfy({
                !known.contains($0.id) || same.contains([$0.id, "\($0.kind.rawValue)", $0.subject])
            })
        else {
            #expect(throws: PatchError.self) { try base.applying(patch) }
            return
        }
        let result = try base.applying(patch)
        #expect(result.sum == target.sum)
        #expect(result.items == target.items)
    }

    @Test func `one wrong body is one update, whatever is wrong with it`() throws {
        let items = (0..<50).map { Item(id: "\($0)", kind: .movie, body: [0x08, UInt8($0)]) }
        let target = Version(head: [0x08, 1], items: items)
        var damaged = items
        damaged[7].body = [0xff, 0xff]
        let base = Version(head: [0x08, 1], items: damaged)
        let patch = try #require(Differ.patch(from: ContentManifest(base), to: target))
        #expect(patch.updates == [FieldChange(records: [0x08, 7], replace: true)])
        #expect(patch.adds == [])
        #expect(try Array(base.applying(patch).items) == items)
    }

    @Test func `a duplicate id in a manifest gives no patch`() {
        let version = Version(head: [], items: ["a", "b"].map { Item(id: $0, kind: .movie, body: []) })
        var manifest = ContentManifest(version)
        manifest.pairs[1] = manifest.pairs[0]
        #expect(Differ.patch(from: manifest, to: version) == nil)
    }

    @Test func `a target with no canonical form gives no patch`() {
        let base = Version(head: [], items: [Item(id: "a", kind: .movie, body: [])])
        let target = Version(head: [], items: [Item(id: "a", kind: .movie, body: [0x1a, 0, 0x0a, 0])])
        #expect(Differ.patch(from: ContentManifest(base), to: target) == nil)
    }
}
