import Fuzzing
import ProcessSupport
import SeededRandom
import Testing

/// The targets that `make fuzz` runs for long, run for moments: over the seeds, and over copies of them that differ in
/// a few bytes, the same ones each time.
@Suite struct FuzzingTests {
    /// Changed copies of seeds for each target.
    private static let copies = Extent.of(60, full: 200)

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `Every property holds for the seeds of a target`(name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty)
        try await run(target, seeds + [[]])
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `Every property holds for changed copies of the seeds`(name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        let seeds = try target.seeds()
        var generator = SeededGenerator(seed: 1)
        try await run(target, (0..<Self.copies).map { _ in generator.changed(seeds) })
    }

    private func run(_ target: FuzzTarget, _ inputs: [[UInt8]]) async throws {
        try await blocking { for input in inputs { target.run(input) } }
    }

    @Test func `Targets have names of their own`() {
        #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
        #expect(FuzzTarget.named("none") == nil)
    }
}

extension SeededGenerator {
    /// One of the seeds, with a few changes.
    fileprivate mutating func changed(_ seeds: [[UInt8]]) -> [UInt8] {
        var bytes = pick(seeds) ?? []
        for _ in 0..<int(1...4) {
            guard !bytes.isEmpty else { break }
            let place = int(0...bytes.count - 1)
            let end = min(bytes.count, place + int(1...16))
            switch int(0...4) {
            case 0: bytes[place] ^= 1 << UInt8(int(0...7))
            case 1: bytes[place] = UInt8(int(0...255))
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes.replaceSubrange(place..., with: (pick(seeds) ?? []).dropFirst(place))
            }
        }
        return bytes
    }
}
