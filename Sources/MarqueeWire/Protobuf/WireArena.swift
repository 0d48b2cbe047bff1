internal import CProtobufC

/// Memory for the C form of one message at a time: a bump allocator with a cap.
///
/// It alone owns what it hands out: nothing is freed piecewise, all of it is reset together and freed with the arena.
/// Values are copied out before the reset. Not thread-safe; a connection keeps one on its event loop and reuses it.
package final class WireArena {
    /// What decoding one frame may take, at most.
    package static let frameBytes = 32 << 20
    /// What decoding one body may take, at most.
    package static let bodyBytes = 4 << 20
    /// A block larger than this is given back at the next reset.
    static let retainedBytes = 256 << 10
    /// The first block made while packing; later ones double.
    static let firstBlockBytes = 4 << 10
    /// Every piece begins at a multiple of this, as malloc's do.
    static let alignment = 16

    private var blocks: [UnsafeMutableRawBufferPointer] = []
    /// Bytes taken of the last block.
    private var used = 0
    /// Bytes that may still be taken under the cap.
    private var remaining = 0

    package init() {}

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// Takes back everything, and makes room for `limit` bytes in one block. Requests beyond `limit` will fail.
    func reset(limit: Int) {
        let kept = blocks.first.flatMap { $0.count >= limit && $0.count <= Self.retainedBytes ? $0 : nil }
        for block in blocks where block.baseAddress != kept?.baseAddress { block.deallocate() }
        blocks = [kept ?? .allocate(byteCount: max(limit, Self.firstBlockBytes), alignment: Self.alignment)]
        used = 0
        remaining = limit
    }

    /// The bytes that a piece of `size` takes, and `nil` when that is no number.
    static func rounded(_ size: Int) -> Int? {
        let (sum, overflow) = size.addingReportingOverflow(alignment - 1)
        return overflow || size < 0 ? nil : sum & ~(alignment - 1)
    }

    /// A piece of memory under the cap, owned by the arena. `nil` beyond the cap.
    func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        guard let size = Self.rounded(size), size <= remaining else { return nil }
        remaining -= size
        return take(size)
    }

    /// A piece of memory for values of our own, which have no cap; owned by the arena.
    func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        guard let size = Self.rounded(size) else { preconditionFailure("a value of \(size) bytes can't be packed") }
        return take(size)
    }

    private func take(_ size: Int) -> UnsafeMutableRawPointer {
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

    /// Runs `body` with the arena as protobuf-c's allocator, valid inside only. It borrows the arena and frees nothing.
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
