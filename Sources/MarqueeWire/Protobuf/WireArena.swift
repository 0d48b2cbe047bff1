internal import CMarqueeProto

/// Memory for the C form of one message at a time: a bump allocator with a cap.
///
/// The arena owns everything it allocates: nothing is freed individually; everything is reset together and freed with
/// the arena. Copy values out before the reset. Not thread-safe; a connection keeps one on its event loop and reuses
/// it.
package final class WireArena {
    /// Maximum memory for decoding one frame.
    package static let frameBytes = 32 << 20
    /// Maximum memory for decoding one body.
    package static let bodyBytes = 4 << 20
    /// A block larger than this is freed at the next reset.
    static let retainedBytes = 256 << 10
    /// Size of the first block allocated while packing; later ones double.
    static let firstBlockBytes = 4 << 10
    /// Every allocation is aligned to this, as with malloc.
    static let alignment = 16

    private var blocks: [UnsafeMutableRawBufferPointer] = []
    /// Bytes used in the last block.
    private var used = 0
    /// Bytes left under the cap.
    private var remaining = 0

    package init() {}

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// Reclaims everything and makes room for `limit` bytes in one block. Requests beyond `limit` will fail.
    func reset(limit: Int) {
        let kept = blocks.first.flatMap { $0.count >= limit && $0.count <= Self.retainedBytes ? $0 : nil }
        for block in blocks where block.baseAddress != kept?.baseAddress { block.deallocate() }
        blocks = [kept ?? .allocate(byteCount: max(limit, Self.firstBlockBytes), alignment: Self.alignment)]
        used = 0
        remaining = limit
    }

    /// The bytes an allocation of `size` uses, or `nil` on overflow.
    static func rounded(_ size: Int) -> Int? {
        let (sum, overflow) = size.addingReportingOverflow(alignment - 1)
        return overflow || size < 0 ? nil : sum & ~(alignment - 1)
    }

    /// Allocates memory under the cap, owned by the arena; `nil` beyond the cap.
    func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        guard let size = Self.rounded(size), size <= remaining else { return nil }
        remaining -= size
        return bump(size)
    }

    /// Allocates memory for our own values, which have no cap; owned by the arena.
    func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        guard let size = Self.rounded(size) else { preconditionFailure("a value of \(size) bytes can't be packed") }
        return bump(size)
    }

    private func bump(_ size: Int) -> UnsafeMutableRawPointer {
        if let block = blocks.last, let start = block.baseAddress, size <= block.count - used {
            defer { used += size }
            return start + used
        }
        let bytes = max(size, Self.firstBlockBytes, 2 * (blocks.last?.count ?? 0))
        let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: Self.alignment)
        blocks.append(UnsafeMutableRawBufferPointer(start: block, count: bytes))
        used = size
        return block
    }

    /// Runs `body` with the arena as protobuf-c's allocator, valid only during the call. It borrows the arena and frees
    /// nothing.
    func withAllocator<Result>(_ body: (UnsafeMutablePointer<ProtobufCAllocator>) -> Result) -> Result {
        withExtendedLifetime(self) {
            var allocator = ProtobufCAllocator(
                alloc: { arena, size in
                    guard let arena else { return nil }
                    return Unmanaged<WireArena>.fromOpaque(arena).takeUnretainedValue().allocate(size)
                },
                free: { _, _ in },
                allocator_data: Unmanaged.passUnretained(self).toOpaque())
            return body(&allocator)
        }
    }
}
