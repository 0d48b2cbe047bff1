import SwiftProtobuf

/// `podcast.v1.Show` of Samples/podcasts with some of its fields, as protoc-gen-swift would generate it.
struct Show: Sendable {
    var slug = ""
    var author = ""
    var followers: UInt64 = 0
    var unknownFields = UnknownStorage()
}

extension Show: Message {
    static let protoMessageName = "podcast.v1.Show"

    mutating func decodeMessage<D: Decoder>(decoder: inout D) throws {
        while let number = try decoder.nextFieldNumber() {
            switch number {
            case 1: try decoder.decodeSingularStringField(value: &slug)
            case 3: try decoder.decodeSingularStringField(value: &author)
            case 7: try decoder.decodeSingularUInt64Field(value: &followers)
            default: break
            }
        }
    }

    func traverse<V: Visitor>(visitor: inout V) throws {
        if !slug.isEmpty { try visitor.visitSingularStringField(value: slug, fieldNumber: 1) }
        if !author.isEmpty { try visitor.visitSingularStringField(value: author, fieldNumber: 3) }
        if followers != 0 { try visitor.visitSingularUInt64Field(value: followers, fieldNumber: 7) }
        try unknownFields.traverse(visitor: &visitor)
    }

    func isEqualTo(message: any Message) -> Bool { self == message as? Show }
}

extension Show: Hashable {}
