import Dispatch
import MarqueeModel
import MarqueeWire
import Synchronization
import Testing

@testable import MarqueeDiff
@testable import MarqueeServer

@Suite struct VersionLibraryTests {
    private let since = CutChange(catalogueRevision: 1)

    /// `count` items of about 100 bytes; those in `changed` have another body.
    private func version(_ count: Int, changed: Range<Int> = 0..<0, letter: String = "x") -> Version {
        let items = (0..<count).map { number in
            let body = String(repeating: changed.contains(number) ? letter : "a", count: 90)
            return Item(id: "\(number)", kind: .movie, body: text(body))
        }
        return Version(head: text("head"), items: items)
    }

    private func route(
        _ library: VersionLibrary, from base: Version, to target: Version, of handle: UInt64 = 1
    ) -> VersionLibrary.Route {
        library.route(to: target, of: handle, from: (base.sum, handle), since: since)
    }

    @Test(arguments: [1, 200])
    func `A patch is encoded once, however many sessions request it`(askers: Int) {
        let library = VersionLibrary()
        let (base, target) = (version(20), version(20, changed: 3..<4))
        library.record(base, of: 1)
        library.record(target, of: 1)
        for _ in 0..<askers {
            _ = route(library, from: base, to: target)
            _ = library.whole(target, of: 1, since: since)
        }
        #expect(library.counters.encodes == 2)
    }

    @Test func `Sessions that build the same patch at the same time share one`() {
        let library = VersionLibrary()
        let (base, target) = (version(200), version(200, changed: 3..<90))
        library.record(base, of: 1)
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            _ = route(library, from: base, to: target)
            _ = library.whole(target, of: 1, since: since)
        }
        #expect(library.counters.encodes == 2)
        // With a copy for another place in a cut.
        let frames = 2 * Int(library.counters.encodedBytes)
        #expect(library.bytes.patches == frames + 2 * VersionLibrary.patchOverheadBytes)
    }

    @Test func `A patch that doesn't lead to its target leaves evidence`() {
        let seen = Mutex<[RefusedPatch]>([])
        let library = VersionLibrary { refused in seen.withLock { $0.append(refused) } }
        let right = version(20)
        let wrong = Version(
            head: right.head, headHash: right.headHash, items: right.items, closingEdge: right.closingEdge,
            sum: right.sum &+ 1)
        #expect(library.whole(wrong, of: 7, since: since) == nil)
        let entry = library.evidence.entries.last
        #expect([entry?.handle, entry?.target, entry?.computed] == [7, wrong.sum, right.sum])
        #expect(seen.withLock { $0 } == library.evidence.entries)
    }

    @Test func `Each base, target and variant has a patch of its own`() {
        let library = VersionLibrary()
        let versions = (0..<3).map { version(20, changed: $0..<$0 + 1) }
        for handle in 1...2 as ClosedRange<UInt64> {
            for version in versions { library.record(version, of: handle) }
            _ = route(library, from: versions[0], to: versions[1], of: handle)
            _ = route(library, from: versions[1], to: versions[2], of: handle)
            _ = route(library, from: versions[0], to: versions[2], of: handle)
        }
        #expect(library.counters.encodes == 6)
    }

    @Test func `A patch worth sending is sent as a patch`() {
        let library = VersionLibrary()
        let (base, target) = (version(20), version(20, changed: 0..<10))
        library.record(base, of: 1)
        #expect(route(library, from: base, to: target).name == "patch")
    }

    @Test func `A patch above 70 percent of the whole is replaced by the whole`() {
        let library = VersionLibrary()
        let (base, target) = (version(20), version(20, changed: 0..<18))
        library.record(base, of: 1)
        #expect(route(library, from: base, to: target).name == "whole")
    }

    @Test func `A small patch is sent whatever its share of the whole`() {
        let library = VersionLibrary()
        let (base, target) = (version(1), version(1, changed: 0..<1))
        library.record(base, of: 1)
        #expect(route(library, from: base, to: target).name == "patch", "below 256 bytes the whole saves nothing")
    }

    @Test(arguments: [(1, "whole"), (5, "whole"), (21, "lost"), (500, "lost"), (700, "lost")])
    func `Without its base, a large section needs a manifest and a small one is sent whole`(items: Int, name: String) {
        #expect(route(VersionLibrary(), from: version(20), to: version(items)).name == name)
    }

    @Test func `A patch that doesn't lead to its target is never sent`() {
        let library = VersionLibrary()
        let base = version(20)
        let right = version(20, changed: 3..<4)
        let wrong = Version(
            head: right.head, headHash: right.headHash, items: right.items, closingEdge: right.closingEdge,
            sum: right.sum &+ 1)
        library.record(base, of: 1)
        #expect(route(library, from: base, to: wrong).name == "stage")
        #expect(library.whole(wrong, of: 1, since: since) == nil)
        #expect(library.counters.encodes == 0)
        #expect(library.counters.refusedPatches == 3)
    }

    @Test func `The last versions of a content are kept`() {
        let library = VersionLibrary()
        let versions = (0...VersionLibrary.versionsPerVariant).map { version($0 + 1) }
        for version in versions { library.record(version, of: 1) }
        #expect(library.version(versions[0].sum, of: 1) == nil)
        #expect(versions.dropFirst().allSatisfy { library.version($0.sum, of: 1) != nil })
        #expect(library.bytes.versions == versions.dropFirst().reduce(0) { $0 + $1.encodedSize })
    }

    @Test func `A version that is recorded again becomes the youngest`() {
        let library = VersionLibrary()
        let versions = (0...VersionLibrary.versionsPerVariant).map { version($0 + 1) }
        for version in versions.dropLast() { library.record(version, of: 1) }
        library.record(versions[0], of: 1)
        library.record(versions[VersionLibrary.versionsPerVariant], of: 1)
        #expect(library.version(versions[0].sum, of: 1) != nil)
        #expect(library.version(versions[1].sum, of: 1) == nil)
    }

    @Test func `Superseded versions of all contents share a byte bound, and the newest of each stays`() {
        var bounds = VersionLibrary.Bounds()
        bounds.versionBytes = 10_000
        let library = VersionLibrary(bounds: bounds)
        for handle in 1...50 as ClosedRange<UInt64> { library.record(version(10), of: handle) }
        for handle in 1...50 as ClosedRange<UInt64> { library.record(version(11), of: handle) }
        #expect(library.supersededBytes <= 10_000)
        #expect(library.supersededBytes > 8_000)
        #expect(library.version(version(10).sum, of: 1) == nil, "the one superseded earliest goes first")
        #expect(library.version(version(10).sum, of: 50) != nil)
        #expect((1...50).allSatisfy { library.version(version(11).sum, of: $0) != nil })
    }

    @Test func `Patches have a byte bound`() {
        var bounds = VersionLibrary.Bounds()
        bounds.patchBytes = 5_000
        let library = VersionLibrary(bounds: bounds)
        for number in 1...30 { _ = library.whole(version(number), of: 1, since: since) }
        #expect(library.bytes.patches <= 5_000)
    }

    @Test func `The bound on patches counts what the tables keep for each`() {
        let library = VersionLibrary()
        for handle in 1...100 as ClosedRange<UInt64> { _ = library.whole(version(1), of: handle, since: since) }
        #expect(library.bytes.patches > 100 * VersionLibrary.patchOverheadBytes)
    }

    @Test func `A version is forgotten a fixed time after it was superseded`() {
        let library = VersionLibrary()
        let age = VersionLibrary.Bounds().versionMilliseconds
        library.tick(now: 1_000)
        library.record(version(1), of: 1)
        library.record(version(2), of: 2)
        library.tick(now: 1_000 + 2 * age)
        #expect(library.version(version(1).sum, of: 1) != nil, "the newest is what clients hold, however old it is")
        library.record(version(3), of: 1)
        library.tick(now: 1_000 + 3 * age - 1)
        #expect(library.version(version(1).sum, of: 1) != nil)
        library.tick(now: 1_000 + 3 * age)
        #expect(library.version(version(1).sum, of: 1) == nil)
        #expect(library.version(version(3).sum, of: 1) != nil)
        #expect(library.version(version(2).sum, of: 2) != nil)
        #expect(library.bytes.versions == version(2).encodedSize + version(3).encodedSize)
    }

    @Test func `A version that comes back is the newest again`() {
        let library = VersionLibrary()
        let age = VersionLibrary.Bounds().versionMilliseconds
        for items in [1, 2, 1] { library.record(version(items), of: 1) }
        library.tick(now: age)
        #expect(library.version(version(1).sum, of: 1) != nil)
        #expect(library.version(version(2).sum, of: 1) == nil)
    }

    @Test func `A patch is forgotten a fixed time after it was made`() {
        let library = VersionLibrary()
        let age = VersionLibrary.Bounds().patchMilliseconds
        let (base, target) = (version(20), version(20, changed: 3..<4))
        for version in [base, target] { library.record(version, of: 1) }
        _ = route(library, from: base, to: target)
        library.tick(now: age - 1)
        _ = library.whole(target, of: 1, since: since)
        let whole = library.bytes.patches
        library.tick(now: age)
        #expect(library.bytes.patches < whole && library.bytes.patches > 0, "the younger one stays")
        library.tick(now: 2 * age - 1)
        #expect(library.bytes.patches == 0)
        #expect(route(library, from: base, to: target).name == "patch")
        #expect(library.counters.encodes == 3, "it is made again for the next request")
    }

    @Test func `Patches for a crowd are forgotten soon after it has been served`() {
        var bounds = VersionLibrary.Bounds()
        let library = VersionLibrary(bounds: bounds)
        _ = library.whole(version(1), of: 1, since: since)
        bounds.restingPatchBytes = library.bytes.patches
        let crowd = VersionLibrary(bounds: bounds)
        for handle in 1...9 as ClosedRange<UInt64> { _ = crowd.whole(version(1), of: handle, since: since) }
        crowd.tick(now: bounds.burstMilliseconds - 1)
        #expect(crowd.bytes.patches == 9 * bounds.restingPatchBytes)
        crowd.tick(now: bounds.burstMilliseconds)
        #expect(crowd.bytes.patches == bounds.restingPatchBytes)
        crowd.tick(now: bounds.patchMilliseconds)
        #expect(crowd.bytes.patches == 0)
    }

    @Test func `Time never goes back`() {
        let library = VersionLibrary()
        let age = VersionLibrary.Bounds().patchMilliseconds
        library.tick(now: age)
        _ = library.whole(version(3), of: 1, since: since)
        library.tick(now: 0)
        _ = library.whole(version(4), of: 1, since: since)
        library.tick(now: 2 * age - 1)
        #expect(library.bytes.patches > 0)
        library.tick(now: 2 * age)
        #expect(library.bytes.patches == 0)
    }

    @Test func `A forgotten content leaves no versions`() {
        let library = VersionLibrary()
        library.record(version(3), of: 1)
        library.record(version(4), of: 2)
        library.forget(1)
        #expect(library.version(version(3).sum, of: 1) == nil)
        #expect(library.bytes.versions == version(4).encodedSize)
    }
}

extension VersionLibrary.Route {
    fileprivate var name: String {
        switch self {
        case .patch: "patch"
        case .whole: "whole"
        case .stage: "stage"
        case .lost: "lost"
        }
    }
}
