import MarqueeModel

/// A string that equals only the same bytes.
///
/// Swift's `String` also equals its other Unicode spellings, but on the wire an id or a subject *is* its bytes: two
/// spellings have different sums and are different items, in this implementation as in any other.
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
                // From the end, where ids differ.
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

    /// Lends the UTF-8 bytes, which must not leave `body`.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return result
        }
        // Only a string that another language's runtime made is not contiguous.
        return Array(utf8).withUnsafeBytes { body($0) }
    }
}

extension Item {
    /// Whether both are the same item, whatever their bodies hold: an item that changes kind or subject is another one.
    func hasSameIdentity(as other: Item) -> Bool {
        kind == other.kind && id.hasSameBytes(as: other.id) && subject.hasSameBytes(as: other.subject)
    }
}
