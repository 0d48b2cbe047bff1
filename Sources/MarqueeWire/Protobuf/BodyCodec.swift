internal import CMarqueeProto
internal import CProtobufC
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

/// What a view's own list says beside its sections.
package struct ViewHead: Hashable, Sendable {
    package var title: String
    /// Sections that the screen has and the list leaves out, because the reader is no user.
    package var needsUser: [String]

    package init(title: String, needsUser: [String] = []) {
        self.title = title
        self.needsUser = needsUser
    }
}

/// Bodies ↔ values: item contents, heads, and section references.
///
/// Encoded bodies are canonical: protobuf-c packs fields in the order of their numbers. Decoding is guarded separately
/// from the frame that carried the body, and an unreadable body is never a connection error: the item is shown by its
/// fallback. Stateless.
package enum BodyCodec {
    /// The body of an item. For `unknown`, the bytes unchanged.
    package static func encode(_ content: ItemContent) -> [UInt8] {
        let packer = Packer(arena: WireArena())
        switch content {
        case .movie(let movie): return packer.pack(movie)
        case .genre(let genre): return packer.pack(genre)
        case .credit(let credit): return packer.pack(credit)
        case .banner(let banner): return packer.pack(banner)
        case .text(let text): return packer.pack(text)
        case .course(let course): return packer.pack(course)
        case .categories(let titles):
            return packer.pack(Proto.CategoriesBody.self) { ($0.n_titles, $0.titles) = packer.texts(titles) }
        case .detail(let detail): return packer.pack(detail)
        case .chartEntry(let entry): return packer.pack(entry)
        case .place(let place): return packer.pack(place)
        case .card(let card): return packer.pack(card)
        case .member(let revision, let value):
            return packer.pack(Proto.MemberBody.self) {
                ($0.has_revision, $0.revision) = packer.number(revision)
                $0.value = packer.text(value?.json)
            }
        case .unknown(_, let bytes): return bytes
        }
    }

    /// The body of an item of kind `other`.
    /// - Parameters:
    ///   - type: a feed's name for the kind.
    ///   - value: JSON.
    package static func encodeOther(type: String, value: String) -> [UInt8] {
        let packer = Packer(arena: WireArena())
        return packer.pack(Proto.OtherBody.self) {
            $0.type = packer.text(type)
            $0.value = packer.text(unlessEmpty: value)
        }
    }

    /// What an item shows: `unknown` if the kind is unknown or the bytes can't be decoded.
    package static func decode(kind: ItemKind, bytes: [UInt8]) -> ItemContent {
        (try? known(kind, bytes)) ?? .unknown(kind: kind, bytes: bytes)
    }

    /// - Returns: `nil` for an unknown kind.
    private static func known(_ kind: ItemKind, _ bytes: [UInt8]) throws(WireError) -> ItemContent? {
        switch kind {
        case .movie: return .movie(try value(bytes))
        case .genre: return .genre(try value(bytes))
        case .credit: return .credit(try value(bytes))
        case .banner: return .banner(try value(bytes))
        case .text: return .text(try value(bytes))
        case .course: return .course(try value(bytes))
        case .categories:
            return try message(Proto.CategoriesBody.self, bytes) { .categories($1.texts($0.n_titles, $0.titles)) }
        case .detail: return .detail(try value(bytes))
        case .chartEntry: return .chartEntry(try value(bytes))
        case .place: return .place(try value(bytes))
        case .card: return .card(try value(bytes))
        case .member:
            return try message(Proto.MemberBody.self, bytes) {
                .member(
                    revision: $1.number($0.has_revision, $0.revision) ?? 0,
                    value: $1.text($0.value).map { CollectionValue(json: $0) })
            }
        default: return nil
        }
    }

    /// The head of a section.
    package static func encode(_ head: SectionHead) -> [UInt8] { Packer(arena: WireArena()).pack(head) }

    /// The head of a section, or `nil` if the bytes can't be decoded.
    package static func decodeSectionHead(_ bytes: [UInt8]) -> SectionHead? { try? value(bytes) }

    /// The head of a view's own list.
    package static func encode(_ head: ViewHead) -> [UInt8] {
        let packer = Packer(arena: WireArena())
        return packer.pack(Proto.ViewHead.self) {
            $0.title = packer.text(unlessEmpty: head.title)
            ($0.n_needs_user, $0.needs_user) = packer.texts(head.needsUser)
        }
    }

    /// The head of a view's own list, or `nil` if the bytes can't be decoded.
    package static func decodeViewHead(_ bytes: [UInt8]) -> ViewHead? {
        try? message(Proto.ViewHead.self, bytes) {
            ViewHead(title: $1.text($0.title) ?? "", needsUser: $1.texts($0.n_needs_user, $0.needs_user))
        }
    }

    /// The body of an item of kind `section`.
    package static func encode(_ reference: SectionReference) -> [UInt8] {
        let packer = Packer(arena: WireArena())
        return packer.pack(Proto.SectionReference.self) {
            ($0.has_private_, $0.private_) = packer.flag(reference.isPrivate)
            ($0.has_placeholders, $0.placeholders) = packer.number(unlessZero: reference.placeholders)
        }
    }

    /// The body of an item of kind `section`, or `nil` if the bytes can't be decoded.
    package static func decodeSectionReference(_ bytes: [UInt8]) -> SectionReference? {
        try? message(Proto.SectionReference.self, bytes) {
            SectionReference(
                isPrivate: $1.flag($0.has_private_, $0.private_),
                placeholders: $1.number($0.has_placeholders, $0.placeholders) ?? 0)
        }
    }

    private static func value<Value: ProtobufConvertible>(_ bytes: [UInt8]) throws(WireError) -> Value {
        try Unpacker.decode(bytes, guardedBy: .body, limits: .client, arena: WireArena())
    }

    private static func message<Wire: ProtobufMessage, Value>(
        _ type: Wire.Type, _ bytes: [UInt8], _ read: (Wire, Unpacker) -> Value
    ) throws(WireError) -> Value {
        try Unpacker.decode(type, bytes, guardedBy: .body, limits: .client, arena: WireArena(), read)
    }
}

extension ItemContent {
    /// The kind of an item that shows this.
    package var kind: ItemKind {
        switch self {
        case .movie: .movie
        case .genre: .genre
        case .credit: .credit
        case .banner: .banner
        case .text: .text
        case .course: .course
        case .categories: .categories
        case .detail: .detail
        case .chartEntry: .chartEntry
        case .place: .place
        case .card: .card
        case .member: .member
        case .unknown(let kind, _): kind
        }
    }
}
