import MarqueeModel

/// A hash that is the same in every process: FNV-1a, 64 bits.
///
/// For a write, it tells a retried mutation from a different one with the same number; a client can only fool itself
/// with it. For a table's rows, it shows whether a copy is complete: changing any single byte changes it.
package struct Fingerprint: Hashable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }

    /// Adds text and its length, so that moving bytes between neighbouring texts changes the hash.
    mutating func add(_ bytes: some Collection<UInt8>) {
        for byte in bytes { add(byte) }
        add(UInt64(bytes.count))
    }

    mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { for byte in $0 { add(byte) } }
    }

    /// A hash of texts, for names that must come out the same whenever they are made from the same texts.
    package static func of(texts: [String]) -> UInt64 {
        var hash = Fingerprint()
        for text in texts { hash.add(text.utf8) }
        return hash.value
    }

    /// The fingerprint of a write, without its mutation's number.
    static func of(_ write: StoreWrite) throws -> UInt64 {
        var hash = Fingerprint()
        switch write {
        case .catalogue(let key, let changes, _):
            hash.add(UInt8(ascii: "C"))
            hash.add(UInt8(key == nil ? 0 : 1))
            hash.add((key ?? "").utf8)
            hash.add(try ChangeCoding.encode(changes))
        case .member(let user, let change, _):
            hash.add(UInt8(ascii: "M"))
            hash.add(user.utf8)
            hash.add(change.collection.name.utf8)
            hash.add(change.subject.utf8)
            switch change.effect {
            case .remove: hash.add(UInt8(0))
            case .set(let value):
                hash.add(UInt8(1))
                hash.add(value)
            }
        }
        return hash.value
    }
}
