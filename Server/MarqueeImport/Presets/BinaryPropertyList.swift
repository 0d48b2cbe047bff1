import MarqueeCatalogue

/// Reads a property list in Apple's binary form (`bplist00`).
///
/// An object may be referred to from many places, so a few bytes can stand for any number of values. Foundation would
/// create every one; this reader counts them and has a limit.
struct BinaryPropertyList {
    /// The reason why the bytes can't be read.
    struct Malformed: Error {
        var reason: String
    }

    private static let magic = Array("bplist".utf8)
    private static let version = Array("bplist0".utf8)
    private static let headerBytes = 8
    private static let trailerBytes = 32
    /// A length that doesn't fit into the marker follows it as a number.
    private static let longLength: UInt8 = 0x0F

    private let bytes: [UInt8]
    private let offsetBytes: Int
    private let referenceBytes: Int
    private let objects: Int
    private let offsets: Int
    private var account: PropertyList.Account

    /// Whether a file begins like one.
    static func isBinary(_ head: [UInt8]) -> Bool { head.starts(with: magic) }

    /// - Throws: `Malformed`, also if it stands for more than a property list may hold.
    static func read(
        _ bytes: [UInt8], within account: PropertyList.Account = PropertyList.Account()
    ) throws(Malformed) -> PropertyList {
        var (reader, top) = try open(bytes, account)
        return try reader.value(top, depth: 1)
    }

    private static func open(
        _ bytes: [UInt8], _ account: PropertyList.Account
    ) throws(Malformed) -> (reader: BinaryPropertyList, top: Int) {
        guard bytes.starts(with: version) else { throw Malformed(reason: "it is of a version that isn't known") }
        guard bytes.count >= headerBytes + trailerBytes else { throw Malformed(reason: "it is cut off") }
        let trailer = bytes.count - trailerBytes
        func long(_ place: Int) -> Int? {
            Int(exactly: bytes[trailer + place..<trailer + place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        let (offsetBytes, referenceBytes) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard let objects = long(8), let top = long(16), let offsets = long(24), (1...8).contains(offsetBytes),
            (1...8).contains(referenceBytes), objects <= bytes.count, offsets <= trailer,
            objects * offsetBytes <= trailer - offsets
        else { throw Malformed(reason: "its last \(trailerBytes) bytes make no sense; it is cut off or damaged") }
        let reader = BinaryPropertyList(
            bytes: bytes, offsetBytes: offsetBytes, referenceBytes: referenceBytes, objects: objects,
            offsets: offsets, account: account)
        return (reader, top)
    }

    // MARK: - Objects

    private mutating func value(_ object: Int, depth: Int) throws(Malformed) -> PropertyList {
        guard object < objects, let place = number(at: offsets + object * offsetBytes, bytes: offsetBytes),
            place < offsets
        else { throw Malformed(reason: "it refers to an object that it doesn't have") }
        guard account.open(depth: depth) else { throw Malformed(reason: account.refusal) }
        let marker = bytes[place]
        switch marker >> 4 {
        case 0x5:
            let (range, _) = try content(place, of: 1)
            return try text(String(validating: bytes[range], as: UTF8.self), at: place)
        case 0x6:
            let (range, count) = try content(place, of: 2)
            let units = (0..<count).map { unit in
                UInt16(bytes[range.lowerBound + 2 * unit]) << 8 | UInt16(bytes[range.lowerBound + 2 * unit + 1])
            }
            return try text(String(validating: units, as: UTF16.self), at: place)
        case 0xA, 0xB, 0xC:
            let (range, count) = try content(place, of: referenceBytes)
            var values: [PropertyList] = []
            for index in 0..<count { values.append(try value(reference(index, range), depth: depth + 1)) }
            return .list(values)
        case 0xD: return try dictionary(place, depth: depth)
        default: return .other
        }
    }

    private mutating func dictionary(_ place: Int, depth: Int) throws(Malformed) -> PropertyList {
        let (range, count) = try content(place, of: 2 * referenceBytes)
        var members: [String: PropertyList] = [:]
        for index in 0..<count {
            guard case .text(let key) = try value(reference(index, range), depth: depth + 1) else {
                throw Malformed(reason: "the key of a dictionary is not text, at byte \(place + 1)")
            }
            let member = try value(reference(count + index, range), depth: depth + 1)
            guard members.updateValue(member, forKey: key) == nil else {
                throw Malformed(reason: "a dictionary has the key '\(Field.shown(key))' twice, at byte \(place + 1)")
            }
        }
        return .dictionary(members)
    }

    private mutating func text(_ text: String?, at place: Int) throws(Malformed) -> PropertyList {
        guard let text else { throw Malformed(reason: "a text is damaged, at byte \(place + 1)") }
        guard account.add(text) else { throw Malformed(reason: account.refusal) }
        return .text(text.composed)
    }

    // MARK: - Bytes

    private func reference(_ index: Int, _ range: Range<Int>) -> Int {
        number(at: range.lowerBound + index * referenceBytes, bytes: referenceBytes) ?? objects
    }

    /// The range of an object's content, and its length in units of `unit` bytes.
    private func content(_ place: Int, of unit: Int) throws(Malformed) -> (range: Range<Int>, count: Int) {
        var start = place + 1
        var count = Int(bytes[place] & 0x0F)
        if bytes[place] & 0x0F == BinaryPropertyList.longLength {
            guard start < offsets, bytes[start] >> 4 == 1, bytes[start] & 0x0F <= 3,
                let long = number(at: start + 1, bytes: 1 << Int(bytes[start] & 0x0F))
            else { throw Malformed(reason: "a length is damaged, at byte \(place + 1)") }
            start += 1 + 1 << Int(bytes[start] & 0x0F)
            count = long
        }
        guard start <= offsets, count <= (offsets - start) / unit else {
            throw Malformed(reason: "an object goes on beyond the end, at byte \(place + 1)")
        }
        return (start..<start + count * unit, count)
    }

    /// A number of at most 8 bytes; `nil` if it isn't there or too large.
    private func number(at place: Int, bytes count: Int) -> Int? {
        guard place >= 0, place <= bytes.count - count else { return nil }
        return Int(exactly: bytes[place..<place + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
