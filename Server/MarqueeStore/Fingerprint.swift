/// A hash that is the same in every process: FNV-1a, 64 bits.
///
/// Of a write, it tells a mutation sent again from another one under the same number; a client can only fool itself
/// with it. Of a table's rows, it tells whether a copy is whole: any single byte that changes changes it.
package struct Fingerprint: Hashable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }

    /// Adds text and its length, so that neighbouring texts can't run into each other.
    mutating func add(_ bytes: some Collection<UInt8>) {
        for byte in bytes { add(byte) }
        add(UInt64(bytes.count))
    }

    mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { for byte in $0 { add(byte) } }
    }

    /// A hash of texts, for names that have to be the same whenever they are made from the same texts.
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
        case .favorite(let user, let subject, let on, _):
            hash.add(UInt8(ascii: "F"))
            hash.add(UInt8(on ? 1 : 0))
            hash.add(user.utf8)
            hash.add(subject.utf8)
        }
        return hash.value
    }
}
