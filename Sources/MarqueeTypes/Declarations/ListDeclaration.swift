package import MarqueeModel

/// Lists of records under one name, such as charts, tables and rows that an editor puts together.
package struct ListDeclaration: Hashable, Sendable {
    package let name: String
    /// Aliases of the types whose records it may hold.
    package let types: [String]
    /// Reads and writes the message of a place; `nil` if an entry is only a record.
    package let place: RecordCoder?
    /// Whether a list is stored by editions, of which one is in force.
    package let hasEditions: Bool

    /// The canonical bytes of a place given as JSON.
    package func place(json: [UInt8]) throws(RecordError) -> [UInt8] { try bounded(try coder().record(json: json)) }
    package func place(json: JSONValue) throws(RecordError) -> [UInt8] { try bounded(try coder().record(json: json)) }

    /// The canonical bytes of a place given as protobuf.
    package func place(bytes: [UInt8]) throws(RecordError) -> [UInt8] { try bounded(try coder().record(bytes: bytes)) }

    private func coder() throws(RecordError) -> RecordCoder {
        if let place { return place }
        throw RecordError("the list '\(name)' declares no 'place', so its entries are records only")
    }

    private func bounded(_ bytes: [UInt8]) throws(RecordError) -> [UInt8] {
        guard bytes.count <= TypeLimits.placeBytes else {
            throw RecordError(
                path: "place", "a place of \(bytes.count) bytes; at most \(TypeLimits.placeBytes) are allowed")
        }
        return bytes
    }
}
