public import MarqueeModel
import MarqueeWire

/// The content of an item, for a viewer that draws every kind: the protocol's own contents and those of presets in one.
public enum DecodedContent: Hashable, Sendable {
    case preset(PresetContent)
    case card(CardContent)
    /// - `revision`: the user revision that set it.
    case member(revision: UInt64, value: CollectionValue?)
    /// A kind unknown to this build, or a body it can't decode. The bytes are as received.
    case unknown(kind: ItemKind, bytes: [UInt8])
}

extension ItemContent {
    /// Decoded on every access.
    public var decoded: DecodedContent {
        switch self {
        case .card(let card): .card(card)
        case .encoded(let kind, let bytes):
            if kind == .member, let member = BodyCodec.decodeMember(bytes) {
                .member(revision: member.revision, value: member.value)
            } else {
                PresetContent(kind: kind, bytes: bytes).map { .preset($0) } ?? .unknown(kind: kind, bytes: bytes)
            }
        }
    }
}
