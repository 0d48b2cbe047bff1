#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Memory for the C form of one message at a time: a bump allocator with a cap.
///
/// The arena owns everything it allocates. Nothing is freed individually; the next reset reclaims everything, so copy
/// values out before. Not thread-safe; `onThisThread` lends each thread its own arena.
package final class WireArena {
    /// Maximum memory for decoding one frame.
    package static let frameBytes = 32 << 20
    /// Maximum memory for decoding one body.
    package static let bodyBytes = 4 << 20
    /// A block larger than this is freed once its message is done.
    static let retainedBytes = 256 << 10
    /// Size of the first block; later ones double.
    static let firstBlockBytes = 4 << 10
    /// Alignment of every allocation, the same as malloc's.
    static let alignment = 16

    /// The block in use. It lives outside the object so that C can reach it, and so that Swift needs no exclusivity
    /// checks.
    struct Room {
        /// The start of the free bytes, and their end under the cap.
        var next: UnsafeMutableRawPointer
        var end: UnsafeMutableRawPointer
        var block: UnsafeMutableRawBufferPointer
        var isInUse = false
        /// Whether blocks have been added for the current message.
        var hasGrown = false

        init(bytes: Int) {
            block = .allocate(byteCount: bytes, alignment: WireArena.alignment)
            guard let start = block.baseAddress else { preconditionFailure("a block has no memory") }
            (next, end) = (start, start)
            reset(limit: bytes)
        }

        /// Switches to a new block. The caller frees the old one.
        mutating func grow(to bytes: Int) {
            self = Room(bytes: bytes)
            isInUse = true
            hasGrown = true
        }

        /// Reclaims the block and caps it at `limit` bytes, rounded down to the alignment.
        @inline(__always)
        mutating func reset(limit: Int) {
            guard let start = block.baseAddress else { return }
            next = start
            end = start + (limit & ~(WireArena.alignment - 1))
        }

        /// Memory under the cap; `nil` if the cap leaves too little or `size` is negative.
        @inline(__always)
        mutating func take(_ size: Int) -> UnsafeMutableRawPointer? {
            // The space left is a multiple of the alignment, so a size that fits also fits when rounded up.
            guard UInt(bitPattern: size) <= UInt(bitPattern: end - next) else { return nil }
            defer { next += (size &+ (WireArena.alignment - 1)) & ~(WireArena.alignment - 1) }
            return next
        }
    }

    let room: UnsafeMutablePointer<Room>
    /// Blocks that were filled before the one in use.
    private var fullBlocks: [UnsafeMutableRawBufferPointer] = []

    init() {
        room = .allocate(capacity: 1)
        room.initialize(to: Room(bytes: Self.firstBlockBytes))
    }

    deinit {
        freeFullBlocks()
        room.pointee.block.deallocate()
        room.deallocate()
    }

    /// Bytes of the block in use.
    var capacity: Int { room.pointee.block.count }
    /// Whether a caller is using the arena.
    private var isInUse: Bool { room.pointee.isInUse }

    /// Reclaims everything and provides `limit` bytes in one block. Allocations by C beyond `limit` fail.
    func reset(limit: Int) {
        if capacity < limit { replaceBlock(bytes: limit) }
        room.pointee.reset(limit: limit)
    }

    /// Runs `body` with the arena marked as in use. Afterwards, frees blocks that are too large to keep.
    private func lend<Result, Failure: Error>(
        _ body: (WireArena) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        room.pointee.isInUse = true
        room.pointee.reset(limit: capacity)
        defer {
            if room.pointee.hasGrown { shrink() }
            room.pointee.isInUse = false
        }
        return try body(self)
    }

    /// Runs `body` with the thread's own arena, or with a temporary one if that is already in use. Allocations are
    /// valid only during the call. Between calls a thread keeps at most `retainedBytes`.
    static func onThisThread<Result, Failure: Error>(
        _ body: (WireArena) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let own = ThreadOwned.arena
        return try (own.isInUse ? WireArena() : own).lend(body)
    }

    // MARK: - Allocating

    /// Allocates memory, owned by the arena, which the cap doesn't limit: the caller knows how much it will need.
    func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        if let place = room.pointee.take(size) { return place }
        fullBlocks.append(room.pointee.block)
        room.pointee.grow(to: max(size + Self.alignment, 2 * capacity))
        guard let place = room.pointee.take(size) else { preconditionFailure("a new block is too small") }
        return place
    }

    // MARK: - Blocks

    private func replaceBlock(bytes: Int) {
        room.pointee.block.deallocate()
        room.pointee.grow(to: bytes)
    }

    /// Frees the memory that only a large message needed.
    private func shrink() {
        freeFullBlocks()
        if capacity > Self.retainedBytes { replaceBlock(bytes: Self.firstBlockBytes) }
        room.pointee.hasGrown = false
    }

    private func freeFullBlocks() {
        for block in fullBlocks { block.deallocate() }
        fullBlocks = []
    }
}

/// Each thread's arena, freed when the thread ends.
private enum ThreadOwned {
    /// `nil` if the process has run out of keys; then no thread keeps an arena.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key) { release($0) } == 0 ? key : nil
    }()

    static var arena: WireArena {
        guard let key else { return WireArena() }
        if let kept = pthread_getspecific(key) { return Unmanaged.fromOpaque(kept).takeUnretainedValue() }
        let arena = WireArena()
        let kept = Unmanaged.passRetained(arena)
        if pthread_setspecific(key, kept.toOpaque()) != 0 { kept.release() }
        return arena
    }

    private static func release(_ kept: UnsafeMutableRawPointer?) {
        if let kept { Unmanaged<WireArena>.fromOpaque(kept).release() }
    }
}
