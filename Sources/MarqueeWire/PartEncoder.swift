package import MarqueeDiff
package import MarqueeModel

/// Thrown for a head, an added item or an update that is too large for any part.
package struct BodyTooLarge: Error, Hashable, Sendable, CustomStringConvertible {
    /// A human-readable message.
    package var message: String

    package var description: String { message }
}

/// Splits a patch into parts that respect a receiver's limits, and encodes them.
package enum PartEncoder {
    /// Maximum encoded bytes of one head, added item or update. An element larger than `partBytes` gets a part of its
    /// own, still far smaller than the largest frame.
    package static let itemBytes = 256 << 10

    /// - Parameters:
    ///   - patch: from an exact base to a target.
    ///   - handle: the variant's.
    ///   - isWhole: whether the patch starts from the empty version; its parts then name no base.
    ///   - cut: the position at which the target became current; only the components that changed.
    ///   - limits: the receivers'.
    /// - Throws: `BodyTooLarge` when a body exceeds `itemBytes`.
    package static func encode(
        _ patch: Patch, handle: UInt64, isWhole: Bool = false, cut: CutChange = CutChange(),
        limits: WireLimits = .client
    ) throws(BodyTooLarge) -> EncodedPatch {
        let parts = try split(patch, handle: handle, isWhole: isWhole, cut: cut, limits: limits)
        return EncodedPatch(parts, isWhole: isWhole)
    }

    /// The parts of a patch, before encoding.
    ///
    /// - Throws: `BodyTooLarge` when a body exceeds `itemBytes`.
    package static func split(
        _ patch: Patch, handle: UInt64, isWhole: Bool = false, cut: CutChange = CutChange(),
        limits: WireLimits = .client
    ) throws(BodyTooLarge) -> [Part] {
        var splitter = PatchSplitter(
            empty: Part(
                handle: handle, base: isWhole ? nil : patch.base, target: patch.target,
                count: UInt32(clamping: patch.count), cut: cut),
            limits: limits)
        if let head = patch.head { try splitter.append(head: head) }
        splitter.append(script: patch.script[...])
        for item in patch.adds { try splitter.append(add: item) }
        for update in patch.updates { try splitter.append(update: update) }
        return splitter.finish()
    }
}

/// Distributes a patch's elements over parts, in order.
private struct PatchSplitter {
    /// Maximum bytes of a frame besides head, script, adds and updates: the envelope, and the largest form of each
    /// number and of the cut.
    private static let fixedBytes = 96

    /// A part that has only the fields common to all parts.
    private let empty: Part
    private let capacity: Int
    private let elementCapacity: Int
    private var part: Part
    private var bytes = 0
    private var elements = 0
    private var isEmpty = true
    private var parts: [Part] = []

    init(empty: Part, limits: WireLimits) {
        self.empty = empty
        part = empty
        capacity = Int(min(limits.partBytes, limits.frameBytes)) - Self.fixedBytes
        elementCapacity = Int(limits.elementsPerFrame)
    }

    mutating func append(head: FieldChange) throws(BodyTooLarge) {
        try makeRoom(Self.size(head), elements: head.cleared.count, "a head")
        part.head = head
    }

    mutating func append(script: ArraySlice<UInt8>) {
        var rest = script
        while !rest.isEmpty {
            if bytes >= capacity { close() }
            // At least one byte, so that the loop ends even if the limit leaves no room.
            let piece = rest.prefix(max(1, capacity - bytes))
            part.script.append(contentsOf: piece)
            reserve(piece.count, elements: 0)
            rest = rest.dropFirst(piece.count)
        }
    }

    mutating func append(add item: Item) throws(BodyTooLarge) {
        try makeRoom(Self.size(item), elements: 1, "item \(item.id)")
        part.adds.append(item)
    }

    mutating func append(update: FieldChange) throws(BodyTooLarge) {
        try makeRoom(Self.size(update), elements: 1 + update.cleared.count, "an update")
        part.updates.append(update)
    }

    mutating func finish() -> [Part] {
        parts.append(part)
        return parts
    }

    private mutating func makeRoom(
        _ size: Int, elements count: Int, _ name: @autoclosure () -> String
    ) throws(BodyTooLarge) {
        guard size <= PartEncoder.itemBytes, count <= elementCapacity else {
            throw BodyTooLarge(
                message: "\(name()) needs \(size) bytes and \(count) elements, "
                    + "more than the limits of \(PartEncoder.itemBytes) and \(elementCapacity)")
        }
        if !isEmpty, bytes + size > capacity || elements + count > elementCapacity { close() }
        reserve(size, elements: count)
    }

    private mutating func reserve(_ size: Int, elements count: Int) {
        bytes += size
        elements += count
        isEmpty = false
    }

    private mutating func close() {
        part.more = true
        parts.append(part)
        part = empty
        (bytes, elements, isEmpty) = (0, 0, true)
    }

    /// Bytes of a length-prefixed field whose number is below 16.
    private static func field(_ length: Int) -> Int { 1 + Varints.size(UInt64(length)) + length }

    private static func size(_ item: Item) -> Int {
        let text = field(item.id.utf8.count) + (item.subject.isEmpty ? 0 : field(item.subject.utf8.count))
        let kind = 1 + Varints.size(UInt64(item.kind.rawValue))
        return field(text + kind + (item.body.isEmpty ? 0 : field(item.body.count)))
    }

    private static func size(_ change: FieldChange) -> Int {
        let cleared = change.cleared.reduce(0) { $0 + Varints.size(UInt64($1)) }
        return field(
            (change.records.isEmpty ? 0 : field(change.records.count)) + (cleared == 0 ? 0 : field(cleared))
                + (change.replace ? 2 : 0))
    }
}
