import NIOCore
import Testing

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

@Suite struct PartEncoderTests {
    private func item(_ index: Int, bytes: Int = 300) -> Item {
        Item(
            id: "item-\(index)", kind: .movie, subject: "movie/\(index)",
            body: RawMessage().field(2, [UInt8](repeating: UInt8(ascii: "a"), count: bytes)).bytes)
    }

    private func patch(items: Int, bytes: Int = 300) -> Patch {
        Differ.patch(from: .empty, to: Version(head: [8, 1], items: (0..<items).map { item($0, bytes: bytes) }))
    }

    private func parts(of encoded: EncodedPatch) throws -> [Part] {
        try (0..<encoded.frameCount).map { index in
            var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
            decoder.append(encoded.frame(index))
            let frame = try #require(try decoder.next())
            guard case .data(let part)? = try MessageCodec.decode(frame, limits: .client) else {
                throw WireError(.malformed, "no data")
            }
            return part
        }
    }

    private func assemble(_ parts: [Part]) throws -> Patch? {
        var assembler = PatchAssembler()
        for part in parts.dropLast() { #expect(try assembler.append(part) == nil) }
        let patch = try parts.last.flatMap { try assembler.append($0) }
        #expect(!assembler.isUnfinished)
        return patch
    }

    @Test(arguments: [0, 1, 2, 200, 1_000])
    func `The joined parts of a patch are the patch`(_ items: Int) throws {
        let patch = patch(items: items)
        let encoded = try PartEncoder.encode(patch, handle: 7, isWhole: true)
        let parts = try parts(of: encoded)
        #expect(parts.map(\.more) == Array(repeating: true, count: parts.count - 1) + [false])
        #expect(parts.allSatisfy { $0.base == nil && $0.handle == 7 })
        #expect(try assemble(parts) == patch)
    }

    @Test func `A patch from an exact base names the base`() throws {
        let old = Version(head: [8, 1], items: (0..<20).map { item($0) })
        var items = Array(old.items.reversed())
        items[3].body = [18, 1, 98]
        let patch = Differ.patch(from: old, to: Version(head: [8, 2], items: items))
        let parts = try parts(of: try PartEncoder.encode(patch, handle: 1, cut: CutChange(catalogueRevision: 9)))
        #expect(parts.map(\.base) == [old.sum])
        #expect(parts.map(\.cut) == [CutChange(catalogueRevision: 9)])
        #expect(try assemble(parts) == patch)
    }

    @Test func `Every frame respects the limit on bytes`() throws {
        for bytes in [10, 300, 5_000, 40_000] {
            let encoded = try PartEncoder.encode(patch(items: 100, bytes: bytes), handle: .max, isWhole: true)
            for index in 0..<encoded.frameCount {
                #expect(encoded.frame(index).readableBytes <= 64 << 10)
            }
            #expect((0..<encoded.frameCount).reduce(0) { $0 + encoded.frame($1).readableBytes } == encoded.bytes)
        }
    }

    @Test func `Every frame respects the limit on elements`() throws {
        var limits = WireLimits.client
        limits.elementsPerFrame = 64
        let patch = patch(items: 200, bytes: 10)
        let encoded = try PartEncoder.encode(patch, handle: 1, isWhole: true, limits: limits)
        let parts = try parts(of: encoded)
        #expect(parts.count == 4)
        #expect(parts.allSatisfy { $0.adds.count <= 64 })
        #expect(try assemble(parts) == patch)
    }

    @Test func `Cleared fields count as elements`() throws {
        var limits = WireLimits.client
        limits.elementsPerFrame = 64
        let updates = Array(repeating: FieldChange(cleared: Array(1...20)), count: 9)
        let patch = Patch(base: 1, target: 2, script: [1], adds: [], updates: updates, head: nil, count: 9)
        let parts = try PartEncoder.split(patch, handle: 1, limits: limits)
        #expect(parts.map(\.updates.count) == [3, 3, 3])
    }

    @Test func `A long script is split too`() throws {
        let script = (0..<200_000).map { UInt8($0 % 251) }
        let patch = Patch(base: 1, target: 2, script: script, adds: [item(0)], updates: [], head: nil, count: 9)
        let encoded = try PartEncoder.encode(patch, handle: 1)
        #expect(encoded.frameCount == 4)
        #expect(try assemble(try parts(of: encoded)) == patch)
    }

    @Test func `An item larger than a part gets a part of its own`() throws {
        let patch = Patch(
            base: 1, target: 2, script: [8], adds: [item(0), item(1, bytes: 200_000), item(2)], updates: [], head: nil,
            count: 3)
        let encoded = try PartEncoder.encode(patch, handle: 1)
        let parts = try parts(of: encoded)
        #expect(parts.map(\.adds.count) == [1, 1, 1])
        #expect(encoded.bytes < Int(Frame.maximumLength))
        #expect(try assemble(parts) == patch)
    }

    @Test func `An item too large for any part is an error`() {
        let patch = Patch(
            base: 1, target: 2, script: [], adds: [item(0, bytes: PartEncoder.itemBytes)], updates: [], head: nil,
            count: 1)
        #expect(throws: BodyTooLarge.self) { try PartEncoder.encode(patch, handle: 1) }
    }

    @Test func `Frames of other kinds and flags differ only in their header and have valid checksums`() throws {
        for (items, isWhole) in [(1, false), (1, true), (500, false), (500, true)] {
            let encoded = try PartEncoder.encode(patch(items: items), handle: 1, isWhole: isWhole)
            for kind in [FrameKind.data, .stage] {
                for raw in 0..<8 as Range<UInt16> {
                    let flags = FrameFlags(rawValue: raw)
                    for index in 0..<encoded.frameCount {
                        let bytes = Array(encoded.frame(index, kind: kind, flags: flags).readableBytesView)
                        let plain = Array(encoded.frame(index).readableBytesView)
                        #expect(bytes[4..<8] == [0, UInt8(kind.rawValue), 0, UInt8(raw)])
                        #expect(bytes[..<4] == plain[..<4])
                        #expect(bytes[Frame.headerBytes...] == plain[Frame.headerBytes...])
                        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
                        decoder.append(ByteBuffer(bytes: bytes))
                        #expect(try decoder.next()?.flags == flags)
                    }
                }
            }
        }
    }

    @Test(arguments: [[], .first, .last, [.first, .last]] as [FrameFlags])
    func `Callers at the usual position in a cut share one buffer, and those at one other`(flags: FrameFlags) throws {
        for items in [1, 500] {
            let encoded = try PartEncoder.encode(patch(items: items), handle: 1)
            for index in 0..<encoded.frameCount {
                #expect(place(encoded.frame(index, flags: flags)) == place(encoded.frame(index, flags: flags)))
            }
        }
    }

    @Test func `A frame holds one copy with other flags`() throws {
        let encoded = try PartEncoder.encode(patch(items: 1), handle: 1)
        #expect(encoded.mostBytes == 2 * encoded.bytes)
        let places = ([[], .first, .last, [.first, .last]] as [FrameFlags]).map { flags in
            // Buffers that are not held are freed at once, so the first has to be kept while the second is made.
            let (first, second) = (encoded.frame(0, flags: flags), encoded.frame(0, flags: flags))
            return place(first) == place(second)
        }
        #expect(places == [true, false, false, true])
    }

    @Test func `Callers share the buffers of a staged patch`() throws {
        let encoded = try PartEncoder.encode(patch(items: 500), handle: 1, isWhole: true)
        for index in 0..<encoded.frameCount {
            #expect(place(encoded.stagedFrame(index)) == place(encoded.stagedFrame(index)))
        }
    }

    private func place(_ buffer: ByteBuffer) -> UnsafeRawPointer? { buffer.withUnsafeReadableBytes { $0.baseAddress } }

    @Test func `Parts of two patches don't mix`() throws {
        let parts = try parts(of: try PartEncoder.encode(patch(items: 500), handle: 1, isWhole: true))
        let changes: [(inout Part) -> Void] = [
            { $0.handle = 2 }, { $0.base = 0 }, { $0.target = 0 }, { $0.count = 1 }, { $0.head = FieldChange() },
            { $0.cut.userRevision = 1 },
        ]
        for change in changes {
            var assembler = PatchAssembler()
            _ = try assembler.append(parts[0])
            var other = parts[1]
            change(&other)
            do throws(WireError) {
                _ = try assembler.append(other)
                Issue.record("no error")
            } catch {
                #expect(error.code == .mixedParts)
            }
        }
    }

    @Test func `An endless patch is refused at the limit`() throws {
        var limits = WireLimits.client
        limits.cutBytes = 1_000
        var assembler = PatchAssembler(limits: limits)
        let part = Part(handle: 1, base: nil, target: 1, script: Array(repeating: 0, count: 600), more: true)
        #expect(try assembler.append(part) == nil)
        #expect(throws: WireError.self) { try assembler.append(part) }
        limits = .client
        limits.listItems = 3
        assembler = PatchAssembler(limits: limits)
        let adds = Part(handle: 1, base: nil, target: 1, adds: [item(0), item(1)], more: true)
        #expect(try assembler.append(adds) == nil)
        #expect(throws: WireError.self) { try assembler.append(adds) }
    }
}
