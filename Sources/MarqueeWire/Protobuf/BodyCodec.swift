internal import CMarqueeProto
package import MarqueeModel

/// The body of an item of kind `section` in a view's own list.
package struct SectionReference: Hashable, Sendable {
    /// Whether the section differs from user to user.
    package var isPrivate: Bool
    /// How many items to expect before data arrives.
    package var placeholders: UInt32

    package init(isPrivate: Bool = false, placeholders: UInt32 = 0) {
        self.isPrivate = isPrivate
        self.placeholders = placeholders
    }
}

/// The head of a view's own list.
package struct ViewHead: Hashable, Sendable {
    package var title: String
    /// Sections of the screen that the list omits because the connection has no user.
    package var needsUser: [String]

    package init(title: String, needsUser: [String] = []) {
        self.title = title
        self.needsUser = needsUser
    }
}

/// Converts between bodies and values: item contents, heads, and section references.
///
/// Encoded bodies are canonical, because protobuf-c packs fields in ascending order of number. A body is guarded
/// separately from the frame that carried it. An unreadable body is never a connection error: the item is shown by its
/// fallback. Stateless.
package enum BodyCodec {
    /// The body of an item. The bytes of `encoded` are returned unchanged.
    package static func encode(_ content: ItemContent) -> [UInt8] {
        switch content {
        case .card(let card): Packer.pack(card)
        case .encoded(_, let bytes): bytes
        }
    }

    /// The body of an item of kind `other`.
    /// - Parameters:
    ///   - type: the kind's name in the feed.
    ///   - value: JSON.
    package static func encodeOther(type: String, value: String) -> [UInt8] {
        Packer.pack(Proto.OtherBody.self) {
            $0.type = $1.text(type)
            $0.value = $1.text(unlessEmpty: value)
        }
    }

    /// The content of an item; `encoded` if the protocol doesn't define the kind's body or the bytes can't be decoded.
    package static func decode(kind: ItemKind, bytes: [UInt8]) -> ItemContent {
        guard kind == .card, let card: CardContent = try? Unpacker.body(bytes) else {
            return .encoded(kind: kind, bytes: bytes)
        }
        return .card(card)
    }

    /// The body of a member of a collection, or `nil` if the bytes can't be decoded.
    package static func decodeMember(_ bytes: [UInt8]) -> (revision: UInt64, value: CollectionValue?)? {
        try? Unpacker.body(Proto.MemberBody.self, bytes) {
            (
                $1.number($0.has_revision, $0.revision) ?? 0,
                $1.text($0.value).map { CollectionValue(json: $0) }
            )
        }
    }

    /// The head of a section.
    package static func encode(_ head: SectionHead) -> [UInt8] { Packer.pack(head) }

    /// The head of a section, or `nil` if the bytes can't be decoded.
    package static func decodeSectionHead(_ bytes: [UInt8]) -> SectionHead? { try? Unpacker.body(bytes) }

    /// The head of a view's own list.
    package static func encode(_ head: ViewHead) -> [UInt8] {
        Packer.pack(Proto.ViewHead.self) {
            $0.title = $1.text(unlessEmpty: head.title)
            ($0.n_needs_user, $0.needs_user) = $1.texts(head.needsUser)
        }
    }

    /// The head of a view's own list, or `nil` if the bytes can't be decoded.
    package static func decodeViewHead(_ bytes: [UInt8]) -> ViewHead? {
        try? Unpacker.body(Proto.ViewHead.self, bytes) {
            ViewHead(title: $1.text($0.title) ?? "", needsUser: $1.texts($0.n_needs_user, $0.needs_user))
        }
    }

    /// The body of an item of kind `section`.
    package static func encode(_ reference: SectionReference) -> [UInt8] {
        Packer.pack(Proto.SectionReference.self) {
            ($0.has_private_, $0.private_) = $1.flag(reference.isPrivate)
            ($0.has_placeholders, $0.placeholders) = $1.number(unlessZero: reference.placeholders)
        }
    }

    /// The body of an item of kind `section`, or `nil` if the bytes can't be decoded.
    package static func decodeSectionReference(_ bytes: [UInt8]) -> SectionReference? {
        try? Unpacker.body(Proto.SectionReference.self, bytes) {
            SectionReference(
                isPrivate: $1.flag($0.has_private_, $0.private_),
                placeholders: $1.number($0.has_placeholders, $0.placeholders) ?? 0)
        }
    }
}

extension Unpacker {
    /// The value of a body.
    fileprivate static func body<Value: ProtobufConvertible>(_ bytes: [UInt8]) throws(WireError) -> Value {
        try decode(bytes, guardedBy: .body, limits: .client)
    }

    /// Applies `read` to a body.
    fileprivate static func body<Wire: ProtobufMessage, Value>(
        _ type: Wire.Type, _ bytes: [UInt8], _ read: (Wire, Unpacker) -> Value
    ) throws(WireError) -> Value {
        try decode(type, bytes, guardedBy: .body, limits: .client, read)
    }
}

extension ItemContent {
    /// The kind of an item with this content.
    package var kind: ItemKind {
        switch self {
        case .card: .card
        case .encoded(let kind, _): kind
        }
    }

    /// A member of a collection: the user's revision that made it one, and its value.
    package static func member(revision: UInt64, value: CollectionValue?) -> ItemContent {
        let bytes = Packer.pack(Proto.MemberBody.self) {
            ($0.has_revision, $0.revision) = $1.number(revision)
            $0.value = $1.text(value?.json)
        }
        return .encoded(kind: .member, bytes: bytes)
    }
}
