/// Limits on a declaration of types.
package enum TypeLimits {
    /// Bytes of the declaration's text.
    package static let declarationBytes = 256 << 10
    package static let types = 64
    /// Sorts, facets, search fields and references of one type, in total.
    package static let indexes = 16
    /// Localized texts of one type.
    package static let localized = 32
    /// Labels of one field's values.
    package static let labels = 256
    /// Locales of one label.
    package static let labelLocales = 64
    /// Bytes of a label.
    package static let labelBytes = 256
    package static let collections = 16
    package static let lists = 64
    /// Bytes of the `place` message of a list's entry.
    package static let placeBytes = 4_096
    /// Bytes of a collection's value.
    package static let valueBytes = 256
    /// Bytes of a record's id.
    package static let idBytes = 256
    /// Bytes of the alias of a type or the name of a collection.
    package static let aliasBytes = 32
    /// Bytes of the name of an inline field, and of its type.
    package static let fieldNameBytes = 64
    /// Bytes of the package name for the messages of inline fields.
    static let packageBytes = 128
    /// Field numbers that protobuf reserves.
    static let reservedNumbers: ClosedRange<UInt32> = 19_000...19_999
    /// Bytes of a path, a message name or a file name.
    static let textBytes = 1_024
    /// Aliases that no type can have, because they have another meaning in the bodies of lists in programmes: entries
    /// without a record, or the parts of a body.
    package static let reservedAliases = ["card", "fields", "kind", "message", "place"]
    /// The lowest item kind that isn't reserved for Marquee.
    package static let firstKind: UInt32 = 1_000
    /// The number of kinds that aliases are hashed into, for types that declare no kind.
    static let givenKinds: UInt64 = 1_000_000

    /// Whether a name consists of lowercase letters, digits and `_`, and begins with a letter.
    package static func isFieldName(_ name: String) -> Bool {
        isPlain(name, besides: [UInt8(ascii: "_")]) && name.utf8.count <= fieldNameBytes
    }

    /// Whether a name consists of lowercase letters, digits, `-` and `_`, and begins with a letter.
    package static func isAlias(_ name: String) -> Bool {
        isPlain(name, besides: [UInt8(ascii: "-"), UInt8(ascii: "_")]) && name.utf8.count <= aliasBytes
    }

    private static func isPlain(_ name: String, besides others: [UInt8]) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return name.utf8.first.map { letters.contains($0) } ?? false
            && name.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || others.contains($0) }
    }
}
