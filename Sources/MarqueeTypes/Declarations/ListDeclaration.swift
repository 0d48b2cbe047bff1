package import MarqueeModel

/// Lists of records declared under one name, such as charts, tables and rows that an editor curates.
package struct ListDeclaration: Hashable, Sendable {
    package let name: String
    /// Aliases of the types whose records the lists may hold.
    package let types: [String]
    /// Reads and writes the message that an entry has besides its record; `nil` if an entry is only a record.
    package let place: RecordCoder?
    /// Whether a list is stored as editions, one of which is current.
    package let hasEditions: Bool

    /// The canonical bytes of a place given as JSON.
    package func place(json: [UInt8]) throws(RecordError) -> [UInt8] {
        try self.place(json: try JSONValue(parsing: json))
    }
    package func place(json: JSONValue) throws(RecordError) -> [UInt8] {
        try RecordMistakes.refusing { self.place(json: json, noting: &$0) }
    }

    /// The canonical bytes of a place given as JSON.
    /// - Parameter mistakes: receives everything wrong with it.
    package func place(json: JSONValue, noting mistakes: inout RecordMistakes) -> [UInt8]? {
        read(noting: &mistakes) { coder, mistakes in coder.record(json: json, noting: &mistakes) }
    }

    /// The canonical bytes of a place given as protobuf.
    /// - Parameter mistakes: receives everything wrong with it.
    package func place(bytes: [UInt8], noting mistakes: inout RecordMistakes) -> [UInt8]? {
        read(noting: &mistakes) { coder, mistakes in coder.record(bytes: bytes, noting: &mistakes) }
    }

    private func read(
        noting mistakes: inout RecordMistakes, by read: (RecordCoder, inout RecordMistakes) -> [UInt8]?
    ) -> [UInt8]? {
        guard let place else {
            mistakes.note(RecordError("the list '\(name)' declares no 'place', so its entries are records only"))
            return nil
        }
        guard let bytes = read(place, &mistakes) else { return nil }
        if bytes.count > TypeLimits.placeBytes {
            mistakes.note(
                RecordError(
                    path: "place", "a place of \(bytes.count) bytes; at most \(TypeLimits.placeBytes) are allowed"))
        }
        return bytes
    }
}
