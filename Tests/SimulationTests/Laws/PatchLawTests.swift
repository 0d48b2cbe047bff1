import MarqueeCatalogue
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import SeededRandom
import Testing

@testable import Simulation

/// The laws of patches, over the content of the simulation's screens from commit to commit.
@Suite struct PatchLawTests {
    private static let sections = [
        ("home", "main", "", 0), ("home", "rank", "title", 0), ("home", "basic", "", 8), ("home", "top", "", 0),
        ("detail/1", "parts", "", 0), ("topic/1", "films", "", 0),
    ]

    /// The versions of a section, one commit after another.
    private static func versions(of index: Int, seed: UInt64, dialect: Dialect?) -> [Version] {
        let (screen, section, sort, window) = sections[index]
        var random = SeededGenerator(seed: seed)
        let truth = Truth(dialect: dialect, catalogueEpoch: 1, userEpoch: 2)
        var revision: UInt64 = 0
        func commit(_ changes: [Change]) {
            revision += 1
            _ = truth.follow(
                .catalogue(key: nil, changes: changes, mutation: nil), .done(revision: revision, changed: true))
        }
        commit(RandomChanges.first())
        for _ in 0..<40 { commit(RandomChanges.commit(&random)) }
        return (1...revision).compactMap {
            truth.section(
                section, of: ViewID(screen: screen, locale: "en"), sort: sort, window: UInt32(window), reader: Reader(),
                truth.current, at: $0, 0)
        }
    }

    private static func isSame(_ a: Version, _ b: Version) -> Bool {
        a.head == b.head && a.items == b.items && a.sum == b.sum
            && a.items.indices.allSatisfy { a.bodyHash(at: $0) == b.bodyHash(at: $0) }
    }

    @Test(arguments: 0..<6, Extent.of([1], full: [1, 2, 3]) as [UInt64])
    func `Applying a difference gives the target, in bytes and sum`(section: Int, seed: UInt64) throws {
        for dialect in [nil, Dialect()] {
            let versions = Self.versions(of: section, seed: seed, dialect: dialect)
            for (a, b) in zip(versions, versions.dropFirst()) {
                #expect(Self.isSame(try a.applying(Differ.patch(from: a, to: b)), b))
            }
        }
    }

    @Test(arguments: 0..<6, [4, 5] as [UInt64])
    func `One patch gives what two in a row give`(section: Int, seed: UInt64) throws {
        let versions = Self.versions(of: section, seed: seed, dialect: nil)
        for start in 0..<versions.count - 7 {
            let (a, b, c) = (versions[start], versions[start + 3], versions[start + 7])
            let direct = try a.applying(Differ.patch(from: a, to: c))
            let detour = try a.applying(Differ.patch(from: a, to: b)).applying(Differ.patch(from: b, to: c))
            #expect(Self.isSame(direct, detour))
        }
    }

    @Test(arguments: 0..<6, [6, 7] as [UInt64])
    func `The sum that a patch gives is the sum recomputed`(section: Int, seed: UInt64) throws {
        let versions = Self.versions(of: section, seed: seed, dialect: nil)
        for (a, b) in zip(versions, versions.dropFirst(5)) {
            let patch = Differ.patch(from: a, to: b)
            #expect(try patch.incrementalTargetSum(from: a) == Version(head: b.head, items: Array(b.items)).sum)
        }
    }

    @Test(arguments: 0..<6) func `A patch made from a manifest gives what an exact one gives`(section: Int) throws {
        let versions = Self.versions(of: section, seed: 8, dialect: nil)
        for (a, b) in zip(versions, versions.dropFirst(4)) {
            guard let patch = Differ.patch(from: ContentManifest(a), to: b) else { continue }
            #expect(Self.isSame(try a.applying(patch), b))
        }
    }
}
