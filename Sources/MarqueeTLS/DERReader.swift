/// Reads values of DER (X.690), one after another: just enough for the names in certificates and for revocation lists.
package struct DERReader {
    /// One value: its tag, its content, and all of its bytes.
    package struct Value {
        package var tag: UInt8
        package var content: ArraySlice<UInt8>
        package var bytes: ArraySlice<UInt8>

        /// A reader of the values within.
        package var values: DERReader { DERReader(content) }
    }

    package enum Tag {
        package static let boolean: UInt8 = 0x01
        package static let integer: UInt8 = 0x02
        package static let bits: UInt8 = 0x03
        package static let objectID: UInt8 = 0x06
        package static let utcTime: UInt8 = 0x17
        package static let time: UInt8 = 0x18
        package static let sequence: UInt8 = 0x30
        /// `[number]`, explicit.
        package static func context(_ number: UInt8) -> UInt8 { 0xA0 | number }
    }

    package struct Malformed: Error {
        package init() {}
    }

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package var isAtEnd: Bool { rest.isEmpty }

    /// The next value, of whatever kind.
    package mutating func next() throws(Malformed) -> Value {
        let all = rest
        // None of these have tags of more than one byte.
        guard let tag = rest.popFirst(), tag & 0x1F != 0x1F, let first = rest.popFirst() else { throw Malformed() }
        var length = Int(first)
        if first & 0x80 != 0 {
            let count = Int(first & 0x7F)
            guard 1...4 ~= count, rest.count >= count else { throw Malformed() }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard length <= rest.count else { throw Malformed() }
        let content = rest.prefix(length)
        rest = rest.dropFirst(length)
        return Value(tag: tag, content: content, bytes: all[..<content.endIndex])
    }

    /// The next value, which must be of this kind.
    package mutating func next(_ tag: UInt8) throws(Malformed) -> Value {
        let value = try next()
        guard value.tag == tag else { throw Malformed() }
        return value
    }

    /// The next value if it is of this kind; `nil`, having read nothing, if it isn't.
    package mutating func optional(_ tag: UInt8) throws(Malformed) -> Value? {
        guard rest.first == tag else { return nil }
        return try next()
    }
}
