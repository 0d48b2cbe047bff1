import MarqueeModel

/// A string that is compared by its UTF-8 bytes.
///
/// Swift's `String` treats canonically equivalent Unicode spellings as equal, but on the wire an id or subject *is* its
/// bytes. Two spellings have different sums and are different items, in every implementation.
package struct ExactString: Hashable, Sendable {
    /// The string itself.
    package let string: String

    package init(_ string: String) { self.string = string }

    package static func == (a: ExactString, b: ExactString) -> Bool {
        a.string.hasSameBytes(as: b.string)
    }

    package func hash(into hasher: inout Hasher) {
        string.withBytes { hasher.combine(bytes: $0) }
    }
}

extension String {
    /// Whether both have the same UTF-8 bytes.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { mine in
            other.withBytes { theirs in
                // Backwards, because ids tend to differ at the end.
                var end = mine.count
                while end >= 8 {
                    end -= 8
                    let word = mine.loadUnaligned(fromByteOffset: end, as: UInt64.self)
                    guard word == theirs.loadUnaligned(fromByteOffset: end, as: UInt64.self) else { return false }
                }
                while end > 0 {
                    end -= 1
                    guard mine[end] == theirs[end] else { return false }
                }
                return true
            }
        }
    }

    /// Lends the UTF-8 bytes, which must not escape `body`.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return result
        }
        return withCopiedBytes(body)
    }

    /// Only a string bridged from another language's runtime is not contiguous.
    @inline(never)
    private func withCopiedBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(utf8).withUnsafeBytes { body($0) }
    }
}

extension Item {
    /// Whether both are the same item, regardless of their bodies. An item whose kind or subject changes is a different
    /// item.
    func hasSameIdentity(as other: Item) -> Bool {
        kind == other.kind && id.hasSameBytes(as: other.id) && subject.hasSameBytes(as: other.subject)
    }
}
